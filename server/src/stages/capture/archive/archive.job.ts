import type { MovingContext } from '#server/workers/thread.ts'
import type { FollowerMaker } from '../types.ts'
import { appendTraces } from './append.ts'
import type { AppendResult, AppendTrace } from './append-types.ts'

/** Traces to which this thread recently appended, with their hash states. */
const cache = new Map<string, unknown>()

export interface ArchiveInput {
  traces: AppendTrace[]
  /** URL of a module with a `FollowerMaker`, and its options. */
  follower: { url: string; options: unknown } | null
}

/** Progress is the number of raw bytes read since the last report. */
export default async function archive(
  { traces, follower }: ArchiveInput,
  { signal, progress, transfer }: MovingContext,
): Promise<AppendResult[]> {
  const follow = follower && (await (await load(follower.url))(follower.options))
  return appendTraces(traces, { signal, cache, onBytes: progress, transfer, ...(follow && { follow }) })
}

async function load(url: string): Promise<FollowerMaker<unknown>> {
  return ((await import(url)) as { default: FollowerMaker<unknown> }).default
}
