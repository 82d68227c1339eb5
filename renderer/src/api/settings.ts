import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RestoredKind } from '#contracts/entities/restored.ts'
import type { SettingsDocument, SettingsPatch } from '#contracts/entities/settings.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

export const settingsKeys = {
  all: ['settings'] as const,
  restored: ['restored'] as const,
  restoredItems: (wanted: WantedRestored) => ['restored', 'items', wanted] as const,
}

export const useSettings = () => useQuery({ queryKey: settingsKeys.all, queryFn: ({ signal }) => api.getSettings({ signal }) })

/** Writes settings; the answer is the whole document, so every reader has it at once. */
export function usePatchSettings() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsPatch) => api.patchSettings({ body }),
    onSuccess: (document) => queries.setQueryData(settingsKeys.all, document),
    meta: { title: "Couldn't save the setting" },
  })
}

/** Restored settings that run or send something, until the user decides about them. */
export const useRestored = () => useQuery({ queryKey: settingsKeys.restored, queryFn: ({ signal }) => api.getRestored({ signal }) })

/** Which rows of a restored backup: those with an id, of a kind, or all. */
export type WantedRestored = { id?: string; kind?: RestoredKind }

/** Rows of a restored backup that are not used until the user allows it. */
export const useRestoredItems = (wanted: WantedRestored, enabled = true) =>
  useInfiniteQuery({
    queryKey: settingsKeys.restoredItems(wanted),
    queryFn: ({ pageParam, signal }) => api.listRestoredItems({ query: { ...wanted, limit: 50, ...cursorQuery(pageParam) }, signal }),
    enabled,
    ...BY_CURSOR,
  })

export function useAllowRestoredItem() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.allowRestoredItem({ params: { id }, body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: settingsKeys.restored }),
    meta: { title: "Couldn't use this again" },
  })
}

export function useDiscardRestored() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => api.discardRestored({ params: { key } }),
    onSuccess: (restored) => queries.setQueryData(settingsKeys.restored, restored),
    meta: { title: "Couldn't discard the restored setting" },
  })
}

export const settingsMessages = ({ refetch, write }: Cache) =>
  ({
    'settings:changed': ({ settings }) => {
      write<SettingsDocument>(settingsKeys.all, (document) => (document ? { ...document, settings } : document))
      refetch(settingsKeys.restored)
    },
  }) satisfies Partial<Handlers>
