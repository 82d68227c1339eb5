import type { TrainingQueue } from '#contracts/entities/run.ts'
import type { Core } from '#server/core.ts'
import type { RunStore } from './store.ts'

interface QueueParts {
  core: Pick<Core, 'tx' | 'events'>
  store: RunStore
  /** `isNext`: whether it is still this run's turn, asked once there is room to store that it begins. */
  launch: (id: string, isNext: () => boolean) => Promise<void>
  /** After the commit: runs whose place in the queue changed. */
  moved: (ids: readonly string[]) => void
}

/** Which run is next: one at a time on each engine, in an order that the user may change. All of it is in the database. */
export function createQueue({ core: { tx, events }, store, launch, moved }: QueueParts) {
  let isOpen = false
  const state = (): TrainingQueue => ({
    paused: store.flag('paused') ?? false,
    pausedBy: store.pausedBy(),
    continueAfterFailure: store.flag('continueAfterFailure') ?? true,
    order: store.queue(),
  })
  const pause = (paused: boolean, by: string | null) => {
    store.setFlag('paused', paused)
    if (by !== store.pausedBy()) store.setPausedBy(by)
  }
  const told = () => events.append('training:queue', state())
  /** The runs whose turn it is: the first of each engine that has a free place. */
  const next = (even: string | null): string[] => {
    const { paused, order } = state()
    const busy = new Set(store.active().map((run) => run.asked.request.engine))
    return order.filter((id) => {
      const { engine } = store.require(id).asked.request
      if ((paused && id !== even) || busy.has(engine)) return false
      return busy.add(engine)
    })
  }
  /** Starts what has a free place. `even`: this run also while the queue is paused. */
  const pump = (even: string | null = null) => {
    if (!isOpen) return
    for (const id of next(even)) {
      void launch(id, () => next(even).includes(id)) // never rejects
      if (store.require(id).state !== 'queued') tx(told) // else it waits for room on the disk
    }
  }
  return {
    state,
    told,
    pump,
    /** From now on runs are started. */
    open(): void {
      isOpen = true
    },
    close(): void {
      isOpen = false
    },
    patch(change: Partial<Omit<TrainingQueue, 'pausedBy'>>): TrainingQueue {
      tx(() => {
        if (change.paused !== undefined) pause(change.paused, null)
        if (change.continueAfterFailure !== undefined) store.setFlag('continueAfterFailure', change.continueAfterFailure)
        if (change.order) {
          const waiting = store.queue()
          const named = change.order.filter((id) => waiting.includes(id))
          const order = [...new Set([...named, ...waiting])]
          for (const [place, id] of order.entries()) store.change(id, { queuePlace: place + 1 })
        }
        told()
      })
      if (change.order) moved(store.queue())
      pump()
      return state()
    },
    /** In the transaction that ends a run: after a failure the rest waits, where the user wants that. */
    ended(id: string, hasFailed: boolean): void {
      const { paused, continueAfterFailure, order } = state()
      if (hasFailed && !continueAfterFailure && !paused && order.length > 0) pause(true, id)
      told()
    },
  }
}
export type Queue = ReturnType<typeof createQueue>
