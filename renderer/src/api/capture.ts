import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import { useJobCall } from './jobs.ts'
import { notCached, type Cache, type Handlers } from './messages.ts'
import { settingsKeys } from './settings.ts'
import { statsKeys } from './stats.ts'
import { traceKeys } from './traces.ts'

export const captureKeys = {
  status: ['capture'] as const,
  scan: ['scan'] as const,
  hooks: ['hooks'] as const,
  hooksStatus: ['hooks', 'status'] as const,
  shellEdits: ['hooks', 'shell-edits'] as const,
  hooksPreviews: ['hooks', 'preview'] as const,
  hooksPreview: (action: 'install' | 'uninstall') => ['hooks', 'preview', action] as const,
}

export const useCapture = () => useQuery({ queryKey: captureKeys.status, queryFn: ({ signal }) => api.getCapture({ signal }) })
export const useScan = () => useQuery({ queryKey: captureKeys.scan, queryFn: ({ signal }) => api.scanHistory({ signal }) })
export const useHooks = () => useQuery({ queryKey: captureKeys.hooksStatus, queryFn: ({ signal }) => api.getHooks({ signal }) })
export const useHooksPreview = (action: 'install' | 'uninstall', enabled = true) =>
  useQuery({
    queryKey: captureKeys.hooksPreview(action),
    queryFn: ({ signal }) => api.previewHooks({ query: { action }, signal }),
    enabled,
  })

export function useChangeHooks(action: 'install' | 'uninstall') {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => (action === 'install' ? api.installHooks({ body: {} }) : api.uninstallHooks({ body: {} })),
    onSuccess: async (report) => {
      queries.setQueryData(captureKeys.hooksStatus, report)
      await Promise.all(
        [captureKeys.hooksPreviews, captureKeys.shellEdits, captureKeys.status].map((queryKey) => queries.invalidateQueries({ queryKey })),
      )
    },
    meta: { title: action === 'install' ? "Couldn't install the hooks" : "Couldn't remove the hooks" },
  })
}

export const useShellEdits = () => useQuery({ queryKey: captureKeys.shellEdits, queryFn: ({ signal }) => api.getShellEdits({ signal }) })

export function useSetShellEdits() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (on: boolean) => api.setShellEdits({ body: { on } }),
    onSuccess: (setting) => {
      queries.setQueryData(captureKeys.shellEdits, setting)
      return queries.invalidateQueries({ queryKey: captureKeys.hooksPreviews })
    },
    meta: { title: "Couldn't change the settings of Claude Code" },
  })
}

/** Starts an import of every known place, or of the given paths. */
export const useStartImport = () =>
  useJobCall((paths?: string[]) => api.startImport({ body: paths ? { paths } : {} }), "Couldn't start the import")

export const useImportSamples = () => useJobCall(() => api.importSamples({ body: {} }), "Couldn't load the sample sessions")

/** Excludes a project from now on and removes its archived sessions. */
export function useLeaveOutProject() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (cwd: string) => api.leaveOutProject({ body: { cwd } }),
    onSuccess: () =>
      Promise.all(
        [captureKeys.scan, settingsKeys.all, traceKeys.all, statsKeys.all].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
    meta: { title: "Couldn't exclude the project" },
  })
}

export const captureMessages = ({ refetch, write, afterBreak }: Cache) => {
  const scan = () => refetch(captureKeys.scan)
  return {
    'capture:status': (status) => write(captureKeys.status, status),
    'capture:notification': notCached,
    'job:complete': scan,
    'job:failed': scan,
    'settings:changed': scan, // projects may have been excluded
    hello: () => afterBreak(captureKeys.status),
  } satisfies Partial<Handlers>
}
