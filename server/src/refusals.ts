import { AppError, type ErrorCode } from '#contracts/errors.ts'

export { sentenceOf } from '#server/runs/sentence.ts'

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
