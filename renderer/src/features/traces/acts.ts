import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { create } from 'zustand'
import type { TagChange, Tier } from '#contracts/entities/common.ts'
import type { SegmentCut } from '#contracts/entities/example.ts'
import type { DecidedTrace, Trace } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import { api } from '#renderer/api/client.ts'
import { dropTrace, knownTrace, patchTrace, traceKeys } from '#renderer/api/traces.ts'
import { plural } from '#renderer/ui/format.ts'
import { describeError } from '#renderer/ui/states.tsx'
import { markWord } from '#renderer/ui/tier-mark.tsx'
import { toast } from '#renderer/ui/toast.tsx'

/** An act on traces that `z` undoes and Shift+Z redoes. */
interface Act {
  label: string
  /** The one trace it was done to. */
  traceId?: string
  redo: () => Promise<unknown>
  undo: () => Promise<unknown>
}

/** Acts of this window, newest last. What they did is on the server; this only knows how to ask for it back. */
export const useActs = create<{ past: readonly Act[]; future: readonly Act[] }>(() => ({ past: [], future: [] }))

const MAX_ACTS = 100

async function run(title: string, work: () => Promise<unknown>, onError?: (error: unknown) => void): Promise<boolean> {
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

let newest: Promise<unknown> = Promise.resolve()

/** One after the other: its effect may be on screen before an act is known as done, and `z` must find it then. */
function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = newest.then(work)
  newest = turn.catch(() => undefined)
  return turn
}

/** `isDone`: checked when its turn comes; true means there is nothing to do. */
const perform = (act: Act, isDone = () => false): Promise<void> =>
  inOrder(async () => {
    if (isDone()) return
    if (!(await run(`Failed: ${act.label}`, act.redo))) return
    useActs.setState(({ past }) => ({ past: [...past, act].slice(-MAX_ACTS), future: [] }))
    offerUndo(act)
  })

/** The open toasts that offer to undo an act. */
const offers = new Map<Act, () => void>()

function offerUndo(act: Act): void {
  offers.set(
    act,
    toast.undo(act.label, () => void undo(act)),
  )
}

function withdrawOffer(act: Act): void {
  offers.get(act)?.()
  offers.delete(act)
}

/** Takes back the newest act of this window, or the one of a toast; never what others did. */
const undo = (wanted?: Act): Promise<void> =>
  inOrder(async () => {
    const { past } = useActs.getState()
    const act = wanted ?? past.at(-1)
    if (!act)
      toast.info('Nothing to undo in this window', 'Earlier decisions are in the tier history of each session, where you can undo them.')
    if (!act || !past.includes(act)) return
    withdrawOffer(act)
    const dropIfVoid = (error: unknown) => {
      // something else has come since: in the way of older acts it would be refused for ever
      if (error instanceof AppError && error.code === 'nothing_to_undo')
        useActs.setState((state) => ({ past: state.past.filter((known) => known !== act) }))
    }
    if (!(await run(`Couldn't undo: ${act.label}`, act.undo, dropIfVoid))) return
    useActs.setState((state) => ({ past: state.past.filter((known) => known !== act), future: [...state.future, act] }))
    toast.info(`Undone: ${act.label}`)
  })

const redo = (): Promise<void> =>
  inOrder(async () => {
    const act = useActs.getState().future.at(-1)
    if (!act) {
      toast.info('Nothing to redo')
      return
    }
    if (!(await run(`Failed: ${act.label}`, act.redo))) return
    useActs.setState((state) => ({ past: [...state.past, act], future: state.future.slice(0, -1) }))
    offerUndo(act)
  })

/** Acts on a removed session can be neither undone nor redone. */
function dropActsOn(traceId: string): void {
  const { past } = useActs.getState()
  for (const act of past) if (act.traceId === traceId) withdrawOffer(act)
  useActs.setState((state) => ({
    past: state.past.filter((act) => act.traceId !== traceId),
    future: state.future.filter((act) => act.traceId !== traceId),
  }))
}

/** Many rows: ids, or all that a filter matches. */
export type Target = { ids: string[] } | { filter: { q?: string } }
export type BulkAct = Parameters<typeof api.bulkTraces>[0]['body']['act']

