import { programOf } from '#server/process/program.ts'

/** The first executable file of this name in the absolute folders of a PATH, outside the `foreign` folders; null if there is none. */
export function findProgram(name: string, searched: string, foreign: readonly string[] = []): string | null {
  try {
    return programOf(name, searched, foreign)
  } catch {
    return null
  }
}
