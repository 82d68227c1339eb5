import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { Settings } from '#contracts/entities/settings.ts'
import type { Job } from '#contracts/entities/job.ts'
import type { Model } from '#contracts/entities/model.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { serverMessages, type ServerMessage } from '#contracts/messages.ts'
import { clearArrivals, useArrivals } from './arrivals.ts'
import { createHandlers, dispatch } from './handlers.ts'
import { keys } from './keys.ts'
import { patchJob } from './patch.ts'

const trace = (id: string, more: Partial<Trace> = {}) => ({ id, title: id, tier: 'pending', ...more }) as Trace
const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  kind: 'import',
  subject: null,
  state: 'running',
  queuePosition: null,
  createdAt: '2026-11-21T10:00:00Z',
  startedAt: null,
  endedAt: null,
  progress: null,
  result: null,
  error: null,
  ...more,
})
const progress = {
  phase: 'reading',
  done: 1,
  total: 2,
  unit: 'sessions',
  bytesDone: null,
  bytesTotal: null,
  ratePerSec: null,
  etaSec: null,
  message: null,
}

let queries: QueryClient
let handlers: ReturnType<typeof createHandlers>
const tell = (type: ServerMessage['type'], payload: unknown) =>
  dispatch(handlers, { type, seq: 1, at: '2026-11-21T10:00:00Z', payload } as ServerMessage)
const isInvalid = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated

beforeEach(() => {
  queries = new QueryClient()
  handlers = createHandlers(queries)
  clearArrivals()
})

test('every type of message has a handler', () => {
  expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(serverMessages).toSorted())
})

test('a type that this page does not know is left alone', () => {
  expect(() => tell('run:started' as never, {})).not.toThrow()
  expect(() => tell('constructor' as never, {})).not.toThrow()
})

test('a job that has ended stays so when the answer to the call that started it comes late', () => {
  const ended = { state: 'completed', endedAt: '2026-11-21T10:00:01Z' } as const
  queries.setQueryData(keys.jobs, { items: [], nextCursor: null, total: 0 })
  tell('job:complete', { job: job('j', ended) })
  patchJob(queries, job('j'))
  expect(queries.getQueryData(keys.jobs)).toMatchObject({ items: [ended], total: 1 })
  expect(queries.getQueryData(keys.job('j'))).toMatchObject(ended)
})

/** A list of jobs whose answers are given by hand, one call after the other. */
function observeJobs() {
  const answers: ((items: Job[]) => void)[] = []
  const observer = new QueryObserver(queries, {
    queryKey: keys.jobs,
    queryFn: () => new Promise((resolve) => answers.push((items) => resolve({ items, nextCursor: null, total: items.length }))),
  })
  observer.subscribe(() => undefined)
  const states = () => queries.getQueryData<{ items: Job[] }>(keys.jobs)?.items.map(({ state }) => state)
  return { answers, states }
}
const done = { state: 'completed', endedAt: '2026-11-21T10:00:01Z' } as const

test('a first answer that the first hello has overtaken is asked for again', async () => {
  const { answers, states } = observeJobs()
  tell('hello', { epoch: 'e', seq: 7 })
  answers[0]!([job('j')])
  await expect.poll(() => answers).toHaveLength(2)
  answers[1]!([job('j', done)])
  await expect.poll(() => states()).toEqual(['completed'])
  expect(answers).toHaveLength(2)
})

test('an answer that the end of a job has overtaken does not bring the job back', async () => {
  const { answers, states } = observeJobs()
  answers[0]!([job('j')])
  await expect.poll(() => states()).toEqual(['running'])
  void queries.refetchQueries({ queryKey: keys.jobs })
  tell('job:complete', { job: job('j', done) })
  answers[1]!([job('j')])
  await expect.poll(() => answers).toHaveLength(3)
  answers[2]!([job('j', done)])
  await expect.poll(() => states()).toEqual(['completed'])
})

test('an updated trace changes its row in place, in pages of every list and in the detail', () => {
  const list = keys.traceList({ q: 'tier:pending' })
  queries.setQueryData(list, {
    pages: [
      { items: [trace('a'), trace('b')], nextCursor: 'x', total: 3 },
      { items: [trace('c')], nextCursor: null, total: 3 },
    ],
    pageParams: ['', 'x'],
  })
  queries.setQueryData(keys.trace('b'), { ...trace('b'), files: ['kept'] })
  tell('trace:updated', { id: 'b', trace: trace('b', { title: 'new' }), fromSeq: null, toSeq: null })
  const data = queries.getQueryData<{ pages: { items: Trace[] }[] }>(list)
  expect(data?.pages.map((page) => page.items.map(({ title }) => title))).toEqual([['a', 'new'], ['c']])
  expect(queries.getQueryData(keys.trace('b'))).toMatchObject({ title: 'new', files: ['kept'] })
})

