import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { ProfileSource, SpanKind, SpanTokens } from '#contracts/entities/profile.ts'
import type { Core } from '#server/core.ts'
import { createSpanStore, type RecordedSpan, type SpanStore } from './store.ts'

type RecordingCore = Pick<Core, 'db' | 'tx' | 'events' | 'now' | 'log'>

/** The span that the current task is inside. */
interface Inside {
  store: SpanStore
  core: RecordingCore
  source: ProfileSource
  traceId: string
  title: string
  parentId: string | null
}

/** Follows the task, not a global, so that calls that run side by side have their own parents. */
const inside = new AsyncLocalStorage<Inside>()
const stores = new WeakMap<object, SpanStore>()

export interface SpanStart {
  kind: SpanKind
  name: string
  label?: string | null
}

/** What is known when the work has ended. */
export interface SpanEnd {
  name?: string | null
  tokens?: SpanTokens
  costUsd?: number | null
  error?: string | null
}

/** Runs the work as a trace of its own: model and tool calls inside become its spans. */
export async function recordTrace<T>(
  core: RecordingCore,
  { source, title }: { source: ProfileSource; title: string },
  work: () => Promise<T>,
): Promise<T> {
  const store = stores.get(core.db) ?? createSpanStore(core)
  stores.set(core.db, store)
  const trace: Inside = { store, core, source, title, traceId: randomBytes(16).toString('hex'), parentId: null }
  return inside.run(trace, () => recordSpan({ kind: 'agent', name: title }, work))
}

/**
 * Runs a model or tool call, and records how long it took and how it ended. Outside of a trace it only runs it. A span that cannot
 * be stored never breaks the work.
 */
export async function recordSpan<T>(start: SpanStart, work: () => Promise<T>, endOf?: (result: T) => SpanEnd): Promise<T> {
  const parent = inside.getStore()
  if (!parent) return work()
  const id = randomBytes(8).toString('hex')
  const startedAt = parent.core.now()
  const began = performance.now()
  const store = (end: SpanEnd) => {
    const span: RecordedSpan = {
      traceId: parent.traceId,
      id,
      parentId: parent.parentId,
      kind: start.kind,
      name: end.name ?? start.name,
      label: start.label ?? null,
      startedAt,
      durationMs: performance.now() - began,
      tokens: end.tokens ?? null,
      costUsd: end.costUsd ?? null,
      error: end.error ?? null,
      requestId: null,
    }
    try {
      parent.store.add([span], () => ({ source: parent.source, title: parent.title, session: null }))
    } catch (error) {
      parent.core.log.warn({ err: error }, 'A span was not stored')
    }
  }
  try {
    const result = await inside.run({ ...parent, parentId: id }, work)
    store(endOf?.(result) ?? {})
    return result
  } catch (error) {
    store({ error: `failed: ${error instanceof Error ? error.message : String(error)}` })
    throw error
  }
}

/** What a request to a model used. `input` includes cached tokens there; here the classes are apart. */
interface Completed {
  usage: { input: number; output: number; cacheRead: number | null; cacheWrite: number | null }
  costUsd: number | null
}

/** Records a request to a model. */
export const recordRequest = <T extends Completed>(model: string | null, ask: () => Promise<T>): Promise<T> =>
  recordSpan({ kind: 'llm', name: model ?? 'unknown model' }, ask, ({ usage, costUsd }) => ({
    tokens: { ...usage, input: usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0) },
    costUsd,
  }))
