import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ImportResult } from '#contracts/entities/capture.ts'
import { resultOf } from '#server/testing/core.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { AtifTrajectory } from './format.ts'
import { trajectories } from './testing.ts'

const SAMPLES = path.resolve(import.meta.dirname, '../../../../../samples')

let server: TestServer
let folder: string
beforeEach(async () => {
  server = await startTestServer()
  folder = path.join(path.dirname(server.config.dataDir), 'others')
  fs.mkdirSync(folder)
})
afterEach(() => server.close())

const bring = async (...paths: string[]) => resultOf<ImportResult>(server.app.core, await server.client.startImport({ body: { paths } }))

async function exportTrace(id: string): Promise<AtifTrajectory> {
  const response = await server.client.exportTrace({ params: { id }, query: {} })
  expect(response.headers.get('content-disposition')).toContain(`${id}.atif.json`)
  return AtifTrajectory.parse(await response.json())
}

const traces = async () => (await server.client.listTraces({ query: { limit: 100 } })).items

it('a session keeps its calls, sub-agents and tokens through export and import', async () => {
  await bring(path.join(SAMPLES, 'claude-code'), path.join(SAMPLES, 'other-agents/codex'), path.join(SAMPLES, 'other-agents/gemini'))
  const first = await traces()
  expect(first.some(({ counts }) => counts.subagents > 0)).toBe(true)
  const documents = new Map<string, AtifTrajectory>()
  for (const { id } of first) {
    const document = await exportTrace(id)
    documents.set(id, document)
    fs.writeFileSync(path.join(folder, `${id}.atif.json`), JSON.stringify(document))
  }
  expect(await bring(folder)).toMatchObject({ sessions: { new: first.length, failed: 0 }, errors: [] })
  const second = (await traces()).filter(({ agent }) => agent === 'atif')
  for (const before of first) {
    const after = second.find(({ sessionId }) => sessionId === before.id)!
    const { commits: _, ...counts } = before.counts
    expect(after).toMatchObject({ counts, title: before.title, models: before.models })
    expect([after.tokens.output, after.costUsd]).toEqual([before.tokens.output, before.costUsd])
    const document = documents.get(before.id)!
    const reexported = await exportTrace(after.id)
    expect(reexported.steps).toEqual(document.steps)
    expect(reexported.agent).toEqual(document.agent)
    expect(reexported.subagent_trajectories?.map(({ steps }) => steps)).toEqual(document.subagent_trajectories?.map(({ steps }) => steps))
  }
})

it('any trajectory keeps its steps through import and export', async () => {
  const documents = fc.sample(trajectories, { numRuns: 40, seed: Number(process.env['BASHGYM_SEED'] ?? 7) })
  for (const [index, document] of documents.entries()) {
    AtifTrajectory.parse(document)
    fs.writeFileSync(path.join(folder, `trajectory.${index}.json`), JSON.stringify({ ...document, trajectory_id: `t${index}` }))
  }
  expect(await bring(folder)).toMatchObject({ sessions: { new: documents.length, failed: 0 }, errors: [] })
  for (const { id, sessionId } of await traces()) {
    const document = documents[Number(sessionId.slice(1))]!
    const reexported = await exportTrace(id)
    expect(reexported.steps).toEqual(document.steps)
    expect(reexported.subagent_trajectories?.map(({ steps, agent }) => ({ steps, agent }))).toEqual(
      document.subagent_trajectories?.map(({ steps, agent }) => ({ steps, agent })),
    )
  }
})

it('reads documents of other programs: content parts, results without an id, copied context, totals only', async () => {
  const file = path.join(folder, 'run.json')
  const document = {
    schema_version: 'ATIF-v1.2',
    session_id: 'run-1',
    agent: { name: 'openhands', version: '0.9', model_name: 'some/model' },
    steps: [
      { step_id: 1, source: 'system', message: 'You are an agent.' },
      { step_id: 2, source: 'user', message: 'An old task.', is_copied_context: true },
      {
        step_id: 3,
        source: 'user',
        message: [
          { type: 'text', text: 'Fix it.' },
          { type: 'image', source: { media_type: 'image/png', path: 'a.png' } },
        ],
      },
      {
        step_id: 4,
        source: 'agent',
        message: '',
        tool_calls: [{ tool_call_id: 'c', function_name: 'execute_bash', arguments: { command: 'ls' } }],
        observation: { results: [{ content: 'a.ts' }] },
      },
    ],
    final_metrics: { total_prompt_tokens: 100, total_completion_tokens: 7, total_cached_tokens: 60 },
  }
  fs.writeFileSync(file, JSON.stringify(document))
  expect(await bring(file)).toMatchObject({ sessions: { new: 1 }, errors: [] })
  const [trace] = await traces()
  expect(trace).toMatchObject({
    agent: 'atif',
    sessionId: 'run-1',
    clientVersion: 'openhands 0.9',
    counts: { prompts: 1, toolCalls: 1 },
    tokens: { input: 40, output: 7, cacheRead: 60, cacheWrite: 0 },
  })
  const { items } = await server.client.listTranscript({ params: { id: trace!.id }, query: {} })
  expect(
    items.map((item) => (item.kind === 'step' ? [item.step.command, item.step.output, item.step.success] : [item.kind, item.text])),
  ).toEqual([
    ['notice', 'You are an agent.'],
    ['notice', 'An old task.'],
    ['prompt', 'Fix it.\n[image]'],
    ['ls', 'a.ts', null],
  ])
})

it('reports a document without steps', async () => {
  const file = path.join(folder, 'trajectory.json')
  fs.writeFileSync(file, JSON.stringify({ schema_version: 'ATIF-v1.7', steps: {} }))
  expect((await bring(file)).errors).toEqual([
    expect.objectContaining({ file, message: expect.stringContaining('nor a trajectory in ATIF') }),
  ])
})

it('replaces secrets in the export', async () => {
  const secret = ['ghp_', 'x7Kq2mZ9vB4nL1pR8sT3wY6aC5dE0fGhJkM'].join('').slice(0, 40)
  const file = path.join(folder, 'trajectory.json')
  const agent = { name: 'a', version: '1' }
  const steps = [{ step_id: 1, source: 'user', message: `My token is ${secret}` }]
  fs.writeFileSync(file, JSON.stringify({ schema_version: 'ATIF-v1.7', session_id: 's', agent, steps }))
  await bring(file)
  const [trace] = await traces()
  const text = JSON.stringify(await exportTrace(trace!.id))
  expect(text).toContain('My token is ')
  expect(text).not.toContain(secret)
})
