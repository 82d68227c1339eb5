import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { Run } from '#contracts/entities/run.ts'
import { api } from './client.ts'
import { notCached, type Cache, type Handlers } from './messages.ts'
import { forget, withoutRow, withRow, type Pages } from './rows.ts'

/** Lists and single runs; `parts` is what transient messages change, read again after a break. */
export const runKeys = {
  all: ['runs'] as const,
  lists: ['runs', 'list'] as const,
  list: (query: object) => ['runs', 'list', query] as const,
  /** A few runs for the palette. */
  search: (q: string) => ['runs', 'search', q] as const,
  one: (id: string) => ['runs', 'one', id] as const,
  matrix: (id: string) => ['runs', 'matrix', id] as const,
  parts: (id: string) => ['runs', 'parts', id] as const,
  metrics: (id: string, asked: object) => ['runs', 'parts', id, 'metrics', asked] as const,
  system: (id: string) => ['runs', 'parts', id, 'system'] as const,
  samples: (id: string, source: string) => ['runs', 'parts', id, 'samples', source] as const,
  checkpoints: (id: string) => ['runs', 'parts', id, 'checkpoints'] as const,
  log: (id: string, q: string) => ['runs', 'parts', id, 'log', q] as const,
  plan: (request: object | null) => ['training', 'plan', request] as const,
  matrixPlan: (request: object | null) => ['training', 'matrix-plan', request] as const,
  queue: ['training', 'queue'] as const,
  presets: ['training', 'presets'] as const,
}

/** The filter for running and waiting runs. */
export const ACTIVE_RUNS = { state: ['preparing', 'running', 'pausing', 'queued'] } as const

/** Runs that are on the device or wait for it; kept current by messages. */
export const useActiveRuns = () =>
  useQuery({
    queryKey: runKeys.list(ACTIVE_RUNS),
    queryFn: ({ signal }) => api.listRuns({ query: { state: [...ACTIVE_RUNS.state], limit: 100 }, signal }),
  })
export const useTrainingQueue = () => useQuery({ queryKey: runKeys.queue, queryFn: ({ signal }) => api.getQueue({ signal }) })

/** How many matches are read: the word may be in other fields than the name. */
const NAMED = 50
/** Runs with a text in one of their fields, for the palette. Names change, so nothing is cached. */
export const useRunSearch = (q: string) =>
  useQuery({
    queryKey: runKeys.search(q),
    queryFn: ({ signal }) => api.listRuns({ query: { q, limit: NAMED }, signal }),
    enabled: q !== '',
    placeholderData: (previous) => previous,
    staleTime: 0,
  })

/** Updates a run on its own page and in every list. False if no list shows it. */
export function patchRun(queries: QueryClient, run: Partial<Run> & { id: string }): boolean {
  let listed = false
  queries.setQueriesData<Pages<Run>>({ queryKey: runKeys.lists }, (data) => {
    const next = withRow(data, run)
    listed ||= next !== data
    return next
  })
  queries.setQueryData<Run>(runKeys.one(run.id), (before) => (before ? { ...before, ...run } : before))
  return listed
}

export function dropRun(queries: QueryClient, id: string): void {
  queries.setQueriesData<Pages<Run>>({ queryKey: runKeys.lists }, (data) => withoutRow(data, id))
  forget(queries, runKeys.one(id), 'run_not_found')
  queries.removeQueries({ queryKey: runKeys.parts(id), type: 'inactive' })
}

export const runMessages = ({ queries, refetch, refetchInFlight, write, afterBreak }: Cache) => {
  const onRunChange = ({ run }: { run: Run }) => {
    const before = queries.getQueryData<Run>(runKeys.one(run.id))
    refetchInFlight(runKeys.lists, runKeys.one(run.id))
    // a list may have to show it now: it is new, or its new state matches the filter
    if (!patchRun(queries, run) || before?.state !== run.state) refetch(runKeys.lists)
    if (before && before.state !== run.state) refetch(runKeys.parts(run.id))
    else refetch(runKeys.checkpoints(run.id))
  }
  return {
    'training:changed': onRunChange,
    'training:complete': onRunChange,
    'training:failed': onRunChange,
    'training:removed': ({ id }) => {
      refetchInFlight(runKeys.lists)
      dropRun(queries, id)
    },
    'training:queue': (queue) => write(runKeys.queue, queue),
    'training:progress': ({ runId, step, totalSteps, epoch, tokensPerSec, etaSec, points }) => {
      const metrics = Object.assign({}, ...points.map((point) => point.metrics)) as Run['metrics']
      const known = queries.getQueryData<Run>(runKeys.one(runId))
      const loss = metrics['loss'] === undefined ? {} : { loss: metrics['loss'] }
      const evalLoss = metrics['eval_loss'] === undefined ? {} : { evalLoss: metrics['eval_loss'] }
      patchRun(queries, { id: runId, step, totalSteps, epoch, tokensPerSec, etaSec, ...loss, ...evalLoss })
      if (known) patchRun(queries, { id: runId, metrics: { ...known.metrics, ...metrics } })
    },
    'training:log': notCached,
    hello: () => afterBreak(runKeys.all),
  } satisfies Partial<Handlers>
}
