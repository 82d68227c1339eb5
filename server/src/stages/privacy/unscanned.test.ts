import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { record } from '#server/stages/capture/testing.ts'
import { PrivacyPolicy } from '#contracts/entities/privacy.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createArchiveScan, type ScanDeps } from './archive-scan.ts'
import { reader, type ScannedText } from './scanner.ts'
import { createPrivacyStore } from './store.ts'

const SESSION = '3b1f7d52-0f8e-4f5e-9c52-6f2b8a1d9e01'
const SLOW = 'curl '.repeat(40_000)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const folder = path.join(server.config.claudeDir, 'projects', '-home-dev-project')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${SESSION}.jsonl`), record(SESSION, 'look at the settings'))
  await vi.waitUntil(async () => (await server.client.listTraces({})).total === 1, { timeout: 30_000 })
})
afterAll(() => server.close())

it('reports a text whose scan takes too long as a finding and as a problem of its session', async () => {
  const { core } = server.app
  const { id } = (await server.client.listTraces({})).items[0]!
  const store = createPrivacyStore(core.db)
  const problems = new Map<string, string | null>()
  let rev = 1
  const passage = (entryId: string, text: string): ScannedText => ({
    entryId,
    kind: 'step',
    file: null,
    at: null,
    part: 'result',
    path: '',
    text,
  })
  const traces: ScanDeps['traces'] = {
    summaries: () => [{ id, rev, project: null, bytes: 1 }],
    head: () => ({ id, rev, project: null }),
    passages: ({ options, afterRev }) => {
      const texts = afterRev < 0 ? [passage('one:slow', SLOW), passage('one:fine', 'mail ada.lovelace@corp.io')] : []
      const found = texts.flatMap((text) => reader.read(text, { ...options, limitMs: 20 }))
      return Promise.resolve({ rev, chars: 1, entries: texts.map(({ entryId }) => entryId), deleted: [], found })
    },
    setProblem: (traceId, message) => void problems.set(traceId, message),
    isBusy: () => false,
  }
  const policy = PrivacyPolicy.parse({})
  const scan = createArchiveScan(core, store, {
    traces,
    policy: () => policy,
    key: Buffer.alloc(32, 1),
    names: {},
    detectors: 'test',
    onChanged: () => {},
  })
  await scan.settle()
  expect(problems.get(id)).toContain('the result of entry one:slow')
  const rows = core.db.prepare('SELECT step_id, type, detector, start, end, preview FROM privacy_findings ORDER BY step_id').all()
  expect(rows).toEqual([
    expect.objectContaining({ step_id: 'one:fine', type: 'email' }),
    { step_id: 'one:slow', type: 'secret', detector: 'time limit', start: 0, end: SLOW.length, preview: '********' },
  ])
  problems.clear() // a session that grew starts with an empty list
  rev = 2
  await scan.settle()
  expect(problems.get(id)).toContain('one:slow')
  await scan.close()
})
