import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { Cancelled, Closing } from '#server/jobs/stops.ts'
import { createChanges } from './changes.ts'
import { createLanes, type Lane } from './lanes.ts'
import { createOnce } from './once.ts'
import { sentenceOf } from '#server/refusals.ts'

export type SetState = 'running' | 'done' | 'cancelled' | 'stopped'

/** How a set ended. `detail`: why it stopped before all its attempts were made. */
export interface SetEnd {
  state: SetState
  detail: string | null
  endedAt: number | null
}

/** Asks for its next attempt again, because there may be one now. */
export interface Wakes {
  wake: () => void
}

/** A kind of sets of attempts: its table, what is published about it, and how its missing attempts are made. */
export interface SetKind<Row extends { id: string; state: SetState }, View, Live extends Wakes> {
  /** For the log. */
  noun: string
  store: {
    /** Throws if there is no such set. */
    require: (id: string) => Row
    byKey: (key: string) => Row | null
    change: (id: string, end: SetEnd) => unknown
    running: () => Row[]
  }
  view: (row: Row) => View
  /** How many of its attempts have ended. */
  ended: (view: View) => number
  /** Called in the transaction that created it or changed its state. */
  onState: (view: View) => void
  onProgress: (view: View) => void
  live: () => Live
  /** All run at once, unless they have lanes. */
  lane?: (id: string) => Lane
  /**
   * Makes the attempts that are missing; those that have ended are not made again. Each is stored when it ends, so that this can be
   * interrupted at any point. Returns why it stopped before all were made, or null.
   */
  perform: (row: Row, work: { signal: AbortSignal; live: Live }) => Promise<string | null>
}

const EVERY: Lane = { name: 'every', places: Infinity }

/** Sets of attempts that are made in this process. A set that runs when the server ends goes on at its next start. */
export function createSets<Row extends { id: string; state: SetState }, View, Live extends Wakes>(
  { tx, log, now }: Pick<Core, 'tx' | 'log' | 'now'>,
  kind: SetKind<Row, View, Live>,
) {
  const { store, view, noun } = kind
  const changes = createChanges()
  const get = (id: string): View => view(store.require(id))
  const once = createOnce((key) => {
    const row = store.byKey(key)
    return row && view(row)
  })

  /** Stores and publishes a new state in one transaction. */
  const changeState = (id: string, write: () => void): View => {
    const changed = tx(() => {
      write()
      const after = get(id)
      kind.onState(after)
      return after
    })
    changes.notify(id)
    return changed
  }
  const end = (id: string, state: SetState, detail: string | null): View =>
    changeState(id, () => store.change(id, { state, detail, endedAt: now() }))

  const lanes = createLanes<Live>({
    log,
    lane: kind.lane ?? (() => EVERY),
    live: kind.live,
    async perform(id, { signal, live }) {
      try {
        const stopped = await kind.perform(store.require(id), { signal, live })
        end(id, stopped === null ? 'done' : 'stopped', stopped)
      } catch (error) {
        if (!signal.aborted) {
          if (!(error instanceof AppError)) log.error({ err: error, set: id }, `A ${noun} could not continue`)
          end(id, 'stopped', sentenceOf(error))
        } else if (!(signal.reason instanceof Closing)) end(id, 'cancelled', null)
      }
    },
  })
  /** Goes on with a running set: begins it, or looks for its next attempt. */
  const wake = (id: string): void => {
    const live = lanes.live(id)
    if (live) live.wake()
    else lanes.add(id)
  }

  return {
    get,
    live: lanes.live,
    wake,
    /** Waits for a change at most `waitMs`. Returns at once if the set has ended or the number of ended attempts is not `ended`. */
    wait: async (id: string, { waitMs, ended, signal }: { waitMs: number; ended: number; signal: AbortSignal }): Promise<View> => {
      const row = store.require(id)
      const before = view(row)
      if (waitMs === 0 || row.state !== 'running' || kind.ended(before) !== ended) return before
      await changes.next(id, { waitMs, signal })
      return get(id)
    },
    /** Stores a set with the function that `prepare` returns, and begins it. A repeated key returns the set of the first call. */
    create: (key: string | undefined, prepare: () => Promise<{ id: string; insert: () => void }>): Promise<View> =>
      once(key, async () => {
        const { id, insert } = await prepare()
        const created = changeState(id, insert)
        wake(id)
        return created
      }),
    changeState,
    /** Call it after something about its attempts has changed. */
    progressed(id: string): void {
      kind.onProgress(get(id))
      changes.notify(id)
    },
    /** Makes missing attempts again. `write` stores what is made again. */
    resume(id: string, write: () => void): View {
      const resumed = changeState(id, () => {
        write()
        store.change(id, { state: 'running', detail: null, endedAt: null })
      })
      wake(id)
      return resumed
    },
    /** Resolves when nothing of it is under way any more. */
    cancel: async (id: string): Promise<View> => {
      lanes.remove(id)
      const wasActive = await lanes.stop(id, new Cancelled(`The ${noun} was cancelled.`))
      if (!wasActive && store.require(id).state === 'running') end(id, 'cancelled', null)
      return get(id)
    },
    /** Without `watch`, the process is a short command that begins nothing. */
    start: ({ watch }: { watch: boolean }): void => {
      if (!watch) return
      for (const { id } of store.running()) lanes.add(id)
      lanes.open()
    },
    close: (): Promise<unknown> => lanes.close(new Closing()),
  }
}
