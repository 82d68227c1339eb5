import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { infrastructure } from '#server/db/migrations/0001-infrastructure.ts'
import { jobSubjects } from '#server/db/migrations/0012-job-subjects.ts'
import { createTx } from '#server/db/tx.ts'
import { createEvents } from '#server/events/events.ts'
import { createJobs } from './jobs.ts'

function setUp() {
  const db = new Sqlite(':memory:')
  db.exec(infrastructure.sql)
  db.exec(jobSubjects.sql)
  const events = createEvents(db)
  const jobs = createJobs(db, createTx(db, events), events)
  const eventTypes: string[] = []
  events.subscribe(({ type }) => eventTypes.push(type))
  return { db, events, jobs, eventTypes }
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))

test('a job ends with its result, and its end is published after it is stored', async () => {
  const { jobs, eventTypes } = setUp()
  const { id, state } = jobs.start('import', () => Promise.resolve({ sessions: 3 }))
  expect(state).toBe('running')
  expect(await jobs.wait(id)).toMatchObject({ state: 'completed', result: { sessions: 3 }, error: null })
  expect(jobs.get(id)).toMatchObject({ state: 'completed' })
  expect(eventTypes).toEqual(['job:complete'])
})

test('a failed job keeps code, message and advice', async () => {
  const { jobs, eventTypes } = setUp()
  const { id } = jobs.start('import', () => Promise.reject(new AppError('disk_full', { hint: 'Free some space.' })))
  expect(await jobs.wait(id)).toMatchObject({ state: 'failed', error: { code: 'disk_full', hint: 'Free some space.' } })
  expect(eventTypes).toEqual(['job:failed'])
})

test('a job can be cancelled once', async () => {
  const { jobs } = setUp()
  const { id } = jobs.start('import', ({ signal }) => untilAborted(signal))
  jobs.cancel(id)
  expect(await jobs.wait(id)).toMatchObject({ state: 'cancelled', error: null })
  expect(() => jobs.cancel(id)).toThrow(expect.objectContaining({ code: 'job_not_cancellable' }) as Error)
  expect(() => jobs.cancel('none')).toThrow(expect.objectContaining({ code: 'job_not_found' }) as Error)
})

test('a single job is refused while one of its kind runs; a listener to its end may start the next', async () => {
  const { jobs, events } = setUp()
  const first = jobs.start('rebuild', ({ signal }) => untilAborted(signal), { single: true })
  expect(() => jobs.start('rebuild', () => Promise.resolve(null), { single: true })).toThrow(
    expect.objectContaining({ code: 'job_running' }) as Error,
  )
  let next: string | undefined
  events.subscribe(({ type }) => {
    if (type === 'job:complete') next ??= jobs.start('rebuild', () => Promise.resolve(null), { single: true }).id
  })
  jobs.cancel(first.id)
  await jobs.wait(first.id)
  expect(next).toBeDefined()
  await jobs.wait(next!)
})

test('an end that cannot be written still reaches the waiting caller', async () => {
  const { jobs, db } = setUp()
  const { id } = jobs.start('import', () => {
    db.exec("CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
    return Promise.resolve(1)
  })
  expect(await jobs.wait(id)).toMatchObject({ state: 'failed' })
})

test('jobs of a former process are marked failed at the next start', () => {
  const { jobs, db } = setUp()
  db.exec("INSERT INTO jobs (id, kind, state, created_at) VALUES ('old', 'import', 'running', 1), ('waits', 'import', 'queued', 2)")
  expect(jobs.recover()).toBe(2)
  expect(jobs.get('waits')).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('was waiting') as string } })
  expect(jobs.get('old')).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('stopped while this job was running') as string },
  })
})

test('lists are paged newest first, also within one millisecond, and a foreign cursor is refused', () => {
  const { jobs, db } = setUp()
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    db.prepare("INSERT INTO jobs (id, kind, state, created_at) VALUES (?, 'k', 'completed', 5)").run(id)
  const first = jobs.list({ limit: 2 })
  const second = jobs.list({ limit: 2, cursor: first.nextCursor! })
  const third = jobs.list({ limit: 2, cursor: second.nextCursor! })
  expect([first, second, third].map(({ items }) => items.map(({ id }) => id))).toEqual([['e', 'd'], ['c', 'b'], ['a']])
  expect(third.nextCursor).toBeNull()
  expect(() => jobs.list({ limit: 2, cursor: 'garbage' })).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error)
})

