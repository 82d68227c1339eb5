import type { CustomRule, Finding, PiiType } from '#contracts/entities/privacy.ts'

/** Names of this machine and its user: found as whole words anywhere. */
export interface KnownNames {
  usernames?: readonly string[]
  hostnames?: readonly string[]
  people?: readonly string[]
}

export interface ScanOptions {
  /** Which types to report; all but `date` unless given. */
  types?: readonly PiiType[]
  customRules?: readonly CustomRule[]
  /** Values that are never findings. */
  allowed?: ReadonlySet<string>
  names?: KnownNames
}

/** Called by a detector for each candidate, with its position in the given text. */
export type Report = (type: PiiType, detector: string, start: number, end: number, confidence: number, validated?: boolean) => void

export type { CustomRule, Finding, PiiType }
