import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

const EMAIL = 'linnea.sandqvist@nordhavn.dk'
const GOOD = '11111111-1111-4111-8111-111111111111'
const BAD = '22222222-2222-4222-8222-222222222222'

const { remove, ...config } = testConfig()
let server: TestServer

/** A session: a prompt, and commands with their outcome. */
function session(id: string, prompt: string, calls: { command: string; output: string; fails?: boolean }[]): string {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 10, 0, second)).toISOString()
  const common = { sessionId: id, version: '2.1.329', cwd: '/srv/api', gitBranch: 'main', userType: 'external', isSidechain: false }
  const lines: object[] = [
    { ...common, type: 'user', uuid: `${id}-p`, parentUuid: null, timestamp: at(0), message: { role: 'user', content: prompt } },
  ]
  let parentUuid = `${id}-p`
  for (const [index, { command, output, fails = false }] of calls.entries()) {
    const call = `${id}-c${index}`
    const content = [{ type: 'tool_use', id: `toolu_${index}`, name: 'Bash', input: { command } }]
    const message = { id: `m${id}${index}`, role: 'assistant', model: 'claude-opus-4-5', content }
    lines.push({ ...common, type: 'assistant', uuid: call, parentUuid, timestamp: at(2 * index + 1), message })
    const result = { type: 'tool_result', tool_use_id: `toolu_${index}`, content: output, is_error: fails }
    parentUuid = `${call}-r`
    lines.push({
      ...common,
      type: 'user',
      uuid: parentUuid,
      parentUuid: call,
      timestamp: at(2 * index + 2),
      message: { role: 'user', content: [result] },
      toolUseResult: fails ? `Error: ${output}` : { stdout: output, stderr: '' },
    })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const ended = async (job: { id: string }) => expect(await server.app.core.jobs.wait(job.id)).toMatchObject({ error: null })
const prompts = async () => (await server.client.listExamples({ query: {} })).items.map(({ prompt }) => prompt).toSorted()
const pairWords = async () =>
  (await server.client.listPairs({ query: {} })).items.map(({ promptText, why }) => `${promptText} ${why}`).toSorted()
const shown = async () => [...(await prompts()), ...(await pairWords())]
/** Waits until every word shown holds, or no longer holds, the value. */
const until = (isShown: boolean) =>
  vi.waitUntil(async () => (await shown()).every((text) => text.includes(EMAIL) === isShown) && shown(), { timeout: 30_000, interval: 20 })

beforeAll(async () => {
  server = await startTestServer({ config })
  const folder = path.join(config.userHome, 'outside')
  fs.mkdirSync(folder)
  const ask = `Mend the greeting that is sent to ${EMAIL}`
  fs.writeFileSync(
    path.join(folder, `${GOOD}.jsonl`),
    session(GOOD, ask, [
      { command: `npm test -- ${EMAIL} --colour`, output: 'Error: unknown option --colour', fails: true },
      { command: `npm test -- ${EMAIL}`, output: '3 passed' },
      { command: 'git status', output: 'clean' },
    ]),
  )
  fs.writeFileSync(
    path.join(folder, `${BAD}.jsonl`),
    session(BAD, `${ask}, please`, [{ command: 'cargo build --release --target wasm32', output: 'error: could not compile', fails: true }]),
  )
  await ended(await server.client.startImport({ body: { paths: [folder] } }))
  const { items } = await server.client.listTraces({ query: {} })
  const idOf = (sessionId: string) => items.find((trace) => trace.sessionId === sessionId)!.id
  await server.client.promoteTrace({ params: { id: idOf(GOOD) }, body: { tier: 'gold' } })
  await server.client.demoteTrace({ params: { id: idOf(BAD) }, body: { tier: 'failed' } })
  await ended(await server.client.buildExamples({ body: { selection: { ids: [idOf(GOOD)] } } }))
  await ended(await server.client.findPairs({ body: { selection: { filter: {} } } }))
})
afterAll(async () => {
  await server.close()
  remove()
})

it('what reviews show follows the policy, and a decision, at once', async () => {
  const first = await until(false)
  expect(await pairWords()).toHaveLength(2)
  expect(first).toHaveLength(3)

  const { id } = await server.client.decidePrivacy({ body: { on: { scope: 'type', type: 'email' }, action: 'keep' } })
  await until(true)
  await server.client.undoPrivacyDecision({ params: { id }, body: {} })
  expect(await until(false)).toEqual(first)

  await server.client.patchSettings({ body: { privacy: { defaultStrategy: 'redact' } } })
  await vi.waitUntil(async () => (await shown()).every((text) => text.includes('[EMAIL_1]')), { timeout: 30_000, interval: 20 })
  await server.client.patchSettings({ body: { privacy: { defaultStrategy: 'synthetic' } } })
  expect(
    await vi.waitUntil(async () => (await shown()).every((text) => !text.includes('[EMAIL_1]')) && shown(), { timeout: 30_000 }),
  ).toEqual(first)
  expect(server.misfits).toEqual([])
})

it('made-up values are the same after a restart, and a policy that changed meanwhile is caught up with', async () => {
  const before = await until(false)
  const { core } = server.app
  core.db.prepare("UPDATE meta SET value = 'of an older version' WHERE key IN ('examples.policy', 'pairs.policy')").run()
  core.db.prepare("UPDATE examples SET prompt = 'of an older version'").run()
  await server.close()
  server = await startTestServer({ config })
  await vi.waitUntil(async () => !(await prompts()).includes('of an older version'), { timeout: 30_000, interval: 20 })
  expect(await shown()).toEqual(before)
})
