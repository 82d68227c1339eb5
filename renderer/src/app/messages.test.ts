import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { Settings } from '#contracts/entities/settings.ts'
import type { Job } from '#contracts/entities/job.ts'
import type { Model } from '#contracts/entities/model.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { serverMessages, type ServerMessage } from '#contracts/messages.ts'
import { clearArrivals, useArrivals } from '#renderer/api/arrivals.ts'
import { captureKeys } from '#renderer/api/capture.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { jobKeys, patchJob } from '#renderer/api/jobs.ts'
import { createHandlers, dispatch } from '#renderer/api/messages.ts'
import { modelKeys } from '#renderer/api/models.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { settingsKeys } from '#renderer/api/settings.ts'
import { statsKeys } from '#renderer/api/stats.ts'
import { traceKeys } from '#renderer/api/traces.ts'
import { MESSAGES } from './features.ts'

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
const emit = (type: ServerMessage['type'], payload: unknown) =>
  dispatch(handlers, { type, seq: 1, at: '2026-11-21T10:00:00Z', payload } as ServerMessage)
const isInvalid = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated

beforeEach(() => {
  queries = new QueryClient()
  handlers = createHandlers(queries, MESSAGES)
  clearArrivals()
})

test('every type of message has a handler', () => {
  expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(serverMessages).toSorted())
})

test('an unknown message type is ignored', () => {
  expect(() => emit('run:started' as never, {})).not.toThrow()
  expect(() => emit('constructor' as never, {})).not.toThrow()
})

test('a late answer to the call that started a job does not undo the end of the job', () => {
  const ended = { state: 'completed', endedAt: '2026-11-21T10:00:01Z' } as const
  queries.setQueryData(jobKeys.all, { items: [], nextCursor: null, total: 0 })
  emit('job:complete', { job: job('j', ended) })
  patchJob(queries, job('j'))
  expect(queries.getQueryData(jobKeys.all)).toMatchObject({ items: [ended], total: 1 })
  expect(queries.getQueryData(jobKeys.one('j'))).toMatchObject(ended)
})

/** A query for the list of jobs, whose requests the test answers one by one. */
function observeJobs() {
  const answers: ((items: Job[]) => void)[] = []
  const observer = new QueryObserver(queries, {
    queryKey: jobKeys.all,
    queryFn: () => new Promise((resolve) => answers.push((items) => resolve({ items, nextCursor: null, total: items.length }))),
  })
  observer.subscribe(() => undefined)
  const states = () => queries.getQueryData<{ items: Job[] }>(jobKeys.all)?.items.map(({ state }) => state)
  return { answers, states }
}
const done = { state: 'completed', endedAt: '2026-11-21T10:00:01Z' } as const

test('a request in flight at the first hello is repeated', async () => {
  const { answers, states } = observeJobs()
  emit('hello', { epoch: 'e', seq: 7 })
  answers[0]!([job('j')])
  await expect.poll(() => answers).toHaveLength(2)
  answers[1]!([job('j', done)])
  await expect.poll(() => states()).toEqual(['completed'])
  expect(answers).toHaveLength(2)
})

test('a list requested before a job ended is requested again, so the job is not shown as running', async () => {
  const { answers, states } = observeJobs()
  answers[0]!([job('j')])
  await expect.poll(() => states()).toEqual(['running'])
  void queries.refetchQueries({ queryKey: jobKeys.all })
  emit('job:complete', { job: job('j', done) })
  answers[1]!([job('j')])
  await expect.poll(() => answers).toHaveLength(3)
  answers[2]!([job('j', done)])
  await expect.poll(() => states()).toEqual(['completed'])
})

test('an updated trace changes its row in place, in pages of every list and in the detail', () => {
  const list = traceKeys.list({ q: 'tier:pending' })
  queries.setQueryData(list, {
    pages: [
      { items: [trace('a'), trace('b')], nextCursor: 'x', total: 3 },
      { items: [trace('c')], nextCursor: null, total: 3 },
    ],
    pageParams: ['', 'x'],
  })
  queries.setQueryData(traceKeys.one('b'), { ...trace('b'), files: ['kept'] })
  emit('trace:updated', { id: 'b', trace: trace('b', { title: 'new' }), fromSeq: null, toSeq: null })
  const data = queries.getQueryData<{ pages: { items: Trace[] }[] }>(list)
  expect(data?.pages.map((page) => page.items.map(({ title }) => title))).toEqual([['a', 'new'], ['c']])
  expect(queries.getQueryData(traceKeys.one('b'))).toMatchObject({ title: 'new', files: ['kept'] })
})

