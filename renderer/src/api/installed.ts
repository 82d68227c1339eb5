import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'

/** What is installed in the user's Claude Code. Read from the disk each time. */
const installedKey = ['installed'] as const

export const useInstalled = () => useQuery({ queryKey: installedKey, queryFn: ({ signal }) => api.listInstalled({ signal }) })

export function useMarkInstalledSeen() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.markInstalledSeen({ body: {} }),
    onSuccess: (installed) => queries.setQueryData(installedKey, installed),
    meta: { title: "Couldn't mark the parts as seen" },
  })
}

export const useValidateInstalled = () =>
  useMutation({
    mutationFn: (id: string) => api.validateInstalled({ params: { id }, body: {} }),
    meta: { title: "Couldn't ask Claude Code about the plugin" },
  })
