import type { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { ExampleOptions } from '#contracts/entities/example.ts'
import type { Core } from '#server/core.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import { toArchiveError } from '../archive-error.ts'
import { chooseSessions, NOT_SELECTED, type SessionLookup } from '../versions/choose.ts'
import { createGroups } from '../curate/groups.ts'
import type { CallsInput, RecordedCalls } from './calls.job.ts'

const CALLS_JOB = new URL('./calls.job.ts', import.meta.url)

export interface ExamSessions {
  /** One of each family of sessions that share records. */
  ids: string[]
  leftOut: string[]
}

/** Recorded work as training rows have it, for what is held out of training. */
export function createRecordedWork(
  { workers, paths }: Pick<Core, 'workers' | 'paths'>,
  deps: { traces: SessionLookup; gate: (purpose: string) => GateInput },
) {
  /** One of each family of sessions that share records. */
  const firstOf = async (ids: readonly string[]): Promise<Set<string>> => {
    const groups = createGroups()
    for (const [a, b] of await deps.traces.families()) groups.join(a, b)
    return new Set(new Map(ids.toReversed().map((id) => [groups.of(id), id])).values())
  }
  return {
    firstOf,
    /** Sessions that a data set with these criteria would use, with those that are held out; the reasons of the others. */
    async sessions(criteria: Pick<DatasetRecipe, 'query' | 'traceIds' | 'unverified'>): Promise<ExamSessions> {
      const { ids, dropped } = await chooseSessions({ kind: 'sft', include: [], runs: [], forExam: true, ...criteria }, deps.traces)
      const first = await firstOf(ids)
      const reasons = dropped.flatMap(({ reason }) => (reason === NOT_SELECTED ? [] : [reason]))
      return {
        ids: ids.filter((id) => first.has(id)),
        leftOut: [...reasons, ...ids.flatMap((id) => (first.has(id) ? [] : ['shares records with another session']))],
      }
    },
    /** The sessions that share records with one of these, and these. */
    async withFamilies(ids: Iterable<string>): Promise<Set<string>> {
      const groups = createGroups()
      const families = await deps.traces.families()
      for (const [a, b] of families) groups.join(a, b)
      const wanted = new Set([...ids].map((id) => groups.of(id)))
      return new Set([...ids, ...families.flat().filter((id) => wanted.has(groups.of(id)))])
    },
    calls: (input: Pick<CallsInput, 'traceId' | 'most' | 'contextTokens' | 'seed'>, signal: AbortSignal): Promise<RecordedCalls | null> =>
      workers
        .run<RecordedCalls | null>(
          CALLS_JOB,
          {
            ...input,
            database: paths.database,
            archive: paths.archive,
            options: ExampleOptions.parse({}),
            gate: deps.gate('exam'),
          } satisfies CallsInput,
          { lane: 'bulk', signal },
        )
        .catch((error: unknown) => Promise.reject(toArchiveError(error))),
  }
}
