/** The candidate that is one typo away (a letter wrong, missing, extra or swapped); null if there is none. */
export const closest = (typed: string, candidates: readonly string[]): string | null =>
  candidates.find((word) => isOneTypo(typed, word)) ?? null

function isOneTypo(typed: string, word: string): boolean {
  if (typed === word || typed.length < 2) return false
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at += 1
  const [rest, wanted] = [typed.slice(at), word.slice(at)]
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  )
}
