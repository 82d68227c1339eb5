import { type Ask, user } from './types.ts'

export const LETTERS = 'ABCDEFGHIJ'

export const askLetter = (question: string, choices: readonly string[]): Ask =>
  user(
    `${question}\n\n${choices.map((choice, index) => `${LETTERS[index]}. ${choice}`).join('\n')}\n\nAnswer with the letter of the right choice only.`,
  )

/** Longer lines are sentences. */
const LINE = 40

/** The position of the choice that an answer names; null if it names none. */
export function choiceIn(text: string, count: number): number | null {
  const letters = LETTERS.slice(0, count)
  const at = (letter: string | undefined): number | null => {
    const index = letter === undefined ? -1 : letters.indexOf(letter)
    return index < 0 ? null : index
  }
  const named = [...text.matchAll(/[Aa]nswer(?: is)?:? ?(?:\*\*|option |choice )?[("']?([A-J])(?![\w'])/g)].at(-1)?.[1]
  if (named !== undefined) return at(named)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  for (const line of [lines[0], lines.at(-1)]) {
    if (line === undefined) continue
    const alone = /^[*("'\s]{0,4}([A-J])(?:[).:*]|["'\s]{0,4}$)/.exec(line.slice(0, LINE))?.[1]
    if (alone !== undefined) return at(alone)
  }
  return null
}

/** Compares the choice of an answer with the right one. */
export function scoreLetter(text: string, right: number, count: number) {
  const chosen = choiceIn(text, count)
  const extracted = chosen === null ? null : LETTERS[chosen]!
  if (chosen === right) return { verdict: 'pass' as const, extracted, reason: null }
  const reason = chosen === null ? 'The answer names no letter of a choice.' : `${extracted} is not ${LETTERS[right]}.`
  return { verdict: 'fail' as const, extracted, reason }
}
