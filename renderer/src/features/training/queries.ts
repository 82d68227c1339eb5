import { useInfiniteQuery, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MatrixRequest, RunMatrix } from '#contracts/entities/run-matrix.ts'
import type { Run, RunRequest, TrainingQueue } from '#contracts/entities/run.ts'
import { answered, starting } from '#renderer/api/answer.ts'
import { api } from '#renderer/api/client.ts'
import { dropRun, patchRun, runKeys } from '#renderer/api/runs.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import type { RunFilter } from './list/filter.ts'

const PAGE = 100

export const useRuns = (filter: RunFilter) =>
  useInfiniteQuery({
    queryKey: runKeys.list(filter),
    queryFn: ({ pageParam, signal }) => api.listRuns({ query: { ...filter, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    placeholderData: (before) => before,
  })

export const useRun = (id: string) =>
  useQuery({ queryKey: runKeys.one(id), queryFn: ({ signal }) => api.getRun({ params: { id }, signal }), enabled: id !== '' })

export const usePresets = () => useQuery({ queryKey: runKeys.presets, queryFn: ({ signal }) => api.listPresets({ signal }) })

export const useCheckpoints = (id: string) =>
  useQuery({ queryKey: runKeys.checkpoints(id), queryFn: ({ signal }) => api.getRunCheckpoints({ params: { id }, signal }) })

/** Pause, resume, cancel. */
export function useRunActions(id: string) {
  const queries = useQueryClient()
  const cacheUpdate = answered(queries, {
    key: () => runKeys.one(id),
    lists: runKeys.lists,
    apply: (run: Run) => void patchRun(queries, run),
  })
  return {
    pause: useMutation({ mutationFn: () => api.pauseRun({ params: { id } }), ...cacheUpdate, meta: { title: "Couldn't pause the run" } }),
    resume: useMutation({
      mutationFn: () => api.resumeRun({ params: { id } }),
      ...cacheUpdate,
      meta: { title: "Couldn't resume the run" },
    }),
    cancel: useMutation({
      mutationFn: (keepCheckpoint: boolean) => api.cancelRun({ params: { id }, body: { keepCheckpoint } }),
      ...cacheUpdate,
      meta: { title: "Couldn't cancel the run" },
    }),
  }
}

type RunChange = Parameters<typeof api.patchRun>[0]['body']

/** Name, tags, note, star. */
export function usePatchRun() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: RunChange & { id: string }) => api.patchRun({ params: { id }, body }),
    // messages may have brought newer values of the other fields, so those of this answer are not used
    onSuccess: ({ id, name, tags, note, starred }) => {
      patchRun(queries, { id, name, tags, note, starred })
      void queries.invalidateQueries({ queryKey: runKeys.one(id), exact: true })
    },
    meta: { title: "Couldn't change the run" },
  })
}

export function useDeleteRun(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteRun({ params: { id } }),
    onSuccess: (_, id) => {
      onDone()
      dropRun(queries, id)
      toast.done('Run deleted')
    },
    meta: { title: "Couldn't delete the run" },
  })
}

export function usePatchQueue() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Partial<TrainingQueue>) => api.patchQueue({ body }),
    ...answered(queries, {
      key: () => runKeys.queue,
      apply: (queue: TrainingQueue) => void queries.setQueryData(runKeys.queue, queue),
    }),
    meta: { title: "Couldn't change the queue" },
  })
}

export function useStartRun(onStarted: (run: Run) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RunRequest & { idempotencyKey: string }) => api.startRun({ body }),
    ...starting(queries, { one: runKeys.one, lists: runKeys.lists }, onStarted),
  })
}

export const useMatrix = (id: string) =>
  useQuery({ queryKey: runKeys.matrix(id), queryFn: ({ signal }) => api.getMatrix({ params: { id }, signal }) })

const cacheRuns = (queries: QueryClient, { runs }: RunMatrix) => {
  for (const run of runs) queries.setQueryData(runKeys.one(run.id), run)
  // messages that arrived before this answer had no cached run to update, so each run is loaded again
  for (const { id } of runs) void queries.invalidateQueries({ queryKey: runKeys.one(id), exact: true, refetchType: 'all' })
  void queries.invalidateQueries({ queryKey: runKeys.lists })
}

export function useStartMatrix(onStarted: (matrix: RunMatrix) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: MatrixRequest & { skipRefused: boolean; idempotencyKey: string }) => api.startMatrix({ body }),
    onSuccess: (matrix) => {
      cacheRuns(queries, matrix)
      onStarted(matrix)
    },
    meta: { quiet: true },
  })
}

export function useCancelMatrix(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.cancelMatrix({ params: { id }, body: {} }),
    onSuccess: (matrix) => cacheRuns(queries, matrix),
    meta: { title: "Couldn't cancel the runs" },
  })
}

export function useSavePreset() {
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: runKeys.presets })
  return {
    save: useMutation({
      mutationFn: (body: { name: string; request: Partial<RunRequest> }) => api.savePreset({ body }),
      onSuccess: ({ name }) => {
        toast.done(`Preset “${name}” saved`)
        return reload()
      },
      meta: { title: "Couldn't save the preset" },
    }),
    remove: useMutation({
      mutationFn: (name: string) => api.deletePreset({ params: { name } }),
      onSuccess: (presets) => queries.setQueryData(runKeys.presets, presets),
      meta: { title: "Couldn't delete the preset" },
    }),
  }
}
