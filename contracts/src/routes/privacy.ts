import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { csv, Cursor, Limit, page, TraceId } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import {
  ArchiveFinding,
  DpRelease,
  Finding,
  PiiType,
  PrivacyAction,
  PrivacyDecision,
  PrivacyPolicy,
  PrivacyReport,
  PrivacyScope,
  PrivacyStatus,
  ReplaceStrategy,
} from '../entities/privacy.ts'

const route = routesOf('privacy')

export const getPrivacy = route.get('getPrivacy', '/api/privacy', {
  summary: 'How far the archive has been scanned, what was found by type, hash of the policy that holds',
  response: PrivacyStatus,
})

const FindingFilter = z.object({
  id: z.string().max(100).optional(),
  type: csv(PiiType).optional(),
  project: z.string().max(1000).optional(),
  trace: TraceId.optional(),
  file: z.string().max(4096).optional(),
  action: PrivacyAction.optional(),
  detector: z.string().max(100).optional(),
  minConfidence: z.coerce.number().min(0).max(1).optional(),
  belowConfidence: z.coerce.number().min(0).max(2).optional(),
  value: z.string().max(100).optional().meta({ description: 'digest of a value: everywhere that it stands' }),
})
const Counted = z.array(z.object({ value: z.string(), count: z.number().int() }))

export const listFindings = route.get('listFindings', '/api/privacy/findings', {
  summary: 'Findings in the archive, newest first; values are masked',
  query: FindingFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(ArchiveFinding),
})
export const getFindingFacets = route.get('getFindingFacets', '/api/privacy/findings/facets', {
  summary: 'Counts by type, project, file, detector and action under a filter, and the cells of a picture of them',
  query: FindingFilter,
  response: z.object({
    total: z.number().int(),
    type: Counted,
    project: Counted,
    file: Counted,
    detector: Counted,
    action: Counted,
    cells: z
      .array(z.object({ type: PiiType, action: PrivacyAction, confidence: z.number(), count: z.number().int() }))
      .meta({ description: 'confidence: lower bound of its band; the bands begin at 0, 0.5, 0.7 and 0.9' }),
  }),
})
export const getFindingContext = route.get('getFindingContext', '/api/privacy/findings/{id}/context', {
  summary: 'The value and the text around it, read from the archive now; nothing of it is stored',
  params: z.object({ id: z.string().max(100) }),
  response: z.object({ before: z.string(), value: z.string(), after: z.string(), truncated: z.boolean() }),
  errors: ['not_found', 'trace_not_found', 'archive_damaged'],
})

export const listPrivacyDecisions = route.get('listPrivacyDecisions', '/api/privacy/decisions', {
  summary: 'What was decided, newest first, undone ones too',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(PrivacyDecision),
})
export const decidePrivacy = route.post('decidePrivacy', '/api/privacy/decisions', {
  summary: 'Keep, redact or replace a finding, a value, a type in a project, or a type; it holds for everything that leaves',
  status: 201,
  body: z.object({ on: PrivacyScope, action: PrivacyAction, strategy: ReplaceStrategy.nullable().default(null) }),
  response: PrivacyDecision,
  errors: ['not_found'],
})
export const decideManyPrivacy = route.post('decideManyPrivacy', '/api/privacy/decisions/bulk', {
  summary: 'The same decision on many findings or values; all of them or, where one is not there, none',
  status: 201,
  body: z.object({
    on: z.array(PrivacyScope).min(1).max(1000),
    action: PrivacyAction,
    strategy: ReplaceStrategy.nullable().default(null),
  }),
  response: z.object({ items: z.array(PrivacyDecision) }),
  errors: ['not_found'],
})
export const undoPrivacyDecisions = route.post('undoPrivacyDecisions', '/api/privacy/decisions/undo', {
  summary: 'Take many decisions back; those that were taken back already stay so',
  body: z.object({ ids: z.array(z.string().max(100)).min(1).max(1000) }),
  response: z.object({ items: z.array(PrivacyDecision) }),
  errors: ['not_found'],
})
export const undoPrivacyDecision = route.post('undoPrivacyDecision', '/api/privacy/decisions/{id}/undo', {
  summary: 'Take a decision back; the one before it on the same holds again',
  params: z.object({ id: z.string().max(100) }),
  body: z.object({}),
  response: PrivacyDecision,
  errors: ['not_found', 'nothing_to_undo'],
})

export const startPrivacyScan = route.post('startPrivacyScan', '/api/privacy/scan', {
  summary: 'Scan what is new in the archive, or with `all` everything again',
  status: 202,
  body: z.object({ all: z.boolean().default(false) }),
  response: Job,
  errors: ['job_running'],
})

export const previewPrivacy = route.post('previewPrivacy', '/api/privacy/preview', {
  summary: 'A text before and after the gate, under the policy that holds or another one; nothing is stored',
  body: z.object({ text: z.string().max(100_000), policy: PrivacyPolicy.optional() }),
  response: z.object({ findings: z.array(Finding), after: z.string(), report: PrivacyReport }),
})

export const getPrivacyBudget = route.get('getPrivacyBudget', '/api/privacy/budget', {
  summary: 'What noisy statistics were released of the archive, what they cost, what is left',
  response: z.object({
    source: z.string(),
    epsilon: z.number(),
    spent: z.number(),
    left: z.number(),
    deltaSpent: z.number(),
    releases: z.array(DpRelease),
  }),
})
export const releaseStatistic = route.post('releaseStatistic', '/api/privacy/releases', {
  summary: 'A statistic of the archive with exact noise, paid from its budget; what is protected is one whole session',
  status: 201,
  body: z.object({
    what: z.enum(['sessions', 'sessions_by_tier', 'sessions_by_tool', 'mean_session_minutes']),
    mechanism: z.enum(['laplace', 'gaussian']).default('laplace'),
    epsilon: z.number().min(0.001).max(8),
    delta: z.number().min(1e-12).max(1e-5).default(1e-6),
    maxMinutes: z
      .number()
      .min(1)
      .max(1440)
      .default(120)
      .meta({ description: 'longer sessions count as this long; chosen without looking at the data' }),
  }),
  response: z.object({
    release: DpRelease,
    value: z.number().nullable(),
    bins: z.record(z.string(), z.number()).nullable(),
    deviation: z.number().meta({ description: 'standard deviation of the noise of a count, a bin, or the sum behind a mean' }),
    left: z.number(),
  }),
  errors: ['budget_spent'],
})
