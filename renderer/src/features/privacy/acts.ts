import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PrivacyAction, PrivacyScope, ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { describeError } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { createUndoing } from '#renderer/ui/lists/undo.ts'

/** Decisions of this window; those of one act are undone together. */
const undoing = createUndoing()
/** Ids of decisions that have been undone. */
const takenBack = new Set<string>()

/** As many as one request takes. */
const AT_ONCE = 1000

export interface Choice {
  action: PrivacyAction
  /** With replace; null: that of the policy. */
  strategy?: ReplaceStrategy | null
}

async function undoAll(ids: readonly string[]): Promise<void> {
  const open = ids.filter((id) => !takenBack.has(id))
  for (let at = 0; at < open.length; at += AT_ONCE) {
    const some = open.slice(at, at + AT_ONCE)
    await api.undoPrivacyDecisions({ body: { ids: some } })
    for (const id of some) takenBack.add(id)
  }
}

/** All of them, or none. */
async function decideAll(on: readonly PrivacyScope[], { action, strategy = null }: Choice, ids: string[]): Promise<void> {
  try {
    for (let at = 0; at < on.length; at += AT_ONCE) {
      const { items } = await api.decideManyPrivacy({ body: { on: on.slice(at, at + AT_ONCE), action, strategy } })
      ids.push(...items.map(({ id }) => id))
    }
  } catch (error) {
    await undoAll(ids)
    throw error
  }
}

/** Decisions about findings, each with its undo. They apply to everything exported from then on. */
export function createDeciding(queries: QueryClient) {
  const again = () => queries.invalidateQueries({ queryKey: privacyKeys.all })
  return {
    decide(on: readonly PrivacyScope[], choice: Choice, label: string): Promise<boolean> {
      const ids: string[] = []
      const work = async () => {
        try {
          await decideAll(on, choice, ids)
        } finally {
          void again() // undo is offered at once, not after the list has loaded
        }
        return async () => {
          await undoAll(ids)
          await again()
        }
      }
      return undoing.perform(label, work, () => ids.length > 0 && ids.every((id) => takenBack.has(id)))
    },
    takeBack: async (id: string, label: string): Promise<void> => {
      try {
        await undoAll([id])
        toast.info(`Undone: ${label}`)
      } catch (error) {
        const { message, hint } = describeError(error)
        toast.error(`Couldn't undo: ${label}`, hint ? `${message} ${hint}` : message)
      }
      await again()
    },
    undo: (): Promise<void> => undoing.undoNewest('Undo older decisions under Decisions.'),
  }
}

export function useDecide() {
  const queries = useQueryClient()
  return useMemo(() => createDeciding(queries), [queries])
}