test('new steps refetch the parts of that session and of no other', () => {
  queries.setQueryData(traceKeys.steps('a'), [])
  queries.setQueryData(traceKeys.steps('b'), [])
  emit('trace:updated', { id: 'a', trace: trace('a'), fromSeq: 4, toSeq: 6 })
  expect(isInvalid(traceKeys.steps('a'))).toBe(true)
  expect(isInvalid(traceKeys.steps('b'))).toBe(false)
})

test('a removed trace leaves the lists, the total and the cache', () => {
  const list = traceKeys.list({})
  queries.setQueryData(list, { pages: [{ items: [trace('a'), trace('b')], nextCursor: null, total: 2 }], pageParams: [''] })
  queries.setQueryData(traceKeys.one('a'), trace('a'))
  emit('trace:removed', { id: 'a' })
  expect(queries.getQueryData(list)).toMatchObject({ pages: [{ items: [{ id: 'b' }], total: 1 }] })
  expect(queries.getQueryData(traceKeys.one('a'))).toBeUndefined()
})

test('new sessions become arrivals and are not added to a list', () => {
  const list = traceKeys.list({})
  queries.setQueryData(list, { pages: [{ items: [trace('a')], nextCursor: null, total: 1 }], pageParams: [''] })
  emit('trace:added', { trace: trace('b') })
  emit('trace:batch', { jobId: 'j', added: ['c', 'd', 'b'], updated: [] })
  expect([...useArrivals.getState().ids]).toEqual(['b', 'c', 'd'])
  expect(queries.getQueryData(list)).toMatchObject({ pages: [{ items: [{ id: 'a' }] }] })
  emit('trace:removed', { id: 'c' })
  expect([...useArrivals.getState().ids]).toEqual(['b', 'd'])
})

test('progress updates a known job; for an unknown job the list is refetched', () => {
  queries.setQueryData(jobKeys.all, { items: [job('j1', { state: 'queued' })], nextCursor: null, total: 1 })
  emit('job:progress', { id: 'j1', kind: 'import', progress })
  expect(queries.getQueryData(jobKeys.all)).toMatchObject({ items: [{ id: 'j1', state: 'running', progress }] })
  expect(isInvalid(jobKeys.all)).toBe(false)
  emit('job:progress', { id: 'j2', kind: 'rebuild', progress })
  expect(isInvalid(jobKeys.all)).toBe(true)
})

test('the end of a job updates the list of jobs and refetches lists of traces', () => {
  queries.setQueryData(jobKeys.all, { items: [job('j1')], nextCursor: null, total: 1 })
  queries.setQueryData(traceKeys.list({}), { pages: [], pageParams: [] })
  emit('job:complete', { job: job('j1', { state: 'completed' }) })
  expect(queries.getQueryData(jobKeys.all)).toMatchObject({ items: [{ state: 'completed' }] })
  expect(isInvalid(traceKeys.list({}))).toBe(true)
})

test('when a job ends and others of its kind are queued, the list is refetched, because they move up', () => {
  const waits = { state: 'queued', queuePosition: 1 } as const
  queries.setQueryData(jobKeys.all, { items: [job('j2', waits), job('j1')], nextCursor: null, total: 2 })
  emit('job:complete', { job: job('j0', { kind: 'rebuild', state: 'completed' }) })
  expect(isInvalid(jobKeys.all)).toBe(false)
  emit('job:complete', { job: job('j1', { state: 'completed' }) })
  expect(isInvalid(jobKeys.all)).toBe(true)
})

test('changed settings replace the settings and keep where they are stored', () => {
  queries.setQueryData(settingsKeys.all, { settings: Settings.parse({}), environment: [{ name: 'port' }], storedIn: 'db' })
  emit('settings:changed', { settings: Settings.parse({ appearance: { theme: 'light' } }) })
  expect(queries.getQueryData(settingsKeys.all)).toMatchObject({ settings: { appearance: { theme: 'light' } }, storedIn: 'db' })
})

