import { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'

export const FACETS = ['split', 'difficulty', 'source', 'status'] as const
export type FacetName = (typeof FACETS)[number]

/** What the address asks for; values that are none of ours are passed over. */
export function readFilter(search: URLSearchParams): ShellTaskFilter {
  const filter: ShellTaskFilter = {}
  for (const name of [...FACETS, 'q'] as const) {
    const value = search.get(name)?.trim()
    if (!value) continue
    const read = ShellTaskFilter.safeParse({ [name]: value })
    if (read.success) Object.assign(filter, read.data)
  }
  return filter
}
