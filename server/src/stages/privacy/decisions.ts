import { hash } from 'node:crypto'
import { SECRET_TYPES, type PiiType, type PrivacyAction, type PrivacyPolicy, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { canonical, digest } from './replace/index.ts'

/** Minimum confidence at which secrets are redacted under every policy. */
export const SECRET_CONFIDENCE = 0.5

/** A decision of the user. If `strategy` is null, the policy's strategy applies. */
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

/** The properties of a finding that a decision can depend on. `digest` is the keyed digest of its value. */
export interface Decidable {
  type: PiiType
  digest: string
  stepId: string | null
  project: string | null
}

/** A decision on a finding applies to its value in the whole entry, because trimmed examples have other positions. */
export const findingKey = (stepId: string, type: PiiType, valueDigest: string): string => `${type}|${valueDigest}|${stepId}`
export const projectKey = (project: string, type: PiiType): string => `${type}|${project}`

/** Equal for equal values; computed with a key that never leaves the data directory. */
export const valueDigest = (key: Buffer, type: PiiType, value: string): string => digest(key, `value\0${canonical(type, value)}`, 32)

/**
 * The active decision with the narrowest scope: finding, value, type in a project, type. Null if the policy decides. Only
 * a decision on a finding or value can keep a secret.
 */
export function resolveDecision(
  decisions: ActiveDecisions,
  { type, digest: of, stepId, project }: Decidable,
): (Choice & { by: Exclude<DecidedBy, 'policy'> }) | null {
  const choiceFor = (table: Record<string, Choice>, key: string) => (Object.hasOwn(table, key) ? table[key]! : null)
  const ofFinding = stepId === null ? null : choiceFor(decisions.finding, findingKey(stepId, type, of))
  if (ofFinding) return { ...ofFinding, by: 'finding' }
  const value = choiceFor(decisions.value, of)
  if (value) return { ...value, by: 'value' }
  const isAllowed = (choice: Choice | null) => choice !== null && !(choice.action === 'keep' && SECRET_TYPES.includes(type))
  const inProject = project === null ? null : choiceFor(decisions.project, projectKey(project, type))
  if (inProject && isAllowed(inProject)) return { ...inProject, by: 'project' }
  const ofType = choiceFor(decisions.type, type)
  return ofType && isAllowed(ofType) ? { ...ofType, by: 'type' } : null
}

/** SHA-256 of everything that determines what the gate does: policy, active decisions, version of the detectors. */
export const policyHash = (policy: PrivacyPolicy, decisions: ActiveDecisions, detectors: string): string =>
  hash(
    'sha256',
    sortedJson({ policy: { ...policy, types: policy.types.toSorted(), allowed: policy.allowed.toSorted() }, decisions, detectors }),
  )

/** JSON with sorted keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
