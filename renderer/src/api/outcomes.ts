import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Selection } from '#contracts/routes/traces.ts'
import { api } from './client.ts'
import { onJobEnd, useJobCall } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'

export const outcomeKey = (id: string) => ['outcome', id] as const

/** What happened after a session; null if it was not looked up. */
export const useOutcome = (id: string) =>
  useQuery({ queryKey: outcomeKey(id), queryFn: async ({ signal }) => (await api.getTraceOutcome({ params: { id }, signal })).outcome })

/** Looks up what happened after sessions; the job is in the list of jobs. */
export const useLookUpOutcomes = () =>
  useJobCall(
    (selection: z.input<typeof Selection>) => api.lookUpOutcomes({ body: { selection } }),
    "Couldn't look up what happened afterwards",
  )

export const outcomeMessages = ({ refetch }: Cache) => onJobEnd('outcomes', () => refetch(['outcome'])) satisfies Partial<Handlers>
