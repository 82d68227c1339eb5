import { searchSteps } from './pattern-cost.ts'

/** Characters of the longest example text of a rule, and how many steps a pattern may need for it. */
const [MAX_TEXT, MAX_STEPS] = [500, 10_000_000]
/** Steps for all example texts of a rule, so that 100 rules are checked within seconds. */
const MAX_TRIAL_STEPS = 4_000_000

/**
 * Why a user's regular expression is refused, or null. Refused are invalid patterns, and patterns that can take
 * exponential time: a repetition around another repetition or a choice, and backreferences. So are patterns with too many
 * repetitions or choices in sequence. Repetitions of up to `SMALL` times matter only around an unlimited one; `?` never.
 */
export function patternFault(pattern: string): string | null {
  let matcher: RegExp
  try {
    matcher = new RegExp(pattern, 'u')
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: \/.*\/u?: /s, '') : String(error)
    return `This is not a valid regular expression: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`
  }
  if (matcher.test('')) return 'This matches empty text, so it would match everywhere.'
  return slowPart(pattern) ?? slowWhole(pattern)
}

const slowWhole = (pattern: string): string | null =>
  searchSteps(pattern, MAX_TEXT) <= MAX_STEPS
    ? null
    : 'Its repetitions or choices can match the same text in too many ways, which can be extremely slow. Separate two repetitions with a character that neither of them matches, for example [a-z]+-[a-z]+.'

/** Checks the example texts of a rule with its pattern; describes the first that does not fit, or returns null. */
export function ruleFault({
  name,
  pattern,
  matches,
  mustNotMatch,
}: {
  name: string
  pattern: string
  matches: readonly string[]
  mustNotMatch: readonly string[]
}): { message: string; path: (string | number)[] } | null {
  if (patternFault(pattern) !== null) return null // already reported for the pattern
  const steps = [...matches, ...mustNotMatch].reduce((sum, text) => sum + searchSteps(pattern, text.length), 0)
  if (steps > MAX_TRIAL_STEPS)
    return { message: `The rule "${name}" could take too long on its examples. Use shorter or fewer examples.`, path: ['matches'] }
  const matcher = new RegExp(pattern, 'u')
  const missed = matches.findIndex((text) => !matcher.test(text))
  if (missed >= 0) return { message: `The rule "${name}" should match "${matches[missed]}", but does not.`, path: ['matches', missed] }
  const wrong = mustNotMatch.findIndex((text) => matcher.test(text))
  if (wrong >= 0) return { message: `The rule "${name}" matches "${mustNotMatch[wrong]}", but must not.`, path: ['mustNotMatch', wrong] }
  return null
}

const SMALL = 10
const REPEAT = /^(?:[*+]|\{(\d+)(,(\d*))?\})\??/u

/** Finds a slow part of a valid pattern, and describes it. */
function slowPart(pattern: string): string | null {
  /** The open groups, outermost first, and whether each contains a repetition or a choice. */
  const groups: { start: number; repeats: boolean; choice: boolean }[] = []
  let at = 0
  while (at < pattern.length) {
    const start = at
    let inner = { repeats: false, choice: false }
    const char = pattern[at]
    if (char === '\\') {
      if (/^\\(?:[1-9]|k<)/u.test(pattern.slice(at)))
        return 'Backreferences (\\1, \\k<name>) can be extremely slow, so they are not allowed.'
      at += /^\\[pPu]\{[^}]*\}|^\\u[0-9a-f]{4}|^\\x[0-9a-f]{2}|^\\c[a-z]/iu.exec(pattern.slice(at))?.[0].length ?? 2
    } else if (char === '[') at = afterClass(pattern, at)
    else if (char === '(') {
      if (/^\(\?<[=!]/u.test(pattern.slice(at)))
        return 'Lookbehind ((?<=…), (?<!…)) can be extremely slow, so it is not allowed. Match the preceding text as well.'
      groups.push({ start: at, repeats: false, choice: false })
      at += /^\((?:\?(?:[:=!]|<[^>]*>))?/u.exec(pattern.slice(at))![0].length
      continue
    } else if (char === ')') {
      inner = groups.pop() ?? inner
      at += 1
    } else {
      if (char === '|') for (const group of groups.slice(-1)) group.choice = true
      at += 1
    }
    const repeat = REPEAT.exec(pattern.slice(at))
    const around = groups.at(-1)
    if (around) around.repeats ||= inner.repeats
    if (around) around.choice ||= inner.choice
    if (!repeat) continue
    const most =
      repeat[1] === undefined ? Infinity : repeat[2] === undefined ? Number(repeat[1]) : repeat[3] === '' ? Infinity : Number(repeat[3])
    at += repeat[0].length
    if (most <= SMALL && !inner.repeats) continue
    if (most <= 1) continue
    if (inner.repeats || inner.choice) {
      const part = pattern.slice(pattern[start] === ')' ? groupStart(pattern, start) : start, at)
      return `A repetition around ${inner.repeats ? 'another repetition' : 'a choice'} (${part}) can be extremely slow on a long line. Repeat one character class instead, for example [a-z0-9]+.`
    }
    if (around) around.repeats = true
  }
  return null
}

/** The index after a character class that begins at `start`. */
function afterClass(pattern: string, start: number): number {
  let at = start + 1
  while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1
  return at + 1
}

function groupStart(pattern: string, end: number): number {
  let depth = 0
  for (let at = end; at >= 0; at -= 1) {
    if (pattern[at - 1] === '\\') continue
    if (pattern[at] === ')') depth += 1
    if (pattern[at] === '(') depth -= 1
    if (depth === 0) return at
  }
  return 0
}
