import { randomUUID } from 'node:crypto'
import type { DurableType, PassingType, Payload, ServerMessage } from '#contracts/messages.ts'
import { createMeta } from '#server/db/meta.ts'
import type { Database } from '#server/db/open.ts'

export type Listener = (message: ServerMessage) => void

const KEEP_ROWS = 100_000
const KEEP_MS = 7 * 24 * 3600_000

/**
 * Durable events are stored in the caller's transaction and published after its commit. Transient events are published
 * at once with `seq` null. Transactions call `flush`, `mark` and `discard`.
 */
export interface Events {
  readonly epoch: string
  append<T extends DurableType>(type: T, payload: Payload<T>): void
  /** Publishes a transient event, or a durable one that cannot be stored. After a reconnect, its resource shows the same. */
  passing<T extends PassingType | DurableType>(type: T, payload: Payload<T>): void
  subscribe(listener: Listener): () => void
  /** Number of the newest event; 0 if there is none. */
  lastSeq(): number
  /** At most `limit` events after `seq`; null if some of them are no longer stored or `seq` is above the newest number. */
  after(seq: number, limit: number): ServerMessage[] | null
  flush(): void
  discard(mark?: number): void
  /** The number of unpublished messages; `discard(mark)` removes the later ones when a savepoint is rolled back. */
  mark(): number
  /** Starts a new epoch, which invalidates the event numbers that clients know. */
  renewEpoch(): void
  /** Calls the listener after the epoch was renewed. */
  onNewEpoch(listener: () => void): () => void
  prune(now: number): void
  /** Removes stored events whose payload has this text, so that they are never sent again. */
  scrub(text: string): void
}

interface Row {
  seq: number
  type: string
  at: number
  payload: string
}

export function createEvents(
  db: Database,
  now: () => number = Date.now,
  onListenerError: (error: unknown) => void = (error) => process.emitWarning(String(error)),
): Events {
  const insert = db.prepare<[string, number, string]>('INSERT INTO events (type, at, payload) VALUES (?, ?, ?)')
  const select = db.prepare<[number, number], Row>('SELECT seq, type, at, payload FROM events WHERE seq > ? ORDER BY seq LIMIT ?')
  const bounds = db.prepare<[], { low: number | null; high: number | null }>('SELECT min(seq) AS low, max(seq) AS high FROM events')
  const counter = db.prepare<[], { seq: number } | undefined>("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
  const meta = createMeta(db)

  let epoch = meta.get('epoch') ?? ''
  const epochListeners = new Set<() => void>()
  let isRenewed = false
  /** In a transaction, the new epoch takes effect at the commit. */
  const renewEpoch = () => {
    meta.set('epoch', randomUUID())
    isRenewed = true
    if (!db.inTransaction) applyEpoch()
  }
  const applyEpoch = () => {
    isRenewed = false
    const stored = meta.get('epoch') ?? ''
    if (stored === epoch) return // the renewal was rolled back
    epoch = stored
    for (const listener of epochListeners) notify(listener)
  }
  /** A listener that throws must not look like a failed commit or stop other listeners. */
  const notify = (call: () => void) => {
    try {
      call()
    } catch (error) {
      onListenerError(error)
    }
  }
  if (!epoch) renewEpoch()

  const listeners = new Set<Listener>()
  let waiting: ServerMessage[] = []
  const outbox: ServerMessage[] = []
  let publishing = false
  const publish = (message: ServerMessage) => {
    for (const listener of listeners) notify(() => listener(message))
  }
  /** If a listener commits too, its messages are published after the earlier ones, for every listener. */
  const flush = () => {
    if (isRenewed) applyEpoch()
    outbox.push(...waiting)
    waiting = []
    if (publishing) return
    publishing = true
    try {
      for (let message = outbox.shift(); message; message = outbox.shift()) publish(message)
    } finally {
      publishing = false
    }
  }
  const lastSeq = () => counter.get()?.seq ?? 0
  const toMessage = (row: Row) =>
    ({ type: row.type, seq: row.seq, at: new Date(row.at).toISOString(), payload: JSON.parse(row.payload) as unknown }) as ServerMessage // written by append, which is typed

  return {
    get epoch() {
      return epoch
    },
    append(type, payload) {
      const at = now()
      const { lastInsertRowid } = insert.run(type, at, JSON.stringify(payload))
      waiting.push({ type, seq: Number(lastInsertRowid), at: new Date(at).toISOString(), payload } as ServerMessage) // the signature ensures that the payload fits the type
      if (!db.inTransaction) flush()
    },
    passing(type, payload) {
      publish({ type, seq: null, at: new Date(now()).toISOString(), payload } as ServerMessage) // the signature ensures that the payload fits the type
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    lastSeq,
    after(seq, limit) {
      const last = lastSeq()
      if (seq > last) return null
      if (seq === last) return []
      const { low } = bounds.get()!
      if (low === null || low > seq + 1) return null
      return select.all(seq, limit).map(toMessage)
    },
    flush,
    mark: () => waiting.length,
    discard(mark = 0) {
      waiting.length = Math.min(waiting.length, mark)
    },
    renewEpoch,
    onNewEpoch(listener) {
      epochListeners.add(listener)
      return () => epochListeners.delete(listener)
    },
    prune(at) {
      // Deletes a prefix of the numbers, because `at` may not increase with `seq` if the clock was set back.
      db.prepare('DELETE FROM events WHERE seq <= max(?, (SELECT coalesce(max(seq), 0) FROM events WHERE at < ?))').run(
        lastSeq() - KEEP_ROWS,
        at - KEEP_MS,
      )
    },
    scrub: (text) => void db.prepare('DELETE FROM events WHERE instr(payload, ?) > 0').run(text),
  }
}
