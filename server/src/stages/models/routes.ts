import { given } from '#server/given.ts'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/models.ts'
import type { Job } from '#contracts/entities/job.ts'
import type { ExportRequest } from './export/types.ts'
import type { Registry } from './service.ts'
import type { createServings } from './serving/servings.ts'

export interface ModelRouteDeps {
  registry: Registry
  servings: ReturnType<typeof createServings>
  export: (id: string, request: ExportRequest) => Promise<Job>
  probe: (id: string, endings: number) => Promise<Job>
}

export const modelRoutes = ({ registry, servings, ...parts }: ModelRouteDeps): Implementation[] => [
  implement(routes.listModels, ({ query }) => registry.list(query)),
  implement(routes.compareModels, ({ query }) => registry.compare(query.ids, query.metrics)),
  implement(routes.listServings, () => servings.list()),
  implement(routes.getModel, ({ params }) => registry.get(params.id)),
  implement(routes.patchModel, ({ params, body }) => registry.patch(params.id, given(body))),
  implement(routes.deleteModel, ({ params, query }) => registry.remove(params.id, query.name)),
  implement(routes.getModelLineage, ({ params }) => registry.lineage(params.id)),
  implement(routes.getModelCard, ({ params }) => ({ markdown: registry.card(params.id) })),
  implement(routes.exportModel, ({ params, body }) => parts.export(params.id, body)),
  implement(routes.probeModel, ({ params, body }) => parts.probe(params.id, body.endings)),
  implement(routes.deleteArtifact, ({ params }) => registry.removeArtifact(params.id, params.artifact)),
  implement(routes.startServing, ({ params, body }) => servings.start(params.id, body)),
  implement(routes.stopServing, ({ params }) => servings.stop(params.serving)),
  implement(routes.chatWithModel, ({ params, body, signal }) => servings.chat(params.serving, body, signal)),
]
