import { execFile } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { laneSizes } from './lanes.ts'
import { createWorkers, type Workers } from './pool.ts'

const job = new URL('./fixtures/probe.job.ts', import.meta.url)
let workers: Workers
const start = () => (workers = createWorkers({ bulk: 1, live: 2, query: 1 }))
afterEach(() => workers.close())

interface Seen {
  name: string
  thread: number
  priority: number
  seen: string[]
}
const run = (name: string, what = 'echo', options = {}) => workers.run<Seen>(job, { do: what, name }, { lane: 'bulk', ...options })

test('jobs with one key run on one thread, in order, with the state of its module', async () => {
  start()
  const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name, 'echo', { lane: 'live', key: 'k' })))
  expect(new Set(all.map(({ thread }) => thread)).size).toBe(1)
  expect(all.at(-1)?.seen).toEqual(['a', 'b', 'c', 'd'])
})

test('an error comes back with its message and the code in its cause', async () => {
  start()
  await expect(run('x', 'fail')).rejects.toMatchObject({ message: 'failed x', cause: { code: 'ENOSPC' } })
})

test('a result nested too deep to be copied fails its task, and the thread continues', async () => {
  start()
  await expect(run('deep', 'nest')).rejects.toThrow('The result of probe.job.ts could not be read')
  expect((await run('next')).name).toBe('next')
})

test('a job that needs more memory than a thread has fails with an error that says so, and the next one runs', async () => {
  workers = createWorkers({ bulk: 1, live: 1, query: 1 }, undefined, undefined, { shared: 32, alone: 32 })
  await expect(run('g', 'grow')).rejects.toMatchObject({ code: 'out_of_memory', message: expect.stringContaining('more memory') as string })
  expect((await run('next')).name).toBe('next')
})

test('progress arrives before the result', async () => {
  start()
  const received: unknown[] = []
  await run('p', 'progress', { onProgress: (value: unknown) => received.push(value) })
  expect(received).toEqual([1, 2, 3])
})

test('a callback of progress that throws fails its job with that error, and the thread continues', async () => {
  start()
  const full = () => {
    throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
  }
  await expect(run('p', 'progress', { onProgress: full })).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect((await run('next')).name).toBe('next')
})

test('a running job notices its abort and rejects with the reason', async () => {
  start()
  const controller = new AbortController()
  const running = run('h', 'hang', { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  expect((await run('next')).name).toBe('next')
})

test('a job that continues after its abort ends with its thread, and the next one gets another', async () => {
  workers = createWorkers({ bulk: 1, live: 1, query: 1 }, 30_000, 50)
  const { thread: before } = await run('first')
  const controller = new AbortController()
  const looping = run('l', 'loop', { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) })
  const next = run('next')
  await expect(looping).rejects.toThrow('enough')
  expect((await next).thread).toBeGreaterThan(before)
})

test('a job that is aborted while it waits never runs', async () => {
  start()
  const first = new AbortController()
  const hanging = run('first', 'hang', { signal: first.signal })
  const second = new AbortController()
  const waiting = run('second', 'echo', { signal: second.signal })
  second.abort(new Error('not needed'))
  await expect(waiting).rejects.toThrow('not needed')
  first.abort(new Error('done'))
  await expect(hanging).rejects.toThrow('done')
  expect((await run('third')).seen).toEqual(['first', 'third'])
  await workers.drain()
})

test('a thread that dies fails its job only; what waited behind it continues', async () => {
  start()
  const [dead, next] = await Promise.allSettled([run('d', 'die', { key: 'k' }), run('n', 'echo', { key: 'k' })])
  expect(dead).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('exit code 7') as string } })
  expect(next).toMatchObject({ status: 'fulfilled', value: { seen: ['n'] } })
  await workers.drain()
})

test('input that cannot be sent to a thread fails that job only', async () => {
  start()
  await expect(workers.run(job, { do: () => 'function' })).rejects.toThrow(/could not be cloned/)
  expect((await run('after')).name).toBe('after')
  await workers.drain()
})

test('a job that runs alone waits for the others, they wait for it, and its thread ends with it', async () => {
  workers = createWorkers({ bulk: 2, live: 1, query: 1 })
  const { thread: before } = await run('idle')
  const stop = new AbortController()
  const hanging = run('first', 'hang', { signal: stop.signal })
  const alone = run('alone', 'echo', { alone: true })
  const others = ['a', 'b'].map((name) => run(name, 'echo', name === 'b' ? { key: 'k' } : {}))
  stop.abort(new Error('enough'))
  await expect(hanging).rejects.toThrow('enough')
  const { thread, seen } = await alone
  expect(seen).toEqual(['alone'])
  expect(thread).toBeGreaterThan(before)
  // Later threads have larger numbers, so neither shared a thread with it or ran before it.
  for (const other of await Promise.all(others)) expect(other.thread).toBeGreaterThan(thread)
})

test('an aborted job that was to run alone blocks no other', async () => {
  workers = createWorkers({ bulk: 2, live: 1, query: 1 })
  const first = new AbortController()
  const hanging = run('first', 'hang', { signal: first.signal })
  const stop = new AbortController()
  const alone = run('alone', 'echo', { alone: true, signal: stop.signal })
  const next = run('next')
  stop.abort(new Error('not needed'))
  await expect(alone).rejects.toThrow('not needed')
  expect((await next).seen).toEqual(['next'])
  first.abort(new Error('done'))
  await expect(hanging).rejects.toThrow('done')
})

test.each([
  { name: 'dies', input: { do: 'die', name: 'x' } },
  { name: 'cannot be sent', input: { do: () => 'function' } },
])('a job that runs alone and $name keeps nobody waiting', async ({ input }) => {
  start()
  const [alone, next] = await Promise.allSettled([workers.run(job, input, { alone: true }), run('next')])
  expect(alone.status).toBe('rejected')
  expect(next).toMatchObject({ status: 'fulfilled', value: { seen: ['next'] } })
  await workers.drain()
})

test('an idle bulk thread ends, and the next job gets a new one', async () => {
  workers = createWorkers({ bulk: 1, live: 1, query: 1 }, 1)
  const { thread } = await run('a')
  await vi.waitFor(async () => expect((await run('b')).thread).toBeGreaterThan(thread), { timeout: 30_000 })
})

test('close rejects what waits and what runs', async () => {
  start()
  const all = Promise.allSettled([run('a', 'hang'), run('b')])
  await workers.close()
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(run('late')).rejects.toThrow('closed')
})

test('close ends although a thread sends its result at that moment, in a process with nothing else to do', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'fixtures', 'close-at-result.ts')])
  expect(stdout).toBe('closed\n')
})

test.runIf(process.platform === 'linux')('bulk threads have a lower priority than those that a caller waits for', async () => {
  start()
  const own = os.getPriority()
  const of = async (lane: 'bulk' | 'live' | 'query') => (await run('p', 'echo', { lane })).priority
  expect([await of('bulk'), await of('live'), await of('query'), os.getPriority()]).toEqual([Math.min(19, own + 5), own, own, own])
})

test('there is at least one bulk thread and at most four', () => {
  expect([laneSizes(1).bulk, laneSizes(2).bulk, laneSizes(64).bulk]).toEqual([1, 2, 4])
})
