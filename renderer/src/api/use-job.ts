import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Job } from '#contracts/entities/job.ts'
import { api } from '#renderer/api/client.ts'
import { isActive } from '#renderer/api/job-words.ts'
import { keys } from '#renderer/api/keys.ts'
import { patchJob } from '#renderer/api/patch.ts'
import { useCancelJob, useJobs } from '#renderer/api/queries.ts'

/** Long work that a screen starts: how far it is, what came of it, how to stop it. One of its kind that already runs is taken up. */
export function useJobOf<Input>(kind: string, start: (input: Input) => Promise<Job>, title: string) {
  const queries = useQueryClient()
  const [id, setId] = useState<string | null>(null)
  const jobs = useJobs()
  const listed = jobs.data?.items.find((one) => (id === null ? one.kind === kind && isActive(one) : one.id === id)) ?? null
  // one that has left the list of the newest is read by itself
  const alone = useQuery({
    queryKey: keys.job(id ?? ''),
    queryFn: ({ signal }) => api.getJob({ params: { id: id ?? '' }, query: {}, signal }),
    enabled: id !== null && jobs.data !== undefined && listed === null,
  })
  const job = listed ?? (id === null ? null : (alone.data ?? null))
  const cancel = useCancelJob()
  const mutation = useMutation({
    mutationFn: start,
    onSuccess: (started) => {
      setId(started.id)
      patchJob(queries, started)
    },
    meta: { title, quiet: true },
  })
  return {
    job,
    running: job !== null && isActive(job) ? job : null,
    /** Why it did not start, or how it ended badly. */
    error: mutation.error ?? (job?.state === 'failed' ? new Error(job.error?.message ?? 'The work failed.') : null),
    result: job?.state === 'completed' ? job.result : null,
    wasStopped: job?.state === 'cancelled',
    busy: mutation.isPending || (job !== null && isActive(job)),
    start: (input: Input) => mutation.mutate(input),
    cancel: () => job && cancel.mutate(job.id),
  }
}
