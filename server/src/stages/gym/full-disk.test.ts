import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { birthOf } from '#server/process/marks.ts'
import { canMount } from '#server/testing/mounts.ts'
import { openGym, type TestGym } from './testing-gym.ts'

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)
const ROW = 64
/** No page more than there are now and these, as where the disk is full; and no room for another event in those. */
const fill = ({ core: { db } }: TestGym, pages = 0) => {
  db.pragma(`max_page_count = ${(db.pragma('page_count', { simple: true }) as number) + pages}`)
  const add = db.prepare("INSERT INTO events (type, at, payload) VALUES ('job:complete', 0, ?)")
  expect(() => {
    for (;;) add.run('x'.repeat(ROW))
  }).toThrow(/full/)
}
const liftSizeLimit = ({ core: { db } }: TestGym) => db.pragma('max_page_count = 4294967294')
const stepsOf = async ({ client }: TestGym, id: string) =>
  (await client.getRunMetrics({ params: { id }, query: { names: ['loss'], points: 1000 } })).series[0]?.steps ?? []

describe('a full database', () => {
  let gym: TestGym
  beforeEach(async () => {
    gym = await openGym()
  })
  afterEach(() => gym.close())
  const codesOf = async (id: string) => (await gym.client.getRun({ params: { id } })).warnings.map(({ code }) => code)

  it('holds up what is stored of a run and says so; once there is room every event is there, and so is its end', async () => {
    const { id } = await gym.client.startRun({ body: gym.request({ steps: 500, stepMs: 2 }) })
    await gym.untilStep(id, 5)
    fill(gym)
    const sentWarnings = () => gym.core.messages.flatMap(({ type, seq, payload }) => (type === 'training:changed' && seq === null ? payload.run.warnings : [])) // prettier-ignore
    await expect.poll(sentWarnings, { timeout: 30_000 }).toEqual([expect.objectContaining({ code: 'disk_full' })])
    expect(await codesOf(id)).toContain('disk_full')
    const events = path.join(gym.gym.run(id).folder, 'events.jsonl')
    await expect.poll(() => fs.readFileSync(events, 'utf8'), { timeout: 30_000 }).toContain('"complete"')
    expect((await gym.client.getRun({ params: { id } })).state).toBe('running')
    liftSizeLimit(gym)
    await gym.until(id, 'completed')
    expect(await codesOf(id)).toEqual([])
    expect(await stepsOf(gym, id)).toEqual(upTo(500))
    const next = await gym.client.startRun({ body: gym.request({ steps: 3 }) })
    await gym.until(next.id, 'completed')
  })

  it('lets a run be cancelled all the same, and starts none by halves', async () => {
    const { id } = await gym.client.startRun({ body: gym.request({ steps: 9999, stepMs: 2, saveEvery: 3 }) })
    await gym.untilStep(id, 5)
    fill(gym)
    await expect.poll(() => codesOf(id), { timeout: 30_000 }).toContain('disk_full')
    const { folder } = gym.gym.run(id)
    const folders = fs.readdirSync(path.dirname(folder))
    await expect(gym.client.startRun({ body: gym.request({ steps: 1 }) })).rejects.toMatchObject({ code: 'disk_full' })
    expect(fs.readdirSync(path.dirname(folder))).toEqual(folders)
    const cancelled = gym.client.cancelRun({ params: { id }, body: {} })
    const checkpoints = () => fs.readdirSync(folder).filter((name) => name.startsWith('checkpoint-'))
    await expect.poll(checkpoints, { timeout: 30_000 }).toEqual([]) // it makes room by itself
    liftSizeLimit(gym)
    expect(await cancelled).toMatchObject({ state: 'cancelled', warnings: [] })
  })
})

