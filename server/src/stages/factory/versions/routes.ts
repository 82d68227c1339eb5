import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/datasets.ts'
import type { Datasets } from './service.ts'

export function datasetRoutes(datasets: Datasets): Implementation[] {
  return [
    implement(routes.buildDataset, ({ body }) => datasets.build(body)),
    implement(routes.planDataset, ({ body }) => datasets.plan(body)),
    implement(routes.listDatasets, ({ query }) => datasets.list(query)),
    implement(routes.getDataset, ({ params }) => datasets.get(params.id)),
    implement(routes.listDatasetRows, ({ params, query }) => datasets.rows(params.id, query)),
    implement(routes.listDroppedRows, ({ params, query }) => datasets.dropped(params.id, query)),
    implement(routes.groupDataset, ({ params }) => datasets.groups(params.id)),
    implement(routes.compareDatasets, ({ query }) => datasets.compare(query.a, query.b, query)),
    implement(routes.deleteDataset, ({ params, query }) => datasets.remove(params.id, { forGood: query.forGood === 'true' })),
    implement(routes.restoreDataset, ({ params }) => datasets.restore(params.id)),
    implement(routes.exportDataset, ({ params, body, signal }) => datasets.export(params.id, body, signal)),
    implement(routes.downloadDataset, ({ params, query, signal }) => datasets.download(params.id, query, signal)),
    implement(routes.exportTraining, ({ body, signal }) => datasets.exportNewest(body.datasetId, body, signal)),
    implement(routes.importRows, ({ body }) => datasets.importRows(body)),
    implement(routes.peekFile, ({ body, signal }) => datasets.peek(body, signal)),
    implement(routes.listCollections, () => datasets.collections()),
    implement(routes.deleteCollection, ({ params }) => datasets.removeCollection(params.id)),
  ]
}
