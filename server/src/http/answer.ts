import { lookup } from '#contracts/lookup.ts'
import type { Bytes, Caller, Implementation, Route } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { invalid } from './failure.ts'

/** A call that is not validated yet. */
export interface RawCall {
  params: unknown
  query: unknown
  body: unknown
  signal: AbortSignal
  who: string
  caller: Caller
}

export type Answer = { status: number; json: unknown } | { status: number; bytes: Bytes }

/** Validates a call, runs its handler and returns the answer. Used by the HTTP server and by commands that run the app in their own process. */
export async function answer({ route, handle }: Implementation, call: RawCall, validateResponses: boolean): Promise<Answer> {
  if (route.isOwnerOnly && call.caller.kind !== 'owner') throw new AppError('owner_only')
  const output: unknown = await handle({
    params: parseInput(route.params, call.params, 'path'),
    query: parseInput(route.query, knownQuery(route, call.query), 'query'),
    body: parseInput(route.body, call.body, 'body'),
    signal: call.signal,
    who: call.who,
    caller: call.caller,
  } as never) // implement() checked that this handler fits its route
  const status = route.status ?? 200
  if (!route.response || (route.produces !== undefined && isBytes(output))) return { status, bytes: output as Bytes }
  if (validateResponses) assertFits(route, output)
  return { status, json: output }
}

const isBytes = (output: unknown): output is Bytes => typeof output === 'object' && output !== null && 'stream' in output

function parseInput(schema: Route['params'], value: unknown, where: 'path' | 'query' | 'body'): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (!result.success) throw invalid(where, result.error)
  return result.data
}

/** Refuses unknown query parameters; ignoring a mistyped filter would change the answer. */
function knownQuery(route: Route, query: unknown): unknown {
  const shape = (route.query as { shape?: Record<string, unknown> } | undefined)?.shape ?? {}
  const known = Object.keys(shape)
  const unknown = Object.keys(query ?? {}).find((name) => !known.includes(name))
  if (unknown === undefined) return query
  throw new AppError('invalid_request', {
    message: `Unknown query parameter "${unknown}".`,
    hint: known.length > 0 ? `${route.path} takes: ${known.join(', ')}.` : `${route.path} takes none.`,
  })
}

function assertFits(route: Route, output: unknown): void {
  const result = route.response!.safeParse(JSON.parse(JSON.stringify(output)))
  if (result.success) return
  throw new AppError('internal', {
    message: `The answer of ${route.name} does not fit its contract: ${result.error.issues
      .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
      .join('; ')}`,
  })
}

/** Query parameters as plain data; a repeated one becomes a list. */
export function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = lookup()
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name)
    query[name] = all.length === 1 ? all[0]! : all
  }
  return query
}

/** Sorts fixed paths before paths with parameters, so that `/traces/facets` is not read as a trace named "facets". */
export function bySpecificity(implementations: readonly Implementation[]): Implementation[] {
  const key = ({ route }: Implementation) => route.path.replaceAll(/\{\w+\}/g, '\u{FFFF}')
  return implementations.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}
