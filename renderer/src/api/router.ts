import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

export const routerKeys = {
  all: ['router'] as const,
  status: ['router', 'status'] as const,
  first: ['router', 'first'] as const,
  client: ['router', 'client'] as const,
  work: (id: string) => ['router', 'work', id] as const,
  preview: (action: 'install' | 'uninstall') => ['router', 'preview', action] as const,
}

export const useRouter = () => useQuery({ queryKey: routerKeys.status, queryFn: ({ signal }) => api.getRouter({ signal }) })

export const useModPreview = (action: 'install' | 'uninstall') =>
  useQuery({ queryKey: routerKeys.preview(action), queryFn: ({ signal }) => api.previewMod({ query: { action }, signal }) })

/** A setting of Claude Code that puts our mod first, or sends all sessions through the proxy. */
export const useClientChange = (which: 'first' | 'client') =>
  useQuery({
    queryKey: routerKeys[which],
    queryFn: ({ signal }) => (which === 'first' ? api.getModFirst({ signal }) : api.getClientProxy({ signal })),
  })

export function useSetClientChange(which: 'first' | 'client') {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (on: boolean) => (which === 'first' ? api.setModFirst({ body: { on } }) : api.setClientProxy({ body: { on } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: routerKeys.all }),
    meta: { title: "Couldn't change the settings of Claude Code" },
  })
}

/** What a model of the user's own did in Claude Code. */
export const useModelWork = (id: string) =>
  useQuery({ queryKey: routerKeys.work(id), queryFn: ({ signal }) => api.getModelWork({ params: { id }, signal }) })

export function useChangeMod(action: 'install' | 'uninstall') {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => (action === 'install' ? api.installMod({ body: {} }) : api.uninstallMod({ body: {} })),
    onSuccess: () => queries.invalidateQueries({ queryKey: routerKeys.all }),
    meta: { title: action === 'install' ? "Couldn't install the mod" : "Couldn't remove the mod" },
  })
}

export const useShowGymRules = () =>
  useMutation({
    mutationFn: (directory: string) => api.showGymRules({ body: { directory } }),
    meta: { title: "Couldn't read the rules for this project" },
  })

export const useSetGymRules = () =>
  useMutation({
    mutationFn: (body: { directory: string; written: boolean }) => api.setGymRules({ body }),
    meta: { title: "Couldn't change the rules for this project" },
  })

export const routerMessages = ({ refetch, refetchSoon }: Cache) =>
  ({
    'settings:changed': () => refetch(routerKeys.all),
    'model:changed': () => refetch(routerKeys.all),
    'model:removed': () => refetch(routerKeys.all),
    'router:step': refetchSoon(routerKeys.all),
  }) satisfies Partial<Handlers>
