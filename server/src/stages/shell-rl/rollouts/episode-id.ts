/** An attempt has the same ID when it is repeated. */
export const episodeId = (set: string, group: number, attempt: number): string => `${set}-${group}-${attempt}`

/** The group and attempt of an episode ID; null if the ID does not belong to the set. */
export function placeOf(set: string, id: string): { group: number; attempt: number } | null {
  const [of, group, attempt] = id.split('-')
  return of === set && group !== undefined && attempt !== undefined ? { group: Number(group), attempt: Number(attempt) } : null
}
