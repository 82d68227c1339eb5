import { afterEach, expect, test } from 'vitest'
import { createWorkers, laneSizes, type Workers } from './pool.ts'

const job = new URL('./fixtures/probe.job.ts', import.meta.url)
let workers: Workers
const start = () => (workers = createWorkers({ bulk: 1, live: 2, query: 1 }))
afterEach(() => workers.close())

interface Seen {
  name: string
  thread: number
  seen: string[]
}
const run = (name: string, what = 'echo', options = {}) => workers.run<Seen>(job, { do: what, name }, { lane: 'bulk', ...options })

test('jobs with one key run on one thread, in order, with what its module kept', async () => {
  start()
  const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name, 'echo', { lane: 'live', key: 'k' })))
  expect(new Set(all.map(({ thread }) => thread)).size).toBe(1)
  expect(all.at(-1)?.seen).toEqual(['a', 'b', 'c', 'd'])
})

test('an error comes back with its message and the code in its cause', async () => {
  start()
  await expect(run('x', 'fail')).rejects.toMatchObject({ message: 'failed x', cause: { code: 'ENOSPC' } })
})

test('a result nested too deep to be copied fails its task, and the thread goes on', async () => {
  start()
  await expect(run('deep', 'nest')).rejects.toThrow('probe.job.ts gave back could not be taken in')
  expect((await run('next')).name).toBe('next')
})

test('progress arrives before the result', async () => {
  start()
  const told: unknown[] = []
  await run('p', 'progress', { onProgress: (value: unknown) => told.push(value) })
  expect(told).toEqual([1, 2, 3])
})

test('a running job hears of its abort and rejects with the reason', async () => {
  start()
  const controller = new AbortController()
  const running = run('h', 'hang', { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  expect((await run('next')).name).toBe('next')
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

test('a thread that dies fails its job only; what waited behind it goes on', async () => {
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

test('close rejects what waits and what runs', async () => {
  start()
  const all = Promise.allSettled([run('a', 'hang'), run('b')])
  await workers.close()
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(run('late')).rejects.toThrow('closed')
})

test('there is at least one bulk thread and at most four', () => {
  expect([laneSizes(1).bulk, laneSizes(2).bulk, laneSizes(64).bulk]).toEqual([1, 2, 4])
})
