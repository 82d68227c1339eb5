import type { Model } from '#contracts/entities/model.ts'

export type Said = Pick<Model, 'name' | 'tags' | 'description' | 'note'>

/**
 * What the user has changed of what a window showed when it was opened (`before`), to be laid over the model as it is by
 * then (`current`): what was written elsewhere meanwhile stays.
 */
export function changesOf(before: Said, now: Said, current: Pick<Said, 'tags'>): Partial<Said> {
  const added = now.tags.filter((tag) => !before.tags.includes(tag))
  const removed = before.tags.filter((tag) => !now.tags.includes(tag))
  const tags = [...new Set([...current.tags, ...added])].filter((tag) => !removed.includes(tag))
  return {
    ...(now.name !== before.name && { name: now.name }),
    ...(added.length + removed.length > 0 && { tags }),
    ...(now.description !== before.description && { description: now.description }),
    ...(now.note !== before.note && { note: now.note }),
  }
}
