import { z } from 'zod'
import { patternFault, ruleFault } from '../pattern.ts'
import { Instant, TraceId } from './common.ts'
import { notAPlace } from '../places.ts'

/** Kinds of personal data and secrets; docs/privacy.md explains how each is found. `date` is off by default. */
export const PII_TYPES = [
  'person',
  'email',
  'phone',
  'ssn',
  'passport',
  'driver_license',
  'date_of_birth',
  'credit_card',
  'bank_account',
  'iban',
  'address',
  'zip_code',
  'city',
  'country',
  'ip_address',
  'mrn',
  'health_plan',
  'medical_condition',
  'username',
  'hostname',
  'password',
  'api_key',
  'auth_token',
  'url',
  'private_key',
  'connection_string',
  'secret',
  'date',
] as const
export const PiiType = z.enum(PII_TYPES).meta({ id: 'PiiType' })
export type PiiType = z.infer<typeof PiiType>

/** Types that grant access. By default they are replaced with their label, and they are never shown, not even partly. */
export const SECRET_TYPES: readonly PiiType[] = ['password', 'api_key', 'auth_token', 'private_key', 'connection_string', 'secret']

export const ReplaceStrategy = z.enum(['redact', 'mask', 'synthetic', 'hash', 'category']).meta({ id: 'ReplaceStrategy' })
export type ReplaceStrategy = z.infer<typeof ReplaceStrategy>

/** A position in a text, in UTF-16 units, end exclusive. `validated` means that a checksum, range or format confirmed it. */
export const Finding = z
  .object({
    type: PiiType,
    detector: z.string(),
    start: z.number().int(),
    end: z.number().int(),
    confidence: z.number().min(0).max(1),
    validated: z.boolean(),
  })
  .meta({ id: 'Finding' })
export type Finding = z.infer<typeof Finding>

/** The secrets that were replaced in the requests of a run. */
export const RedactionCounts = z.record(z.string(), z.number().int()).meta({
  id: 'RedactionCounts',
  description:
    'how many different secrets of each type were replaced; unscanned: texts that could not be searched in time and were replaced as a whole',
})
export type RedactionCounts = z.infer<typeof RedactionCounts>

/** Whether secrets are replaced before anything is sent to the model. */
export const RedactionPlan = z
  .object({
    isOn: z.boolean(),
    isFixed: z.boolean().meta({ description: 'true if it cannot be turned off: our own client sends only cleared requests' }),
  })
  .meta({ id: 'RedactionPlan' })
export type RedactionPlan = z.infer<typeof RedactionPlan>

/** What happens to a finding: `keep` leaves it, `redact` inserts its label, `replace` uses the strategy of its type. */
export const PrivacyAction = z.enum(['keep', 'redact', 'replace']).meta({ id: 'PrivacyAction' })
export type PrivacyAction = z.infer<typeof PrivacyAction>

/** A rule of the user: a regular expression (linear-time subset) with texts that must match and must not match. */
export const CustomRule = z
  .object({
    name: z.string().trim().min(1).max(80),
    pattern: z
      .string()
      .min(1)
      .max(500)
      .superRefine((pattern, issues) => {
        const fault = patternFault(pattern)
        if (fault !== null) issues.addIssue({ code: 'custom', message: fault })
      }),
    type: PiiType,
    matches: z.array(z.string().max(500)).max(20).default([]),
    mustNotMatch: z.array(z.string().max(500)).max(20).default([]),
  })
  .superRefine((rule, issues) => {
    const fault = ruleFault(rule)
    if (fault !== null) issues.addIssue({ code: 'custom', message: fault.message, path: fault.path })
  })
  .meta({ id: 'CustomRule' })
export type CustomRule = z.infer<typeof CustomRule>

/** What is searched for and how it is replaced. The policy's hash covers these settings and the decisions. */
export const PrivacyPolicy = z
  .object({
    types: z.array(PiiType).default(PII_TYPES.filter((type) => type !== 'date')),
    confidenceThreshold: z.number().min(0).max(1).default(0.5).meta({ description: 'findings below it are listed but not replaced' }),
    defaultStrategy: ReplaceStrategy.default('synthetic'),
    strategies: z
      .partialRecord(PiiType, ReplaceStrategy)
      .default({})
      .meta({ description: 'by type; secrets not listed here are redacted' }),
    customRules: z.array(CustomRule).max(100).default([]),
    allowed: z
      .array(notAPlace(z.string().min(1).max(500), 'values, not addresses'))
      .max(1000)
      .default([])
      .meta({ description: 'values that are never findings' }),
  })
  .meta({ id: 'PrivacyPolicy' })
export type PrivacyPolicy = z.infer<typeof PrivacyPolicy>

/**
 * A finding in the archive. The value itself is not stored: `preview` is masked, and `value` is a keyed digest for
 * grouping equal values. It is in the body of an entry (`path` is a JSON pointer into a call's input) or in its result.
 */
