import type { scan } from './detect/index.ts'

export { scan as detect } from './detect/index.ts'
export type { KnownNames, ScanOptions } from './detect/index.ts'
export type Scan = typeof scan

/** Raised whenever the detectors find other things: archives are then scanned again, policies have another hash. */
export const DETECTORS = '1'
