import type { DatasetRecipe, DroppedRow, FunnelStage, SplitName } from '#contracts/entities/dataset.ts'
import { balance } from '../curate/balance.ts'
import type { Candidate } from '../curate/candidate.ts'
import { drawn } from '../curate/chance.ts'
import { createDeduplicator } from '../curate/duplicates.ts'
import { factsOf, type Facts } from '../curate/facts.ts'
import type { HeldOut, Meeting } from '../curate/held-out.ts'
import { split, type Splits } from '../curate/split.ts'
import { textOfRow } from '../curate/text.ts'
import { openManyLines } from './lines.ts'
import { readLines, type Place } from '#server/adapters/outside-rows/lines.ts'

/** What is kept of a candidate while the others are read: its text stays on the disk. */
interface Entry {
  id: string
  traceIds: string[]
  group: string | null
  repo: string | null
  quality: number | null
  at: number | null
  facts: Facts
  met: Meeting | null
  file: number
  place: Place
}

export interface PoolOptions {
  recipe: Pick<DatasetRecipe, 'dedup' | 'balance' | 'split' | 'seed'>
  heldOut: HeldOut
  families: readonly (readonly string[])[]
  /** Sides of sessions in earlier versions. */
  kept: ReadonlyMap<string, SplitName>
  signal: AbortSignal
  progress: (phase: string, done: number, total: number | null) => void
}

export interface Curated {
  stages: FunnelStage[]
  dropped: DroppedRow[]
  sessions: Splits['sessions']
  /** Rows that stay, in the order in which they are written: by side, then as the seed draws. */
  rows: { split: SplitName; read: () => Candidate }[]
  close(): void
}

const SIDES: readonly SplitName[] = ['train', 'val', 'test']
const EVERY = 200

/** From candidates on the disk to rows on their sides: duplicates, held-out items, balance, split. For workers. */
export function curate(files: readonly string[], options: PoolOptions): Curated {
  const { recipe, heldOut, signal, progress } = options
  const deduplicator = createDeduplicator(recipe.dedup)
  const entries: Entry[] = []
  files.forEach((file, number) => {
    for (const { text, offset, length } of readLines(file)) {
      if (entries.length % EVERY === 0) {
        signal.throwIfAborted()
        progress('curate', entries.length, null)
      }
      const candidate = JSON.parse(text) as Candidate // written by collect
      const spoken = textOfRow(candidate.row)
      deduplicator.add(candidate, spoken)
      const { id, traceIds, group, repo, quality, at } = candidate
      const facts = factsOf(candidate, spoken.length)
      entries.push({
        id,
        traceIds,
        group,
        repo,
        quality,
        at,
        facts,
        met: heldOut.met(candidate.row),
        file: number,
        place: { offset, length },
      })
    }
  })
  const open = openManyLines(files)
  const read = ({ file, place }: Entry) => JSON.parse(open.at(file, place)) as Candidate

  const stages: FunnelStage[] = []
  const dropped: DroppedRow[] = []
  let left = entries
  const stage = (name: string, gone: ReadonlyMap<string, { reason: string; detail: string | null }>) => {
    const out = left.filter(({ id }) => gone.has(id))
    dropped.push(...out.map(({ id, traceIds }) => droppedRow(name, gone.get(id)!, id, traceIds)))
    const next = left.filter(({ id }) => !gone.has(id))
    stages.push({
      stage: name,
      unit: 'examples',
      in: left.length,
      out: next.length,
      dropped: countReasons(out.map(({ id }) => gone.get(id)!.reason)),
    })
    left = next
  }

  progress('dedup', entries.length, entries.length)
  const repeats = deduplicator.repeats((index) => textOfRow(read(entries[index]!).row), signal)
  stage('dedup', new Map(repeats.map(({ index, of, likeness }) => [
    entries[index]!.id,
    likeness === 'exact' ? { reason: 'exact duplicate', detail: of } : { reason: 'near duplicate', detail: `${of} (${likeness.toFixed(3)})` },
  ]))) // prettier-ignore
  stage(
    'decontamination',
    new Map(
      left.flatMap(({ id, met }) => (met ? [[id, { reason: 'overlaps with a held-out item', detail: `${met.name}: ${met.shared}` }]] : [])),
    ),
  )
  stage('balance', new Map(balance(left, recipe.balance, recipe.seed).map(({ id, reason }) => [id, { reason, detail: null }])))

  const { of, sessions } = split(left, { ...recipe.split, seed: recipe.seed }, options.families, options.kept)
  const ordered = left
    .map((entry) => ({ entry, split: of.get(entry.id)!, lot: drawn(recipe.seed, entry.id) }))
    .toSorted((a, b) => SIDES.indexOf(a.split) - SIDES.indexOf(b.split) || a.lot - b.lot || (a.entry.id < b.entry.id ? -1 : 1))
  return {
    stages,
    dropped,
    sessions,
    rows: ordered.map(({ entry, split: side }) => ({ split: side, read: () => read(entry) })),
    close: () => open.close(),
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
