import type { scan } from './detect/index.ts'

export { scan as detect } from './detect/index.ts'
export type { KnownNames, ScanOptions } from './detect/index.ts'
export type Scan = typeof scan

/**
 * Hash of the sources in detect/, held by a test: when it changes, archives are scanned again and policies have another
 * hash.
 */
export const DETECTORS = '9ae65b3f0c338409'