/** Every act on traces, each with its undo. */
export function createActs(queries: QueryClient) {
  const take = (trace: Trace) => {
    patchTrace(queries, trace)
    void queries.invalidateQueries({ queryKey: traceKeys.decisions(trace.id) })
    // the score in the detail repeats tier and reason
    void queries.invalidateQueries({ queryKey: traceKeys.one(trace.id) })
  }
  const many = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: traceKeys.lists }),
      queries.invalidateQueries({ queryKey: traceKeys.facets }),
      queries.invalidateQueries({ queryKey: traceKeys.details }),
    ])
  }
  /** `decisionId`: the decision that is meant; without, whichever is newest. */
  const undoTier = async (id: string, decisionId?: string) =>
    take(await api.undoTier({ params: { id }, body: decisionId === undefined ? {} : { decisionId } }))
  /** A decision on one session. Undo affects this decision only. */
  const decided = (id: string, label: string, decide: () => Promise<DecidedTrace>): Act => {
    let own: string | undefined
    return {
      traceId: id,
      label,
      redo: async () => {
        const { decisionId, ...trace } = await decide()
        own = decisionId
        take(trace)
      },
      undo: () => undoTier(id, own),
    }
  }
  /** A double click or a repeating key would add a second decision that changes nothing and needs a second `z`. */
  const isSetAlready = (id: string, tier: Tier) => {
    const known = knownTrace(queries, id)
    return known?.tierSource === 'user' && known.tier === tier
  }
  /** The same for several sessions. A filter may match more than this window has loaded, so it is always sent. */
  const isDoneAlready = (selection: Target, act: BulkAct) => {
    if ('filter' in selection) return false
    if (act.action === 'tier') return selection.ids.every((id) => isSetAlready(id, act.tier))
    if (act.action === 'unset-tier') return selection.ids.every((id) => knownTrace(queries, id)?.tierSource === 'policy')
    return false
  }

  return {
    undo: () => undo(),
    redo,

    /** A lower tier than the present one is a demotion; both leave the reason in the history. */
    setTier(trace: Pick<Trace, 'id'>, tier: Tier, reason?: string): Promise<void> {
      const input = { params: { id: trace.id }, body: { tier, ...(reason ? { reason } : {}) } }
      return perform(
        decided(trace.id, `Set to ${markWord(tier).toLowerCase()}`, () =>
          tier === 'failed' ? api.demoteTrace(input) : api.promoteTrace(input),
        ),
        () => reason === undefined && isSetAlready(trace.id, tier),
      )
    },

    unsetTier(trace: Pick<Trace, 'id'>): Promise<void> {
      return perform(decided(trace.id, 'Tier by policy', () => api.unsetTier({ params: { id: trace.id } })))
    },

    /** Undoes the newest decision on a trace, also one of another day or window; the history shows whose it is. */
    async undoDecision(trace: Pick<Trace, 'id'>): Promise<void> {
      if (await run("Couldn't undo", () => undoTier(trace.id))) toast.info('Undone: the latest decision on this session')
    },

    /** One tag more or less. */
    changeTag(trace: Pick<Trace, 'id'>, tag: string, isAdded: boolean): Promise<void> {
      const change = async (body: TagChange) => {
        take(await api.changeTags({ params: { id: trace.id }, body }))
        // not waited for: the next act would be sent later, and not at all if the page were left meanwhile
        void queries.invalidateQueries({ queryKey: traceKeys.facets })
      }
      const [adding, removing] = [() => change({ addTags: [tag] }), () => change({ removeTags: [tag] })]
      const [redo, undo] = isAdded ? [adding, removing] : [removing, adding]
      return perform({ traceId: trace.id, label: 'Tags changed', redo, undo })
    },

    setNote(trace: Pick<Trace, 'id' | 'note'>, note: string | null): Promise<void> {
      const set = async (next: string | null) => take(await api.setNote({ params: { id: trace.id }, body: { note: next } }))
      const before = trace.note
      return perform({
        traceId: trace.id,
        label: note === null ? 'Note removed' : 'Note saved',
        redo: () => set(note),
        undo: () => set(before),
      })
    },

    /** Removes a session for good; true when it is gone. */
    async forget(trace: Pick<Trace, 'id'>): Promise<boolean> {
      const gone = await run('The session was not forgotten', () => api.forgetTrace({ params: { id: trace.id } }))
      if (gone) {
        dropActsOn(trace.id)
        dropTrace(queries, trace.id)
        await queries.invalidateQueries({ queryKey: traceKeys.facets })
        toast.info('Session forgotten')
      }
      return gone
    },

    bulk(selection: Target, act: BulkAct, count: number): Promise<void> {
      let bulkId = ''
      return perform(
        {
          label: `${wordOf(act)}: ${plural(count, 'session')}`,
          redo: async () => {
            const answer = await api.bulkTraces({ body: { selection, act } })
            bulkId = answer.bulkId
            await many()
          },
          undo: async () => {
            await api.undoBulk({ params: { bulkId }, body: {} })
            await many()
          },
        },
        () => isDoneAlready(selection, act),
      )
    },

    /** Where the tasks of a session begin; replaces the user's former cuts. */
    setCuts(id: string, cuts: SegmentCut[], label: string): Promise<void> {
      return perform({
        traceId: id,
        label,
        redo: async () => queries.setQueryData(traceKeys.segments(id), await api.setSegmentCuts({ params: { id }, body: { cuts } })),
        undo: async () => queries.setQueryData(traceKeys.segments(id), await api.undoSegmentCuts({ params: { id }, body: {} })),
      })
    },

    /** Takes back the newest change of cuts, also one of another day. */
    async undoCuts(id: string): Promise<void> {
      const undone = await run("Couldn't undo", async () =>
        queries.setQueryData(traceKeys.segments(id), await api.undoSegmentCuts({ params: { id }, body: {} })),
      )
      if (undone) toast.info('Undone: the latest boundary change')
    },

    async saveView(view: {
      name: string
      query: string
      sort: NonNullable<Parameters<typeof api.saveView>[0]['body']['sort']>
    }): Promise<boolean> {
      return run('The view was not saved', async () => {
        await api.saveView({ body: view })
        await queries.invalidateQueries({ queryKey: traceKeys.views })
      })
    },

    async deleteView(view: { id: string; name: string; query: string; sort: string }): Promise<void> {
      const again = { name: view.name, query: view.query, sort: view.sort as never } // a stored sort is one that was accepted
      let { id } = view
      const refresh = () => queries.invalidateQueries({ queryKey: traceKeys.views })
      return perform({
        label: `View "${view.name}" deleted`,
        redo: async () => {
          await api.deleteView({ params: { id } })
          await refresh()
        },
        undo: async () => {
          ;({ id } = await api.saveView({ body: again }))
          await refresh()
        },
      })
    },
  }
}

export type Acts = ReturnType<typeof createActs>

function wordOf(act: BulkAct): string {
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

export function useTraceActs(): Acts {
  const queries = useQueryClient()
  return useMemo(() => createActs(queries), [queries])
}
