import type { z } from 'zod'
import { AppError, ERRORS, type ErrorCode } from '../errors.ts'
import type { Route } from './route.ts'

type In<S> = S extends z.ZodType ? z.input<S> : undefined
type Out<R> = R extends { response: infer S extends z.ZodType } ? z.output<S> : Response

type Nothing = Record<string, never>

/** A part of a call, which is optional if nothing in it is required. */
type Part<Name extends string, Value> = Nothing extends Value ? { [N in Name]?: Value } : { [N in Name]: Value }

/** The arguments of a call: only the parts that its route has. */
export type CallInput<R> = (R extends { params: infer P extends z.ZodType } ? { params: In<P> } : object) &
  (R extends { query: infer Q extends z.ZodType } ? Part<'query', In<Q>> : object) &
  (R extends { body: infer B extends z.ZodType } ? Part<'body', In<B>> : object) & { signal?: AbortSignal }

export type Client<Routes extends Record<string, Route>> = {
  [Name in keyof Routes]: (
    ...input: Nothing extends CallInput<Routes[Name]> ? [input?: CallInput<Routes[Name]>] : [input: CallInput<Routes[Name]>]
  ) => Promise<Out<Routes[Name]>>
}

/** Sends a request: with `fetch` in a browser, or by calling the handlers in this process. */
export type Transport = (request: {
  method: string
  path: string
  body: string | undefined
  signal: AbortSignal | undefined
}) => Promise<Response>

/**
 * Creates a client with one method for each route. Failures become `AppError`s with the server's code. A response that
 * is not JSON becomes an `internal` error with its status and the beginning of its text.
 */
export function createClient<Routes extends Record<string, Route>>(routes: Routes, transport: Transport): Client<Routes> {
  const call = async (route: Route, input: CallLoose): Promise<unknown> => {
    const response = await transport({
      method: route.method.toUpperCase(),
      path: pathOf(route, input),
      body: route.body ? JSON.stringify(input.body ?? {}) : undefined,
      signal: input.signal,
    })
    if (!response.ok) throw await errorOf(response)
    if (!route.response || (route.produces !== undefined && isOf(response, route.produces))) return response
    if (response.status === 204) return undefined
    return parseJson(await response.text(), response.status)
  }
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, (input: CallLoose = {}) => call(route, input)]),
  ) as unknown as Client<Routes> // built from the same table as the type
}

const isOf = (response: Response, type: string) => response.headers.get('content-type')?.startsWith(type) === true

interface CallLoose {
  params?: unknown
  query?: unknown
  body?: unknown
  signal?: AbortSignal
}

/**
 * The path with parameters and query. Arrays in a query become comma-separated; undefined, null and empty text are
 * omitted. Throws for a parameter that would change the address (empty, `.`, `..`).
 */
export function pathOf(route: Route, input: { params?: unknown; query?: unknown }): string {
  const params = (input.params ?? {}) as Record<string, string | undefined>
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ''
    if (/^\.{0,2}$/.test(value))
      throw new AppError('invalid_request', { message: `"${value}" cannot be the ${name} of a ${route.name} call.` })
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, QueryValue>)) {
    if (value === undefined || value === null || value === '') continue
    query.set(name, String(value)) // a list becomes comma-separated
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}

type QueryValue = string | number | boolean | string[] | null | undefined

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new AppError('internal', { message: `The answer (status ${status}) is not JSON: ${text.slice(0, 200)}`, cause })
  }
}

/** The error in a response. */
export async function errorOf(response: Response): Promise<AppError> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { error: { code: ErrorCode; message: string; hint?: string; details?: unknown } }
    if (Object.hasOwn(ERRORS, error.code)) return new AppError(error.code, error)
  } catch {
    // not our format, so it is reported below with its status and text
  }
  return new AppError('internal', { message: `The server answered ${response.status}: ${text.slice(0, 200)}` })
}
