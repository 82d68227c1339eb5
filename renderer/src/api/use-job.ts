import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Job } from '#contracts/entities/job.ts'
import { api } from '#renderer/api/client.ts'
import { isActive, jobKeys, patchJob, useCancelJob, useJobs } from './jobs.ts'

/** An error as screens show it, with its code and hint. */
const errorOf = (error: Job['error']) =>
  Object.assign(new Error(error?.message ?? 'The job failed.'), { code: error?.code, hint: error?.hint })

/** How many jobs of a subject are searched for one to show. */
const MAX_SEARCHED = 10

/**
 * A job that a screen starts: its progress, its result, how to stop it. A running job of the kind is
 * picked up and followed to its end. With `subject` only jobs about it (a screen about another one has its own key),
 * and the last result is shown again after a reload.
 */
export function useJobOf<Input>(kind: string, start: (input: Input) => Promise<Job>, title: string, subject: string | null = null) {
  const queries = useQueryClient()
  const [id, setId] = useState<string | null>(null)
  const jobs = useJobs()
  const previousJobs = useQuery({
    queryKey: jobKeys.of(kind, subject ?? ''),
    queryFn: ({ signal }) => api.listJobs({ query: { kind, subject: subject ?? '', limit: MAX_SEARCHED }, signal }),
    enabled: subject !== null && id === null,
    staleTime: 0,
  })
  const isMine = (one: Job) => one.kind === kind && (subject === null || one.subject === subject)
  const runningJob = jobs.data?.items.find((one) => isMine(one) && isActive(one))
  const initialJob = runningJob ?? previousJobs.data?.items.find((one) => isActive(one) || one.state === 'completed')
  if (id === null && initialJob) setId(initialJob.id)
  const listed = jobs.data?.items.find((one) => one.id === id) ?? null
  // a job that is no longer in the list of the newest is loaded separately
  const singleJob = useQuery({
    queryKey: jobKeys.one(id ?? ''),
    queryFn: ({ signal }) => api.getJob({ params: { id: id ?? '' }, query: {}, signal }),
    enabled: id !== null && jobs.data !== undefined && listed === null,
  })
  const job = listed ?? (id === null ? null : (singleJob.data ?? null))
  // the followed job has ended, and another window has started the next one
  if (runningJob && job !== null && !isActive(job)) setId(runningJob.id)
  const cancel = useCancelJob()
  /** A ref, so that a second click sees it before the next render. */
  const isStarting = useRef(false)
  const mutation = useMutation({
    mutationFn: start,
    onSuccess: (started) => {
      setId(started.id)
      patchJob(queries, started)
    },
    onSettled: () => {
      isStarting.current = false
    },
    meta: { title, quiet: true },
  })
  return {
    job,
    running: job !== null && isActive(job) ? job : null,
    /** Why it did not start, or why it failed. */
    error: mutation.error ?? (job?.state === 'failed' ? errorOf(job.error) : null),
    result: job?.state === 'completed' ? job.result : null,
    wasStopped: job?.state === 'cancelled',
    busy: mutation.isPending || (job !== null && isActive(job)),
    start: (input: Input) => {
      if (isStarting.current) return
      isStarting.current = true
      mutation.mutate(input)
    },
    cancel: () => job && cancel.mutate(job.id),
  }
}
