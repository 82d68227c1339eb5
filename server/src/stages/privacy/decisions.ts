import { hash } from 'node:crypto'
import { SECRET_TYPES, type PiiType, type PrivacyAction, type PrivacyPolicy, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { canonical, digest } from './replace/index.ts'

/** Minimum confidence at which secrets are redacted under every policy. */
export const SECRET_CONFIDENCE = 0.5

/** A decision of the user; `strategy` null means that of the policy. */
export interface Choice {
  action: PrivacyAction
  strategy: ReplaceStrategy | null
}

/** The active decisions by scope, as plain data for workers. */
export interface ActiveDecisions {
  /** By `findingKey`. */
  finding: Record<string, Choice>
  /** By digest of the value. */
  value: Record<string, Choice>
  /** By `projectKey`. */
  project: Record<string, Choice>
  type: Partial<Record<PiiType, Choice>>
}

export const NO_DECISIONS: ActiveDecisions = { finding: {}, value: {}, project: {}, type: {} }

export type DecidedBy = 'finding' | 'value' | 'project' | 'type' | 'policy'

/** What a decision about a finding depends on. `digest` is that of the value under the key of the archive. */
export interface Decidable {
  type: PiiType
  digest: string
  stepId: string | null
  project: string | null
}

/** Applies to the value anywhere in the same entry: texts of examples are trimmed, so positions move. */
export const findingKey = (stepId: string, type: PiiType, valueDigest: string): string => `${type}|${valueDigest}|${stepId}`
export const projectKey = (project: string, type: PiiType): string => `${type}|${project}`

/** Identifies equal values, with a key that never leaves the data directory. */
export const valueDigest = (key: Buffer, type: PiiType, value: string): string => digest(key, `value\0${canonical(type, value)}`, 32)

/**
 * The narrowest active decision: finding, value, type in a project, type; null means the policy decides. A secret is
 * kept only by a decision about this finding or value.
 */
export function resolve(
  decisions: ActiveDecisions,
  { type, digest: of, stepId, project }: Decidable,
): (Choice & { by: Exclude<DecidedBy, 'policy'> }) | null {
  const own = (table: Record<string, Choice>, key: string) => (Object.hasOwn(table, key) ? table[key]! : null)
  const narrow = stepId === null ? null : own(decisions.finding, findingKey(stepId, type, of))
  if (narrow) return { ...narrow, by: 'finding' }
  const value = own(decisions.value, of)
  if (value) return { ...value, by: 'value' }
  const mayStand = (choice: Choice | null) => choice !== null && !(choice.action === 'keep' && SECRET_TYPES.includes(type))
  const inProject = project === null ? null : own(decisions.project, projectKey(project, type))
  if (inProject && mayStand(inProject)) return { ...inProject, by: 'project' }
  const ofType = own(decisions.type, type)
  return ofType && mayStand(ofType) ? { ...ofType, by: 'type' } : null
}

/** SHA-256 of everything that decides what the gate does: policy, active decisions, version of the detectors. */
export const policyHash = (policy: PrivacyPolicy, decisions: ActiveDecisions, detectors: string): string =>
  hash(
    'sha256',
    sorted({ policy: { ...policy, types: policy.types.toSorted(), allowed: policy.allowed.toSorted() }, decisions, detectors }),
  )

/** JSON with sorted keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
