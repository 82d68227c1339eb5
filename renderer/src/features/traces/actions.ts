import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { create } from 'zustand'
import type { TagChange, Tier } from '#contracts/entities/common.ts'
import type { SegmentCut } from '#contracts/entities/example.ts'
import type { DecidedTrace, Trace } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import { api } from '#renderer/api/client.ts'
import { dropTrace, cachedTrace, patchTrace, traceKeys } from '#renderer/api/traces.ts'
import { plural } from '#renderer/ui/format.ts'
import { describeError } from '#renderer/ui/states.tsx'
import { markWord } from '#renderer/ui/tier-mark.tsx'
import { toast } from '#renderer/ui/toast.tsx'

/** An action on traces that `z` undoes and Shift+Z redoes. */
interface TraceAction {
  label: string
  /** The trace, if the action changed only one. */
  traceId?: string
  redo: () => Promise<unknown>
  undo: () => Promise<unknown>
}

/** Actions of this window, newest last. Their effects are on the server; this only stores how to undo and redo them. */
export const useActionHistory = create<{ past: readonly TraceAction[]; future: readonly TraceAction[] }>(() => ({ past: [], future: [] }))

const MAX_ACTIONS = 100

async function runOrToast(title: string, work: () => Promise<unknown>, onError?: (error: unknown) => void): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    onError?.(error)
    const { message, hint } = describeError(error)
    toast.error(title, hint ? `${message} ${hint}` : message)
    return false
  }
}

let lastAction: Promise<unknown> = Promise.resolve()

/** Runs one after the other: the effect of an action may be on screen before its request returns, and `z` must find it. */
function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = lastAction.then(work)
  lastAction = result.catch(() => undefined)
  return result
}

/** `isDone` is checked when the action's turn comes; true means there is nothing to do. */
const perform = (action: TraceAction, isDone = () => false): Promise<void> =>
  enqueue(async () => {
    if (isDone()) return
    if (!(await runOrToast(`Failed: ${action.label}`, action.redo))) return
    useActionHistory.setState(({ past }) => ({ past: [...past, action].slice(-MAX_ACTIONS), future: [] }))
    offerUndo(action)
  })

/** The open toasts that offer to undo an action. */
const undoToasts = new Map<TraceAction, () => void>()

function offerUndo(action: TraceAction): void {
  undoToasts.set(
    action,
    toast.undo(action.label, () => void undo(action)),
  )
}

function dismissUndoToast(action: TraceAction): void {
  undoToasts.get(action)?.()
  undoToasts.delete(action)
}

/** Undoes the newest action of this window, or the action of a toast; never those of another window. */
const undo = (toastAction?: TraceAction): Promise<void> =>
  enqueue(async () => {
    const { past } = useActionHistory.getState()
    const action = toastAction ?? past.at(-1)
    if (!action)
      toast.info('Nothing to undo in this window', 'Earlier decisions are in the tier history of each session, where you can undo them.')
    if (!action || !past.includes(action)) return
    dismissUndoToast(action)
    const dropIfNotUndoable = (error: unknown) => {
      // something else changed it since: keeping this action would block the undo of older ones forever
      if (error instanceof AppError && error.code === 'nothing_to_undo')
        useActionHistory.setState((state) => ({ past: state.past.filter((known) => known !== action) }))
    }
    if (!(await runOrToast(`Couldn't undo: ${action.label}`, action.undo, dropIfNotUndoable))) return
    useActionHistory.setState((state) => ({ past: state.past.filter((known) => known !== action), future: [...state.future, action] }))
    toast.info(`Undone: ${action.label}`)
  })

const redo = (): Promise<void> =>
  enqueue(async () => {
    const action = useActionHistory.getState().future.at(-1)
    if (!action) {
      toast.info('Nothing to redo')
      return
    }
    if (!(await runOrToast(`Failed: ${action.label}`, action.redo))) return
    useActionHistory.setState((state) => ({ past: [...state.past, action], future: state.future.slice(0, -1) }))
    offerUndo(action)
  })

