import type { Logger } from 'pino'

/** What is performed at the same time shares the places of a lane. */
export interface Lane {
  name: string
  places: number
}

/** Those whose turn it is: in their order, while their lane has free places. */
export function dueIn(order: readonly string[], active: readonly string[], laneOf: (id: string) => Lane): string[] {
  const used = new Map<string, number>()
  const take = (name: string) => used.set(name, (used.get(name) ?? 0) + 1)
  for (const id of active) take(laneOf(id).name)
  return order.filter((id) => {
    const { name, places } = laneOf(id)
    return (used.get(name) ?? 0) < places && take(name)
  })
}

export interface Active<Live> {
  signal: AbortSignal
  /** What callers may do with it while it is active. */
  live: Live
}

interface LanesDeps<Live> {
  lane: (id: string) => Lane
  live: (id: string) => Live
  /** Performs one and stores how it ended. The reason of the signal says why it is stopped. */
  perform: (id: string, active: Active<Live>) => Promise<void>
  log: Pick<Logger, 'error'>
}

/** Waiting and active work of this process, which ends with it. Nothing is stored here: a start adds what is to be done. */
export function createLanes<Live>({ lane, live, perform, log }: LanesDeps<Live>) {
  const waiting = new Set<string>()
  const active = new Map<string, Active<Live> & { stop: AbortController; done: Promise<void> }>()
  let isOpen = false

  const begin = (id: string): void => {
    waiting.delete(id)
    const stop = new AbortController()
    const entry = { stop, signal: stop.signal, live: live(id), done: Promise.resolve() }
    active.set(id, entry)
    entry.done = perform(id, entry)
      .catch((error: unknown) => log.error({ err: error, run: id }, 'The end of a run could not be written'))
      .finally(() => {
        active.delete(id)
        pump()
      })
  }
  /** Begins those whose turn it is. Call it too when a lane may have got more places. */
  const pump = (): void => {
    if (!isOpen) return
    const order = [...waiting].filter((id) => !active.has(id))
    for (const id of dueIn(order, [...active.keys()], lane)) begin(id)
  }

  return {
    /** Adds it as the last one. `store` stores that it waits; if that fails, nothing is added. */
    add(id: string, store: () => void = () => undefined): void {
      waiting.add(id)
      try {
        store()
      } catch (error) {
        waiting.delete(id)
        throw error
      }
      pump()
    },
    /** False if it is not waiting. */
    remove: (id: string): boolean => waiting.delete(id),
    pump,
    /** Its place among those that wait for the same lane, from 1 on; null if it is not waiting. */
    place: (id: string): number | null => {
      if (!waiting.has(id)) return null
      const { name } = lane(id)
      return [...waiting].filter((one) => lane(one).name === name).indexOf(id) + 1
    },
    live: (id: string): Live | null => active.get(id)?.live ?? null,
    /** Resolves with true when it has ended, or with false if it is not active. */
    async stop(id: string, reason: Error): Promise<boolean> {
      const entry = active.get(id)
      entry?.stop.abort(reason)
      await entry?.done
      return entry !== undefined
    },
    isOpen: (): boolean => isOpen,
    open(): void {
      isOpen = true
      pump()
    },
    /** Stops what is active; what waits stays as it is stored. Resolves with the ids of what was stopped. */
    async close(reason: Error): Promise<string[]> {
      isOpen = false
      const entries = [...active.entries()]
      for (const [, { stop }] of entries) stop.abort(reason)
      await Promise.all(entries.map(([, { done }]) => done))
      return entries.map(([id]) => id)
    },
  }
}
