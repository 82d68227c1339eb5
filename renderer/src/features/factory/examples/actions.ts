import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChatMessage, Example, ExampleDetail, ReviewState } from '#contracts/entities/example.ts'
import type { ExampleSelection } from '#contracts/routes/factory.ts'
import { api } from '#renderer/api/client.ts'
import { exampleKeys } from '#renderer/api/examples.ts'
import { perform, performReview } from '../undo.ts'

type Pages = InfiniteData<{ items: Example[]; nextCursor: string | null; total: number }>

/** Reviews and edits of examples, each with undo. */
export function createExampleActions(queries: QueryClient) {
  const refetch = () => queries.invalidateQueries({ queryKey: exampleKeys.all })
  /** Shows the new state before the server has answered. The next fetch removes rows that no longer match the filter. */
  const showState = (ids: ReadonlySet<string>, state: ReviewState) => {
    queries.setQueriesData<Pages>(
      { queryKey: exampleKeys.lists },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: page.items.map((row) => (ids.has(row.id) ? { ...row, state } : row)) })),
        },
    )
    for (const id of ids) queries.setQueryData<ExampleDetail>(exampleKeys.one(id), (detail) => detail && { ...detail, state })
  }
  const saveEdit = async (id: string, messages: ChatMessage[]) =>
    queries.setQueryData(exampleKeys.one(id), await api.editExample({ params: { id }, body: { messages } }))
  const removeEdit = async (id: string) => queries.setQueryData(exampleKeys.one(id), await api.dropExampleEdit({ params: { id } }))

  return {
    /** `shown`: those of the selection that are loaded; `count`: how many it has. */
    review(selection: ExampleSelection, state: ReviewState, loadedIds: readonly string[], count: number): Promise<boolean> {
      showState(new Set(loadedIds), state)
      return performReview(state, count, 'example', {
        save: () => api.reviewExamples({ body: { selection, state } }),
        undo: (bulkId) => api.undoReview({ params: { bulkId }, body: {} }),
        refetch,
      })
    },

    /** Rejects on errors, which the form shows. */
    async edit(before: ExampleDetail, messages: ChatMessage[], label: string): Promise<void> {
      await saveEdit(before.id, messages)
      await perform(label, () => Promise.resolve(() => (before.edited ? saveEdit(before.id, before.messages) : removeEdit(before.id))))
    },

    dropEdit(before: ExampleDetail): Promise<boolean> {
      return perform('Edits discarded', async () => {
        await removeEdit(before.id)
        return () => saveEdit(before.id, before.messages)
      })
    },
  }
}

export type ExampleActions = ReturnType<typeof createExampleActions>

export function useExampleActions(): ExampleActions {
  const queries = useQueryClient()
  return useMemo(() => createExampleActions(queries), [queries])
}
