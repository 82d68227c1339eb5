import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

export const routerKeys = {
  all: ['router'] as const,
  status: ['router', 'status'] as const,
  preview: (action: 'install' | 'uninstall') => ['router', 'preview', action] as const,
}

export const useRouter = () => useQuery({ queryKey: routerKeys.status, queryFn: ({ signal }) => api.getRouter({ signal }) })

export const useModPreview = (action: 'install' | 'uninstall') =>
  useQuery({ queryKey: routerKeys.preview(action), queryFn: ({ signal }) => api.previewMod({ query: { action }, signal }) })

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

export const routerMessages = ({ refetch }: Cache) =>
  ({
    'settings:changed': () => refetch(routerKeys.all),
    'model:changed': () => refetch(routerKeys.all),
    'model:removed': () => refetch(routerKeys.all),
  }) satisfies Partial<Handlers>