test('growth asks for the parts of that session again and of no other', () => {
  queries.setQueryData(keys.steps('a'), [])
  queries.setQueryData(keys.steps('b'), [])
  tell('trace:updated', { id: 'a', trace: trace('a'), fromSeq: 4, toSeq: 6 })
  expect(isInvalid(keys.steps('a'))).toBe(true)
  expect(isInvalid(keys.steps('b'))).toBe(false)
})

test('a removed trace leaves the lists, the total and the cache', () => {
  const list = keys.traceList({})
  queries.setQueryData(list, { pages: [{ items: [trace('a'), trace('b')], nextCursor: null, total: 2 }], pageParams: [''] })
  queries.setQueryData(keys.trace('a'), trace('a'))
  tell('trace:removed', { id: 'a' })
  expect(queries.getQueryData(list)).toMatchObject({ pages: [{ items: [{ id: 'b' }], total: 1 }] })
  expect(queries.getQueryData(keys.trace('a'))).toBeUndefined()
})

test('new sessions wait as arrivals and never enter a list by themselves', () => {
  const list = keys.traceList({})
  queries.setQueryData(list, { pages: [{ items: [trace('a')], nextCursor: null, total: 1 }], pageParams: [''] })
  tell('trace:added', { trace: trace('b') })
  tell('trace:batch', { jobId: 'j', added: ['c', 'd', 'b'], updated: [] })
  expect([...useArrivals.getState().ids]).toEqual(['b', 'c', 'd'])
  expect(queries.getQueryData(list)).toMatchObject({ pages: [{ items: [{ id: 'a' }] }] })
  tell('trace:removed', { id: 'c' })
  expect([...useArrivals.getState().ids]).toEqual(['b', 'd'])
})

test('progress goes to the job that is known; an unknown one makes the list be read again', () => {
  queries.setQueryData(keys.jobs, { items: [job('j1', { state: 'queued' })], nextCursor: null, total: 1 })
  tell('job:progress', { id: 'j1', kind: 'import', progress })
  expect(queries.getQueryData(keys.jobs)).toMatchObject({ items: [{ id: 'j1', state: 'running', progress }] })
  expect(isInvalid(keys.jobs)).toBe(false)
  tell('job:progress', { id: 'j2', kind: 'rebuild', progress })
  expect(isInvalid(keys.jobs)).toBe(true)
})

test('a job that ended has its end in the list, and lists of traces are read again', () => {
  queries.setQueryData(keys.jobs, { items: [job('j1')], nextCursor: null, total: 1 })
  queries.setQueryData(keys.traceList({}), { pages: [], pageParams: [] })
  tell('job:complete', { job: job('j1', { state: 'completed' }) })
  expect(queries.getQueryData(keys.jobs)).toMatchObject({ items: [{ state: 'completed' }] })
  expect(isInvalid(keys.traceList({}))).toBe(true)
})

test('when a job ends, those of its kind that wait are read again, for they move up', () => {
  const waits = { state: 'queued', queuePosition: 1 } as const
  queries.setQueryData(keys.jobs, { items: [job('j2', waits), job('j1')], nextCursor: null, total: 2 })
  tell('job:complete', { job: job('j0', { kind: 'rebuild', state: 'completed' }) })
  expect(isInvalid(keys.jobs)).toBe(false)
  tell('job:complete', { job: job('j1', { state: 'completed' }) })
  expect(isInvalid(keys.jobs)).toBe(true)
})

test('changed settings replace the settings and keep where they come from', () => {
  queries.setQueryData(keys.settings, { settings: Settings.parse({}), environment: [{ name: 'port' }], storedIn: 'db' })
  tell('settings:changed', { settings: Settings.parse({ appearance: { theme: 'light' } }) })
  expect(queries.getQueryData(keys.settings)).toMatchObject({ settings: { appearance: { theme: 'light' } }, storedIn: 'db' })
})

test('what was read before the first hello is read again, later hellos renew only what is not replayed', () => {
  queries.setQueryData(keys.stats, {})
  tell('hello', { epoch: 'e', seq: 1 })
  expect(isInvalid(keys.stats)).toBe(true)
  queries.setQueryData(keys.stats, {})
  queries.setQueryData(keys.capture, {})
  queries.setQueryData(keys.model('a'), {})
  tell('hello', { epoch: 'e', seq: 2 })
  expect(isInvalid(keys.stats)).toBe(false)
  expect(isInvalid(keys.model('a'))).toBe(true)
  expect(isInvalid(keys.capture)).toBe(true)
})

