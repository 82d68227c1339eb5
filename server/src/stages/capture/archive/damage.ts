import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { ArchivedSource } from '../types.ts'
import { MANIFEST, parseManifest, sourcesOf } from './manifest.ts'
import { free } from '#server/workers/free.ts'
import { chunks } from './reader.ts'

/** Checks archived bytes against the manifests. Synchronous, for worker threads. */

/** Reads a whole source; null if its bytes match the manifest, else a sentence about the damage. */
export function damageOf(source: ArchivedSource, onChunk?: (raw: Buffer) => void): string | null {
  const sum = createHash('sha256')
  try {
    for (const raw of chunks(source)) {
      sum.update(raw)
      onChunk?.(raw)
      free(raw)
    }
  } catch (error) {
    if (isDamage(error)) return error.message
    throw error
  }
  return sum.digest('hex') === source.sha256 ? null : 'Its content differs from what was archived (SHA-256 mismatch).'
}

/**
 * Whether a later generation starts with the bytes that a damaged one was archived with, or with those it still
 * has: then nothing is lost.
 */
export function isRepaired(damaged: ArchivedSource, sources: readonly ArchivedSource[]): boolean {
  const later = sources.filter(
    ({ name, generation, bytes }) => name === damaged.name && generation > damaged.generation && bytes >= damaged.bytes,
  )
  if (later.length === 0) return false
  const wanted = new Set([damaged.sha256, frontHash(damaged, damaged.bytes)])
  return later.some((source) => wanted.has(frontHash(source, damaged.bytes) ?? 'unreadable'))
}

/** sha256 of the first bytes; null if the source cannot be read completely. */
function frontHash(source: ArchivedSource, bytes: number): string | null {
  const sum = createHash('sha256')
  let left = bytes
  try {
    for (const raw of chunks(source)) {
      sum.update(raw.subarray(0, left))
      left -= Math.min(left, raw.length)
      free(raw)
    }
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
  return sum.digest('hex')
}

const isDamage = (error: unknown): error is AppError => error instanceof AppError && error.code === 'archive_damaged'

/** Damage in the folder of one trace, one sentence each, except bytes that a later generation has too. */
export function damageIn(traceDir: string): string[] {
  const manifest = parseManifest(fs.readFileSync(path.join(traceDir, MANIFEST)))
  const sources = sourcesOf(traceDir, manifest.lines)
  const damaged = sources.flatMap((source) => {
    const damage = damageOf(source)
    return damage === null || isRepaired(source, sources) ? [] : [`${source.name}.${source.generation}: ${damage}`]
  })
  return [...manifest.problems.map((problem) => `${MANIFEST}: ${problem}.`), ...damaged]
}
