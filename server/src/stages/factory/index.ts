import type { DatasetRecipe } from '#contracts/entities/dataset.ts'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { SCORE_VERSION } from '#server/stages/scoring/index.ts'
import { fileBelow } from '#server/within.ts'
import type { Stage } from '../stage.ts'
import { augmentRoutes } from './augment/routes.ts'
import { createAugmentService } from './augment/service.ts'
import { createSharedTexts } from './curate/shared-texts.ts'
import { exampleSource } from './versions/examples-reader.ts'
import { datasetRoutes } from './versions/routes.ts'
import { createDatasets } from './versions/service.ts'
import { createRecordedWork } from './calls/service.ts'
import { followEvents } from './on-events.ts'
import { createPairRefresh } from './pairs/refresh.ts'
import { pairRoutes } from './pairs/routes.ts'
import { labelledSource, preferenceSource } from './pairs/source.ts'
import { shadowSource } from './pairs/shadow.ts'
import { createPairStore } from './pairs/store.ts'
import { knownTokenizers, tokenizerOf } from './preview/known-tokenizers.ts'
import { previewRoutes } from './preview/routes.ts'
import { factoryRoutes } from './routes.ts'
import { createFactoryService, type FactoryDeps } from './service.ts'

export { answersIn, type Conversation, contextAtWork, formAtWork, promptsIn } from './examples/at-work.ts'
export { compareVersions } from './tool-schemas/index.ts'
export { NO_CALLS } from './preview/render.ts'
export { chatml } from './preview/templates.ts'
export { createSharedTexts } from './curate/shared-texts.ts'
export { likenessOf } from './curate/min-hash.ts'
export type { SharedTexts } from './curate/shared-texts.ts'
export type { TextsReader } from './curate/shared-texts.job.ts'
export type { HeldOutItem } from './curate/held-out.ts'
export type { RecordedCall, RecordedCalls } from './calls/calls.job.ts'
export type { createRecordedWork } from './calls/service.ts'
export type { FactoryDeps } from './service.ts'
export { unfitReason } from './pairs/shadow.ts'
export type { ShadowPair, ShadowTexts } from './pairs/shadow.ts'

/** From sessions to training data: segments and examples under review, versions of data sets. */
export function createFactory(core: Core, deps: FactoryDeps) {
  const service = createFactoryService(core, deps)
  const pairs = createPairStore(core.db, core.now)
  const pairRefresh = createPairRefresh(core, pairs, () => deps.gate('review of pairs'))
  const policyChanged = () => {
    service.policyChanged()
    pairRefresh.wake()
  }
  const unfollow = followEvents(core, { tracesChanged: service.wake, policyChanged })
  const tokenizers = () =>
    knownTokenizers({ named: deps.tokenizers(), hubCache: core.config.hubCache, models: path.join(core.config.dataDir, 'models') })
  const datasets = createDatasets(core, {
    traces: deps.traces,
    sources: [exampleSource, preferenceSource(core, pairs, deps.preferred), shadowSource(deps.shadowPairs), labelledSource()],
    policy: () => deps.gate('data set'),
    tokenizer: (baseModel) => tokenizerOf(baseModel, tokenizers),
    examined: deps.examinedRows,
    scoreVersion: SCORE_VERSION,
    codeVersion: deps.version,
    usedBy: deps.usedBy,
    titleOf: (traceId) => titleOf(deps, traceId),
  })
  const preview = previewRoutes(core, {
    example: service.example,
    row: async (id, index) => (await datasets.rows(id, { cursor: String(index), limit: 1 })).items[0]?.row,
    files: (id) => datasets.get(id).files.map((file) => ({ ...file, path: fileBelow(datasets.folder(id), file.path) })),
    tokenizers: deps.tokenizers,
  })
  const augment = createAugmentService(core, {
    providers: deps.providers,
    gateInput: deps.gate,
    markStale: service.markStale,
    refresh: service.refresh,
  })
  const stage: Stage = {
    name: 'factory',
    routes: [
      ...factoryRoutes(core, service),
      ...pairRoutes(core, pairs, deps, pairRefresh),
      ...datasetRoutes(datasets),
      ...preview,
      ...augmentRoutes(augment),
    ],
    forget(traceId: string): void {
      service.forget(traceId)
      datasets.forget(traceId)
      augment.forget(traceId)
      const removed = pairs.forget(traceId)
      if (removed > 0) core.events.append('pairs:changed', { pairs: removed })
    },
    start(): void {
      augment.recover()
      policyChanged()
      service.wake()
      void datasets
        .storeSessions()
        .catch((error: unknown) => core.log.error({ err: error }, 'The sessions of data sets could not be stored'))
    },
    async close(): Promise<void> {
      unfollow()
      await pairRefresh.close()
      await service.close()
    },
    startAgain: { 'synthetic-run': (id) => augment.resume(id, undefined) },
    figures: () => ({ examples: service.count(), dataSets: datasets.list({ limit: 1 }).total }),
  }
  return {
    stage,
    /** For the derive job, which runs it on each session. */
    analyser: { name: 'segments', url: new URL('./segment-analyser.ts', import.meta.url).href, options: () => null },
    segments: service.segments,
    datasets: {
      get: datasets.get,
      ids: datasets.ids,
      canaries: datasets.canaries,
      folder: datasets.folder,
      build: (recipe: DatasetRecipe) => datasets.build(recipe),
    },
    sharedTexts: createSharedTexts(core, (id) =>
      datasets.get(id).files.flatMap(({ path: name }) => (name.startsWith('test') ? [] : fileBelow(datasets.folder(id), name))),
    ),
    recordedWork: createRecordedWork(core, { traces: deps.traces, gate: deps.gate }),
    onDerived: service.onDerived,
  }
}

/** Null if the session has no title or is missing. */
function titleOf({ traces }: FactoryDeps, traceId: string): string | null {
  try {
    return traces.trace(traceId).title
  } catch (error) {
    if (error instanceof AppError && error.code === 'trace_not_found') return null
    throw error
  }
}
