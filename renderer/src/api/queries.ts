import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SettingsPatch } from '#contracts/entities/settings.ts'
import { api } from './client.ts'
import { confirmed } from './confirmation.ts'
import { isActive } from './job-words.ts'
import { keys } from './keys.ts'
import { patchJob } from './patch.ts'

/** What is asked for runs at work or waiting. */
export const ACTIVE_RUNS = { state: ['preparing', 'running', 'pausing', 'queued'] } as const

/** Hooks over facts that more than one screen shows. */
export const useHome = () => useQuery({ queryKey: keys.home, queryFn: ({ signal }) => api.getHome({ signal }) })
export const useStats = () => useQuery({ queryKey: keys.stats, queryFn: ({ signal }) => api.getStats({ signal }) })
export const usePrices = () => useQuery({ queryKey: keys.prices, queryFn: ({ signal }) => api.getPrices({ signal }) })
export const useCapture = () => useQuery({ queryKey: keys.capture, queryFn: ({ signal }) => api.getCapture({ signal }) })
export const usePrivacy = () => useQuery({ queryKey: keys.privacyStatus, queryFn: ({ signal }) => api.getPrivacy({ signal }) })
export const useProviders = () => useQuery({ queryKey: keys.providers, queryFn: ({ signal }) => api.listProviders({ signal }) })
export const useTrainingQueue = () => useQuery({ queryKey: keys.trainingQueue, queryFn: ({ signal }) => api.getQueue({ signal }) })
export const useTrainingDevices = () =>
  useQuery({ queryKey: keys.trainingDevices, queryFn: ({ signal }) => api.getTrainingDevices({ signal }) })
/** Base models on this machine. */
export const useBaseModels = () =>
  useQuery({ queryKey: keys.baseModels, queryFn: ({ signal }) => api.listBaseModels({ query: {}, signal }) })
/** Runs that are on the device or wait for it; kept current by messages. */
export const useActiveRuns = () =>
  useQuery({
    queryKey: keys.runList(ACTIVE_RUNS),
    queryFn: ({ signal }) => api.listRuns({ query: { state: [...ACTIVE_RUNS.state], limit: 100 }, signal }),
  })
export const useScan = () => useQuery({ queryKey: keys.scan, queryFn: ({ signal }) => api.scanHistory({ signal }) })
export const useSettings = () => useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => api.getSettings({ signal }) })
export const useSystemInfo = () => useQuery({ queryKey: keys.systemInfo, queryFn: ({ signal }) => api.getSystemInfo({ signal }) })
export const useSignIns = () => useQuery({ queryKey: keys.signIns, queryFn: ({ signal }) => api.listSignIns({ signal }) })
export const useDoctor = () => useQuery({ queryKey: keys.doctor, queryFn: ({ signal }) => api.getDoctor({ signal }) })
export const useTrainingEnvironment = () =>
  useQuery({ queryKey: keys.trainingEnvironment, queryFn: ({ signal }) => api.getTrainingEnvironment({ query: {}, signal }) })
export const useTrainingEnvironmentLog = (isShown: boolean) =>
  useQuery({
    queryKey: keys.trainingEnvironmentLog,
    queryFn: ({ signal }) => api.getTrainingEnvironmentLog({ signal }),
    enabled: isShown,
    staleTime: 0,
  })
export const useHooks = () => useQuery({ queryKey: keys.hooksStatus, queryFn: ({ signal }) => api.getHooks({ signal }) })
export const useHooksPreview = (action: 'install' | 'uninstall', enabled = true) =>
  useQuery({ queryKey: keys.hooksPreview(action), queryFn: ({ signal }) => api.previewHooks({ query: { action }, signal }), enabled })
/** The newest long works; `job:*` messages keep them current. */
/** How many of the newest jobs are read. */
export const LISTED_JOBS = 20
export const useJobs = () =>
  useQuery({ queryKey: keys.jobs, queryFn: ({ signal }) => api.listJobs({ query: { limit: LISTED_JOBS }, signal }) })
