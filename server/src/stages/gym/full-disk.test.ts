import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { birthOf } from '#server/process/marks.ts'
import { canMount } from '#server/testing/mounts.ts'
import { newFolder } from '#server/testing/folders.ts'
import { openGym, type TestGym, upTo } from './testing-gym.ts'

const ROW = 64
/** Limits the database to its current size and `pages` more, and fills it with events, like a full disk. */
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

  it('warns while progress cannot be stored, and stores every event and the end once there is space', async () => {
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

  it('allows a cancel, and leaves nothing of a run that cannot start', async () => {
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
    await expect.poll(checkpoints, { timeout: 30_000 }).toEqual([]) // the cancel itself frees disk space
    liftSizeLimit(gym)
    expect(await cancelled).toMatchObject({ state: 'cancelled', warnings: [] })
  })
})

describe('a run that waits for disk space', () => {
  let gym: TestGym
  let waitingId: string
  let nextId: string
  beforeEach(async () => {
    gym = await openGym()
  })
  afterEach(() => gym.close())
  const begin = async () => {
    await gym.client.patchQueue({ body: { paused: true } })
    ;[waitingId, nextId] = [await queueRun(), await queueRun()]
    await fillExceptQueueMessages()
    await gym.client.patchQueue({ body: { paused: false } })
    await expect.poll(() => isWaiting(waitingId), { timeout: 30_000 }).toBe(true)
    expect(gym.gym.run(waitingId).state).toBe('queued')
  }
  const queueRun = async () => (await gym.client.startRun({ body: gym.request({ steps: 3 }) })).id
  const isWaiting = (id: string) => gym.gym.run(id).warnings.some(({ code }) => code === 'disk_full')
  /** Leaves space for two messages of the queue, but not for one of a run. */
  const fillExceptQueueMessages = async () => {
    const { db } = gym.core
    const freeBytes = 2 * (JSON.stringify(await gym.client.getQueue()).length + ROW)
    expect(JSON.stringify({ run: gym.gym.run(waitingId) }).length).toBeGreaterThan(2 * freeBytes)
    fill(gym, 2) // the last page then contains only events
    db.prepare('DELETE FROM events WHERE seq > (SELECT max(seq) FROM events) - ?').run(Math.ceil(freeBytes / ROW))
  }

  it('stays queued if the queue was paused meanwhile, and then follows the new order', async () => {
    await begin()
    await gym.client.patchQueue({ body: { paused: true } })
    liftSizeLimit(gym)
    await expect.poll(() => isWaiting(waitingId), { timeout: 30_000 }).toBe(false)
    expect(gym.gym.run(waitingId).state).toBe('queued')
    await gym.client.patchQueue({ body: { order: [nextId, waitingId] } })
    await gym.client.patchQueue({ body: { paused: false } })
    expect([gym.gym.run(nextId).state, gym.gym.run(waitingId).state]).toEqual(['preparing', 'queued'])
    await gym.until(waitingId, 'completed')
  })

  it('does not block the next run when it is cancelled', async () => {
    await begin()
    liftSizeLimit(gym)
    await gym.client.cancelRun({ params: { id: waitingId }, body: {} })
    await gym.until(nextId, 'completed')
    expect(gym.gym.run(waitingId).state).toBe('cancelled')
  })
})

describe.runIf(canMount)('a full disk under the server and its trainer', () => {
  it('fails the run with advice, shows every written event, and starts other runs once there is space', async () => {
    const dataDir = newFolder()
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
      gym.release(id)
      const isReported = async () => {
        const { state, warnings } = await gym.client.getRun({ params: { id } })
        return state === 'failed' || warnings.some(({ code }) => code === 'disk_full')
      }
      await expect.poll(isReported, { timeout: 30_000 }).toBe(true)
      await expect.poll(() => birthOf(pid), { timeout: 30_000 }).toBeNull() // the trainer also ended because of the full disk
      fs.rmSync(filler)
      await gym.until(id, 'failed')
      const run = await gym.client.getRun({ params: { id } })
      expect(run).toMatchObject({
        canResume: true,
        error: { code: 'disk_full', message: expect.stringContaining('Free up disk space') as string },
      })
      const events = fs.readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line) as { type: string; step: number }) // prettier-ignore
      const written = events.filter(({ type }) => type === 'progress').map(({ step }) => step)
      expect(await stepsOf(gym, id)).toEqual(written)
      expect(written.length).toBeLessThan(900)
      const next = await gym.client.startRun({ body: gym.request({ steps: 3 }) })
      await gym.until(next.id, 'completed')
    } finally {
      await gym.close({ keep: true })
      execFileSync('umount', ['-l', dataDir])
      fs.rmdirSync(dataDir)
    }
  })
})