test('reset makes everything void', () => {
  queries.setQueryData(keys.stats, {})
  queries.setQueryData(keys.trace('a'), trace('a'))
  tell('trace:added', { trace: trace('b') })
  tell('reset', { epoch: 'e2', seq: 9, reason: 'rebuilt' })
  expect(isInvalid(keys.stats)).toBe(true)
  expect(isInvalid(keys.trace('a'))).toBe(true)
  expect(useArrivals.getState().ids.size).toBe(0)
})

test('a model that changed is new in its page and in every list; what leans on it is asked for again', () => {
  const model = (id: string, more: object = {}) => ({ id, name: id, starred: false, ...more }) as unknown as Model
  const list = keys.modelList({})
  queries.setQueryData(list, { items: [model('b'), model('a')], nextCursor: null, total: 2 })
  queries.setQueryData(keys.model('a'), model('a'))
  queries.setQueryData(keys.modelCard('a'), { markdown: '' })
  queries.setQueryData(keys.modelComparison(['a', 'b']), {})
  tell('model:changed', { model: model('a', { starred: true }) })
  expect(queries.getQueryData(list)).toMatchObject({ items: [{ id: 'b' }, { id: 'a', starred: true }] })
  expect(queries.getQueryData(keys.model('a'))).toMatchObject({ starred: true })
  for (const key of [list, keys.modelCard('a'), keys.modelComparison(['a', 'b'])]) expect(isInvalid(key)).toBe(true)
  tell('model:removed', { id: 'a' })
  expect(queries.getQueryData(list)).toMatchObject({ items: [{ id: 'b' }], total: 1 })
  expect(queries.getQueryData(keys.model('a'))).toBeUndefined()
  expect(queries.getQueryData(keys.modelCard('a'))).toBeUndefined()
})

test.each([
  { type: 'training:removed', key: keys.run('a'), code: 'run_not_found' },
  { type: 'model:removed', key: keys.model('a'), code: 'model_not_found' },
  { type: 'dataset:removed', key: keys.dataset('a'), code: 'dataset_not_found' },
] as const)('a page that is open hears by $type that what it shows is gone, and asks for nothing', ({ type, key, code }) => {
  const queryFn = vi.fn()
  queries.setQueryData(key, { id: 'a' })
  const stop = new QueryObserver(queries, { queryKey: key, queryFn, staleTime: Infinity }).subscribe(() => undefined)
  tell(type, { id: 'a' })
  expect(queries.getQueryState(key)).toMatchObject({ data: undefined, status: 'error', error: { code } })
  expect(queryFn).not.toHaveBeenCalled()
  stop()
})

const aRun = (id: string, more: object = {}) => ({ id, state: 'running', step: 1, metrics: { loss: 9 }, ...more })
const progressOf = (runId: string) => ({
  runId,
  seq: 7,
  step: 3,
  totalSteps: 10,
  epoch: 0.3,
  tokens: 30,
  seconds: 3,
  tokensPerSec: 100,
  etaSec: 7,
  points: [{ seq: 7, step: 3, epoch: 0.3, tokens: 30, seconds: 3, metrics: { loss: 2, grad_norm: 1 } }],
})

test('progress of a run goes to its row and its page, and to no other', () => {
  queries.setQueryData(keys.runList({}), { pages: [{ items: [aRun('a'), aRun('b')], nextCursor: null, total: 2 }], pageParams: [''] })
  queries.setQueryData(keys.run('a'), aRun('a'))
  tell('training:progress', progressOf('a'))
  expect(queries.getQueryData(keys.runList({}))).toMatchObject({
    pages: [
      {
        items: [
          { id: 'a', step: 3, loss: 2 },
          { id: 'b', step: 1 },
        ],
      },
    ],
  })
  expect(queries.getQueryData(keys.run('a'))).toMatchObject({ step: 3, tokensPerSec: 100, metrics: { loss: 2, grad_norm: 1 } })
  expect(isInvalid(keys.runList({}))).toBe(false)
})

test('a run in another state makes lists and its parts be read again; a removed one leaves them', () => {
  queries.setQueryData(keys.runList({}), { items: [aRun('a')], nextCursor: null, total: 1 })
  queries.setQueryData(keys.run('a'), aRun('a'))
  queries.setQueryData(keys.runLog('a', ''), {})
  tell('training:changed', { run: aRun('a', { state: 'paused' }) })
  expect(isInvalid(keys.runList({}))).toBe(true)
  expect(isInvalid(keys.runLog('a', ''))).toBe(true)
  tell('training:removed', { id: 'a' })
  expect(queries.getQueryData(keys.runList({}))).toMatchObject({ items: [], total: 0 })
  expect(queries.getQueryData(keys.run('a'))).toBeUndefined()
})
