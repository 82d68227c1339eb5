import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { record } from '#server/stages/capture/testing.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

const SESSIONS = 8
const LINES = 400

/** Sessions with an address in every line, in `folder`. */
function writeSessions(folder: string, count: number): void {
  fs.mkdirSync(folder, { recursive: true })
  for (let number = 0; number < count; number += 1) {
    const id = `3b1f7d52-0f8e-4f5e-9c52-6f2b8a1d9e${String(number).padStart(2, '0')}`
    const lines = Array.from({ length: LINES }, (_, line) => record(id, `write to linnea.sandqvist${line}@nordhavn.dk about it`))
    fs.writeFileSync(path.join(folder, `${id}.jsonl`), lines.join(''))
  }
}

const { remove, ...config } = testConfig()
const folder = path.join(config.userHome, 'outside')
let server: TestServer
let expected: string

/** All findings, sorted. */
const findings = () =>
  JSON.stringify(
    server.app.core.db
      .prepare(
        'SELECT id, trace_id, step_id, part, path, type, start, end, value, preview FROM privacy_findings ORDER BY trace_id, step_id, start',
      )
      .all(),
  )
const scan = async (all: boolean) => {
  const job = await server.app.core.jobs.wait((await server.client.startPrivacyScan({ body: { all } })).id)
  expect(job.state).toBe('completed')
  return job.result as { scanned: number; failed: number }
}
const start = async () => (server = await startTestServer({ config }))

beforeAll(async () => {
  writeSessions(folder, SESSIONS)
  await start()
  const { id } = await server.client.startImport({ body: { paths: [folder] } })
  await server.app.core.jobs.wait(id)
  await scan(true)
  expected = findings()
})
afterAll(async () => {
  await server.close()
  remove()
})

it('reads only the new part of a session that grew', async () => {
  const { chars } = await server.client.getPrivacy()
  expect(await scan(false)).toEqual({ scanned: 0, failed: 0 })
  const [file] = fs.readdirSync(folder)
  const id = path.basename(file!, '.jsonl')
  const newText = 'one more line, to astrid.holm@nordhavn.dk'
  fs.appendFileSync(path.join(folder, file!), record(id, newText))
  await server.app.core.jobs.wait((await server.client.startImport({ body: { paths: [folder] } })).id)
  await vi.waitUntil(async () => (await server.client.getPrivacy()).outstanding <= 1, { timeout: 30_000 })
  await scan(false)
  expect((await server.client.getPrivacy()).chars - chars).toBe(newText.length)
  expect((await server.client.listFindings({ query: { type: ['email'], limit: 1 } })).total).toBe(8 * 400 + 1)
  expected = findings()
})

it('keeps its results when cancelled, and continues from them', async () => {
  const { core } = server.app
  await server.client.patchSettings({ body: { privacy: { allowed: ['nobody@nordhavn.dk'] } } }) // the rules changed, so everything must be rescanned
  const { id } = await server.client.startPrivacyScan({ body: { all: false } })
  const unsubscribe = core.events.subscribe((message) => {
    if (message.type !== 'job:progress' || message.payload.id !== id || (message.payload.progress.done ?? 0) < 2) return
    unsubscribe()
    core.jobs.cancel(id)
  })
  expect((await core.jobs.wait(id)).state).toBe('cancelled')
  const scansByRules = core.db
    .prepare<[], { n: number }>('SELECT count(*) AS n FROM privacy_scans GROUP BY rules ORDER BY max(at) DESC')
    .all()
  expect(scansByRules.map(({ n }) => n)).toEqual([expect.any(Number), expect.any(Number)]) // some with the new rules, the others unchanged
  expect(scansByRules[0]!.n).toBeGreaterThanOrEqual(2)
  expect((await server.client.getPrivacy()).jobId).toBeNull()
  expect((await scan(false)).scanned).toBeLessThanOrEqual(scansByRules[1]!.n)
  expect((await server.client.getPrivacy()).outstanding).toBe(0)
  expect(findings()).toBe(expected)
})

it.for([1, 4])('has each finding once when a scan continues after being killed at %i sessions', async (sessions) => {
  await server.close()
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-scan.ts'), config.dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for await (const line of readline.createInterface({ input: child.stdout }))
    if (Number(line.replace('scanning ', '')) >= sessions) child.kill('SIGKILL') // progress is not reported for each one
  await closed
  expect(child.signalCode).toBe('SIGKILL')
  await start()
  await scan(false)
  expect((await server.client.getPrivacy()).outstanding).toBe(0)
  expect(findings()).toBe(expected)
  expect(await scan(true)).toEqual({ scanned: SESSIONS, failed: 0 })
  expect(findings()).toBe(expected)
})

it('scans a session that grew during a scan of all', async () => {
  const { core } = server.app
  const others = path.join(config.userHome, 'others')
  writeSessions(others, 60)
  const job = async (started: Promise<{ id: string }>) => core.jobs.wait((await started).id)
  await job(server.client.startImport({ body: { paths: [others] } }))
  const total = async () => (await server.client.listFindings({ query: { type: ['email'], limit: 1 } })).total
  await scan(true)
  const before = await total()
  const { id: scanId } = await server.client.startPrivacyScan({ body: { all: true } })
  await new Promise<void>((resolve) => {
    const unsubscribe = core.events.subscribe((message) => {
      if (message.type !== 'job:progress' || message.payload.id !== scanId || (message.payload.progress.done ?? 0) < 8) return
      unsubscribe()
      resolve()
    })
  })
  const [file] = fs.readdirSync(others)
  fs.appendFileSync(path.join(others, file!), record(path.basename(file!, '.jsonl'), 'and one to bjarne.lund@nordhavn.dk'))
  await job(server.client.startImport({ body: { paths: [path.join(others, file!)] } }))
  await core.jobs.wait(scanId)
  await expect.poll(total, { timeout: 30_000 }).toBe(before + 1)
})
