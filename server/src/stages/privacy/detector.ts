import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { scan } from './detect/scan.ts'

export type { KnownNames, ScanOptions } from './detect/index.ts'
export type Scan = typeof scan

/**
 * Hash of the sources in detect/, held by a test: when it changes, archives are scanned again and policies have another
 * hash.
 */
export const DETECTORS = '13825ed0fc3c59ca'

const require = createRequire(import.meta.url)
let loaded: Scan | undefined

/** The rules with their word lists are loaded at the first text: a process that finds nothing, and its start, do without. */
export const detect: Scan = (text, options) => {
  loaded ??= (require(fileURLToPath(new URL('./detect/scan.ts', import.meta.url))) as { scan: Scan }).scan
  return loaded(text, options)
}
