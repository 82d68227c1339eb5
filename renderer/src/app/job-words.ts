import type { z } from 'zod'
import type { Job } from '#contracts/entities/job.ts'
import type { Feature, JobWords, Outcome } from './feature.ts'

const wordsOf = (features: readonly Feature[], kind: string): JobWords | undefined =>
  features.flatMap(({ jobs = [] }) => jobs).find((words) => words.kind === kind)

/** What a kind of job is called on screen; an unknown kind keeps its own name. */
export const jobWord = (features: readonly Feature[], kind: string): string => wordsOf(features, kind)?.name ?? kind

/** Null if the job has no result, or no text for it. */
export const outcomeOf = (features: readonly Feature[], job: Job): Outcome | null => wordsOf(features, job.kind)?.outcome?.(job) ?? null

/** Words for results of one shape. */
export const wordsFor =
  <Result>(shape: z.ZodType<Result>, words: (result: Result, job: Job) => Outcome) =>
  (job: Job): Outcome | null => {
    const read = shape.safeParse(job.result)
    return read.success ? words(read.data, job) : null
  }

/** The parts of a sentence that apply. */
export const listed = (...parts: (string | null | false)[]): string => parts.filter(Boolean).join(', ')

export const sumOf = (counts: readonly { count: number }[]): number => counts.reduce((total, { count }) => total + count, 0)
