import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import { patchJob } from './jobs.ts'

export const systemKeys = {
  health: ['health'] as const,
  info: ['system-info'] as const,
  doctor: ['doctor'] as const,
}

export const useSystemInfo = () => useQuery({ queryKey: systemKeys.info, queryFn: ({ signal }) => api.getSystemInfo({ signal }) })
export const useDoctor = () => useQuery({ queryKey: systemKeys.doctor, queryFn: ({ signal }) => api.getDoctor({ signal }) })

export function useRebuild() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.startRebuild({ body: {} }),
    onSuccess: (job) => patchJob(queries, job),
    meta: { title: "Couldn't start the rebuild" },
  })
}
