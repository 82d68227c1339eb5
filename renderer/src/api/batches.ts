import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { pathOf } from '#contracts/derive/client.ts'
import type { Batch } from '#contracts/entities/batch.ts'
import { type createBatch, downloadBatch, type planBatch } from '#contracts/routes/batches.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { answered, starting } from './answer.ts'
import { api } from './client.ts'
import { download } from './download.ts'
import type { Cache, Handlers } from './messages.ts'
import { type Pages, withRow } from './rows.ts'

export const batchKeys = {
  all: ['batches'] as const,
  one: (id: string) => ['batch', id] as const,
  /** The report after this many ended attempts. */
  report: (id: string, ended: number) => ['batch-report', id, ended] as const,
  plan: (request: object | null) => ['batch-plan', request] as const,
}

/** The request as typed; absent fields take their defaults. */
export type BatchDraft = z.input<typeof planBatch.body>

const PAGE = 50
/** Reports of fewer attempts are removed from the cache after this time. */
const OLD_REPORT_MS = 5000

export const useBatches = () =>
  useInfiniteQuery({
    queryKey: batchKeys.all,
    queryFn: ({ pageParam, signal }) => api.listBatches({ query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useBatch = (id: string) =>
  useQuery({
    queryKey: batchKeys.one(id),
    queryFn: ({ signal }) => api.getBatch({ params: { id }, query: {}, signal }),
  })

export const useBatchReport = (id: string, ended: number) =>
  useQuery({
    queryKey: batchKeys.report(id, ended),
    queryFn: ({ signal }) => api.getBatchReport({ params: { id }, signal }),
    placeholderData: (before) => before,
    gcTime: OLD_REPORT_MS,
  })

export function useStartBatch(onStarted: (batch: Batch) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof createBatch.body>) => api.createBatch({ body }),
    ...starting(queries, { one: batchKeys.one, lists: batchKeys.all }, onStarted),
  })
}

/** Actions on a batch. */
export function useBatchActions(id: string) {
  const queries = useQueryClient()
  const act = answered(queries, {
    key: () => batchKeys.one(id),
    lists: batchKeys.all,
    apply: (batch: Batch) => queries.setQueryData(batchKeys.one(id), batch),
  })
  return {
    cancel: useMutation({
      mutationFn: () => api.cancelBatch({ params: { id } }),
      ...act,
      meta: { title: "Couldn't cancel the batch" },
    }),
    /** `maxCostUsd` replaces the previous limit; undefined keeps it. */
    retry: useMutation({
      mutationFn: (maxCostUsd: number | null | undefined) => api.retryBatch({ params: { id }, body: { maxCostUsd } }),
      ...act,
      meta: { title: "Couldn't resume the batch" },
    }),
    /** `taskId` null clears the choice for that task. */
    choose: useMutation({
      mutationFn: (body: { key: string; taskId: string | null }) => api.chooseWinner({ params: { id }, body }),
      onSettled: () => queries.invalidateQueries({ queryKey: ['batch-report', id] }),
      meta: { title: "Couldn't choose the attempt" },
    }),
    download: useMutation({
      mutationFn: (format: 'jsonl' | 'csv') => download(pathOf(downloadBatch, { params: { id }, query: { format } })),
      meta: { title: "Couldn't download the results" },
    }),
  }
}

export const batchMessages = ({ queries, write, refetchSoon, afterBreak }: Cache) => {
  const reports = refetchSoon(['batch-report'])
  const lists = refetchSoon(batchKeys.all)
  const applyBatch = (batch: Batch) => {
    write<Batch>(batchKeys.one(batch.id), (known) => known && batch)
    queries.setQueriesData<Pages<Batch>>({ queryKey: batchKeys.all }, (data) => withRow(data, batch))
    reports()
  }
  return {
    'batch:status': ({ batch }) => {
      applyBatch(batch)
      lists() // it may be new
    },
    'batch:progress': ({ batch }) => applyBatch(batch),
    // a removed run has no result
    'task:removed': refetchSoon(batchKeys.all, ['batch'], ['batch-report']),
    hello: () => afterBreak(batchKeys.all, ['batch'], ['batch-report']),
  } satisfies Partial<Handlers>
}
