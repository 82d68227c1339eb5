import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import type { scan } from './detect/scan.ts'

export type { KnownNames, ScanOptions } from './detect/index.ts'
export type Scan = typeof scan

/**
 * Hash of the sources in detect/, held by a test: when it changes, archives are scanned again and policies have another
 * hash.
 */
export const DETECTORS = 'b573489ebc553994'

const require = createRequire(import.meta.url)
let loaded: Scan | undefined

/**
 * The rules with their word lists are loaded at the first text: a process that finds nothing, and its start, do without.
 * Throws `TimeLimitError` for a text that takes too long: it counts as unscanned, and must not leave.
 */
export const detect = (text: string, options?: Parameters<Scan>[1], limitMs = limitOf(text)): ReturnType<Scan> => {
  loaded ??= (require(fileURLToPath(new URL('./detect/scan.ts', import.meta.url))) as { scan: Scan }).scan
  const scan = loaded
  // a text this short ends soon whatever it holds, and a limit costs more than its scan
  if (text.length < SHORT && !options?.customRules?.length) return scan(text, options)
  return withTimeLimit(limitMs, () => scan(text, options))
}

const SHORT = 4096
/** Ordinary text takes a hundredth of it. */
const limitOf = (text: string) => 5000 + text.length / 100

/** What a text comes to that was scanned in time; null: it was not, so nothing is known of it. */
export function inTime<T>(scan: () => T): T | null {
  try {
    return scan()
  } catch (error) {
    if (error instanceof TimeLimitError) return null
    throw error
  }
}
