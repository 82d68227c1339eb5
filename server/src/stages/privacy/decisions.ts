import { hash } from 'node:crypto'
import { SECRET_TYPES, type PiiType, type PrivacyAction, type PrivacyPolicy, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { canonical, digest } from './replace/index.ts'

/** What a user decided: `strategy` null is that of the policy. */
export interface Choice {
  action: PrivacyAction
  strategy: ReplaceStrategy | null
}

/** The decisions that stand, by what they are for: plain data, so that a worker can be handed them. */
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

/** What is known of a finding when it is decided about. `digest` is that of the value under the key of the archive. */
export interface Decidable {
  type: PiiType
  digest: string
  stepId: string | null
  project: string | null
}

/** A finding is meant wherever its value stands in the same entry: texts of examples are trimmed, so that places move. */
export const findingKey = (stepId: string, type: PiiType, valueDigest: string): string => `${type}|${valueDigest}|${stepId}`
export const projectKey = (project: string, type: PiiType): string => `${type}|${project}`

/** By which equal values are known again, under a key that never leaves the data directory. */
export const valueDigest = (key: Buffer, type: PiiType, value: string): string => digest(key, `value\0${canonical(type, value)}`, 32)

/**
 * The narrowest decision that stands: finding, value, type in a project, type; null leaves it to the policy. A secret is
 * kept only where the user said so of this very finding or value (it is none after all).
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

/** SHA-256 of everything that decides what the gate does: policy, decisions that stand, version of the detectors. */
export const policyHash = (policy: PrivacyPolicy, decisions: ActiveDecisions, detectors: string): string =>
  hash(
    'sha256',
    sorted({ policy: { ...policy, types: policy.types.toSorted(), allowed: policy.allowed.toSorted() }, decisions, detectors }),
  )

/** JSON with the keys of objects in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
