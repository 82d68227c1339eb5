import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import type { Model, Serving } from '#contracts/entities/model.ts'
import { MESSAGES } from '#renderer/app/features.ts'
import { api } from '#renderer/api/client.ts'
import { createHandlers } from '#renderer/api/messages.ts'
import { modelKeys, useModel } from '#renderer/api/models.ts'
import { usePatchModel } from './queries.ts'
import { useSides } from './try/use-sides.ts'

const aModel = (more: Partial<Model>) =>
  ({ id: 'a', name: 'one', starred: false, tags: [], lineage: { baseModel: 'base' }, ...more }) as unknown as Model
const aServing = (more: Partial<Serving>) => ({ id: 's', modelId: 'a', label: 'one', state: 'starting', ...more }) as Serving

function shown<T>(use: () => T) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queries.setQueryData(modelKeys.one('a'), aModel({}))
  queries.setQueryData(modelKeys.servings, { items: [aServing({})] })
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  const { result } = renderHook(use, { wrapper })
  return { result, handlers: createHandlers(queries, MESSAGES), queries }
}

test('an answer older than a message about the model is ignored, and the model is fetched again', async () => {
  const answer = Promise.withResolvers<Model>()
  vi.spyOn(api, 'patchModel').mockReturnValue(answer.promise)
  const now = Promise.withResolvers<Model>()
  vi.spyOn(api, 'getModel').mockReturnValue(now.promise)
  const { result, handlers } = shown(() => ({ model: useModel('a').data!, patch: usePatchModel() }))
  act(() => result.current.patch.mutate({ id: 'a', starred: true }))
  await waitFor(() => expect(api.patchModel).toHaveBeenCalled())
  act(() => handlers['model:changed']({ model: aModel({ starred: true, tags: ['theirs'] }) }, ''))
  answer.resolve(aModel({ starred: true }))
  await waitFor(() => expect(result.current.patch.isSuccess).toBe(true))
  expect(result.current.model).toMatchObject({ starred: true, tags: ['theirs'] })
  now.resolve(aModel({ starred: true, tags: ['theirs'], name: 'as the server has it' }))
  await waitFor(() => expect(result.current.model.name).toBe('as the server has it'))
})

test('a model loaded elsewhere while another is being unloaded stays in the list', async () => {
  const answer = Promise.withResolvers<{ items: Serving[] }>()
  vi.spyOn(api, 'stopServing').mockReturnValue(answer.promise)
  vi.spyOn(api, 'listServings').mockReturnValue(new Promise(() => undefined))
  const { result, handlers, queries } = shown(() => useSides(aModel({})))
  act(() => result.current.stop(aServing({})))
  await waitFor(() => expect(api.stopServing).toHaveBeenCalled())
  const theirs = aServing({ id: 't', modelId: 'b', label: 'other' })
  act(() => handlers['model:servings']({ items: [theirs] }, ''))
  answer.resolve({ items: [] })
  await waitFor(() => expect(api.listServings).toHaveBeenCalled())
  expect(queries.getQueryData(modelKeys.servings)).toEqual({ items: [theirs] })
})