test('of a burst of progress the first is sent at once, the last later, and none after the end', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  try {
    const { jobs, events } = setUp()
    const heard: [number, number][] = []
    events.subscribe(({ type, payload }) => {
      if (type === 'job:progress') heard.push([Date.now() - 1_000_000, payload.progress.done])
    })
    const ending = Promise.withResolvers<void>()
    let report = (_done: number) => undefined as void
    const { id } = jobs.start('import', async ({ progress }) => {
      report = (done) => progress({ phase: 'reading', done, total: 100, unit: 'files' })
      await ending.promise
    })
    const at = (ms: number, ...done: number[]) => {
      vi.advanceTimersByTime(1_000_000 + ms - Date.now())
      done.forEach(report)
    }
    at(0, 1, 2, 3)
    at(40, 4) // the last before a long silence
    at(99)
    expect(heard).toEqual([[0, 1]])
    at(100)
    expect(heard).toEqual([[0, 1], [100, 4]]) // prettier-ignore
    at(500)
    at(1000, 5, 6)
    at(1050, 100) // complete: sent at once, and replaces the waiting one
    at(1200)
    expect(heard.slice(2)).toEqual([[1000, 5], [1050, 100]]) // prettier-ignore
    at(1210, 7)
    expect(heard.at(-1)).toEqual([1210, 7])
    at(1211, 8)
    ending.resolve()
    expect((await jobs.wait(id)).progress).toMatchObject({ done: 8 })
    expect(vi.getTimerCount()).toBe(0)
    at(2000, 9)
    expect([heard.at(-1), jobs.get(id)!.progress!.done]).toEqual([[1210, 7], 8])
  } finally {
    vi.useRealTimers()
  }
})

test('jobs of a kind with a limit wait in line, move up when one ends, and can be cancelled while they wait', async () => {
  const { jobs } = setUp()
  const ends = new Map<string, () => void>()
  const start = (name: string, kind = 'measure') => jobs.start(kind, () => new Promise<void>((end) => ends.set(name, end)), { atOnce: 1 })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => start(name))
  const other = start('other', 'another kind')
  const all = () => [a, b, c, d].map((job) => [jobs.get(job!.id)!.state, jobs.get(job!.id)!.queuePosition])
  expect(other).toMatchObject({ state: 'running', queuePosition: null })
  expect(b).toMatchObject({ state: 'queued', queuePosition: 1, startedAt: null })
  expect(all()).toEqual([['running', null], ['queued', 1], ['queued', 2], ['queued', 3]]) // prettier-ignore
  jobs.cancel(c!.id)
  expect(await jobs.wait(c!.id)).toMatchObject({ state: 'cancelled', startedAt: null, error: null })
  expect(all()).toEqual([['running', null], ['queued', 1], ['cancelled', null], ['queued', 2]]) // prettier-ignore
  ends.get('a')!()
  await jobs.wait(a!.id)
  await expect.poll(() => ends.has('b')).toBe(true)
  expect(all()).toEqual([['completed', null], ['running', null], ['cancelled', null], ['queued', 1]]) // prettier-ignore
  expect(jobs.get(b!.id)!.startedAt).not.toBeNull()
  expect(ends.has('d')).toBe(false)
  ends.get('b')!()
  await expect.poll(() => ends.has('d')).toBe(true)
  ends.get('d')!()
  expect(await jobs.wait(d!.id)).toMatchObject({ state: 'completed' })
  expect(ends.has('c')).toBe(false)
})

test('a listener to an end does not get ahead of waiting jobs', async () => {
  const { jobs, events } = setUp()
  const order: string[] = []
  const start = (name: string) => jobs.start('measure', () => Promise.resolve(order.push(name)), { atOnce: 1 })
  start('a')
  start('b')
  const late = Promise.withResolvers<string>()
  const stop = events.subscribe(() => {
    stop()
    late.resolve(start('late').id)
  })
  await jobs.wait(await late.promise)
  expect(order).toEqual(['a', 'b', 'late'])
})

test('a job whose start cannot be stored fails, and the jobs behind it go on', async () => {
  const { jobs, db } = setUp()
  db.exec("CREATE TRIGGER full BEFORE UPDATE ON jobs WHEN NEW.state = 'running' BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
  const start = () => jobs.start('measure', () => Promise.resolve(null), { atOnce: 1 }).id
  const [first, second, third] = [start(), start(), start()]
  expect(await jobs.wait(first)).toMatchObject({ state: 'completed' })
  expect([await jobs.wait(second), await jobs.wait(third)]).toMatchObject([
    { state: 'failed', error: { message: 'database or disk is full' } },
    { state: 'failed' },
  ])
})

test('close cancels everything and waits for it', async () => {
  const { jobs } = setUp()
  const ids = [1, 2].map(() => jobs.start('import', ({ signal }) => untilAborted(signal)).id)
  await jobs.close()
  expect(ids.map((id) => jobs.get(id)?.state)).toEqual(['cancelled', 'cancelled'])
})

test('jobs are listed by their subject', async () => {
  const { jobs } = setUp()
  const start = async (kind: string, subject?: string) => {
    const { id } = jobs.start(kind, () => Promise.resolve(null), subject === undefined ? {} : { subject })
    await jobs.wait(id)
    return id
  }
  const first = await start('lengths', 'a')
  await start('lengths', 'b')
  await start('dataset', 'a')
  await start('lengths')
  expect(jobs.get(first)).toMatchObject({ subject: 'a' })
  expect(jobs.list({ kinds: ['lengths'], subject: 'a', limit: 10 })).toMatchObject({ items: [{ id: first }], total: 1 })
  expect(jobs.list({ subject: 'a', limit: 1 }).total).toBe(2)
  expect(jobs.list({ kinds: ['lengths'], limit: 10 }).items.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['a', 'b', null]))
})
