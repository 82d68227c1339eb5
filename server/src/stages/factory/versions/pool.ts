import type { DatasetBuilt, DatasetRecipe, DroppedRow, FunnelStage, SplitName } from '#contracts/entities/dataset.ts'
import { balance } from '../curate/balance.ts'
import type { Candidate } from '../curate/candidate.ts'
import { drawNumber } from '../curate/seeded-random.ts'
import { largestSession, overShare } from '../curate/session-share.ts'
import { createGroups } from '../curate/groups.ts'
import { answersOf, type AnsweredRow, asContext, trainedBefore } from '../curate/once.ts'
import { createDeduplicator } from '../curate/duplicates.ts'
import { factsOf, type Facts } from '../curate/facts.ts'
import type { HeldOut, Overlap } from '../curate/held-out.ts'
import { split, type Splits } from '../curate/split.ts'
import { textOfRow } from '../curate/text.ts'
import { openManyLines } from './lines.ts'
import { readLines, type Place } from '#server/adapters/outside-rows/lines.ts'

/** A candidate without its text, which stays on disk until it is written. */
interface Entry {
  id: string
  traceIds: string[]
  group: string | null
  repo: string | null
  quality: number | null
  at: number | null
  facts: Facts
  overlap: Overlap | null
  answers: AnsweredRow['answers']
  file: number
  place: Place
}

export interface PoolOptions {
  recipe: Pick<DatasetRecipe, 'dedup' | 'balance' | 'sessionShare' | 'split' | 'seed'>
  heldOut: HeldOut
  families: readonly (readonly string[])[]
  /** The split of each session in earlier versions. */
  earlierSides: ReadonlyMap<string, SplitName>
  signal: AbortSignal
  progress: (phase: string, done: number, total: number | null) => void
}

export interface Curated {
  stages: FunnelStage[]
  dropped: DroppedRow[]
  sessions: Splits['sessions']
  largestSession: DatasetBuilt['largestSession']
  /** Kept rows in the order of writing: by split, then in an order drawn by the seed. */
  rows: { split: SplitName; read: () => Candidate }[]
  close(): void
}

const SIDES: readonly SplitName[] = ['train', 'val', 'test']
const PROGRESS_EVERY = 200

/** Removes duplicates and rows that overlap with held-out items, balances, and splits. For workers. */
export function curate(files: readonly string[], options: PoolOptions): Curated {
  const { recipe, heldOut, signal, progress } = options
  const deduplicator = createDeduplicator(recipe.dedup)
  const entries: Entry[] = []
  const families = createGroups()
  for (const [first, ...others] of options.families) for (const other of others) families.join(first!, other)
  files.forEach((file, number) => {
    for (const { text, offset, length } of readLines(file)) {
      if (entries.length % PROGRESS_EVERY === 0) {
        signal.throwIfAborted()
        progress('curate', entries.length, null)
      }
      const candidate = JSON.parse(text) as Candidate // written by collect
      const rowText = textOfRow(candidate.row)
      deduplicator.add(candidate, rowText)
      const { id, traceIds, group, repo, quality, at } = candidate
      const facts = factsOf(candidate, rowText.length)
      entries.push({
        id,
        traceIds,
        group,
        repo,
        quality,
        at,
        facts,
        overlap: heldOut.overlapOf(candidate.row),
        answers: answersOf(candidate, families.of),
        file: number,
        place: { offset, length },
      })
    }
  })
  const lineFiles = openManyLines(files)
  const read = ({ file, place }: Entry) => JSON.parse(lineFiles.at(file, place)) as Candidate

  const stages: FunnelStage[] = []
  const dropped: DroppedRow[] = []
  let remaining = entries
  const stage = (name: string, reasons: ReadonlyMap<string, { reason: string; detail: string | null }>) => {
    const droppedEntries = remaining.filter(({ id }) => reasons.has(id))
    dropped.push(...droppedEntries.map(({ id, traceIds }) => droppedRow(name, reasons.get(id)!, id, traceIds)))
    const keptEntries = remaining.filter(({ id }) => !reasons.has(id))
    stages.push({
      stage: name,
      unit: 'examples',
      in: remaining.length,
      out: keptEntries.length,
      dropped: countReasons(droppedEntries.map(({ id }) => reasons.get(id)!.reason)),
    })
    remaining = keptEntries
  }

  const repeated = trainedBefore(entries)
  const shared = entries.filter(({ id, answers }) => answers.length > 0 && repeated.get(id)?.size === answers.length)
  stage('shared answers', new Map(shared.map(({ id }) => [id, { reason: 'answers that another session trains', detail: null }])))
  const sharedIds = new Set(shared.map(({ id }) => id))
  progress('dedup', entries.length, entries.length)
  const duplicates = deduplicator.duplicates(
    (index) => textOfRow(read(entries[index]!).row),
    signal,
    (index) => sharedIds.has(entries[index]!.id),
  )
  stage('dedup', new Map(duplicates.map(({ index, keptId, likeness }) => [
    entries[index]!.id,
    likeness === 'exact' ? { reason: 'exact duplicate', detail: keptId } : { reason: 'near duplicate', detail: `${keptId} (${likeness.toFixed(3)})` },
  ]))) // prettier-ignore
  stage(
    'decontamination',
    new Map(
      remaining.flatMap(({ id, overlap }) =>
        overlap ? [[id, { reason: 'overlaps with a held-out item', detail: `${overlap.name}: ${overlap.shared}` }]] : [],
      ),
    ),
  )
  stage('balance', new Map(balance(remaining, recipe.balance, recipe.seed).map(({ id, reason }) => [id, { reason, detail: null }])))
  stage(
    'share per session',
    new Map(
      overShare(
        remaining.map(({ id, traceIds }) => ({ id, session: traceIds[0] ?? null })),
        recipe.sessionShare,
        recipe.seed,
      ).map(({ id, cap }) => [id, { reason: 'share per session', detail: `at most ${cap} of one session` }]),
    ),
  )

  const context = trainedBefore(remaining)
  const { byRow, sessions } = split(remaining, { ...recipe.split, seed: recipe.seed }, options.families, options.earlierSides)
  const ordered = remaining
    .map((entry) => ({ entry, split: byRow.get(entry.id)!, draw: drawNumber(recipe.seed, entry.id) }))
    .toSorted((a, b) => SIDES.indexOf(a.split) - SIDES.indexOf(b.split) || a.draw - b.draw || (a.entry.id < b.entry.id ? -1 : 1))
  return {
    stages,
    dropped,
    sessions,
    largestSession: largestSession(remaining.map(({ traceIds }) => traceIds[0] ?? null)),
    rows: ordered.map(({ entry, split: side }) => ({ split: side, read: () => asContext(read(entry), context.get(entry.id)) })),
    close: () => lineFiles.close(),
  }
}

const droppedRow = (
  stage: string,
  { reason, detail }: { reason: string; detail: string | null },
  id: string,
  traceIds: string[],
): DroppedRow => ({
  stage,
  reason,
  traceId: traceIds[0] ?? null,
  exampleId: id,
  detail,
})

/** Reasons with their counts, the most frequent first. */
export function countReasons(reasons: readonly string[]): FunnelStage['dropped'] {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}
