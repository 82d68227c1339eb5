const LONGEST_TITLE = 100

/** Of a run that was given none: how its prompt begins. */
export function titleOf(prompt: string): string {
  const first = prompt.trim().split('\n', 1)[0]!
  return first.length > LONGEST_TITLE ? `${first.slice(0, LONGEST_TITLE - 1)}…` : first
}
