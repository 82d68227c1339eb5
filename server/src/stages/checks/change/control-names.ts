/** Chooses from several; `below` gives a random number below its argument. */
export type Random = (below: number) => number

export const pick = <T>(from: readonly T[], random: Random): T => from[random(from.length)]!

/** Words that say something about a language or a test runner instead of about the project. */
const COMMON = new Set('and args assert assertequal async await bool class const def describe echo else end equal error every expect export exports false fail fatal for from func function have import int let module none not null number package pass pub raise require return run self should string strict test testcase testing tests that the this throw true undefined unittest use using var void when with'.split(' ')) // prettier-ignore

const MAX_TRIES = 200

/**
 * A name for a test that reads like those of its file: one of their names and words that the file uses. It is in none of the
 * `texts`, so that no test of the project has it.
 */
export function controlName(
  own: readonly string[],
  text: string,
  {
    join,
    isTaken,
    random,
  }: { join: (name: string, words: readonly string[]) => string; isTaken: (name: string) => boolean; random: Random },
): string {
  const words = [...new Set(text.toLowerCase().match(/[a-z]{3,12}/g) ?? [])].filter((word) => !COMMON.has(word))
  for (let tried = 0; tried < MAX_TRIES && words.length > 0; tried += 1) {
    const added = Array.from({ length: 1 + random(2) }, () => pick(words, random))
    const name = join(pick(own, random), added)
    if (!isTaken(name)) return name
  }
  for (let number = 2 + random(7); ; number += 1) {
    const name = join(pick(own, random), [String(number)])
    if (!isTaken(name)) return name
  }
}

/** The values of a sum that is right or wrong. */
export interface Sum {
  left: number
  right: number
  total: number
}

/** Tests that must pass and those that must fail differ only in a value. */
export function sumOf(isRight: boolean, random: Random): Sum {
  const [left, right] = [10 + random(90), 10 + random(90)]
  return { left, right, total: left + right + (isRight ? 0 : pick([-10, -2, -1, 1, 2, 10], random)) }
}
