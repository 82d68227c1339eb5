import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { ArchivedSource } from '../types.ts'
import { MANIFEST, parseManifest, sourcesOf } from './manifest.ts'
import { free } from '#server/workers/free.ts'
import { chunks } from './reader.ts'

/** Holding archived bytes against what the manifests say of them. Synchronous, for worker threads. */

/** Reads a source whole; null when it holds the bytes that were archived, else a sentence that says what is wrong. */
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
 * Whether a later generation begins with the very bytes that a damaged one was archived with, or with those that it still
 * holds: then nothing is lost.
 */
export function isMended(damaged: ArchivedSource, sources: readonly ArchivedSource[]): boolean {
  const later = sources.filter(
    ({ name, generation, bytes }) => name === damaged.name && generation > damaged.generation && bytes >= damaged.bytes,
  )
  if (later.length === 0) return false
  const wanted = new Set([damaged.sha256, frontHash(damaged, damaged.bytes)])
  return later.some((source) => wanted.has(frontHash(source, damaged.bytes) ?? 'unreadable'))
}

/** sha256 of the first bytes; null where the source cannot be read whole. */
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

/** What is wrong in the folder of one trace, a sentence each; bytes that a later generation has again are not. */
export function damageIn(traceDir: string): string[] {
  const manifest = parseManifest(fs.readFileSync(path.join(traceDir, MANIFEST)))
  const sources = sourcesOf(traceDir, manifest.lines)
  const damaged = sources.flatMap((source) => {
    const damage = damageOf(source)
    return damage === null || isMended(source, sources) ? [] : [`${source.name}.${source.generation}: ${damage}`]
  })
  return [...manifest.problems.map((problem) => `${MANIFEST}: ${problem}.`), ...damaged]
}
