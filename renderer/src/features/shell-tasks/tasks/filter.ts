import { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'

export const FACETS = ['split', 'difficulty', 'source', 'status'] as const
export type FacetName = (typeof FACETS)[number]

/** The filter in the address; unknown values are ignored. */
export const readFilter = (search: URLSearchParams): ShellTaskFilter =>
  Object.assign(
    {},
    ...[...FACETS, 'q'].map((name) => {
      const value = search.get(name)?.trim()
      return value ? ShellTaskFilter.safeParse(Object.fromEntries([[name, value]])).data : undefined
    }),
  ) as ShellTaskFilter
