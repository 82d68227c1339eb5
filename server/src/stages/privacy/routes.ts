import { implement } from '#contracts/derive/route.ts'
import {
  decideManyPrivacy,
  decidePrivacy,
  getFindingContext,
  getFindingFacets,
  getFindingLine,
  getPrivacy,
  getPrivacyBudget,
  listFindings,
  listFoundValues,
  listPrivacyDecisions,
  previewPrivacy,
  releaseStatistic,
  startPrivacyScan,
  undoPrivacyDecision,
  undoPrivacyDecisions,
} from '#contracts/routes/privacy.ts'
import type { PrivacyService } from './service.ts'

export const privacyRoutes = (service: PrivacyService) => [
  implement(getPrivacy, () => service.status()),
  implement(listFindings, ({ query }) => service.findings.list(query)),
  implement(listFoundValues, ({ query }) => service.findings.values(query)),
  implement(getFindingFacets, ({ query }) => service.findings.facets(query)),
  implement(getFindingContext, ({ params }) => service.context(params.id)),
  implement(getFindingLine, ({ params }) => service.line(params.id)),
  implement(listPrivacyDecisions, ({ query }) => service.decisions(query.cursor, query.limit)),
  implement(decidePrivacy, ({ body }) => service.decide([body.on], body.action, body.strategy)[0]!),
  implement(decideManyPrivacy, ({ body }) => ({ items: service.decide(body.on, body.action, body.strategy) })),
  implement(undoPrivacyDecision, ({ params }) => service.undo(params.id)),
  implement(undoPrivacyDecisions, ({ body }) => ({ items: service.undoAll(body.ids) })),
  implement(startPrivacyScan, ({ body }) => service.startScan(body.all)),
  implement(previewPrivacy, ({ body, signal }) => service.preview(body.text, body.policy, signal)),
  implement(getPrivacyBudget, () => service.budget()),
  implement(releaseStatistic, ({ body }) => service.release(body)),
]
