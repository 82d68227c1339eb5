import type { CheckedTest } from '#contracts/entities/check.ts'

/** The report of a runner. */
export interface Report {
  tests: CheckedTest[]
}

const MESSAGE_CHARACTERS = 2000

export const shortened = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim()
  if (!trimmed) return null
  return trimmed.length > MESSAGE_CHARACTERS ? `${trimmed.slice(0, MESSAGE_CHARACTERS)}…` : trimmed
}
