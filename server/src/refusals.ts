import { AppError, type ErrorCode } from '#contracts/errors.ts'

/** Throws the first reason why something cannot start, with all reasons in `details`. */
export function throwFirst(code: ErrorCode, refusals: readonly { message: string; hint: string | null }[]): void {
  const [first] = refusals
  if (first) throw new AppError(code, { message: first.message, ...(first.hint !== null && { hint: first.hint }), details: { refusals } })
}

/** Throws `invalid_request` if two tasks have the same name. */
export function refuseDuplicates(what: 'id' | 'key', names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name))
      throw new AppError('invalid_request', {
        message: `Two tasks have the ${what} "${name}".`,
        hint: `Leave one of them out, or give each its own ${what}.`,
      })
    seen.add(name)
  }
}

/** The message and hint of an error. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { hint } = error as { hint?: string | null }
  return hint ? `${error.message} ${hint}` : error.message
}
