const TERMS =
  'refactor optimize debug architecture async concurrent distributed scale security authentication encryption database migration deploy kubernetes'
    .split(' ')
    .map((term) => new RegExp(String.raw`\b${term}`, 'i'))
const SEQUENCE = /\b(?:first|then|after|finally|steps?|multiple)\b/i
const LENGTHS = [[200, 0.3], [100, 0.2], [50, 0.1]] as const // prettier-ignore
const MOST_TERMS = 4

/** How complex a task is by the words of its prompt: from 0 to 1, in tenths. */
export function complexityOf(prompt: string): number {
  const words = prompt.match(/\S+/g)?.length ?? 0
  const length = LENGTHS.find(([more]) => words > more)?.[1] ?? 0
  const terms = Math.min(MOST_TERMS, TERMS.filter((term) => term.test(prompt)).length)
  return Math.round((length + terms / 10 + (SEQUENCE.test(prompt) ? 0.2 : 0)) * 10) / 10
}