test('the first hello refetches everything, later ones only data whose messages are not replayed', () => {
  queries.setQueryData(statsKeys.all, {})
  emit('hello', { epoch: 'e', seq: 1 })
  expect(isInvalid(statsKeys.all)).toBe(true)
  queries.setQueryData(statsKeys.all, {})
  queries.setQueryData(captureKeys.status, {})
  queries.setQueryData(modelKeys.one('a'), {})
  emit('hello', { epoch: 'e', seq: 2 })
  expect(isInvalid(statsKeys.all)).toBe(false)
  expect(isInvalid(modelKeys.one('a'))).toBe(true)
  expect(isInvalid(captureKeys.status)).toBe(true)
})

test('reset invalidates everything', () => {
  queries.setQueryData(statsKeys.all, {})
  queries.setQueryData(traceKeys.one('a'), trace('a'))
  emit('trace:added', { trace: trace('b') })
  emit('reset', { epoch: 'e2', seq: 9, reason: 'rebuilt' })
  expect(isInvalid(statsKeys.all)).toBe(true)
  expect(isInvalid(traceKeys.one('a'))).toBe(true)
  expect(useArrivals.getState().ids.size).toBe(0)
})

test('a changed model is updated on its page and in every list; data that depends on it is refetched', () => {
  const model = (id: string, more: object = {}) => ({ id, name: id, starred: false, ...more }) as unknown as Model
  const list = modelKeys.list({})
  queries.setQueryData(list, { items: [model('b'), model('a')], nextCursor: null, total: 2 })
  queries.setQueryData(modelKeys.one('a'), model('a'))
  queries.setQueryData(modelKeys.card('a'), { markdown: '' })
  queries.setQueryData(modelKeys.comparison(['a', 'b']), {})
  emit('model:changed', { model: model('a', { starred: true }) })
  expect(queries.getQueryData(list)).toMatchObject({ items: [{ id: 'b' }, { id: 'a', starred: true }] })
  expect(queries.getQueryData(modelKeys.one('a'))).toMatchObject({ starred: true })
  for (const key of [list, modelKeys.card('a'), modelKeys.comparison(['a', 'b'])]) expect(isInvalid(key)).toBe(true)
  emit('model:removed', { id: 'a' })
  expect(queries.getQueryData(list)).toMatchObject({ items: [{ id: 'b' }], total: 1 })
  expect(queries.getQueryData(modelKeys.one('a'))).toBeUndefined()
  expect(queries.getQueryData(modelKeys.card('a'))).toBeUndefined()
})

test.each([
  { type: 'training:removed', key: runKeys.one('a'), code: 'run_not_found' },
  { type: 'model:removed', key: modelKeys.one('a'), code: 'model_not_found' },
  { type: 'dataset:removed', key: datasetKeys.one('a'), code: 'dataset_not_found' },
] as const)('$type turns an open page into a not-found error without a request', ({ type, key, code }) => {
  const queryFn = vi.fn()
  queries.setQueryData(key, { id: 'a' })
  const stop = new QueryObserver(queries, { queryKey: key, queryFn, staleTime: Infinity }).subscribe(() => undefined)
  emit(type, { id: 'a' })
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

test('progress of a run updates only its row and its page', () => {
  queries.setQueryData(runKeys.list({}), { pages: [{ items: [aRun('a'), aRun('b')], nextCursor: null, total: 2 }], pageParams: [''] })
  queries.setQueryData(runKeys.one('a'), aRun('a'))
  emit('training:progress', progressOf('a'))
  expect(queries.getQueryData(runKeys.list({}))).toMatchObject({
    pages: [
      {
        items: [
          { id: 'a', step: 3, loss: 2 },
          { id: 'b', step: 1 },
        ],
      },
    ],
  })
  expect(queries.getQueryData(runKeys.one('a'))).toMatchObject({ step: 3, tokensPerSec: 100, metrics: { loss: 2, grad_norm: 1 } })
  expect(isInvalid(runKeys.list({}))).toBe(false)
})

test('a changed run refetches lists and its parts; a removed run is removed from both', () => {
  queries.setQueryData(runKeys.list({}), { items: [aRun('a')], nextCursor: null, total: 1 })
  queries.setQueryData(runKeys.one('a'), aRun('a'))
  queries.setQueryData(runKeys.log('a', ''), {})
  emit('training:changed', { run: aRun('a', { state: 'paused' }) })
  expect(isInvalid(runKeys.list({}))).toBe(true)
  expect(isInvalid(runKeys.log('a', ''))).toBe(true)
  emit('training:removed', { id: 'a' })
  expect(queries.getQueryData(runKeys.list({}))).toMatchObject({ items: [], total: 0 })
  expect(queries.getQueryData(runKeys.one('a'))).toBeUndefined()
})
