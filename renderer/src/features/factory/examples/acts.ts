import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChatMessage, Example, ExampleDetail, ReviewState } from '#contracts/entities/example.ts'
import type { ExampleSelection } from '#contracts/routes/factory.ts'
import { api } from '#renderer/api/client.ts'
import { exampleKeys } from '#renderer/api/examples.ts'
import { plural } from '#renderer/ui/format.ts'
import { perform } from '../undoing.ts'
import { STATE_WORDS } from './words.ts'

type Pages = InfiniteData<{ items: Example[]; nextCursor: string | null; total: number }>

/** Review acts on examples, each with its undo. */
export function createActs(queries: QueryClient) {
  const again = () => queries.invalidateQueries({ queryKey: exampleKeys.all })
  /** On screen before the server has answered; rows that the filter no longer holds go when the list is read again. */
  const show = (ids: ReadonlySet<string>, state: ReviewState) => {
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
  const put = async (id: string, messages: ChatMessage[]) =>
    queries.setQueryData(exampleKeys.one(id), await api.editExample({ params: { id }, body: { messages } }))
  const drop = async (id: string) => queries.setQueryData(exampleKeys.one(id), await api.dropExampleEdit({ params: { id } }))

  return {
    /** `shown`: those of the selection that are loaded; `count`: how many it has. */
    review(selection: ExampleSelection, state: ReviewState, shown: readonly string[], count: number): Promise<boolean> {
      show(new Set(shown), state)
      let changed: number | null = null
      const work = async () => {
        try {
          const done = await api.reviewExamples({ body: { selection, state } })
          changed = done.changed
          void again() // undo is offered at once, not after the list has loaded
          return async () => {
            await api.undoReview({ params: { bulkId: done.bulkId }, body: {} })
            await again()
          }
        } catch (error) {
          await again()
          throw error
        }
      }
      // nothing to undo where every row was in that state already
      return perform(`${STATE_WORDS[state]}: ${plural(count, 'example')}`, work, () => changed === 0)
    },

    /** Errors are the form's to show. */
    async edit(before: ExampleDetail, messages: ChatMessage[], label: string): Promise<void> {
      await put(before.id, messages)
      await perform(label, () => Promise.resolve(() => (before.edited ? put(before.id, before.messages) : drop(before.id))))
    },

    dropEdit(before: ExampleDetail): Promise<boolean> {
      return perform('Edits discarded', async () => {
        await drop(before.id)
        return () => put(before.id, before.messages)
      })
    },
  }
}

export type ExampleActs = ReturnType<typeof createActs>

export function useExampleActs(): ExampleActs {
  const queries = useQueryClient()
  return useMemo(() => createActs(queries), [queries])
}
