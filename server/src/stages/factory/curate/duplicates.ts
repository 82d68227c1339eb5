import { hash } from 'node:crypto'
import { bandsFor, SIGNATURE, sign, SHINGLE } from './min-hash.ts'
import { jaccard, shinglesOf } from '#server/likeness/shingles.ts'
import { normalSpace } from '#server/likeness/normal-space.ts'
import { mix32 } from '#server/likeness/word-hashes.ts'

/** What deduplication keeps of a row: about 600 bytes with its signature; the text is read again only to prove a likeness. */
export interface Known {
  id: string
  quality: number | null
  /** A variant has the solution of its original on purpose: only word for word is it a duplicate of it, or of another variant. */
  variantOf?: string
}

export interface Repeat {
  /** Place of the row that goes, in the order in which rows were added. */
  index: number
  /** Id of the row that stays. */
  of: string
  /** Exact: the same text but for blanks. Near: the proved Jaccard index of the 5-word shingles. */
  likeness: 'exact' | number
}

export interface Deduplicator {
  add(known: Known, text: string): void
  /** Rows that repeat another one; the higher quality stays, then what is not a variant, then the smaller id. The order of adding does not matter. */
  repeats(textOf: (index: number) => string, signal?: AbortSignal): Repeat[]
}

/** A signature below this distance from the threshold is looked at more closely: four standard deviations at .9. */
const DOUBT = 0.11

export function createDeduplicator(options: { near: boolean; threshold: number }): Deduplicator {
  const rows: Known[] = []
  const digests: string[] = []
  let signatures = new Int32Array(SIGNATURE * 1024)
  return {
    add(known, text) {
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
      rows.push(known)
    },
    repeats(textOf, signal) {
      const order = rows.map((_, index) => index).toSorted((a, b) => better(rows[a]!, rows[b]!))
      const found: Repeat[] = []
      const firstOf = new Map<string, number>()
      const near = options.near ? createNear(signatures, rows, options.threshold, textOf) : null
      order.forEach((index, step) => {
        if (step % 256 === 0) signal?.throwIfAborted()
        const first = firstOf.get(digests[index]!)
        if (first === undefined) firstOf.set(digests[index]!, index)
        const alike = first === undefined ? near?.meet(index) : { index: first, likeness: 'exact' as const }
        if (alike) found.push({ index, of: rows[alike.index]!.id, likeness: alike.likeness })
      })
      return found
    },
  }
}

const better = (a: Known, b: Known): number =>
  (b.quality ?? -1) - (a.quality ?? -1) ||
  Number(a.variantOf !== undefined) - Number(b.variantOf !== undefined) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Locality-sensitive hashing: rows that agree in all of a band meet; the Jaccard index of those whose signatures look
 * alike enough is then worked out from their texts. Only rows that stay are met, so that a thousand copies cost a
 * thousand meetings. Tables are flat arrays: 4 bytes a row and band, and one bucket head a row.
 */
function createNear(signatures: Int32Array, known: readonly Known[], threshold: number, textOf: (index: number) => string) {
  const count = known.length
  const families = known.some(({ variantOf }) => variantOf !== undefined) ? known.map(({ id, variantOf }) => variantOf ?? id) : null
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
    /** The row that stays and that this one repeats most; if there is none, this one stays. */
    meet(index: number): { index: number; likeness: number } | null {
      const places = Array.from({ length: bands }, (_, band) => bucketOf(index, band))
      const met = new Set<number>()
      let best: { index: number; likeness: number } | null = null
      places.forEach((bucket, band) => {
        for (let other = firstIn[band]![bucket]!; other >= 0; other = next[band]![other]!) {
          if (met.has(other)) continue
          met.add(other)
          if (families && families[index] === families[other]) continue
          if (estimate(index, other) < threshold - DOUBT) continue
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

/** Shingles of the texts looked at last; reading and cutting a text costs more than comparing it. */
function createShingleCache(textOf: (index: number) => string, size = 64) {
  const kept = new Map<number, Uint32Array>()
  return (index: number): Uint32Array => {
    const shingles = kept.get(index) ?? shinglesOf(normalSpace(textOf(index)), SHINGLE)
    kept.delete(index)
    kept.set(index, shingles)
    if (kept.size > size) kept.delete(kept.keys().next().value!)
    return shingles
  }
}