export const ArchiveFinding = z
  .object({
    id: z.string(),
    traceId: TraceId,
    stepId: z.string().meta({ description: 'entry of the trace: a step, a prompt, a text' }),
    part: z.enum(['body', 'result']),
    path: z.string(),
    type: PiiType,
    detector: z.string(),
    start: z.number().int(),
    end: z.number().int(),
    confidence: z.number(),
    validated: z.boolean(),
    value: z.string().meta({ description: 'keyed digest of the value' }),
    preview: z.string(),
    project: z.string().nullable(),
    file: z.string().nullable(),
    at: Instant.nullable(),
    action: PrivacyAction.meta({ description: 'the current action' }),
    decidedBy: z.enum(['finding', 'value', 'project', 'type', 'policy']),
  })
  .meta({ id: 'ArchiveFinding' })
export type ArchiveFinding = z.infer<typeof ArchiveFinding>

/** A value found in one or more places of the archive. */
export const FoundValue = z
  .object({
    places: z.number().int(),
    sessions: z.number().int(),
    actions: z
      .object({ keep: z.number().int(), redact: z.number().int(), replace: z.number().int() })
      .meta({ description: 'places by their current action' }),
    example: ArchiveFinding.meta({ description: 'the newest place' }),
  })
  .meta({ id: 'FoundValue' })
export type FoundValue = z.infer<typeof FoundValue>

/** What a decision applies to: one finding, a value everywhere, a type in one project, or a type. The most specific active decision wins. */
export const PrivacyScope = z
  .discriminatedUnion('scope', [
    z.object({ scope: z.literal('finding'), finding: z.string().max(600) }),
    z.object({ scope: z.literal('value'), value: z.string().max(100) }),
    z.object({
      scope: z.literal('project'),
      project: notAPlace(z.string().max(1000), 'compared with the projects of findings'),
      type: PiiType,
    }),
    z.object({ scope: z.literal('type'), type: PiiType }),
  ])
  .meta({ id: 'PrivacyScope' })
export type PrivacyScope = z.infer<typeof PrivacyScope>

export const PrivacyDecision = z
  .object({
    id: z.string(),
    on: PrivacyScope,
    action: PrivacyAction,
    strategy: ReplaceStrategy.nullable().meta({ description: 'for `replace`; null means the strategy of the policy' }),
    at: Instant,
    undoneAt: Instant.nullable(),
  })
  .meta({ id: 'PrivacyDecision' })
export type PrivacyDecision = z.infer<typeof PrivacyDecision>

/** Progress of scanning the archive. A session is outstanding if it has grown or the rules have changed since its scan. */
export const PrivacyStatus = z
  .object({
    scanned: z.number().int(),
    outstanding: z.number().int(),
    failed: z.number().int().meta({ description: 'outstanding sessions whose last scan failed; the log says why' }),
    findings: z.number().int(),
    byType: z.record(z.string(), z.number().int()).meta({ description: 'places by type' }),
    valuesByType: z.record(z.string(), z.number().int()).meta({ description: 'distinct values by type' }),
    chars: z.number().int().meta({ description: 'UTF-16 units read by the current scans' }),
    lastScanAt: Instant.nullable(),
    jobId: z.string().nullable().meta({ description: 'the job of the running scan' }),
    policyHash: z.string(),
    detectors: z.string(),
    waysOut: z
      .array(z.object({ module: z.string(), what: z.string() }))
      .meta({ description: 'every module that can send session content out; each uses the gate' }),
  })
  .meta({ id: 'PrivacyStatus' })
export type PrivacyStatus = z.infer<typeof PrivacyStatus>

/** What the gate found and changed in a data set, an export or a request. A second, independent scan measures `survivors`. */
export const PrivacyReport = z
  .object({
    policyHash: z.string(),
    records: z.number().int(),
    recordsWithFindings: z.number().int(),
    findingsByType: z.record(z.string(), z.number().int()),
    actions: z.record(z.string(), z.number().int()).meta({ description: 'number of findings by strategy, or kept' }),
    belowThreshold: z.number().int(),
    unscanned: z.number().int().default(0).meta({ description: 'texts that were replaced entirely because their scan took too long' }),
    survivors: z
      .object({
        scanner: z.string(),
        findings: z.number().int(),
        byType: z.record(z.string(), z.number().int()),
        canaries: z.number().int(),
        notCovered: z
          .array(z.string())
          .optional()
          .meta({ description: 'types that the second scan does not search for; missing in older reports' }),
      })
      .nullable()
      .meta({ description: 'null if not measured' }),
    epsilonSpent: z.number().nullable(),
    disclosureRisk: z
      .object({ survivingValues: z.number().int(), survivingShare: z.number(), membershipAdvantageBound: z.number().nullable() })
      .nullable(),
  })
  .meta({ id: 'PrivacyReport' })
export type PrivacyReport = z.infer<typeof PrivacyReport>

/** The result of a scan of the archive, in sessions. */
export const PrivacyScanned = z.object({ scanned: z.number().int(), failed: z.number().int() }).meta({ id: 'PrivacyScanned' })
export type PrivacyScanned = z.infer<typeof PrivacyScanned>

/** One release of noisy statistics, paid from the budget of its source. */
export const DpRelease = z
  .object({
    id: z.string(),
    source: z.string(),
    what: z.string(),
    mechanism: z.enum(['laplace', 'gaussian']),
    epsilon: z.number().positive(),
    delta: z.number().min(0),
    sensitivity: z.number().positive(),
    at: Instant,
  })
  .meta({ id: 'DpRelease' })
export type DpRelease = z.infer<typeof DpRelease>
