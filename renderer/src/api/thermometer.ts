import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ThermometerRequest } from '#contracts/entities/thermometer.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

export const thermometerKeys = {
  state: ['thermometer'] as const,
  plan: (request: object | null) => ['thermometer-plan', request] as const,
  readings: ['thermometer-readings'] as const,
}

export type ThermometerDraft = z.input<typeof ThermometerRequest>

const PAGE = 60

export const useThermometer = () => useQuery({ queryKey: thermometerKeys.state, queryFn: ({ signal }) => api.getThermometer({ signal }) })

export const useReadings = () =>
  useInfiniteQuery({
    queryKey: thermometerKeys.readings,
    queryFn: ({ pageParam, signal }) => api.listThermometerReadings({ query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export function useThermometerActions() {
  const queries = useQueryClient()
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: thermometerKeys.state })
    void queries.invalidateQueries({ queryKey: thermometerKeys.readings })
  }
  return {
    on: useMutation({ mutationFn: (body: ThermometerDraft) => api.switchThermometerOn({ body }), onSuccess, meta: { quiet: true } }),
    off: useMutation({ mutationFn: () => api.switchThermometerOff(), onSuccess, meta: { title: "Couldn't switch the thermometer off" } }),
    read: useMutation({ mutationFn: () => api.readThermometer(), onSuccess, meta: { title: "Couldn't take a reading" } }),
  }
}

export const thermometerMessages = ({ refetch, refetchSoon, afterBreak }: Cache) => {
  const readings = refetchSoon(thermometerKeys.readings)
  const ofReading = ({ run }: { run: { isReading: boolean } }) => (run.isReading ? readings() : undefined)
  return {
    'thermometer:changed': () => refetch(thermometerKeys.state, thermometerKeys.readings),
    'evaluation:progress': ofReading,
    'evaluation:complete': ofReading,
    'evaluation:failed': ofReading,
    hello: () => afterBreak(thermometerKeys.state, thermometerKeys.readings),
  } satisfies Partial<Handlers>
}
