import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { ClientMessage, CLOSE, newestOnly, overtakes, type ServerMessage } from '#contracts/messages.ts'
import type { Events } from '#server/events/events.ts'
import type { Connection, EndpointLimits } from './endpoint.ts'

export interface SocketLimits extends EndpointLimits {
  subscribeWithinMs: number
  coalesceMs: number
}

export interface Subscriber {
  receive(text: string): void
  /** A message of ours, with its JSON. */
  deliver(message: ServerMessage, text: string): void
  /** The event numbers the client knows are invalid: it must reload and subscribe again. */
  reset(reason: string): void
  close(): void
}

export interface Line extends Connection {
  limits: SocketLimits
}

const PAGE = 500
/** Replay waits while more than this many bytes are unsent: history must not push a client over the limit. */
const REPLAY_BUFFER = 1024 * 1024

/**
 * One client: waiting (no subscribe yet, or after a reset), replaying, live. Replay reads what is stored, page by page,
 * until a page is empty, and turns live in that same turn of the event loop: nothing can be committed in between, so
 * there is neither gap nor duplicate.
 */
export function createSubscriber(events: Events, line: Line): Subscriber {
  let phase: 'waiting' | 'replaying' | 'live' | 'closed' = 'waiting'
  let matches: (type: string) => boolean = () => false
  let lastSent = 0
  let session = 0 // a newer subscribe ends the replay of the one before
  let patience: NodeJS.Timeout | undefined
  const passing = createCoalescer(line.limits.coalesceMs, (text) => line.send(text))

  const control = (type: 'hello' | 'reset', payload: object) =>
    line.send(JSON.stringify({ type, seq: null, at: new Date().toISOString(), payload }))

  const await10s = () => {
    clearTimeout(patience)
    patience = setTimeout(() => line.refuse(CLOSE.noSubscribe), line.limits.subscribeWithinMs)
    patience.unref()
  }

  const reset = (reason: string) => {
    if (phase === 'closed' || phase === 'waiting') return
    phase = 'waiting'
    session += 1
    passing.clear()
    control('reset', { epoch: events.epoch, seq: events.lastSeq(), reason })
    await10s()
  }

  const subscribe = ({ topics, afterSeq, epoch }: ClientMessage) => {
    clearTimeout(patience)
    session += 1
    phase = 'replaying'
    matches = topicFilter(topics)
    passing.clear()
    if (epoch !== undefined && epoch !== events.epoch && afterSeq !== null) return reset('the database was recreated')
    if (afterSeq !== null && events.after(afterSeq, 0) === null)
      return reset(afterSeq > events.lastSeq() ? 'this number is above the newest one' : 'what came after this number is no longer kept')
    control('hello', { epoch: events.epoch, seq: events.lastSeq() })
    lastSent = afterSeq ?? events.lastSeq()
    void replay(session)
  }

  const replay = async (mine: number) => {
    for (;;) {
      if (session !== mine || phase !== 'replaying') return
      if (line.buffered() > REPLAY_BUFFER) {
        await sleep(20)
        continue
      }
      const page = events.after(lastSent, PAGE)
      if (page === null) return reset('what came after this number is no longer kept')
      if (page.length === 0) {
        phase = 'live'
        return
      }
      for (const message of page) {
        if (matches(message.type)) line.send(JSON.stringify(message))
        lastSent = message.seq ?? lastSent
      }
      await turn()
    }
  }

  await10s()
  return {
    receive(text) {
      const message = parseClientMessage(text)
      if (message) subscribe(message)
      else line.refuse(CLOSE.badMessage)
    },
    deliver(message, text) {
      if (phase !== 'live') return
      if (message.seq === null) {
        if (matches(message.type)) passing.push(message, text)
        return
      }
      if (message.seq <= lastSent) return
      lastSent = message.seq
      passing.forget(overtakenBy(message))
      if (matches(message.type)) line.send(text)
    },
    reset,
    close() {
      phase = 'closed'
      session += 1
      clearTimeout(patience)
      passing.clear()
    },
  }
}

export function parseClientMessage(text: string): ClientMessage | null {
  try {
    const result = ClientMessage.safeParse(JSON.parse(text))
    return result.success ? result.data : null
  } catch {
    return null
  }
}

/** `*`, `trace:*`, or exact names. */
export function topicFilter(topics: readonly string[]): (type: string) => boolean {
  const prefixes = topics.filter((topic) => topic.endsWith('*')).map((topic) => topic.slice(0, -1))
  const exact = new Set(topics)
  return (type) => exact.has(type) || prefixes.some((prefix) => type.startsWith(prefix))
}

/** The key by which a newer transient message replaces an older one; null when each counts. */
function replacedBy({ type, payload }: ServerMessage): string | null {
  const same = newestOnly[type as keyof typeof newestOnly] as ((payload: unknown) => string) | undefined // of this type's payload
  return same ? `${type} ${same(payload)}` : null
}

/** The waiting message that a durable one replaces. */
function overtakenBy({ type, payload }: ServerMessage): string | null {
  const find = overtakes[type as keyof typeof overtakes] as ((payload: unknown) => { type: string; same: string }) | undefined // of this type's payload
  if (!find) return null
  const { type: other, same } = find(payload)
  return `${other} ${same}`
}

/** The first of a kind is sent at once, later ones at most once per interval, the newest of each (type, id). */
function createCoalescer(intervalMs: number, send: (text: string) => void) {
  const waiting = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (waiting.size === 0) return
    const texts = [...waiting.values()]
    waiting.clear()
    timer = setTimeout(flush, intervalMs)
    texts.forEach(send)
  }
  return {
    push(message: ServerMessage, text: string) {
      const key = replacedBy(message)
      if (key === null) return send(text)
      waiting.set(key, text)
      if (timer === undefined) flush()
    },
    forget: (key: string | null) => void (key !== null && waiting.delete(key)),
    clear() {
      waiting.clear()
      clearTimeout(timer)
      timer = undefined
    },
  }
}
