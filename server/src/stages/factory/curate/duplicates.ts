import { hash } from 'node:crypto'
import { bandsFor, SIGNATURE, sign, SHINGLE } from './min-hash.ts'
import { jaccard, shinglesOf } from '#server/likeness/shingles.ts'
import { normalSpace } from '#server/likeness/normal-space.ts'
import { mix32 } from '#server/likeness/word-hashes.ts'

/** A row without its text, which is read again only to confirm a near duplicate. About 600 bytes with its signature. */
export interface DedupRow {
  id: string
  quality: number | null
  /** A variant repeats its original's solution on purpose, so only an exact copy of the original or of another variant is a duplicate. */
  variantOf?: string
}

export interface Duplicate {
  /** Position of the duplicate in the order of `add`. */
  index: number
  /** Id of the row that is kept. */
  keptId: string
  /** Exact: the same text except for white space. Near: the Jaccard index of the 5-word shingles. */
  likeness: 'exact' | number
}

export interface Deduplicator {
  add(row: DedupRow, text: string): void
  /**
   * Of duplicates, the one with the highest quality stays, then one that is not a variant, then the smallest id. Independent of the
   * order of `add`. `isOut`: rows that are left out already.
   */
  duplicates(textOf: (index: number) => string, signal?: AbortSignal, isOut?: (index: number) => boolean): Duplicate[]
}

/** An estimate this far below the threshold is still checked exactly: four standard deviations at .9. */
const ESTIMATE_MARGIN = 0.11

export function createDeduplicator(options: { near: boolean; threshold: number }): Deduplicator {
  const rows: DedupRow[] = []
  const digests: string[] = []
  let signatures = new Int32Array(SIGNATURE * 1024)
  return {
    add(row, text) {
      const normal = normalSpace(text)
      digests.push(hash('sha256', normal, 'base64').slice(0, 22))
      if (options.near) {
        const offset = rows.length * SIGNATURE
        if (offset + SIGNATURE > signatures.length) {
          const larger = new Int32Array(signatures.length * 2)
          larger.set(signatures)
          signatures = larger
        }
        sign(shinglesOf(normal, SHINGLE), signatures, offset)
      }
      rows.push(row)
    },
    duplicates(textOf, signal, isOut = () => false) {
      const order = rows
        .map((_, index) => index)
        .filter((index) => !isOut(index))
        .toSorted((a, b) => compareRows(rows[a]!, rows[b]!))
      const result: Duplicate[] = []
      const firstOf = new Map<string, number>()
      const near = options.near ? createNearIndex(signatures, rows, options.threshold, textOf) : null
      order.forEach((index, step) => {
        if (step % 256 === 0) signal?.throwIfAborted()
        const first = firstOf.get(digests[index]!)
        if (first === undefined) firstOf.set(digests[index]!, index)
        const match = first === undefined ? near?.findOrAdd(index) : { index: first, likeness: 'exact' as const }
        if (match) result.push({ index, keptId: rows[match.index]!.id, likeness: match.likeness })
      })
      return result
    },
  }
}

const compareRows = (a: DedupRow, b: DedupRow): number =>
  (b.quality ?? -1) - (a.quality ?? -1) ||
  Number(a.variantOf !== undefined) - Number(b.variantOf !== undefined) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Locality-sensitive hashing: compares rows that agree in a whole band of their signatures, by exact Jaccard index if their
 * estimate is high enough. Only kept rows are in the index, so a thousand copies cost a thousand comparisons. Tables are flat
 * arrays: 4 bytes for each row and band.
 */
function createNearIndex(signatures: Int32Array, candidates: readonly DedupRow[], threshold: number, textOf: (index: number) => string) {
  const count = candidates.length
  const families = candidates.some(({ variantOf }) => variantOf !== undefined)
    ? candidates.map(({ id, variantOf }) => variantOf ?? id)
    : null
  const { bands, rows } = bandsFor(threshold)
  const buckets = 2 ** Math.max(4, Math.ceil(Math.log2(Math.max(1, count))))
  const firstIn = Array.from({ length: bands }, () => new Int32Array(buckets).fill(-1))
  const next = Array.from({ length: bands }, () => new Int32Array(count))
  const shinglesNear = createShingleCache(textOf)

  const bucketOf = (index: number, band: number): number => {
    let value = band
    const start = index * SIGNATURE + band * rows
    for (let at = start; at < start + rows; at += 1) value = mix32(value ^ signatures[at]!)
    return value & (buckets - 1)
  }
  const estimate = (a: number, b: number): number => {
    let same = 0
    for (let at = 0; at < SIGNATURE; at += 1) if (signatures[a * SIGNATURE + at] === signatures[b * SIGNATURE + at]) same += 1
    return same / SIGNATURE
  }

  return {
    /** The most similar kept row; if there is none, adds this row to the index and returns null. */
    findOrAdd(index: number): { index: number; likeness: number } | null {
      const places = Array.from({ length: bands }, (_, band) => bucketOf(index, band))
      const compared = new Set<number>()
      let best: { index: number; likeness: number } | null = null
      places.forEach((bucket, band) => {
        for (let other = firstIn[band]![bucket]!; other >= 0; other = next[band]![other]!) {
          if (compared.has(other)) continue
          compared.add(other)
          if (families && families[index] === families[other]) continue
          if (estimate(index, other) < threshold - ESTIMATE_MARGIN) continue
          const likeness = jaccard(shinglesNear(index), shinglesNear(other))
          if (likeness >= threshold && likeness > (best?.likeness ?? 0)) best = { index: other, likeness }
        }
      })
      if (best) return best
      places.forEach((bucket, band) => {
        next[band]![index] = firstIn[band]![bucket]!
        firstIn[band]![bucket] = index
      })
      return null
    },
  }
}

/** Caches shingles of recent texts, because computing them costs more than comparing them. */
function createShingleCache(textOf: (index: number) => string, maxSize = 64) {
  const cache = new Map<number, Uint32Array>()
  return (index: number): Uint32Array => {
    const shingles = cache.get(index) ?? shinglesOf(normalSpace(textOf(index)), SHINGLE)
    cache.delete(index)
    cache.set(index, shingles)
    if (cache.size > maxSize) cache.delete(cache.keys().next().value!)
    return shingles
  }
}
