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
  /** Delivers a server message; `text` is its JSON. */
  deliver(message: ServerMessage, text: string): void
  /** Tells the client that its event numbers are invalid, so it must reload and subscribe again. */
  reset(reason: string): void
  close(): void
}

export interface Line extends Connection {
  limits: SocketLimits
}

const PAGE = 500
/** Replay waits while more than this many bytes are unsent, so that it cannot exceed the limit for slow clients. */
const REPLAY_BUFFER = 1024 * 1024

/**
 * One client of the event socket. It is waiting before its subscribe message and after a reset. Replay reads stored
 * messages page by page. When a page is empty, the client becomes live in the same turn of the event loop: nothing can
 * be committed in between, so no message is missing or repeated.
 */
export function createSubscriber(events: Events, line: Line): Subscriber {
  let phase: 'waiting' | 'replaying' | 'live' | 'closed' = 'waiting'
  let matches: (type: string) => boolean = () => false
  let lastSent = 0
  let session = 0 // a newer subscribe message ends the replay of the previous one
  let timeout: NodeJS.Timeout | undefined
  const transient = createCoalescer(line.limits.coalesceMs, (text) => line.send(text))

  const control = (type: 'hello' | 'reset', payload: object) =>
    line.send(JSON.stringify({ type, seq: null, at: new Date().toISOString(), payload }))

  const awaitSubscribe = () => {
    clearTimeout(timeout)
    timeout = setTimeout(() => line.refuse(CLOSE.noSubscribe), line.limits.subscribeWithinMs)
    timeout.unref()
  }

  const reset = (reason: string) => {
    if (phase === 'closed' || phase === 'waiting') return
    phase = 'waiting'
    session += 1
    transient.clear()
    control('reset', { epoch: events.epoch, seq: events.lastSeq(), reason })
    awaitSubscribe()
  }

  const subscribe = ({ topics, afterSeq, epoch }: ClientMessage) => {
    clearTimeout(timeout)
    session += 1
    phase = 'replaying'
    matches = topicFilter(topics)
    transient.clear()
    if (epoch !== undefined && epoch !== events.epoch && afterSeq !== null) return reset('the database was recreated')
    if (afterSeq !== null && events.after(afterSeq, 0) === null)
      return reset(
        afterSeq > events.lastSeq() ? 'this number is above the newest one' : 'the messages after this number are no longer stored',
      )
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
      if (page === null) return reset('the messages after this number are no longer stored')
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

  awaitSubscribe()
  return {
    receive(text) {
      const message = parseClientMessage(text)
      if (message) subscribe(message)
      else line.refuse(CLOSE.badMessage)
    },
    deliver(message, text) {
      if (phase !== 'live') return
      if (message.seq === null) {
        if (matches(message.type)) transient.push(message, text)
        return
      }
      if (message.seq <= lastSent) return
      lastSent = message.seq
      transient.forget(supersededKey(message))
      if (matches(message.type)) line.send(text)
    },
    reset,
    close() {
      phase = 'closed'
      session += 1
      clearTimeout(timeout)
      transient.clear()
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

/** Topics are `*`, prefixes such as `trace:*`, or exact names. */
export function topicFilter(topics: readonly string[]): (type: string) => boolean {
  const prefixes = topics.filter((topic) => topic.endsWith('*')).map((topic) => topic.slice(0, -1))
  const exact = new Set(topics)
  return (type) => exact.has(type) || prefixes.some((prefix) => type.startsWith(prefix))
}

/** A newer transient message replaces an older one with the same key; null if every message must be sent. */
function replacementKey({ type, payload }: ServerMessage): string | null {
  const same = newestOnly[type as keyof typeof newestOnly] as ((payload: unknown) => string) | undefined // of this type's payload
  return same ? `${type} ${same(payload)}` : null
}

/** The key of the waiting transient message that a durable one replaces. */
function supersededKey({ type, payload }: ServerMessage): string | null {
  const find = overtakes[type as keyof typeof overtakes] as ((payload: unknown) => { type: string; same: string }) | undefined // of this type's payload
  if (!find) return null
  const { type: other, same } = find(payload)
  return `${other} ${same}`
}

/** Sends the first message at once; after that, at most once per interval, the newest message of each key. */
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
      const key = replacementKey(message)
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
