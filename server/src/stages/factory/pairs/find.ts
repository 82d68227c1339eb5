import type { ExampleOptions } from '#contracts/entities/example.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import type { MatchInput } from './match.job.ts'
import type { FoundPair, LeftOut, Material, MaterialInput, Preferred } from './types.ts'

const MATERIAL_JOB = new URL('./material.job.ts', import.meta.url)
const MATCH_JOB = new URL('./match.job.ts', import.meta.url)
const TRACES_AT_A_TIME = 20
const AT_ONCE = 4

/** All pairs of some sessions, sorted by id, and what was left out by reason. With a gate their words are cleared. */
export async function searchPairs(
  { workers, paths }: Pick<Core, 'workers' | 'paths'>,
  traceIds: readonly string[],
  { options, preferred, gate }: { options: ExampleOptions; preferred: readonly Preferred[]; gate: GateInput | null },
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<{ pairs: FoundPair[]; left: LeftOut[] }> {
  const groups = Array.from({ length: Math.ceil(traceIds.length / TRACES_AT_A_TIME) }, (_, at) =>
    traceIds.slice(at * TRACES_AT_A_TIME, (at + 1) * TRACES_AT_A_TIME),
  )
  const found: Material[] = []
  let next = 0
  let done = 0
  const work = async () => {
    for (let at = next++; at < groups.length; at = next++) {
      const input: MaterialInput = { database: paths.database, archive: paths.archive, traceIds: groups[at]!, options }
      found[at] = await workers.run<Material>(MATERIAL_JOB, input, { lane: 'bulk', signal })
      done += groups[at]!.length
      progress({ phase: 'reading sessions', done, total: traceIds.length, unit: 'sessions' })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  progress({ phase: 'comparing prompts', done: 0, total: null, unit: 'tasks' })
  const input: MatchInput = {
    tasks: found.flatMap(({ tasks }) => tasks),
    acrossRepositories: options.pairAcrossRepositories,
    preferred,
    pairs: found.flatMap(({ pairs }) => pairs),
    gate,
  }
  const matched = await workers.run<{ pairs: FoundPair[]; left: LeftOut[] }>(MATCH_JOB, input, { lane: 'bulk', signal })
  return { pairs: matched.pairs, left: sum([...found.flatMap(({ left }) => left), ...matched.left]) }
}

function sum(all: readonly LeftOut[]): LeftOut[] {
  const counts = new Map<string, number>()
  for (const { reason, count } of all) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count)
}
