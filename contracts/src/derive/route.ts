import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The definition of a call. Validation, handler types, client and OpenAPI are derived from it. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  /** Name of the call: operationId in OpenAPI, method name on the derived client. */
  readonly name: string
  readonly method: Method
  /** Begins with `/api`; may have `{param}` placeholders. */
  readonly path: string
  readonly summary: string
  readonly group: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The JSON response. A route without it streams bytes (`produces`); one with both does so if its query asks for it. */
  readonly response?: Response
  /** Status of success; 200 by default, 202 for long work. */
  readonly status?: 200 | 201 | 202 | 204
  /** Media type of a streamed response. */
  readonly produces?: string
  readonly errors: readonly ErrorCode[]
  /** True if the route needs neither token nor session key. */
  readonly isPublic?: boolean
  /** True if the route needs the token of the data directory; a session key is not enough. */
  readonly isOwnerOnly?: boolean
  /** True if a call that is not a GET only looks; a confirmation of its places also serves the call that follows. */
  readonly onlyLooks?: boolean
  /** The stored row whose places the call uses, which are judged again; or the reason why it uses none. */
  readonly stored?: StoredKind | { none: string }
}

/**
 * Rows that name places. `task`: of an agent run, with its model. `taskFolder`: where its change goes. `handedBack`: where it went.
 * `benchmarkSets`: folders with
 * items that earlier runs named; `benchmarkFiles`: the one that a request leaves out. `session`, `sessions`: the projects of recorded sessions.
 */
export const STORED_KINDS = [
  'task',
  'taskFolder',
  'handedBack',
  'batch',
  'rollouts',
  'generation',
  'run',
  'examRun',
  'benchmarkRun',
  'benchmarkSets',
  'benchmarkFiles',
  'answerRun',
  'thermometer',
  'session',
  'sessions',
] as const
export type StoredKind = (typeof STORED_KINDS)[number]

/** A route without its name, method, path and group; `errors` defaults to none beyond the common ones. */
type Details = Omit<Route, 'name' | 'method' | 'path' | 'group' | 'errors'> & Partial<Pick<Route, 'errors'>>

/** Functions that declare the routes of a group, one for each method. */
export function routesOf(group: string) {
  const by =
    (method: Method) =>
    <const Given extends Details>(name: string, path: string, details: Given) => ({
      errors: [] as readonly ErrorCode[],
      ...details,
      name,
      method,
      path,
      group,
    })
  return { get: by('get'), post: by('post'), put: by('put'), patch: by('patch'), delete: by('delete') }
}

/** True if the body has an `idempotencyKey`, which can also be sent as the header `Idempotency-Key`. */
export const takesIdempotencyKey = ({ body }: Route): boolean =>
  Object.hasOwn((body as { shape?: object } | undefined)?.shape ?? {}, 'idempotencyKey')

/** `owner` has the token of the data directory, `browser` a session key, `anyone` neither. */
export type Caller = { kind: 'owner' } | { kind: 'browser'; signInId: string } | { kind: 'anyone' }

/** The input of a handler: parsed values, and a signal that fires when the caller disconnects. */
export interface Input<R extends Route> {
  params: R['params'] extends z.ZodType ? z.output<R['params']> : undefined
  query: R['query'] extends z.ZodType ? z.output<R['query']> : undefined
  body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
  signal: AbortSignal
  /** The name of the caller in histories. */
  who: string
  caller: Caller
}

/** The output of routes that stream bytes. */
export interface Bytes {
  stream: AsyncIterable<Uint8Array>
  fileName: string
  contentType: string
  bytes?: number
}

export type Output<R extends Route> = R['response'] extends z.ZodType
  ? z.input<R['response']> | (R['produces'] extends string ? Bytes : never)
  : Bytes

/** A route with its handler. */
export interface Implementation<R extends Route = Route> {
  readonly route: R
  readonly handle: (input: Input<R>) => Output<R> | Promise<Output<R>>
  /** Values in the form of the body, the current ones first: a place that is the same there needs no confirmation. */
  readonly trusted?: () => readonly unknown[]
}

export function implement<R extends Route>(
  definition: R,
  handle: Implementation<R>['handle'],
  more: Pick<Implementation, 'trusted'> = {},
): Implementation {
  return { route: definition, handle, ...more } as unknown as Implementation // handlers of all routes are in one list; their types are checked here
}
