import type { Finding } from '#contracts/entities/privacy.ts'
import { scan, type ScanOptions } from './detect/index.ts'

export type { KnownNames, ScanOptions } from './detect/index.ts'

export type Scan = (text: string, options?: ScanOptions) => Finding[]

export const detect: Scan = scan

/** Raised whenever the detectors find other things: archives are then scanned again, policies have another hash. */
export const DETECTORS = '1'
