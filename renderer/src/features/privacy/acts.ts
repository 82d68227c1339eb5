import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { create } from 'zustand'
import type { PrivacyAction, PrivacyScope, ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { keys } from '#renderer/api/keys.ts'
import { describeError } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'

/** Decisions of this window, newest last, as `z` takes them back: those of one act together. */
const useMade = create<{ past: readonly { ids: string[]; label: string }[] }>(() => ({ past: [] }))

/** As many as one request takes. */
const AT_ONCE = 1000

export interface Choice {
  action: PrivacyAction
  /** With replace; null: that of the policy. */
  strategy?: ReplaceStrategy | null
}

async function run(title: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    const { message, hint } = describeError(error)
    toast.error(title, hint ? `${message} ${hint}` : message)
    return false
  }
}

/** Decisions about findings, each with its way back. They hold for everything that leaves from then on. */
export function useDecide() {
  const queries = useQueryClient()
  return useMemo(() => {
    const again = () => queries.invalidateQueries({ queryKey: keys.privacy })
    const takeBack = async (act: { ids: string[]; label: string }): Promise<void> => {
      const isDone = await run(`${act.label}: not undone`, async () => {
        for (let at = 0; at < act.ids.length; at += AT_ONCE)
          await api.undoPrivacyDecisions({ body: { ids: act.ids.slice(at, at + AT_ONCE) } })
        await again()
      })
      if (!isDone) return
      const left = (ids: readonly string[]) => ids.filter((id) => !act.ids.includes(id))
      useMade.setState(({ past }) => ({
        past: past.map((known) => ({ ...known, ids: left(known.ids) })).filter(({ ids }) => ids.length > 0),
      }))
      toast.info(`Undone: ${act.label}`)
    }
    return {
      async decide(on: readonly PrivacyScope[], { action, strategy = null }: Choice, label: string): Promise<boolean> {
        const act = { ids: [] as string[], label }
        const isDone = await run(`${label}: not done`, async () => {
          for (let at = 0; at < on.length; at += AT_ONCE) {
            const { items } = await api.decideManyPrivacy({ body: { on: on.slice(at, at + AT_ONCE), action, strategy } })
            act.ids.push(...items.map(({ id }) => id))
          }
        })
        if (act.ids.length > 0) {
          useMade.setState(({ past }) => ({ past: [...past, act] }))
          toast.undo(label, () => void takeBack(act))
          await again()
        }
        return isDone
      },
      takeBack: (id: string, label: string) => takeBack({ ids: [id], label }),
      async undo(): Promise<void> {
        const act = useMade.getState().past.at(-1)
        if (act) await takeBack(act)
        else toast.info('Nothing to undo', 'Older decisions are taken back in the list of decisions.')
      },
    }
  }, [queries])
}
