import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { BenchmarkRunRequest } from '#contracts/entities/benchmark.ts'
import type { listBenchmarkRows } from '#contracts/routes/benchmarks.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { answered } from './answer.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

export const benchmarkKeys = {
  all: ['benchmarks'] as const,
  plan: (request: object | null) => ['benchmark-plan', request] as const,
  runs: (model: string | null) => ['benchmark-runs', model] as const,
  run: (id: string) => ['benchmark-run', id] as const,
  rows: (id: string, only: string) => ['benchmark-rows', id, only] as const,
  row: (id: string, no: number, sample: number) => ['benchmark-row', id, no, sample] as const,
  compared: (ids: readonly string[]) => ['benchmark-compared', ids] as const,
}

export type BenchmarkDraft = z.input<typeof BenchmarkRunRequest>
export type RowKind = NonNullable<z.output<typeof listBenchmarkRows.query>['only']>

const PAGE = 50

/** `fetchedAt`: when a set was fetched last, so that the list is read again. */
export const useBenchmarks = (fetchedAt: string | null) =>
  useQuery({
    queryKey: [...benchmarkKeys.all, fetchedAt],
    queryFn: ({ signal }) => api.listBenchmarks({ signal }),
    placeholderData: keepPreviousData,
  })

/** Runs, newest first; of one model of the registry, or all. */
export const useBenchmarkRuns = (model: string | null) =>
  useInfiniteQuery({
    queryKey: benchmarkKeys.runs(model),
    queryFn: ({ pageParam, signal }) =>
      api.listBenchmarkRuns({ query: { limit: PAGE, ...(model !== null && { model }), ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useBenchmarkRun = (id: string) =>
  useQuery({ queryKey: benchmarkKeys.run(id), queryFn: ({ signal }) => api.getBenchmarkRun({ params: { id }, query: {}, signal }) })

export const useBenchmarkRows = (id: string, only: RowKind | 'all') =>
  useInfiniteQuery({
    queryKey: benchmarkKeys.rows(id, only),
    queryFn: ({ pageParam, signal }) =>
      api.listBenchmarkRows({ params: { id }, query: { limit: PAGE, ...(only !== 'all' && { only }), ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useBenchmarkRow = (id: string, no: number, sample: number) =>
  useQuery({
    queryKey: benchmarkKeys.row(id, no, sample),
    queryFn: ({ signal }) => api.getBenchmarkRow({ params: { id, no }, query: { sample }, signal }),
  })

export const useComparedRuns = (ids: readonly string[]) =>
  useQuery({
    queryKey: benchmarkKeys.compared(ids),
    queryFn: ({ signal }) => api.compareBenchmarkRuns({ query: { runs: [...ids] }, signal }),
  })

export function useStartBenchmark(onStarted: (id: string) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: BenchmarkDraft) => api.runBenchmark({ body }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['benchmark-runs'] })
      void queries.invalidateQueries({ queryKey: benchmarkKeys.all })
      onStarted(id)
    },
    meta: { quiet: true },
  })
}

/** Runs every benchmark that is ready on a model. */
export function useEvaluateModel() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.evaluateModel({ params: { id }, body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['benchmark-runs'] }),
    meta: { title: "Couldn't evaluate the model" },
  })
}

/** Actions on a run. */
export function useBenchmarkActions(id: string) {
  const queries = useQueryClient()
  const act = answered(queries, { key: () => benchmarkKeys.run(id), lists: ['benchmark-runs'], apply: () => undefined })
  return {
    cancel: useMutation({
      mutationFn: () => api.cancelBenchmarkRun({ params: { id } }),
      ...act,
      meta: { title: "Couldn't cancel the run" },
    }),
    resume: useMutation({
      mutationFn: () => api.resumeBenchmarkRun({ params: { id }, body: {} }),
      ...act,
      meta: { title: "Couldn't repeat what is owed" },
    }),
  }
}

export const benchmarkMessages = ({ refetch, refetchSoon, afterBreak }: Cache) => {
  const progress = refetchSoon(['benchmark-run'], ['benchmark-rows'], ['benchmark-runs'])
  const changed = () => refetch(['benchmark-run'], ['benchmark-rows'], ['benchmark-runs'], ['benchmark-compared'])
  return {
    'benchmark:progress': () => progress(),
    'benchmark:complete': changed,
    'benchmark:failed': changed,
    hello: () => afterBreak(['benchmark-run'], ['benchmark-rows'], ['benchmark-runs']),
  } satisfies Partial<Handlers>
}