describe('a run that waits for room', () => {
  let gym: TestGym
  let waits: string
  let behind: string
  beforeEach(async () => {
    gym = await openGym()
  })
  afterEach(() => gym.close())
  const begin = async () => {
    await gym.client.patchQueue({ body: { paused: true } })
    ;[waits, behind] = [await queued(), await queued()]
    await fillButForQueue()
    await gym.client.patchQueue({ body: { paused: false } })
    await expect.poll(() => isWaiting(waits), { timeout: 30_000 }).toBe(true)
    expect(gym.gym.run(waits).state).toBe('queued')
  }
  const queued = async () => (await gym.client.startRun({ body: gym.request({ steps: 3 }) })).id
  const isWaiting = (id: string) => gym.gym.run(id).warnings.some(({ code }) => code === 'disk_full')
  /** Room for two messages of the queue, not for one of a run. */
  const fillButForQueue = async () => {
    const { db } = gym.core
    const freeBytes = 2 * (JSON.stringify(await gym.client.getQueue()).length + ROW)
    expect(JSON.stringify({ run: gym.gym.run(waits) }).length).toBeGreaterThan(2 * freeBytes)
    fill(gym, 2) // the last page that there is room for holds nothing but its rows
    db.prepare('DELETE FROM events WHERE seq > (SELECT max(seq) FROM events) - ?').run(Math.ceil(freeBytes / ROW))
  }

  it('does not begin once there is some, if the queue was paused meanwhile; the order that it has then counts', async () => {
    await begin()
    await gym.client.patchQueue({ body: { paused: true } })
    liftSizeLimit(gym)
    await expect.poll(() => isWaiting(waits), { timeout: 30_000 }).toBe(false)
    expect(gym.gym.run(waits).state).toBe('queued')
    await gym.client.patchQueue({ body: { order: [behind, waits] } })
    await gym.client.patchQueue({ body: { paused: false } })
    expect([gym.gym.run(behind).state, gym.gym.run(waits).state]).toEqual(['preparing', 'queued'])
    await gym.until(waits, 'completed')
  })

  it('holds up none of those behind it when it is cancelled', async () => {
    await begin()
    liftSizeLimit(gym)
    await gym.client.cancelRun({ params: { id: waits }, body: {} })
    await gym.until(behind, 'completed')
    expect(gym.gym.run(waits).state).toBe('cancelled')
  })
})

describe.runIf(canMount)('a full disk under the server and its trainer', () => {
  it('ends the run with what to do, shows every event that was written, and the run continues once there is room', async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', dataDir])
    const gym = await openGym({ dataDir })
    try {
      const { id } = await gym.client.startRun({ body: gym.request({ steps: 900, holdAt: 25, saveEvery: 20 }) })
      await gym.untilStep(id, 25)
      const { folder } = gym.gym.run(id)
      const { handle: trainer } = gym.core.db.prepare('SELECT handle FROM runs WHERE id = ?').get(id) as { handle: string }
      const { pid } = JSON.parse(trainer) as { pid: number }
      const filler = path.join(dataDir, 'filler')
      const handle = fs.openSync(filler, 'w')
      expect(() => {
        for (;;) fs.writeSync(handle, Buffer.alloc(65_536))
      }).toThrow(/ENOSPC/)
      fs.closeSync(handle)
      gym.letGo(id)
      const isReported = async () => {
        const { state, warnings } = await gym.client.getRun({ params: { id } })
        return state === 'failed' || warnings.some(({ code }) => code === 'disk_full')
      }
      await expect.poll(isReported, { timeout: 30_000 }).toBe(true)
      await expect.poll(() => birthOf(pid), { timeout: 30_000 }).toBeNull() // the trainer met the full disk too, not the server alone
      fs.rmSync(filler)
      await gym.until(id, 'failed')
      const run = await gym.client.getRun({ params: { id } })
      expect(run).toMatchObject({
        canResume: true,
        error: { code: 'disk_full', message: expect.stringContaining('Free up disk space') as string },
      })
      const whole = fs.readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line) as { type: string; step: number }) // prettier-ignore
      const written = whole.filter(({ type }) => type === 'progress').map(({ step }) => step)
      expect(await stepsOf(gym, id)).toEqual(written)
      expect(written.length).toBeLessThan(900) // and fewer than the points of one answer
      const next = await gym.client.startRun({ body: gym.request({ steps: 3 }) })
      await gym.until(next.id, 'completed')
    } finally {
      await gym.close({ keep: true })
      execFileSync('umount', ['-l', dataDir])
      fs.rmdirSync(dataDir)
    }
  })
})
