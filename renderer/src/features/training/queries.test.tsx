import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import type { Run, TrainingQueue } from '#contracts/entities/run.ts'
import { MESSAGES } from '#renderer/app/features.ts'
import { api } from '#renderer/api/client.ts'
import { createHandlers } from '#renderer/api/messages.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { usePatchQueue, usePatchRun, useRun, useRunActions } from './queries.ts'

const aRun = (more: Partial<Run>) => ({ id: 'a', name: 'one', state: 'running', step: 12, starred: false, ...more }) as Run

/** A page that shows the run. */
function renderRun<T>(useHook: () => T) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queries.setQueryData(runKeys.one('a'), aRun({}))
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  const { result } = renderHook(() => ({ run: useRun('a').data!, acts: useHook() }), { wrapper })
  const handlers = createHandlers(queries, MESSAGES)
  const receiveChange = (run: Run) => act(() => handlers['training:changed']({ run }, ''))
  return { result, receiveChange }
}

test('a run that pauses before the answer arrives is shown as paused and then reloaded', async () => {
  const answer = Promise.withResolvers<Run>()
  vi.spyOn(api, 'pauseRun').mockReturnValue(answer.promise)
  const currentRun = Promise.withResolvers<Run>()
  const getRun = vi.spyOn(api, 'getRun').mockReturnValue(currentRun.promise)
  const { result, receiveChange } = renderRun(() => useRunActions('a'))
  act(() => result.current.acts.pause.mutate())
  await waitFor(() => expect(api.pauseRun).toHaveBeenCalled())
  receiveChange(aRun({ state: 'paused', step: 14 }))
  answer.resolve(aRun({ state: 'pausing' }))
  await waitFor(() => expect(result.current.acts.pause.isSuccess).toBe(true))
  expect(result.current.run).toMatchObject({ state: 'paused', step: 14 })
  await waitFor(() => expect(getRun).toHaveBeenCalled())
  currentRun.resolve(aRun({ state: 'paused', step: 14, name: 'as the server has it' }))
  await waitFor(() => expect(result.current.run.name).toBe('as the server has it'))
})

test('without a newer message, the run is shown as in the answer', async () => {
  vi.spyOn(api, 'pauseRun').mockResolvedValue(aRun({ state: 'pausing' }))
  vi.spyOn(api, 'getRun').mockReturnValue(new Promise(() => undefined))
  const { result } = renderRun(() => useRunActions('a'))
  act(() => result.current.acts.pause.mutate())
  await waitFor(() => expect(result.current.run.state).toBe('pausing'))
})

test('a star does not undo changes that arrived meanwhile', async () => {
  const answer = Promise.withResolvers<Run>()
  vi.spyOn(api, 'patchRun').mockReturnValue(answer.promise)
  vi.spyOn(api, 'getRun').mockReturnValue(new Promise(() => undefined))
  const { result, receiveChange } = renderRun(usePatchRun)
  act(() => result.current.acts.mutate({ id: 'a', starred: true }))
  receiveChange(aRun({ state: 'completed', step: 20 }))
  answer.resolve(aRun({ starred: true }))
  await waitFor(() => expect(result.current.run.starred).toBe(true))
  expect(result.current.run).toMatchObject({ state: 'completed', step: 20 })
})

test('a tag added in another window before the answer arrives is not lost', async () => {
  const answer = Promise.withResolvers<Run>()
  vi.spyOn(api, 'patchRun').mockReturnValue(answer.promise)
  vi.spyOn(api, 'getRun').mockResolvedValue(aRun({ tags: ['mine', 'theirs'] }))
  const { result, receiveChange } = renderRun(usePatchRun)
  act(() => result.current.acts.mutate({ id: 'a', addTags: ['mine'] }))
  receiveChange(aRun({ tags: ['mine', 'theirs'] }))
  answer.resolve(aRun({ tags: ['mine'] }))
  await waitFor(() => expect(result.current.acts.isSuccess).toBe(true))
  await waitFor(() => expect(result.current.run.tags).toEqual(['mine', 'theirs']))
})

test('a queue changed elsewhere before the answer keeps the latest state', async () => {
  const queue = (more: Partial<TrainingQueue>): TrainingQueue => ({
    paused: false,
    pausedBy: null,
    continueAfterFailure: true,
    order: ['a', 'b'],
    ...more,
  })
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queries.setQueryData(runKeys.queue, queue({}))
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  const { result } = renderHook(usePatchQueue, { wrapper })
  const answer = Promise.withResolvers<TrainingQueue>()
  vi.spyOn(api, 'patchQueue').mockReturnValue(answer.promise)
  act(() => result.current.mutate({ paused: true }))
  await waitFor(() => expect(api.patchQueue).toHaveBeenCalled())
  createHandlers(queries, MESSAGES)['training:queue'](queue({ paused: true, order: ['b'] }), '')
  answer.resolve(queue({ paused: true }))
  await waitFor(() => expect(result.current.isSuccess).toBe(true))
  expect(queries.getQueryData(runKeys.queue)).toEqual(queue({ paused: true, order: ['b'] }))
  expect(queries.getQueryState(runKeys.queue)?.isInvalidated).toBe(true)
})
