import { AppError } from '#contracts/errors.ts'
import { MAX_TAGS, type TagChange } from '#contracts/entities/common.ts'

/** The tags after a change, without duplicates. */
export function withTags(before: readonly string[], { addTags = [], removeTags = [] }: TagChange): string[] {
  const after = [...new Set([...before, ...addTags])].filter((tag) => !removeTags.includes(tag))
  if (after.length > MAX_TAGS && after.length > before.length)
    throw new AppError('invalid_request', {
      message: `That would be ${after.length} tags; the maximum is ${MAX_TAGS}.`,
      hint: 'Remove some first.',
    })
  return after
}
