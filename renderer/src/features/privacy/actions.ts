import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PrivacyAction, PrivacyScope, ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { describeError } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { createUndoing } from '#renderer/ui/lists/undo.ts'

/** Undo of decisions in this window. */
const undoStack = createUndoing()
/** Ids of decisions that have been undone. */
const undoneIds = new Set<string>()

/** The most decisions per request. */
const MAX_PER_REQUEST = 1000

export interface Choice {
  action: PrivacyAction
  /** For replacements; null means the policy's strategy. */
  strategy?: ReplaceStrategy | null
}

async function undoAll(ids: readonly string[]): Promise<void> {
  const pendingIds = ids.filter((id) => !undoneIds.has(id))
  for (let at = 0; at < pendingIds.length; at += MAX_PER_REQUEST) {
    const batch = pendingIds.slice(at, at + MAX_PER_REQUEST)
    await api.undoPrivacyDecisions({ body: { ids: batch } })
    for (const id of batch) undoneIds.add(id)
  }
}

/** Saves all decisions or none. */
async function decideAll(scopes: readonly PrivacyScope[], { action, strategy = null }: Choice, ids: string[]): Promise<void> {
  try {
    for (let at = 0; at < scopes.length; at += MAX_PER_REQUEST) {
      const { items } = await api.decideManyPrivacy({ body: { on: scopes.slice(at, at + MAX_PER_REQUEST), action, strategy } })
      ids.push(...items.map(({ id }) => id))
    }
  } catch (error) {
    await undoAll(ids)
    throw error
  }
}

/** Saves decisions about findings, with undo. */
export function createDecisionActions(queries: QueryClient) {
  const refetch = () => queries.invalidateQueries({ queryKey: privacyKeys.all })
  return {
    decide(on: readonly PrivacyScope[], choice: Choice, label: string): Promise<boolean> {
      const ids: string[] = []
      const save = async () => {
        try {
          await decideAll(on, choice, ids)
        } finally {
          void refetch() // not awaited, so that undo is offered at once
        }
        return async () => {
          await undoAll(ids)
          await refetch()
        }
      }
      return undoStack.perform(label, save, () => ids.length > 0 && ids.every((id) => undoneIds.has(id)))
    },
    undoDecision: async (id: string, label: string): Promise<void> => {
      try {
        await undoAll([id])
        toast.info(`Undone: ${label}`)
      } catch (error) {
        const { message, hint } = describeError(error)
        toast.error(`Couldn't undo: ${label}`, hint ? `${message} ${hint}` : message)
      }
      await refetch()
    },
    undo: (): Promise<void> => undoStack.undoNewest('Undo older decisions under Decisions.'),
  }
}

export function useDecisionActions() {
  const queries = useQueryClient()
  return useMemo(() => createDecisionActions(queries), [queries])
}
