import { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'

export const FACETS = ['split', 'difficulty', 'source', 'status'] as const
export type FacetName = (typeof FACETS)[number]

/** What the address asks for; values that are none of ours are passed over. */
export const readFilter = (search: URLSearchParams): ShellTaskFilter =>
  Object.assign(
    {},
    ...[...FACETS, 'q'].map((name) => {
      const value = search.get(name)?.trim()
      return value ? ShellTaskFilter.safeParse(Object.fromEntries([[name, value]])).data : undefined
    }),
  ) as ShellTaskFilter
