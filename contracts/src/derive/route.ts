import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A call, defined once: validation, handler types, client and OpenAPI are derived from this. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  /** Name of the call: operationId in OpenAPI, method name on the derived client. */
  readonly name: string
  readonly method: Method
  /** With `{param}` placeholders, from `/api` on. */
  readonly path: string
  readonly summary: string
  readonly group: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The JSON answer. A route without it streams bytes (`produces`). */
  readonly response?: Response
  /** Status of success; 200 by default, 202 for long work. */
  readonly status?: 200 | 201 | 202 | 204
  /** Media type of a streamed answer. */
  readonly produces?: string
  readonly errors: readonly ErrorCode[]
  /** Needs neither token nor session key. */
  readonly isPublic?: boolean
  /** Needs the token file of the data directory: the key of a signed-in browser will not do. */
  readonly isOwnerOnly?: boolean
}

/** A route without its name, method, path and group; `errors` defaults to none beyond the common ones. */
type Details = Omit<Route, 'name' | 'method' | 'path' | 'group' | 'errors'> & Partial<Pick<Route, 'errors'>>

/** Declares the routes of a group, a function for each method; a route keeps the exact types of its details. */
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

/** Routes whose body has an `idempotencyKey` take it as the header `Idempotency-Key` as well. */
export const takesIdempotencyKey = ({ body }: Route): boolean =>
  Object.hasOwn((body as { shape?: object } | undefined)?.shape ?? {}, 'idempotencyKey')

/** Who calls: `owner` has the token file of the data directory, `browser` a session key, `anyone` neither (public routes). */
export type Caller = { kind: 'owner' } | { kind: 'browser'; signInId: string } | { kind: 'anyone' }

/** What a handler gets: parsed input, and a signal that fires when the caller is gone. */
export interface Input<R extends Route> {
  params: R['params'] extends z.ZodType ? z.output<R['params']> : undefined
  query: R['query'] extends z.ZodType ? z.output<R['query']> : undefined
  body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
  signal: AbortSignal
  /** Who is acting: written into histories. */
  who: string
  caller: Caller
}

/** Bytes for routes that stream (`produces`). */
export interface Bytes {
  stream: AsyncIterable<Uint8Array>
  fileName: string
  contentType: string
  bytes?: number
}

export type Output<R extends Route> = R['response'] extends z.ZodType ? z.input<R['response']> : Bytes

/** A route with its handler, as `app.ts` mounts it. */
export interface Implementation<R extends Route = Route> {
  readonly route: R
  readonly handle: (input: Input<R>) => Output<R> | Promise<Output<R>>
}

export function implement<R extends Route>(definition: R, handle: Implementation<R>['handle']): Implementation {
  return { route: definition, handle } as unknown as Implementation // one list holds handlers of all routes; the types were checked here
}
