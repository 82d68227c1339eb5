import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

let server: TestServer
afterEach(() => server.close())

/** Every place of a session that names something: model, tool, file, branch, type of record, language, agent. */
function session(name: string, number: number): string {
  const sessionId = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  let count = 0
  let parent: string | null = null
  const record = (type: string, message: unknown, more: object = {}) => {
    const uuid: string = `${sessionId.slice(0, 24)}${String((count += 1)).padStart(12, '0')}`
    const line = { type, uuid, parentUuid: parent, sessionId, cwd: `/home/dev/${name}`, gitBranch: name, version: '2.1.0', timestamp: new Date(Date.UTC(2026, 0, 5) + count * 1000).toISOString(), message, ...more } // prettier-ignore
    parent = uuid
    return line
  }
  const usage = { input_tokens: 10, output_tokens: 20, cache_creation_input_tokens: 1, cache_read_input_tokens: 2 }
  const call = (tool: string, input: object) => {
    const id = `${name}-${count}`
    return [
      record('assistant', { id: `m${count}`, role: 'assistant', model: name, stop_reason: 'end_turn', usage, content: [{ type: 'tool_use', id, name: tool, input }] }, { requestId: `r${count}` }), // prettier-ignore
      record('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'fine' }] }),
    ]
  }
  const lines = [
    record('user', { role: 'user', content: `Rename the needle called ${name} in this file` }),
    ...call(name, { [name]: name, command: name }),
    ...call('Edit', { file_path: `/home/dev/${name}/${name}.${name}`, old_string: name, new_string: 'x' }),
    ...call('Bash', { command: `${name} test && npx ${name} run ${name}` }),
    ...call('Task', { subagent_type: name, description: name, prompt: name }),
    record(name, { role: name, content: name }, { subtype: name }),
    record('assistant', {
      id: 'last',
      role: 'assistant',
      model: name,
      stop_reason: 'end_turn',
      usage,
      content: [{ type: 'text', text: 'Done.' }],
    }),
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

it('a session whose model, tools, files and branch are named like members of Object is a session like any other, and spoils no thread', async () => {
  server = await startTestServer()
  const { client, app } = server
  const folder = path.join(app.core.config.claudeDir, 'projects', '-home-dev-x')
  fs.mkdirSync(folder, { recursive: true })
  NAMES.forEach((name, index) => fs.writeFileSync(path.join(folder, `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}.jsonl`), session(name, index + 1))) // prettier-ignore
  const job = await app.core.jobs.wait((await client.startImport({ body: {} })).id)
  expect(job).toMatchObject({ state: 'completed', result: { errors: [] } })
  const { items, total } = await client.listTraces({})
  expect([total, items.map(({ models }) => models[0]!).toSorted((a, b) => (a < b ? -1 : 1))]).toEqual([
    NAMES.length,
    NAMES.toSorted((a, b) => (a < b ? -1 : 1)),
  ])

  // the search index, in the thread that derived them, has every one
  await expect.poll(async () => (await client.getCapture()).indexing).toBeNull()
  expect((await client.listTraces({ query: { q: 'needle' } })).total).toBe(NAMES.length)
  for (const name of NAMES) {
    for (const q of [`model:${name}`, `tool:${name}`, `branch:${name}`, `file:${name}`])
      expect([q, (await client.listTraces({ query: { q } })).total]).toEqual([q, 1])
  }
  const first = items.find(({ models }) => models[0] === '__proto__')!
  const detail = await client.getTrace({ params: { id: first.id } })
  expect(Object.entries(detail.tools).map(([tool]) => tool)).toContain('__proto__')
  expect(detail.files.map((file) => path.basename(file.path))).toEqual(['__proto__.__proto__'])
  await client.changeTags({ params: { id: first.id }, body: { addTags: ['__proto__', 'constructor'] } })
  const facets = await client.getTraceFacets({})
  expect(JSON.stringify(facets)).toContain('"__proto__"')

  // costs, figures, examples and a data set
  await client.patchSettings({ body: { prices: NAMES.map((model) => ({ model, inputPerMTok: 1, outputPerMTok: 1 })) } })
  await expect.poll(async () => (await client.getTrace({ params: { id: first.id } })).costUsd).toBeGreaterThan(0)
  expect(await client.getStats()).toMatchObject({ traces: NAMES.length, unpricedModels: [] })
  const selection = { traceIds: items.map(({ id }) => id) }
  const made = await app.core.jobs.wait((await client.buildExamples({ body: { selection: { ids: selection.traceIds } } })).id)
  expect(made).toMatchObject({ state: 'completed', error: null })
  const built = await app.core.jobs.wait(
    (
      await client.buildDataset({
        body: {
          kind: 'sft',
          traceIds: selection.traceIds,
          minQuality: 0,
          split: { val: 0, test: 0 },
          balance: [{ by: 'repo', weights: { other: 0.5 } }],
        },
      })
    ).id,
  )
  expect(built).toMatchObject({ state: 'completed', error: null })
  expect((built.result as DatasetBuilt).counts.train).toBe(NAMES.length)
  expect(({} as Record<string, unknown>)['input']).toBeUndefined()
  expect(server.contractViolations).toEqual([])
})
