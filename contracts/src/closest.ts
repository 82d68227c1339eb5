/** The known word that is one typing slip away from `given` (a letter wrong, missing, extra or swapped); null without one. */
export const closest = (given: string, known: readonly string[]): string | null => known.find((word) => isOneSlip(given, word)) ?? null

function isOneSlip(given: string, word: string): boolean {
  if (given === word || given.length < 2) return false
  let at = 0
  while (at < given.length && given[at] === word[at]) at += 1
  const [rest, wanted] = [given.slice(at), word.slice(at)]
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  )
}
