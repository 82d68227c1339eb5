import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as factory from '#contracts/routes/factory.ts'
import * as segments from '#contracts/routes/segments.ts'
import { exportTrace } from '#contracts/routes/traces.ts'
import type { Core } from '#server/core.ts'
import { exampleFacets } from './examples/facets.ts'
import { listExamples } from './examples/list.ts'
import type { FactoryService } from './service.ts'

/** Routes of segments, examples and the export of a session. */
export const factoryRoutes = (core: Core, service: FactoryService): Implementation[] => [
  implement(segments.listSegments, ({ params }) => service.segmentsPage(params.id)),
  implement(segments.setSegmentCuts, ({ params, body, who }) => service.setCuts(params.id, body.cuts, who)),
  implement(segments.resetSegmentCuts, ({ params, who }) => service.setCuts(params.id, [], who)),
  implement(segments.undoSegmentCuts, ({ params }) => service.undoCuts(params.id)),
  implement(exportTrace, ({ params, signal }) => service.atif(params.id, signal)),
  implement(segments.generateExamples, ({ params, body, signal }) => service.generate(params.id, body.options, signal)),
  implement(factory.buildExamples, ({ body }) => core.jobs.start('examples', (context) => service.build(body, context), { single: true })),
  implement(factory.listExamples, ({ query }) => listExamples(core, query)),
  implement(factory.listTrainingExamples, ({ query }) => listExamples(core, query)),
  implement(factory.getExampleFacets, ({ query }) => exampleFacets(core, query)),
  implement(factory.getExample, ({ params }) => service.example(params.id)),
  implement(factory.reviewExamples, ({ body, who }) => service.review(body.selection, body.state, who)),
  implement(factory.undoReview, ({ params }) => service.undoReview(params.bulkId)),
  implement(factory.editExample, ({ params, body, who }) => service.edit(params.id, body.messages, who)),
  implement(factory.dropExampleEdit, ({ params }) => service.dropEdit(params.id)),
]
