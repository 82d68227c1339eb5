/** The same for the same attempt, also if it is made again. */
export const episodeId = (set: string, group: number, attempt: number): string => `${set}-${group}-${attempt}`

/** Group and attempt of an id of that set; null if it is of none. */
export function placeOf(set: string, id: string): { group: number; attempt: number } | null {
  const [of, group, attempt] = id.split('-')
  return of === set && group !== undefined && attempt !== undefined ? { group: Number(group), attempt: Number(attempt) } : null
}
