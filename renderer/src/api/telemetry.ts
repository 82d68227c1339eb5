import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

const key = ['telemetry'] as const
/** Counts change without a message, so they are asked again while they are looked at. */
const AGAIN_MS = 3000

export const useTelemetry = () =>
  useQuery({ queryKey: key, queryFn: ({ signal }) => api.getTelemetry({ signal }), refetchInterval: AGAIN_MS })

export const useSendTrace = () =>
  useMutation({ mutationFn: (id: string) => api.sendTrace({ params: { id } }), meta: { title: "Couldn't send the spans" } })

export const telemetryMessages = ({ refetch }: Cache) => ({ 'settings:changed': () => refetch(key) }) satisfies Partial<Handlers>
