import { searchSteps } from './pattern-cost.ts'

/** Signs of the longest text that a rule may be tried with, and steps that a pattern may take on it. */
const [LONGEST_TEXT, MAX_STEPS] = [500, 10_000_000]
/** Steps for all the texts of a rule: 100 rules end within seconds. */
const MAX_TRIAL_STEPS = 4_000_000

/**
 * What is wrong with a user's regular expression, in words, or null. Beside what the engine refuses, whatever can make it
 * try exponentially many ways is refused: a repetition around another one or around a choice, and references back.
 * So is what could take long by many repetitions or choices side by side.
 * Repetitions up to `SMALL` times count only around an open one; `?` never does.
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
  searchSteps(pattern, LONGEST_TEXT) <= MAX_STEPS
    ? null
    : 'Its repetitions or choices can match the same text in too many ways, which can be extremely slow. Separate two repetitions by a character that neither of them matches, for example [a-z]+-[a-z]+.'

/** A rule's own texts against its pattern: the first one that goes against what the rule says of it, or null. */
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
  if (patternFault(pattern) !== null) return null // reported for the pattern itself
  const steps = [...matches, ...mustNotMatch].reduce((sum, text) => sum + searchSteps(pattern, text.length), 0)
  if (steps > MAX_TRIAL_STEPS)
    return { message: `The rule "${name}" could take too long on its examples. Use shorter or fewer examples.`, path: ['matches'] }
  const matcher = new RegExp(pattern, 'u')
  const missed = matches.findIndex((text) => !matcher.test(text))
  if (missed >= 0) return { message: `The rule "${name}" should match "${matches[missed]}", but does not.`, path: ['matches', missed] }
  const taken = mustNotMatch.findIndex((text) => matcher.test(text))
  if (taken >= 0) return { message: `The rule "${name}" matches "${mustNotMatch[taken]}", but must not.`, path: ['mustNotMatch', taken] }
  return null
}

const SMALL = 10
const REPEAT = /^(?:[*+]|\{(\d+)(,(\d*))?\})\??/u

/** Walks a pattern that the engine has accepted. */
function slowPart(pattern: string): string | null {
  /** Whether each open group, the outermost first, holds something that repeats or a choice. */
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

/** The end of a character class that begins here; `v`-mode sets are not used. */
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
