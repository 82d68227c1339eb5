import type { QueryClient, QueryFilters, QueryKey, Updater } from '@tanstack/react-query'
import type { Payload, ServerMessage, ServerMessageType } from '#contracts/messages.ts'
import { coalesce } from './coalesce.ts'
import { createOvertaken } from './overtaken.ts'

export type Handlers = { [T in ServerMessageType]: (payload: Payload<T>, at: string) => void }

/** Handlers that update the cache for one noun, one for each message type that concerns it. */
export type NounMessages = (cache: Cache) => Partial<Handlers>

/** The query cache with helpers for message handlers. */
export interface Cache {
  queries: QueryClient
  /** Refetches the visible queries of these keys; the others when they are shown next. */
  refetch: (...keys: QueryKey[]) => void
  /** The same for what many messages change: at once, then at most once a second. */
  refetchSoon: (...keys: QueryKey[]) => () => void
  /** Refetches queries whose request is in flight, because its answer may be older than the message. */
  refetchInFlight: (...keys: QueryKey[]) => void
  /** Writes data from a message into the cache. */
  write: <Data>(key: QueryKey, data: Updater<Data | undefined, Data | undefined>) => void
  /** For `hello`: refetches what only transient messages change, because the server does not replay those after a disconnect. */
  afterBreak: (...keys: QueryKey[]) => void
}

/** For messages that change nothing in the cache; the components that show them use onMessage. */
export const notCached = () => undefined

/** The types that one of these nouns has a handler for. */
type Handled<Noun extends NounMessages> = 'hello' | 'reset' | (Noun extends unknown ? keyof ReturnType<Noun> : never)

/** Counts over many rows are refetched at most this often while rows are imported. */
const SOON_MS = 1000

/**
 * One handler for each type of message, which calls those of all nouns. If a type has none, the result is not a `Handlers`,
 * so code that needs one does not compile.
 */
export function createHandlers<Noun extends NounMessages>(queries: QueryClient, nouns: readonly Noun[]): Pick<Handlers, Handled<Noun>> {
  const overtaken = createOvertaken(queries)
  const startedAt = Date.now()
  let epoch: string | null = null

  const refetch = (...keys: QueryKey[]) => {
    for (const queryKey of keys) {
      // A first answer in flight is not refetched by this, and may be older than the message.
      overtaken({ queryKey, predicate: ({ state }) => state.data === undefined })
      void queries.invalidateQueries({ queryKey })
    }
  }
  const refetchInFlight = (...keys: QueryKey[]) => keys.forEach((queryKey) => overtaken({ queryKey }))
  const cache: Cache = {
    queries,
    refetch,
    refetchSoon: (...keys) => coalesce(() => refetch(...keys), SOON_MS),
    refetchInFlight,
    write: (key, data) => {
      refetchInFlight(key)
      queries.setQueryData(key, data)
    },
    afterBreak: (...keys) => {
      if (epoch !== null) refetch(...keys)
    },
  }
  const reactions = nouns.map((noun): Partial<Handlers> => noun(cache))

  const connection = {
    hello: (hello) => {
      const isError: QueryFilters['predicate'] = ({ state }) => state.status === 'error'
      if (epoch === null) {
        // Answers read before the subscription may have missed a message: they are requested again,
        // and those in flight once they have arrived.
        overtaken()
        const early = (updatedAt: number) => updatedAt > 0 && updatedAt >= startedAt
        void queries.invalidateQueries({ predicate: (query) => early(query.state.dataUpdatedAt) || isError(query) })
      } else void queries.invalidateQueries({ predicate: isError })
      epoch = hello.epoch
    },
    reset: (reset) => {
      epoch = reset.epoch
      void queries.invalidateQueries()
    },
  } satisfies Partial<Handlers>
  return mergeHandlers([...reactions, connection])
}

type Handle = (payload: unknown, at: string) => void

/** One handler for each type, which calls those of the parts in their order. */
function mergeHandlers(parts: readonly Partial<Handlers>[]): Handlers {
  const types = new Set(parts.flatMap((part) => Object.keys(part) as ServerMessageType[]))
  const entries = [...types].map((type) => [
    type,
    (payload: unknown, at: string) => parts.forEach((part) => (part[type] as Handle | undefined)?.(payload, at)), // as in dispatch
  ])
  return Object.fromEntries(entries) as Handlers // createHandlers has the precise type
}

/** Calls the handler of a message. Types that this page does not know yet are ignored. */
export function dispatch(handlers: Handlers, message: ServerMessage): void {
  if (!Object.hasOwn(handlers, message.type)) return
  const handle = handlers[message.type] as Handle // type and payload belong together in the union
  handle(message.payload, message.at)
}
