import type { ExampleOptions } from '#contracts/entities/example.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import type { MatchInput } from './match.job.ts'
import type { FoundPair, DroppedCount, Material, MaterialInput, PreferredAttempt } from './types.ts'

const MATERIAL_JOB = new URL('./material.job.ts', import.meta.url)
const MATCH_JOB = new URL('./match.job.ts', import.meta.url)
const TRACES_PER_PIECE = 20
const CONCURRENT_PIECES = 4

/** All pairs of some sessions, sorted by id, and counts of dropped ones by reason. With a gate, clears the pairs' words. */
export async function searchPairs(
  { workers, paths }: Pick<Core, 'workers' | 'paths'>,
  traceIds: readonly string[],
  { options, preferred, gate }: { options: ExampleOptions; preferred: readonly PreferredAttempt[]; gate: GateInput | null },
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<{ pairs: FoundPair[]; dropped: DroppedCount[] }> {
  const groups = Array.from({ length: Math.ceil(traceIds.length / TRACES_PER_PIECE) }, (_, at) =>
    traceIds.slice(at * TRACES_PER_PIECE, (at + 1) * TRACES_PER_PIECE),
  )
  const materials: Material[] = []
  let next = 0
  let done = 0
  const readGroups = async () => {
    for (let at = next++; at < groups.length; at = next++) {
      const input: MaterialInput = { database: paths.database, archive: paths.archive, traceIds: groups[at]!, options }
      materials[at] = await workers.run<Material>(MATERIAL_JOB, input, { lane: 'bulk', signal })
      done += groups[at]!.length
      progress({ phase: 'reading sessions', done, total: traceIds.length, unit: 'sessions' })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_PIECES }, readGroups))
  progress({ phase: 'comparing prompts', done: 0, total: null, unit: 'tasks' })
  const input: MatchInput = {
    tasks: materials.flatMap(({ tasks }) => tasks),
    acrossRepositories: options.pairAcrossRepositories,
    preferred,
    pairs: materials.flatMap(({ pairs }) => pairs),
    gate,
  }
  const matched = await workers.run<{ pairs: FoundPair[]; dropped: DroppedCount[] }>(MATCH_JOB, input, { lane: 'bulk', signal })
  return { pairs: matched.pairs, dropped: sumCounts([...materials.flatMap(({ dropped }) => dropped), ...matched.dropped]) }
}

function sumCounts(all: readonly DroppedCount[]): DroppedCount[] {
  const counts = new Map<string, number>()
  for (const { reason, count } of all) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count)
}
