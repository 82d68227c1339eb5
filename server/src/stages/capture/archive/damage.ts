import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { ArchivedSource } from '../types.ts'
import { MANIFEST, parseManifest, sourcesOf } from './manifest.ts'
import { free } from '#server/workers/free.ts'
import { chunks } from './reader.ts'

/** Reads a whole source; null if its bytes match the manifest, else a sentence about the damage. Synchronous, for worker threads. */
export function damageOf(source: ArchivedSource, onChunk?: (raw: Buffer) => void): string | null {
  const hash = createHash('sha256')
  try {
    for (const raw of chunks(source)) {
      hash.update(raw)
      onChunk?.(raw)
      free(raw)
    }
  } catch (error) {
    if (isDamage(error)) return error.message
    throw error
  }
  return hash.digest('hex') === source.sha256 ? null : 'Its content differs from what was archived (SHA-256 mismatch).'
}

/**
 * Whether nothing of a damaged generation is lost: a later one starts with its original bytes, or with the bytes
 * that it now has.
 */
export function isRepaired(damaged: ArchivedSource, sources: readonly ArchivedSource[]): boolean {
  const later = sources.filter(
    ({ name, generation, bytes }) => name === damaged.name && generation > damaged.generation && bytes >= damaged.bytes,
  )
  if (later.length === 0) return false
  const acceptedHashes = new Set([damaged.sha256, frontHash(damaged, damaged.bytes)])
  return later.some((source) => acceptedHashes.has(frontHash(source, damaged.bytes) ?? 'unreadable'))
}

/** sha256 of the first bytes; null if the source cannot be read completely. */
function frontHash(source: ArchivedSource, bytes: number): string | null {
  const hash = createHash('sha256')
  let remaining = bytes
  try {
    for (const raw of chunks(source)) {
      hash.update(raw.subarray(0, remaining))
      remaining -= Math.min(remaining, raw.length)
      free(raw)
    }
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
  return hash.digest('hex')
}

const isDamage = (error: unknown): error is AppError => error instanceof AppError && error.code === 'archive_damaged'

/** Damage in the folder of one trace, one sentence each, except where a later generation has the bytes too. */
export function damageIn(traceDir: string): string[] {
  const manifest = parseManifest(fs.readFileSync(path.join(traceDir, MANIFEST)))
  const sources = sourcesOf(traceDir, manifest.lines)
  const damaged = sources.flatMap((source) => {
    const damage = damageOf(source)
    return damage === null || isRepaired(source, sources) ? [] : [`${source.name}.${source.generation}: ${damage}`]
  })
  return [...manifest.problems.map((problem) => `${MANIFEST}: ${problem}.`), ...damaged]
}
