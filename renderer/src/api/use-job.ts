import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Job } from '#contracts/entities/job.ts'
import { api } from '#renderer/api/client.ts'
import { isActive, jobKeys, patchJob, useCancelJob, useJobs } from './jobs.ts'

/** An error as screens show it, with its code and hint. */
const errorOf = (error: Job['error']) =>
  Object.assign(new Error(error?.message ?? 'The job failed.'), { code: error?.code, hint: error?.hint })

/** Of the work about one thing so many are looked through for one that is worth showing. */
const LOOKED_THROUGH = 10

/**
 * A job that a screen starts: its progress, its result, how to stop it. A running job of the kind is
 * picked up and followed to its end. With `subject` only jobs about it (a screen about another one has its own key),
 * and the last result is shown again after a reload.
 */
export function useJobOf<Input>(kind: string, start: (input: Input) => Promise<Job>, title: string, subject: string | null = null) {
  const queries = useQueryClient()
  const [id, setId] = useState<string | null>(null)
  const jobs = useJobs()
  const former = useQuery({
    queryKey: jobKeys.of(kind, subject ?? ''),
    queryFn: ({ signal }) => api.listJobs({ query: { kind, subject: subject ?? '', limit: LOOKED_THROUGH }, signal }),
    enabled: subject !== null && id === null,
    staleTime: 0,
  })
  const isMine = (one: Job) => one.kind === kind && (subject === null || one.subject === subject)
  const atWork = jobs.data?.items.find((one) => isMine(one) && isActive(one))
  const found = atWork ?? former.data?.items.find((one) => isActive(one) || one.state === 'completed')
  if (id === null && found) setId(found.id)
  const listed = jobs.data?.items.find((one) => one.id === id) ?? null
  // a job that is no longer in the list of the newest is loaded separately
  const alone = useQuery({
    queryKey: jobKeys.one(id ?? ''),
    queryFn: ({ signal }) => api.getJob({ params: { id: id ?? '' }, query: {}, signal }),
    enabled: id !== null && jobs.data !== undefined && listed === null,
  })
  const job = listed ?? (id === null ? null : (alone.data ?? null))
  // the followed job has ended, and another window has started the next one
  if (atWork && job !== null && !isActive(job)) setId(atWork.id)
  const cancel = useCancelJob()
  /** At once, so that the second click of two finds it. */
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
    /** Why it did not start, or how it ended badly. */
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
