import type { CustomRule, Finding, PiiType } from '#contracts/entities/privacy.ts'

/** Names of this machine and its user, which are reported wherever they occur as whole words. */
export interface KnownNames {
  usernames?: readonly string[]
  hostnames?: readonly string[]
  people?: readonly string[]
}

export interface ScanOptions {
  /** The types to report; by default all but `date`. */
  types?: readonly PiiType[]
  customRules?: readonly CustomRule[]
  /** Values that are never findings. */
  allowed?: ReadonlySet<string>
  names?: KnownNames
}

/** Called by a detector for each candidate, with its position in the given text. */
export type Report = (type: PiiType, detector: string, start: number, end: number, confidence: number, validated?: boolean) => void

export type { CustomRule, Finding, PiiType }
