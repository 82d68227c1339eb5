/** More models than this don't fit next to each other on the page. */
export const MAX_COMPARED = 6

/** The filter that the list sends to the server. */
export interface ModelFilter {
  q?: string
  tag?: string
  starred?: 'true'
  archived?: 'true'
}

export const VIEWS = [
  { id: 'cards', label: 'Cards' },
  { id: 'list', label: 'List' },
  { id: 'leaderboard', label: 'Leaderboard' },
] as const
export type View = (typeof VIEWS)[number]['id']

export const viewOf = (search: URLSearchParams): View => VIEWS.find(({ id }) => id === search.get('view'))?.id ?? 'cards'

export function readFilter(search: URLSearchParams): ModelFilter {
  const q = search.get('q')?.trim()
  const tag = search.get('tag')
  return {
    ...(q ? { q } : {}),
    ...(tag ? { tag } : {}),
    ...(search.get('starred') === '1' ? { starred: 'true' as const } : {}),
    ...(search.get('archived') === '1' ? { archived: 'true' as const } : {}),
  }
}
