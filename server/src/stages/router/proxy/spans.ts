import { hash, randomBytes } from 'node:crypto'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import type { SpanStore } from '#server/spans/index.ts'
import { traceId } from '../../capture/index.ts'

/** Stores a request that passed as a span; those of a session are one trace. Requests that name no session have their own. */
export function recordPassed(spans: SpanStore, { at, session, model, status, ms, usage, error, path }: Passed): void {
  const id = randomBytes(8).toString('hex')
  const isModel = usage !== null || model !== null
  spans.add(
    [
      {
        traceId: session === null ? randomBytes(16).toString('hex') : hash('sha256', `proxy\0${session}`).slice(0, 32),
        id,
        parentId: null,
        kind: isModel ? 'llm' : 'other',
        name: model ?? path,
        label: path,
        startedAt: at,
        durationMs: ms,
        tokens: usage && { ...usage, input: usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0) },
        costUsd: null,
        error: error ?? (status !== null && status >= 400 ? `failed: ${status}` : null),
        requestId: null,
      },
    ],
    () => ({
      source: 'proxy',
      title: session === null ? 'Request through the proxy' : `Session ${session} through the proxy`,
      session: session === null ? null : traceId('claude-code', session),
    }),
  )
}
