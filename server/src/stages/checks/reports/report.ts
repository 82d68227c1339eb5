import { createHash } from 'node:crypto'
import type { CheckedTest } from '#contracts/entities/check.ts'

/** The report of a runner. */
export interface Report {
  tests: CheckedTest[]
  /** Where its tests are: paths of files, packages of Go, modules of Python. Absent if the runner does not say. */
  places?: string[]
}

const MESSAGE_CHARACTERS = 2000

export const shortened = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim()
  if (!trimmed) return null
  return trimmed.length > MESSAGE_CHARACTERS ? `${trimmed.slice(0, MESSAGE_CHARACTERS)}…` : trimmed
}

const NAME_CHARACTERS = 400

/** Names of any length stay different. */
const shortName = (name: string): string =>
  name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS)}… ${createHash('sha256').update(name).digest('hex').slice(0, 8)}` : name

export const withShortNames = (report: Report): Report => ({
  ...report,
  tests: report.tests.map((test) => ({ ...test, name: shortName(test.name) })),
})
