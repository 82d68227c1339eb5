import type { Core } from '#server/core.ts'
import { dueIn, type Lane } from './lanes.ts'
import type { Run } from './types.ts'

export interface QueueState {
  paused: boolean
  /** The run whose failure paused the queue; null if the user paused it or it is not paused. */
  pausedBy: string | null
  continueAfterFailure: boolean
  /** Ids of the waiting runs, the next one first. */
  order: string[]
}

/** Stores the queue, synchronously in the caller's transaction. */
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
  lane: (run: Row) => Lane
  /** `isNext` tells whether it is still the run's turn when the disk has space to store its start. Never rejects. */
  launch: (id: string, isNext: () => boolean) => Promise<void>
  /** Called in the transaction that changed the queue. */
  changed: () => void
  /** Called after the commit with the runs whose position in the queue changed. */
  moved: (ids: readonly string[]) => void
}

/** Decides which run is next: as many at a time as their lane has places, in an order that the user can change. Its whole state is in the store. */
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
  /** The first waiting runs of each lane with free places. `forced` is included even while the queue is paused. */
  const next = (forced: string | null): string[] => {
    const { paused, order } = state()
    return dueIn(
      paused ? order.filter((id) => id === forced) : order,
      store.active().map(({ id }) => id),
      (id) => lane(store.require(id)),
    )
  }
  /** Starts the runs whose turn it is; see `next`. */
  const pump = (forced: string | null = null) => {
    if (!isOpen) return
    for (const id of next(forced)) {
      void launch(id, () => next(forced).includes(id))
      if (store.require(id).state !== 'queued') tx(changed) // a queued run waits until the disk has space
    }
  }
  return {
    state,
    /** Must be called in a transaction that changed the waiting runs. */
    changed,
    pump,
    /** Allows runs to start. */
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
          const requested = change.order.filter((id) => waiting.includes(id))
          const order = [...new Set([...requested, ...waiting])]
          for (const [place, id] of order.entries()) store.change(id, { queuePlace: place + 1 })
        }
        changed()
      })
      if (change.order) moved(store.queue())
      pump()
      return state()
    },
    /** Must be called in the transaction that ends a run. Pauses the queue after a failure if the user chose that. */
    ended(id: string, hasFailed: boolean): void {
      const { paused, continueAfterFailure, order } = state()
      if (hasFailed && !continueAfterFailure && !paused && order.length > 0) pause(true, id)
      changed()
    },
  }
}
export type Queue = ReturnType<typeof createQueue>
