import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import type { scan } from '#server/detect/scan.ts'

export type { KnownNames, ScanOptions } from '#server/detect/index.ts'
export type Scan = typeof scan

/**
 * Hash of the sources in server/src/detect, checked by a test. When it changes, archives are rescanned and policy hashes change.
 */
export const DETECTORS = '350edd1d799350bf'

const require = createRequire(import.meta.url)
let loaded: Scan | undefined

/**
 * Loads rules and word lists on first use, so that processes that never scan do not load them. Throws `TimeLimitError`
 * for a text that takes too long; such a text counts as unscanned and must be replaced as a whole.
 */
export const detect = (text: string, options?: Parameters<Scan>[1], limitMs = limitOf(text)): ReturnType<Scan> => {
  loaded ??= (require(fileURLToPath(new URL('../../detect/scan.ts', import.meta.url))) as { scan: Scan }).scan
  const scan = loaded
  // short texts are always quick to scan, and setting a limit would take longer than the scan
  if (text.length < SHORT && !options?.customRules?.length) return scan(text, options)
  return withTimeLimit(limitMs, () => scan(text, options))
}

const SHORT = 4096
/** Ordinary text takes about 1 % of this. */
const limitOf = (text: string) => 5000 + text.length / 100

/** The result of a scan, or null if it exceeded its time limit. */
export function inTime<T>(scan: () => T): T | null {
  try {
    return scan()
  } catch (error) {
    if (error instanceof TimeLimitError) return null
    throw error
  }
}
