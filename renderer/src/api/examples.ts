import type { ExampleFilter } from '#contracts/routes/factory.ts'
import { onJobEnd } from './jobs.ts'
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

export const exampleMessages = ({ refetch, refetchSoon }: Cache) =>
  ({
    'examples:changed': refetchSoon(exampleKeys.all),
    ...onJobEnd('augment', () => refetch(exampleKeys.augmentRuns)),
  }) satisfies Partial<Handlers>
