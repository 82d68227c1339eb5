import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Job } from '#contracts/entities/job.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { withRow, type Page } from './rows.ts'

export const jobKeys = {
  all: ['jobs'] as const,
  one: (id: string) => ['job', id] as const,
  /** Jobs of a kind about one subject. */
  of: (kind: string, subject: string) => ['jobs-of', kind, subject] as const,
}

/** How many of the newest jobs are read. */
export const LISTED_JOBS = 20
/** The newest jobs; `job:*` messages keep them current. */
export const useJobs = () =>
  useQuery({ queryKey: jobKeys.all, queryFn: ({ signal }) => api.listJobs({ query: { limit: LISTED_JOBS }, signal }) })

export const isActive = (job: Job): boolean => job.state === 'running' || job.state === 'queued'

/** Running jobs, then queued ones in the order of the queue. */
export const activeJobs = (jobs: readonly Job[]): Job[] =>
  jobs.filter(isActive).toSorted((a, b) => (a.queuePosition ?? 0) - (b.queuePosition ?? 0))

/** The job of a kind that is queued or running, or null. */
export function useRunningJob(...kinds: string[]) {
  const { data } = useJobs()
  return data?.items.find((job) => kinds.includes(job.kind) && isActive(job)) ?? null
}

/** A call that starts a job; the job is in the list as soon as the server answers. */
export function useJobCall<Input = void>(call: (input: Input) => Promise<Job>, title: string) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: call, onSuccess: (job) => patchJob(queries, job), meta: { title } })
}

export const useCancelJob = () => useJobCall((id: string) => api.cancelJob({ params: { id }, body: {} }), "Couldn't stop the job")

/**
 * Adds or updates a job in the cache, new jobs first, as the server lists them. A job that has ended stays ended, because
 * the answer to the call that started it may arrive after the message of its end.
 */
export function patchJob(queries: QueryClient, job: Job): void {
  const listed = queries.getQueryData<Page<Job>>(jobKeys.all)?.items.find(({ id }) => id === job.id)
  const cachedJobs = [listed, queries.getQueryData<Job>(jobKeys.one(job.id))]
  if (job.endedAt === null && cachedJobs.some((one) => one !== undefined && one.endedAt !== null)) return
  queries.setQueryData<Page<Job>>(jobKeys.all, (data) => {
    if (!data) return data
    if (listed) return withRow(data, job) as Page<Job>
    return { ...data, items: [job, ...data.items], total: data.total + 1 }
  })
  queries.setQueryData<Job>(jobKeys.one(job.id), job)
}

/** Handlers for the end of every job of a kind. */
export function onJobEnd(kind: string, react: () => void) {
  const handle = ({ job }: { job: Job }) => {
    if (job.kind === kind) react()
  }
  return { 'job:complete': handle, 'job:failed': handle } satisfies Partial<Handlers>
}

export const jobMessages = ({ queries, refetchSoon, refetchInFlight, afterBreak }: Cache) => {
  const list = refetchSoon(jobKeys.all)
  const listedJobs = () => queries.getQueryData<Page<Job>>(jobKeys.all)?.items ?? []
  const onEnd = ({ job }: { job: Job }) => {
    refetchInFlight(jobKeys.all, jobKeys.one(job.id))
    patchJob(queries, job)
    if (listedJobs().some(({ kind, queuePosition }) => kind === job.kind && queuePosition !== null)) list() // the queue moves up
  }
  return {
    'job:complete': onEnd,
    'job:failed': onEnd,
    'job:progress': ({ id, progress }) => {
      const job = listedJobs().find((one) => one.id === id)
      if (job) patchJob(queries, { ...job, ...(job.state === 'queued' && { state: 'running', queuePosition: null }), progress })
      else list()
    },
    hello: () => afterBreak(jobKeys.all),
  } satisfies Partial<Handlers>
}