/** A few traces for the palette: the newest, or what matches. */
export const useTraceSearch = (q: string) =>
  useQuery({
    queryKey: keys.traceSearch(q),
    queryFn: ({ signal }) => api.listTraces({ query: { limit: 8, ...(q ? { q } : {}) }, signal }),
    placeholderData: (previous) => previous,
  })

/** How many of what a word is found in are read: the word may stand in other fields than the name. */
const NAMED = 50
/** Runs that have a text in one of their fields, for the palette. Names change, so it asks each time anew. */
export const useRunSearch = (q: string) =>
  useQuery({
    queryKey: keys.runSearch(q),
    queryFn: ({ signal }) => api.listRuns({ query: { q, limit: NAMED }, signal }),
    enabled: q !== '',
    placeholderData: (previous) => previous,
    staleTime: 0,
  })
export const useModelSearch = (q: string) =>
  useQuery({
    queryKey: keys.modelSearch(q),
    queryFn: ({ signal }) => api.listModels({ query: { q, limit: NAMED }, signal }),
    enabled: q !== '',
    placeholderData: (previous) => previous,
    staleTime: 0,
  })

/** The job of a kind that is queued or running, or null. */
export function useRunningJob(...kinds: string[]) {
  const { data } = useJobs()
  return data?.items.find((job) => kinds.includes(job.kind) && isActive(job)) ?? null
}

/** What a restored backup brought that runs or sends something, until the user decides. */
export const useRestored = () => useQuery({ queryKey: keys.restored, queryFn: ({ signal }) => api.getRestored({ signal }) })

export function useDiscardRestored() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => api.discardRestored({ params: { key } }),
    onSuccess: (restored) => queries.setQueryData(keys.restored, restored),
    meta: { title: "Couldn't discard the restored setting" },
  })
}

/** Writes settings; the answer is the whole document, so every reader has it at once. */
export function usePatchSettings() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsPatch) => confirmed(() => api.patchSettings({ body })),
    onSuccess: (document) => queries.setQueryData(keys.settings, document),
    meta: { title: "Couldn't save the setting" },
  })
}

/** Starts an import of every known place, or of the paths given. */
export function useStartImport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (paths?: string[]) => api.startImport({ body: paths ? { paths } : {} }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't start the import" },
  })
}

/** Passes a project over from now on and removes what is archived of it. */
export function useLeaveOutProject() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (cwd: string) => api.leaveOutProject({ body: { cwd } }),
    onSuccess: () =>
      Promise.all([keys.scan, keys.settings, keys.traces, keys.stats].map((queryKey) => queries.invalidateQueries({ queryKey }))),
    meta: { title: "Couldn't exclude the project" },
  })
}

export function useImportSamples() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.importSamples({ body: {} }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't load the sample sessions" },
  })
}

const SAMPLES = { q: 'is:sample', limit: 1 }

/** How many sample sessions there are; undefined until that is known. */
export const useSampleCount = (): number | undefined =>
  useQuery({ queryKey: keys.traceList(SAMPLES), queryFn: ({ signal }) => api.listTraces({ query: SAMPLES, signal }) }).data?.total

export function useRemoveSamples() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.removeSamples({}),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.traces }),
    meta: { title: "Couldn't remove the sample sessions" },
  })
}

export function useChangeHooks(action: 'install' | 'uninstall') {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => (action === 'install' ? api.installHooks({ body: {} }) : api.uninstallHooks({ body: {} })),
    onSuccess: async (report) => {
      queries.setQueryData(keys.hooksStatus, report)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['hooks', 'preview'] }),
        queries.invalidateQueries({ queryKey: keys.capture }),
      ])
    },
    meta: { title: action === 'install' ? "Couldn't install the hooks" : "Couldn't remove the hooks" },
  })
}

export function useCancelJob() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.cancelJob({ params: { id }, body: {} }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't stop the job" },
  })
}

export function useRescore() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.startRescore({ body: {} }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't start rescoring" },
  })
}

export function useRebuild() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.startRebuild({ body: {} }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't start the rebuild" },
  })
}

/** Scans what is new in the archive, or everything again. */
export function usePrivacyScan() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (all: boolean) => api.startPrivacyScan({ body: { all } }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't start the scan" },
  })
}
