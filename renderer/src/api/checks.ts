import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { CheckReport } from '#contracts/entities/check.ts'
import type { runChecks } from '#contracts/routes/checks.ts'
import type { Selection } from '#contracts/routes/traces.ts'
import { api } from './client.ts'
import { useJobCall } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'
import { traceKeys } from './traces.ts'
import { useJobOf } from './use-job.ts'

/** The checks of a project; requested when a folder is entered. */
export const useFoundChecks = (directory: string) =>
  useQuery({
    queryKey: ['checks', directory],
    queryFn: () => api.findChecks({ body: { directory } }),
    enabled: directory.startsWith('/'),
    staleTime: 0,
    retry: false,
  })

/** The running checks, and the result of the last ones. */
export function useChecks() {
  const job = useJobOf('checks', (body: z.input<typeof runChecks.body>) => api.runChecks({ body }), "Couldn't start the checks")
  const result = CheckReport.safeParse(job.result)
  return { ...job, report: result.success ? result.data : null }
}

/** The checks of the state that a session left, and the result of the last ones. */
export function useTraceChecks(id: string) {
  const job = useJobOf('trace-checks', () => api.checkTrace({ params: { id }, body: {} }), "Couldn't start the checks", id)
  const kept = useQuery({ queryKey: traceKeys.checks(id), queryFn: ({ signal }) => api.getTraceChecks({ params: { id }, signal }) })
  return { ...job, kept: kept.data?.result ?? null }
}

/** The checks of many sessions; the job is in the list of jobs. */
export const useCheckTraces = () =>
  useJobCall((selection: z.input<typeof Selection>) => api.checkTraces({ body: { selection } }), "Couldn't start the checks")

export const checkMessages = ({ refetch }: Cache) =>
  ({
    'verification:result': ({ traceId }) => {
      if (traceId !== null) refetch(traceKeys.checks(traceId))
    },
  }) satisfies Partial<Handlers>
