import { implement, type Implementation } from '#contracts/derive/route.ts'
import { getHome, getPrices } from '#contracts/routes/system.ts'
import * as routes from '#contracts/routes/traces.ts'
import { whereOfFilter } from './filter/query.ts'
import type { TracesService } from './service.ts'

/** Handlers of the traces and views groups, and of GET home. */
export function tracesRoutes(traces: TracesService, now: () => number): Implementation[] {
  return [
    implement(routes.listTraces, ({ query }) => traces.lists.list(query)),
    implement(routes.getHitLines, async ({ query: { q, ids }, signal }) => ({ items: await traces.lists.hitLines(q, ids, signal) })),
    implement(routes.getTracePlace, async ({ params, query }) => ({ place: await traces.lists.place(params.id, query) })),
    implement(routes.getTraceFacets, ({ query }) => traces.lists.facets(query)),
    implement(routes.getTrace, async ({ params, query }) => ({
      ...traces.detail(params.id),
      segments: query.segments ? await traces.segments(params.id) : null,
    })),
    implement(routes.listSteps, ({ params, query }) => traces.steps(params.id, query.cursor, query.limit)),
    implement(routes.getStep, ({ params }) => traces.step(params.id, params.stepId)),
    implement(routes.listTranscript, ({ params, query }) => traces.transcript(params.id, query)),
    implement(routes.getTimeline, ({ params, query }) => traces.timeline(params.id, query)),
    implement(routes.getRaw, ({ params, query }) => traces.raw(params.id, query)),
    implement(routes.promoteTrace, ({ params, body, who }) => traces.set(params.id, body.tier, who, body.reason ?? null)),
    implement(routes.demoteTrace, ({ params, body, who }) => traces.set(params.id, body.tier, who, body.reason ?? null)),
    implement(routes.undoTier, ({ params, body, who }) => traces.undo(params.id, who, body.decisionId)),
    implement(routes.unsetTier, ({ params, who }) => traces.set(params.id, null, who, null)),
    implement(routes.listDecisions, ({ params }) => ({ items: traces.history(params.id) })),
    implement(routes.changeTags, ({ params, body, who }) => traces.changeTags(params.id, body, who)),
    implement(routes.setNote, ({ params, body, who }) => traces.setNote(params.id, body.note, who)),
    implement(routes.forgetTrace, async ({ params }) => {
      await traces.forget(params.id)
      return { removed: true as const }
    }),
    implement(routes.bulkTraces, async ({ body: { selection, act }, who }) =>
      traces.bulk('ids' in selection ? selection.ids : await traces.lists.ids(selection.filter), act, who),
    ),
    implement(routes.undoBulk, ({ params, who }) => traces.undoBulk(params.bulkId, who)),
    implement(routes.listViews, () => ({ items: traces.views.list() })),
    implement(routes.saveView, ({ body }) => {
      whereOfFilter({ q: body.query }, now()) // an invalid view is not saved
      return traces.views.save(body)
    }),
    implement(routes.deleteView, ({ params }) => {
      traces.views.remove(params.id)
      return { removed: true as const }
    }),
    implement(getHome, () => traces.home()),
    implement(getPrices, () => traces.prices()),
  ]
}
