import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { bash, transcriptOf } from './testing-session.ts'

const EMAIL = 'linnea.sandqvist@nordhavn.dk'
const GOOD = '11111111-1111-4111-8111-111111111111'
const BAD = '22222222-2222-4222-8222-222222222222'

const { remove, ...config } = testConfig()
let server: TestServer

const finish = async (job: { id: string }) => expect(await server.app.core.jobs.wait(job.id)).toMatchObject({ error: null })
const prompts = async () => (await server.client.listExamples({ query: {} })).items.map(({ prompt }) => prompt).toSorted()
const pairWords = async () =>
  (await server.client.listPairs({ query: {} })).items.map(({ promptText, why }) => `${promptText} ${why}`).toSorted()
const shownTexts = async () => [...(await prompts()), ...(await pairWords())]
/** Waits until every shown text contains the value, or until none does. */
const until = (isShown: boolean) =>
  vi.waitUntil(async () => (await shownTexts()).every((text) => text.includes(EMAIL) === isShown) && shownTexts(), {
    timeout: 30_000,
    interval: 20,
  })

beforeAll(async () => {
  server = await startTestServer({ config })
  const folder = path.join(config.userHome, 'outside')
  fs.mkdirSync(folder)
  const ask = `Mend the greeting that is sent to ${EMAIL}`
  const good = transcriptOf(GOOD, ask, [
    bash(`npm test -- ${EMAIL} --colour`, 'Error: unknown option --colour', true),
    bash(`npm test -- ${EMAIL}`, '3 passed'),
    bash('git status', 'clean'),
  ])
  fs.writeFileSync(path.join(folder, `${GOOD}.jsonl`), good)
  const bad = transcriptOf(BAD, `${ask}, please`, [bash('cargo build --release --target wasm32', 'error: could not compile', true)])
  fs.writeFileSync(path.join(folder, `${BAD}.jsonl`), bad)
  await finish(await server.client.startImport({ body: { paths: [folder] } }))
  const { items } = await server.client.listTraces({ query: {} })
  const idOf = (sessionId: string) => items.find((trace) => trace.sessionId === sessionId)!.id
  await server.client.promoteTrace({ params: { id: idOf(GOOD) }, body: { tier: 'gold' } })
  await server.client.demoteTrace({ params: { id: idOf(BAD) }, body: { tier: 'failed' } })
  await finish(await server.client.buildExamples({ body: { selection: { ids: [idOf(GOOD)] } } }))
  await finish(await server.client.findPairs({ body: { selection: { filter: {} } } }))
})
afterAll(async () => {
  await server.close()
  remove()
})

it('applies policy changes and decisions to reviewed texts at once', async () => {
  const first = await until(false)
  expect(await pairWords()).toHaveLength(2)
  expect(first).toHaveLength(3)

  const { id } = await server.client.decidePrivacy({ body: { on: { scope: 'type', type: 'email' }, action: 'keep' } })
  await until(true)
  await server.client.undoPrivacyDecision({ params: { id }, body: {} })
  expect(await until(false)).toEqual(first)

  await server.client.patchSettings({ body: { privacy: { defaultStrategy: 'redact' } } })
  await vi.waitUntil(async () => (await shownTexts()).every((text) => text.includes('[EMAIL_1]')), { timeout: 30_000, interval: 20 })
  await server.client.patchSettings({ body: { privacy: { defaultStrategy: 'synthetic' } } })
  expect(
    await vi.waitUntil(async () => (await shownTexts()).every((text) => !text.includes('[EMAIL_1]')) && shownTexts(), { timeout: 30_000 }),
  ).toEqual(first)
  expect(server.contractViolations).toEqual([])
})

it('keeps made-up values after a restart, and updates texts of an older policy', async () => {
  const before = await until(false)
  const { core } = server.app
  core.db.prepare("UPDATE meta SET value = 'of an older version' WHERE key IN ('examples.policy', 'pairs.policy')").run()
  core.db.prepare("UPDATE examples SET prompt = 'of an older version'").run()
  await server.close()
  server = await startTestServer({ config })
  await vi.waitUntil(async () => !(await prompts()).includes('of an older version'), { timeout: 30_000, interval: 20 })
  expect(await shownTexts()).toEqual(before)
})
