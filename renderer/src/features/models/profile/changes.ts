import type { TagChange } from '#contracts/entities/common.ts'
import type { Model } from '#contracts/entities/model.ts'

export type EditableFields = Pick<Model, 'name' | 'tags' | 'description' | 'note'>

/** Only the fields that the user changed since the dialog opened, so that changes made elsewhere meanwhile are kept. */
export function changesOf(before: EditableFields, now: EditableFields): Partial<Omit<EditableFields, 'tags'>> & TagChange {
  const addTags = now.tags.filter((tag) => !before.tags.includes(tag))
  const removeTags = before.tags.filter((tag) => !now.tags.includes(tag))
  return {
    ...(now.name !== before.name && { name: now.name }),
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
    ...(now.description !== before.description && { description: now.description }),
    ...(now.note !== before.note && { note: now.note }),
  }
}