/** Actions on a removed session can be neither undone nor redone. */
function dropActionsOn(traceId: string): void {
  const { past } = useActionHistory.getState()
  for (const act of past) if (act.traceId === traceId) dismissUndoToast(act)
  useActionHistory.setState((state) => ({
    past: state.past.filter((act) => act.traceId !== traceId),
    future: state.future.filter((act) => act.traceId !== traceId),
  }))
}

/** Many rows: ids, or all that a filter matches. */
export type Target = { ids: string[] } | { filter: { q?: string } }
export type BulkAction = Parameters<typeof api.bulkTraces>[0]['body']['act']

/** Every action on traces, each with its undo. */
export function createTraceActions(queries: QueryClient) {
  const applyTrace = (trace: Trace) => {
    patchTrace(queries, trace)
    void queries.invalidateQueries({ queryKey: traceKeys.decisions(trace.id) })
    // the score in the detail repeats tier and reason
    void queries.invalidateQueries({ queryKey: traceKeys.one(trace.id) })
  }
  const refreshAll = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: traceKeys.lists }),
      queries.invalidateQueries({ queryKey: traceKeys.facets }),
      queries.invalidateQueries({ queryKey: traceKeys.details }),
    ])
  }
  /** Undoes the decision `decisionId`, or without it the newest one. */
  const undoTier = async (id: string, decisionId?: string) =>
    applyTrace(await api.undoTier({ params: { id }, body: decisionId === undefined ? {} : { decisionId } }))
  /** A decision on one session. Undo affects this decision only. */
  const decisionAction = (id: string, label: string, decide: () => Promise<DecidedTrace>): TraceAction => {
    let newDecisionId: string | undefined
    return {
      traceId: id,
      label,
      redo: async () => {
        const { decisionId, ...trace } = await decide()
        newDecisionId = decisionId
        applyTrace(trace)
      },
      undo: () => undoTier(id, newDecisionId),
    }
  }
  /** A double click or a repeating key would add a second decision that changes nothing and needs a second `z`. */
  const isSetAlready = (id: string, tier: Tier) => {
    const known = cachedTrace(queries, id)
    return known?.tierSource === 'user' && known.tier === tier
  }
  /** The same for several sessions. A filter may match more than this window has loaded, so it is always sent. */
  const isDoneAlready = (selection: Target, act: BulkAction) => {
    if ('filter' in selection) return false
    if (act.action === 'tier') return selection.ids.every((id) => isSetAlready(id, act.tier))
    if (act.action === 'unset-tier') return selection.ids.every((id) => cachedTrace(queries, id)?.tierSource === 'policy')
    return false
  }

  return {
    undo: () => undo(),
    redo,

    /** `failed` is sent as a demotion, other tiers as a promotion; both store the reason in the history. */
    setTier(trace: Pick<Trace, 'id'>, tier: Tier, reason?: string): Promise<void> {
      const input = { params: { id: trace.id }, body: { tier, ...(reason ? { reason } : {}) } }
      return perform(
        decisionAction(trace.id, `Set to ${markWord(tier).toLowerCase()}`, () =>
          tier === 'failed' ? api.demoteTrace(input) : api.promoteTrace(input),
        ),
        () => reason === undefined && isSetAlready(trace.id, tier),
      )
    },

    unsetTier(trace: Pick<Trace, 'id'>): Promise<void> {
      return perform(decisionAction(trace.id, 'Tier by policy', () => api.unsetTier({ params: { id: trace.id } })))
    },

    /** Undoes the newest decision on a trace, even from another day or window; the history shows whose it is. */
    async undoDecision(trace: Pick<Trace, 'id'>): Promise<void> {
      if (await runOrToast("Couldn't undo", () => undoTier(trace.id))) toast.info('Undone: the latest decision on this session')
    },

    /** Adds or removes one tag. */
    changeTag(trace: Pick<Trace, 'id'>, tag: string, isAdded: boolean): Promise<void> {
      const change = async (body: TagChange) => {
        applyTrace(await api.changeTags({ params: { id: trace.id }, body }))
        // not awaited: that would delay the next action, or lose it if the page is closed meanwhile
        void queries.invalidateQueries({ queryKey: traceKeys.facets })
      }
      const [add, remove] = [() => change({ addTags: [tag] }), () => change({ removeTags: [tag] })]
      const [redo, undo] = isAdded ? [add, remove] : [remove, add]
      return perform({ traceId: trace.id, label: 'Tags changed', redo, undo })
    },

    setNote(trace: Pick<Trace, 'id' | 'note'>, note: string | null): Promise<void> {
      const set = async (next: string | null) => applyTrace(await api.setNote({ params: { id: trace.id }, body: { note: next } }))
      const previousNote = trace.note
      return perform({
        traceId: trace.id,
        label: note === null ? 'Note removed' : 'Note saved',
        redo: () => set(note),
        undo: () => set(previousNote),
      })
    },

    /** Deletes a session permanently; true if that succeeded. */
    async forget(trace: Pick<Trace, 'id'>): Promise<boolean> {
      const isForgotten = await runOrToast('The session was not forgotten', () => api.forgetTrace({ params: { id: trace.id } }))
      if (isForgotten) {
        dropActionsOn(trace.id)
        dropTrace(queries, trace.id)
        await queries.invalidateQueries({ queryKey: traceKeys.facets })
        toast.info('Session forgotten')
      }
      return isForgotten
    },

    bulk(selection: Target, act: BulkAction, count: number): Promise<void> {
      let bulkId = ''
      return perform(
        {
          label: `${labelOf(act)}: ${plural(count, 'session')}`,
          redo: async () => {
            const answer = await api.bulkTraces({ body: { selection, act } })
            bulkId = answer.bulkId
            await refreshAll()
          },
          undo: async () => {
            await api.undoBulk({ params: { bulkId }, body: {} })
            await refreshAll()
          },
        },
        () => isDoneAlready(selection, act),
      )
    },

    /** Sets where the tasks of a session begin; replaces the user's previous cuts. */
    setCuts(id: string, cuts: SegmentCut[], label: string): Promise<void> {
      return perform({
        traceId: id,
        label,
        redo: async () => queries.setQueryData(traceKeys.segments(id), await api.setSegmentCuts({ params: { id }, body: { cuts } })),
        undo: async () => queries.setQueryData(traceKeys.segments(id), await api.undoSegmentCuts({ params: { id }, body: {} })),
      })
    },

    /** Undoes the newest change of cuts, even from another day. */
    async undoCuts(id: string): Promise<void> {
      const isUndone = await runOrToast("Couldn't undo", async () =>
        queries.setQueryData(traceKeys.segments(id), await api.undoSegmentCuts({ params: { id }, body: {} })),
      )
      if (isUndone) toast.info('Undone: the latest boundary change')
    },

    async saveView(view: {
      name: string
      query: string
      sort: NonNullable<Parameters<typeof api.saveView>[0]['body']['sort']>
    }): Promise<boolean> {
      return runOrToast('The view was not saved', async () => {
        await api.saveView({ body: view })
        await queries.invalidateQueries({ queryKey: traceKeys.views })
      })
    },

    async deleteView(view: { id: string; name: string; query: string; sort: string }): Promise<void> {
      const savedView = { name: view.name, query: view.query, sort: view.sort as never } // the server only stores valid sorts
      let { id } = view
      const refresh = () => queries.invalidateQueries({ queryKey: traceKeys.views })
      return perform({
        label: `View "${view.name}" deleted`,
        redo: async () => {
          await api.deleteView({ params: { id } })
          await refresh()
        },
        undo: async () => {
          ;({ id } = await api.saveView({ body: savedView }))
          await refresh()
        },
      })
    },
  }
}

export type TraceActions = ReturnType<typeof createTraceActions>

function labelOf(act: BulkAction): string {
  switch (act.action) {
    case 'tier':
      return `Set to ${markWord(act.tier).toLowerCase()}`
    case 'unset-tier':
      return 'Tier by policy'
    case 'add-tag':
      return `Tagged "${act.tag}"`
    case 'remove-tag':
      return `Tag "${act.tag}" removed`
    default:
      throw new Error(`unknown act ${JSON.stringify(act satisfies never)}`)
  }
}

export function useTraceActions(): TraceActions {
  const queries = useQueryClient()
  return useMemo(() => createTraceActions(queries), [queries])
}
