/** The message and hint of an error. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { hint } = error as { hint?: string | null }
  return hint ? `${error.message} ${hint}` : error.message
}
