import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { Trace } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import { api } from '#renderer/api/client.ts'
import { traceKeys } from '#renderer/api/traces.ts'
import { createTraceActions, useActionHistory, type Target } from './actions.ts'
import { aTrace } from './fixtures.ts'

afterEach(() => useActionHistory.setState({ past: [], future: [] }))

/** A server with one session, which is open in this window. */
function opened() {
  const trace = aTrace({ tier: 'silver', tierSource: 'policy' })
  const queries = new QueryClient()
  queries.setQueryData(traceKeys.one(trace.id), trace)
  const set = vi
    .spyOn(api, 'promoteTrace')
    .mockImplementation(({ body: { tier } = {} }) =>
      Promise.resolve({ ...trace, tier: tier ?? 'gold', tierSource: 'user', decisionId: `of ${tier}` }),
    )
  const undo = vi.spyOn(api, 'undoTier').mockResolvedValue(trace)
  return { trace, acts: createTraceActions(queries), queries, set, undo }
}

test('a double click makes one decision; one with a reason is another decision', async () => {
  const { trace, acts, set } = opened()
  await Promise.all([acts.setTier(trace, 'gold'), acts.setTier(trace, 'gold')])
  expect(set).toHaveBeenCalledTimes(1)
  expect(useActionHistory.getState().past).toHaveLength(1)
  await acts.setTier(trace, 'gold', 'It is the best one')
  expect(set).toHaveBeenCalledTimes(2)
})

test('the same for a row of the list whose session is not open', async () => {
  const { trace, acts, queries, set } = opened()
  queries.removeQueries({ queryKey: traceKeys.one(trace.id) })
  queries.setQueryData(traceKeys.list({}), { pages: [{ items: [trace], nextCursor: null, total: 1 }], pageParams: [''] })
  await Promise.all([acts.setTier(trace, 'gold'), acts.setTier(trace, 'gold')])
  expect(set).toHaveBeenCalledTimes(1)
  expect(useActionHistory.getState().past).toHaveLength(1)
})

test('the same for many sessions at once', async () => {
  const { trace, acts, queries } = opened()
  const gold: Trace = { ...trace, tier: 'gold', tierSource: 'user' }
  const set = vi.spyOn(api, 'bulkTraces').mockImplementation(() => {
    queries.setQueryData(traceKeys.one(trace.id), gold) // as refetching the list would
    return Promise.resolve({ bulkId: 'b'.repeat(26), changed: 1 })
  })
  const twice = (selection: Target) => Promise.all([1, 2].map(() => acts.bulk(selection, { action: 'tier', tier: 'gold' }, 1)))
  await twice({ ids: [trace.id] })
  expect(set).toHaveBeenCalledTimes(1)
  expect(useActionHistory.getState().past).toHaveLength(1)
  await twice({ filter: {} }) // more sessions may match by now
  expect(set).toHaveBeenCalledTimes(3)
})

test('undoes the decision of this window, not a later one, and drops an action that can no longer be undone', async () => {
  const { trace, acts, undo } = opened()
  await acts.setTier(trace, 'bronze')
  await acts.setTier(trace, 'gold')
  undo.mockRejectedValueOnce(new AppError('nothing_to_undo'))
  await acts.undo()
  expect(undo).toHaveBeenLastCalledWith({ params: { id: trace.id }, body: { decisionId: 'of gold' } })
  await acts.undo()
  expect(undo).toHaveBeenLastCalledWith({ params: { id: trace.id }, body: { decisionId: 'of bronze' } })
  expect(useActionHistory.getState().past).toEqual([])
  await acts.undo()
  expect(undo).toHaveBeenCalledTimes(2)
})

test('a note is sent once the preceding tag change is saved, without waiting for the facets', async () => {
  const { trace, acts, queries } = opened()
  vi.spyOn(api, 'changeTags').mockResolvedValue({ ...trace, tags: ['a'] })
  const note = vi.spyOn(api, 'setNote').mockResolvedValue({ ...trace, note: 'First.' })
  const observer = new QueryObserver(queries, { queryKey: traceKeys.facets, queryFn: () => new Promise<never>(() => {}) })
  const unsubscribe = observer.subscribe(() => {})
  await acts.changeTag(trace, 'a', true)
  await acts.setNote(trace, 'First.')
  expect(note).toHaveBeenCalledTimes(1)
  expect(queries.isFetching({ queryKey: traceKeys.facets })).toBe(1)
  unsubscribe()
})
