import type { Core } from '#server/core.ts'
import type { Run } from './types.ts'

export interface QueueState {
  paused: boolean
  /** The run whose failure paused it; null: it was paused by hand, or is not paused. */
  pausedBy: string | null
  continueAfterFailure: boolean
  /** Ids of the waiting runs, the next one first. */
  order: string[]
}

/** Where the queue is kept. Synchronous, in the caller's transaction. */
export interface QueueStore<Row> {
  require: (id: string) => Row
  change: (id: string, change: { queuePlace: number }) => void
  active: () => Row[]
  queue: () => string[]
  flag: (name: 'paused' | 'continueAfterFailure') => boolean | null
  setFlag: (name: 'paused' | 'continueAfterFailure', value: boolean) => void
  pausedBy: () => string | null
  setPausedBy: (id: string | null) => void
}

interface QueueDeps<Row> {
  tx: Core['tx']
  store: QueueStore<Row>
  /** The lane of a run, such as its engine, and its number of places. */
  lane: (run: Row) => { name: string; places: number }
  /** `isNext`: whether it is still this run's turn, checked once the disk has space to store its start. Never rejects. */
  launch: (id: string, isNext: () => boolean) => Promise<void>
  /** In the transaction that changed the queue. */
  changed: () => void
  /** After the commit: runs whose place in the queue changed. */
  moved: (ids: readonly string[]) => void
}

/** Decides which run is next: as many at a time as their lane has places, in an order that the user may change. All of it is in the store. */
export function createQueue<Row extends Pick<Run<unknown, unknown>, 'id' | 'state'>>(deps: QueueDeps<Row>) {
  const { tx, store, lane, launch, changed, moved } = deps
  let isOpen = false
  const state = (): QueueState => ({
    paused: store.flag('paused') ?? false,
    pausedBy: store.pausedBy(),
    continueAfterFailure: store.flag('continueAfterFailure') ?? true,
    order: store.queue(),
  })
  const pause = (paused: boolean, by: string | null) => {
    store.setFlag('paused', paused)
    if (by !== store.pausedBy()) store.setPausedBy(by)
  }
  /** The runs whose turn it is: the first ones of each lane that has free places. */
  const next = (even: string | null): string[] => {
    const { paused, order } = state()
    const taken = new Map<string, number>()
    const take = (name: string) => taken.set(name, (taken.get(name) ?? 0) + 1)
    for (const run of store.active()) take(lane(run).name)
    return order.filter((id) => {
      const { name, places } = lane(store.require(id))
      if ((paused && id !== even) || (taken.get(name) ?? 0) >= places) return false
      return take(name)
    })
  }
  /** Starts the runs that have a free place. `even`: this run also while the queue is paused. */
  const pump = (even: string | null = null) => {
    if (!isOpen) return
    for (const id of next(even)) {
      void launch(id, () => next(even).includes(id))
      if (store.require(id).state !== 'queued') tx(changed) // else it waits until the disk has space
    }
  }
  return {
    state,
    /** To be called in a transaction that changed who waits. */
    changed,
    pump,
    /** From now on runs are started. */
    open(): void {
      isOpen = true
    },
    close(): void {
      isOpen = false
    },
    patch(change: Partial<Omit<QueueState, 'pausedBy'>>): QueueState {
      tx(() => {
        if (change.paused !== undefined) pause(change.paused, null)
        if (change.continueAfterFailure !== undefined) store.setFlag('continueAfterFailure', change.continueAfterFailure)
        if (change.order) {
          const waiting = store.queue()
          const named = change.order.filter((id) => waiting.includes(id))
          const order = [...new Set([...named, ...waiting])]
          for (const [place, id] of order.entries()) store.change(id, { queuePlace: place + 1 })
        }
        changed()
      })
      if (change.order) moved(store.queue())
      pump()
      return state()
    },
    /** In the transaction that ends a run: after a failure the rest waits, where the user wants that. */
    ended(id: string, hasFailed: boolean): void {
      const { paused, continueAfterFailure, order } = state()
      if (hasFailed && !continueAfterFailure && !paused && order.length > 0) pause(true, id)
      changed()
    },
  }
}
export type Queue = ReturnType<typeof createQueue>
