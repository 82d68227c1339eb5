import type { Job } from '#contracts/entities/job.ts'
import type { ExampleFilter } from '#contracts/routes/factory.ts'
import type { Cache, Handlers } from './messages.ts'

/** Everything about examples under review: pages of the list, one example. */
export const exampleKeys = {
  all: ['examples'] as const,
  lists: ['examples', 'list'] as const,
  list: (query: Partial<ExampleFilter> & { sort: string }) => ['examples', 'list', query] as const,
  facets: (filter: ExampleFilter) => ['examples', 'facets', filter] as const,
  one: (id: string) => ['examples', 'detail', id] as const,
  /** Runs that asked a model for variants. */
  augmentRuns: ['examples', 'augment-runs'] as const,
}

export const exampleMessages = ({ again, soon }: Cache) => {
  const jobEnded = ({ job }: { job: Job }) => {
    if (job.kind === 'augment') again(exampleKeys.augmentRuns)
  }
  return {
    'examples:changed': soon(exampleKeys.all),
    'job:complete': jobEnded,
    'job:failed': jobEnded,
  } satisfies Partial<Handlers>
}
