import type { Transport } from '#contracts/derive/client.ts'
import type { Implementation } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { answer, bySpecificity, queryOf } from './answer.ts'
import { toAppError } from './failure.ts'

/** Passes the derived client's calls to the handlers without a socket, with the same validation, errors and streams. */
export function inProcessTransport(
  implementations: readonly Implementation[],
  options: { who: string; validateResponses: boolean; onError?: (error: AppError) => void },
): Transport {
  const table = bySpecificity(implementations).map((implementation) => ({
    implementation,
    method: implementation.route.method.toUpperCase(),
    pattern: new RegExp(`^${implementation.route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  return async ({ method, path, body, signal }) => {
    try {
      const url = new URL(path, 'http://in-process')
      for (const entry of table) {
        const match = entry.method === method ? entry.pattern.exec(url.pathname) : null
        if (!match) continue
        const params = Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]))
        const call = {
          params,
          query: queryOf(url.searchParams),
          body: body === undefined ? {} : (JSON.parse(body) as unknown),
          signal: signal ?? new AbortController().signal,
          who: options.who,
          caller: { kind: 'owner' } as const, // this process has the lock of the data directory
        }
        const result = await answer(entry.implementation, call, options.validateResponses)
        if ('json' in result) return Response.json(result.json, { status: result.status })
        return new Response(ReadableStream.from(result.bytes.stream), {
          status: result.status,
          headers: { 'content-type': result.bytes.contentType },
        })
      }
      throw new AppError('not_found', { message: `${method} ${url.pathname} is not served.` })
    } catch (error) {
      const failure = toAppError(error)
      options.onError?.(failure)
      return Response.json(failure.toWire(), { status: failure.status })
    }
  }
}
