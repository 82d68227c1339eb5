import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { useJobCall } from './jobs.ts'

export const systemKeys = {
  health: ['health'] as const,
  info: ['system-info'] as const,
  doctor: ['doctor'] as const,
}

export const useSystemInfo = () => useQuery({ queryKey: systemKeys.info, queryFn: ({ signal }) => api.getSystemInfo({ signal }) })
export const useDoctor = () => useQuery({ queryKey: systemKeys.doctor, queryFn: ({ signal }) => api.getDoctor({ signal }) })

export const useRebuild = () => useJobCall(() => api.startRebuild({ body: {} }), "Couldn't start the rebuild")
