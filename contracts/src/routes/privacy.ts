import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { csv, Cursor, Limit, page, TraceId } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import {
  ArchiveFinding,
  DpRelease,
  Finding,
  FoundValue,
  PiiType,
  PrivacyAction,
  PrivacyDecision,
  PrivacyPolicy,
  PrivacyReport,
  PrivacyScope,
  PrivacyStatus,
  ReplaceStrategy,
} from '../entities/privacy.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('privacy')

export const getPrivacy = route.get('getPrivacy', '/api/privacy', {
  summary: 'Progress of the scan, findings by type, and the hash of the current policy',
  response: PrivacyStatus,
})

const FindingFilter = z.object({
  id: z.string().max(100).optional(),
  type: csv(PiiType).optional(),
  project: notAPlace(z.string().max(1000), 'compared with the projects of findings').optional(),
  trace: TraceId.optional(),
  file: notAPlace(z.string().max(4096), 'compared with the files of findings').optional(),
  action: PrivacyAction.optional(),
  detector: z.string().max(100).optional(),
  minConfidence: z.coerce.number().min(0).max(1).optional(),
  belowConfidence: z.coerce.number().min(0).max(2).optional(),
  value: z.string().max(100).optional().meta({ description: 'digest of a value: all its occurrences' }),
})
const Counted = z.array(z.object({ value: z.string(), count: z.number().int() }))

export const listFindings = route.get('listFindings', '/api/privacy/findings', {
  summary: 'Findings in the archive, newest first; values are masked',
  query: FindingFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(ArchiveFinding),
})
export const listFoundValues = route.get('listFoundValues', '/api/privacy/values', {
  summary: 'Findings in the archive grouped by type and value, those in most places first; values are masked',
  query: FindingFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(FoundValue).extend({ places: z.number().int().meta({ description: 'places of all values' }) }),
})
export const getFindingFacets = route.get('getFindingFacets', '/api/privacy/findings/facets', {
  summary: 'Counts by type, project, file, detector and action for a filter, and cells for a chart',
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
  summary: 'The value and the text around it, read from the archive; it is not stored',
  params: z.object({ id: z.string().max(100) }),
  response: z.object({ before: z.string(), value: z.string(), after: z.string(), truncated: z.boolean() }),
  errors: ['not_found', 'trace_not_found', 'archive_damaged'],
})

export const getFindingLine = route.get('getFindingLine', '/api/privacy/findings/{id}/line', {
  summary: 'The line around a finding, read from the archive; everything found in it is masked',
  params: z.object({ id: z.string().max(100) }),
  response: z.object({ before: z.string(), masked: z.string(), after: z.string() }),
  errors: ['not_found', 'trace_not_found', 'archive_damaged'],
})

export const listPrivacyDecisions = route.get('listPrivacyDecisions', '/api/privacy/decisions', {
  summary: 'Decisions, including undone ones, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(PrivacyDecision),
})
export const decidePrivacy = route.post('decidePrivacy', '/api/privacy/decisions', {
  summary: 'Keep, redact or replace a finding, a value, a type in a project, or a type; applies to all content that leaves',
  status: 201,
  body: z.object({ on: PrivacyScope, action: PrivacyAction, strategy: ReplaceStrategy.nullable().default(null) }),
  response: PrivacyDecision,
  errors: ['not_found'],
})
export const decideManyPrivacy = route.post('decideManyPrivacy', '/api/privacy/decisions/bulk', {
  summary: 'The same decision for many findings or values; if one does not exist, none is decided',
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
  summary: 'Undo many decisions; undone ones stay undone',
  body: z.object({ ids: z.array(z.string().max(100)).min(1).max(1000) }),
  response: z.object({ items: z.array(PrivacyDecision) }),
  errors: ['not_found'],
})
export const undoPrivacyDecision = route.post('undoPrivacyDecision', '/api/privacy/decisions/{id}/undo', {
  summary: 'Undo a decision; the previous decision for the same scope applies again',
  params: z.object({ id: z.string().max(100) }),
  body: z.object({}),
  response: PrivacyDecision,
  errors: ['not_found', 'nothing_to_undo'],
})

export const startPrivacyScan = route.post('startPrivacyScan', '/api/privacy/scan', {
  summary: 'Scan new content of the archive, or everything with `all`',
  status: 202,
  body: z.object({ all: z.boolean().default(false) }),
  response: Job,
  errors: ['job_running'],
})

export const previewPrivacy = route.post('previewPrivacy', '/api/privacy/preview', {
  summary: 'A text before and after the gate, with the current policy or another one; nothing is stored',
  body: z.object({ text: z.string().max(100_000), policy: PrivacyPolicy.optional() }),
  response: z.object({ findings: z.array(Finding), after: z.string(), report: PrivacyReport }),
})

export const getPrivacyBudget = route.get('getPrivacyBudget', '/api/privacy/budget', {
  summary: 'Released noisy statistics of the archive, their cost, and the remaining budget',
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
  summary: 'A statistic of the archive with exact noise, paid from its budget; the protected unit is a whole session',
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
      .meta({ description: 'longer sessions count as this long; must be chosen without looking at the data' }),
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
