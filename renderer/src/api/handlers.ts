import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Job } from '#contracts/entities/job.ts'
import type { Run } from '#contracts/entities/run.ts'
import type { SettingsDocument } from '#contracts/entities/settings.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { Payload, ServerMessage, ServerMessageType } from '#contracts/messages.ts'
import { addArrivals, clearArrivals, dropArrival } from './arrivals.ts'
import { coalesce } from './coalesce.ts'
import { keys } from './keys.ts'
import { createOvertaken } from './overtaken.ts'
import { dropModel, dropRun, dropTrace, forget, patchJob, patchModel, patchRun, patchTrace } from './patch.ts'

type Handlers = { [T in ServerMessageType]: (payload: Payload<T>, at: string) => void }

/** Figures over many rows are asked for again at most this often while rows pour in. */
const FIGURES_MS = 1000

/** What each message does to the cache. Every type of the contract has its line; a new type does not compile without. */
export function createHandlers(queries: QueryClient): Handlers {
  const overtake = createOvertaken(queries)
  const overtakeAll = (...all: QueryKey[]) => all.forEach((queryKey) => overtake({ queryKey }))
  const again = (queryKey: QueryKey) => {
    // A first answer on its way is not asked for anew by this, and may be older than the message.
    overtake({ queryKey, predicate: ({ state }) => state.data === undefined })
    void queries.invalidateQueries({ queryKey })
  }
  const figures = coalesce(() => {
    for (const key of [keys.home, keys.stats, keys.traceFacets, keys.scoringPreviews]) again(key)
  }, FIGURES_MS)
  const searches = coalesce(() => again(keys.traceSearches), FIGURES_MS)
  const jobsAgain = coalesce(() => again(keys.jobs), FIGURES_MS)
  const examples = coalesce(() => again(keys.examples), FIGURES_MS)
  const modelLists = coalesce(() => again(keys.modelLists), FIGURES_MS)
  const installerSaid = coalesce(() => again(keys.trainingEnvironmentLog), FIGURES_MS)
  let epoch: string | null = null
  const startedAt = Date.now()

  const traceChanged = (trace: Trace) => {
    overtakeAll(keys.traceLists, keys.traceSearches, keys.trace(trace.id))
    patchTrace(queries, trace)
  }
  const decided = ({ trace }: Payload<'trace:promoted'>) => {
    traceChanged(trace)
    again(keys.decisions(trace.id))
    figures()
  }
  const runChanged = ({ run }: { run: Run }) => {
    const before = queries.getQueryData<Run>(keys.run(run.id))
    overtakeAll(keys.runLists, keys.run(run.id))
    // a list that does not show it may have to now: a new run, or one that fits its filter in this state
    if (!patchRun(queries, run) || before?.state !== run.state) again(keys.runLists)
    if (before && before.state !== run.state) again(keys.runPart(run.id))
    else again(keys.runCheckpoints(run.id))
  }
  const knownJobs = () => queries.getQueryData<{ items: Job[] }>(keys.jobs)?.items ?? []
  const ended = ({ job }: { job: Job }) => {
    overtakeAll(keys.jobs, keys.job(job.id))
    patchJob(queries, job)
    if (knownJobs().some(({ kind, queuePosition }) => kind === job.kind && queuePosition !== null)) jobsAgain() // those that wait move up
    figures()
    // A rebuild, a rescore or an import may have touched any row.
    again(keys.traceLists)
    again(keys.traceDetails)
    again(keys.scan)
    if (job.kind === 'dataset-import') again(keys.datasets)
    if (job.kind === 'augment') again(keys.augmentRuns)
    if (job.kind === 'training-environment') again(keys.trainingEnvironment)
  }

  return {
    'trace:added': ({ trace }) => {
      addArrivals([trace.id])
      searches()
      figures()
    },
    'trace:updated': ({ id, trace, fromSeq }) => {
      traceChanged(trace)
      // Score, turns, files and sub-agents are only in the detail.
      again(keys.trace(id))
      if (fromSeq !== null) again(keys.traceParts(id))
      figures()
    },
    'trace:removed': ({ id }) => {
      overtakeAll(keys.traceLists, keys.traceSearches)
      dropTrace(queries, id)
      dropArrival(id)
      figures()
    },
    'trace:batch': ({ added, updated }) => {
      addArrivals(added)
      for (const id of updated) again(keys.trace(id))
      if (updated.length > 0) again(keys.traceLists)
      searches()
      figures()
    },
    'trace:promoted': decided,
    'trace:demoted': decided,
    'job:complete': ended,
    'job:failed': ended,
    'settings:changed': ({ settings }) => {
      overtake({ queryKey: keys.settings })
      queries.setQueryData<SettingsDocument>(keys.settings, (document) => (document ? { ...document, settings } : document))
      again(keys.restored)
      again(keys.scan) // projects may have been excluded
      again(keys.scoringPreviews)
      again(keys.prices)
      again(keys.providers)
      again(keys.trainingEnvironment)
      again(keys.baseModels)
    },
    'dataset:added': () => again(keys.datasets),
    // Asking for the removed one again would only fail.
    'dataset:removed': ({ id }) => {
      forget(queries, keys.dataset(id), 'dataset_not_found')
      void queries.invalidateQueries({ queryKey: keys.datasets, predicate: ({ queryKey }) => !queryKey.includes(id) })
    },
    'examples:changed': examples,
    'pairs:changed': () => again(keys.pairs),
    'segments:changed': ({ traceId }) => {
      again(keys.trace(traceId))
      again(keys.segments(traceId))
    },
    'privacy:changed': () => again(keys.privacy),
    'training:changed': runChanged,
    'training:complete': runChanged,
    'training:failed': runChanged,
    'training:removed': ({ id }) => {
      overtake({ queryKey: keys.runLists })
      dropRun(queries, id)
    },
    'training:queue': (queue) => {
      overtake({ queryKey: keys.trainingQueue })
      queries.setQueryData(keys.trainingQueue, queue)
    },
    'training:progress': ({ runId, step, totalSteps, epoch, tokensPerSec, etaSec, points }) => {
      const metrics = Object.assign({}, ...points.map((point) => point.metrics)) as Run['metrics']
      const known = queries.getQueryData<Run>(keys.run(runId))
      const loss = metrics['loss'] === undefined ? {} : { loss: metrics['loss'] }
      const evalLoss = metrics['eval_loss'] === undefined ? {} : { evalLoss: metrics['eval_loss'] }
      patchRun(queries, { id: runId, step, totalSteps, epoch, tokensPerSec, etaSec, ...loss, ...evalLoss })
      if (known) patchRun(queries, { id: runId, metrics: { ...known.metrics, ...metrics } })
    },
    'training:log': () => {
      // Appended by the page that shows the log, which hears it through onMessage.
    },
    'model:changed': ({ model }) => {
      overtake({ queryKey: keys.model(model.id) })
      patchModel(queries, model)
      // a star, a tag or the archive may take it into a list or out of it
      modelLists()
      again(keys.modelLineage(model.id))
      again(keys.modelCard(model.id))
      again(keys.modelComparisons)
    },
    'model:removed': ({ id }) => {
      overtake({ queryKey: keys.modelLists })
      dropModel(queries, id)
    },
    'model:servings': (servings) => {
      overtake({ queryKey: keys.servings })
      queries.setQueryData(keys.servings, servings)
    },
    'job:progress': ({ id, kind, progress }) => {
      if (kind === 'training-environment') installerSaid()
      const known = knownJobs().find((job) => job.id === id)
      if (known) patchJob(queries, { ...known, ...(known.state === 'queued' && { state: 'running', queuePosition: null }), progress })
      else jobsAgain()
    },
    'capture:status': (status) => {
      overtake({ queryKey: keys.capture })
      queries.setQueryData(keys.capture, status)
    },
    'sign-ins:changed': () => again(keys.signIns),
    'confirmation:confirmed': () => {
      // Nothing is cached of it; who waits for it hears it through onMessage.
    },
    'capture:notification': () => {
      // Nothing is cached of it; the notifier hears it through onMessage.
    },
    hello: (hello) => {
      if (epoch === null) {
        // What was read before the subscription stood may have missed a message: those answers are asked for again,
        // and those on their way once they have come.
        overtake()
        const early = (updatedAt: number) => updatedAt > 0 && updatedAt >= startedAt
        void queries.invalidateQueries({ predicate: ({ state }) => early(state.dataUpdatedAt) || state.status === 'error' })
      } else {
        // Durable messages are replayed by the server; passing ones are not, so what they tell is read again.
        again(keys.capture)
        again(keys.jobs)
        again(keys.runs)
        again(keys.servings)
        again(keys.models) // a server that was away has none loaded any more
        void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
      }
      epoch = hello.epoch
    },
    reset: (reset) => {
      epoch = reset.epoch
      clearArrivals()
      void queries.invalidateQueries()
    },
  }
}

/** Hands a message to its line; types that this page does not know yet are left alone. */
export function dispatch(handlers: Handlers, message: ServerMessage): void {
  if (!Object.hasOwn(handlers, message.type)) return
  const handle = handlers[message.type] as (payload: ServerMessage['payload'], at: string) => void // type and payload belong together in the union
  handle(message.payload, message.at)
}
