import type { Core } from '#server/core.ts'
import { SCORE_VERSION } from '#server/stages/scoring/index.ts'
import { exampleSource } from './build/examples-reader.ts'
import { datasetRoutes } from './build/routes.ts'
import { createDatasets } from './build/service.ts'
import { followTraces } from './on-events.ts'
import { factoryRoutes } from './routes.ts'
import { createFactoryService, type FactoryDeps } from './service.ts'

export type { FactoryDeps } from './service.ts'

/** From sessions to training data: segments and examples under review, versions of data sets. */
export function createFactory(core: Core, deps: FactoryDeps) {
  const service = createFactoryService(core, deps)
  const unfollow = followTraces(core, service.wake)
  const datasets = createDatasets(core, {
    traces: { ...deps.traces, trace: (traceId) => deps.traces.require(traceId) },
    sources: [exampleSource],
    policy: () => deps.gate('data set'),
    scoreVersion: SCORE_VERSION,
    codeVersion: deps.version,
  })
  return {
    routes: [...factoryRoutes(core, service), ...datasetRoutes(datasets)],
    /** What the derive job is handed for segments. */
    analyser: { name: 'segments', url: new URL('./segment-analyser.ts', import.meta.url).href, options: () => null },
    segments: service.segments,
    onDerived: service.onDerived,
    onForgotten: service.onForgotten,
    start: service.wake,
    async close(): Promise<void> {
      unfollow()
      await service.close()
    },
  }
}
