import { jaccard } from '#server/likeness/shingles.ts'
import { normalSpace } from '#server/likeness/normal-space.ts'
import { tokensOf } from '../curate/text.ts'
import { hash32 } from '#server/likeness/word-hashes.ts'
import type { Completion } from '#server/adapters/llm/index.ts'
import { languageOf } from './language.ts'

/** What is more alike than this is the same request. */
const MAX_ALIKE = 0.95
/** Shorter than this it must have so many words: characters, in a script that puts no blanks between words. */
const LEAST_CHARS = 8
const LEAST_WORDS = 4
/** So many times the original, and this many characters more: no rewording but an essay. */
const MAX_TIMES_LONGER = 4
const SOME_CHARS = 400
/** A new task may say more than the one it is like: its subject, and how to see that it is done. */
const TASK_CHARS = 2000

export type Rejection =
  | 'empty'
  | 'cut off'
  | 'refusal'
  | 'extra text around the request'
  | 'too long'
  | 'different language'
  | 'required names missing'
  | 'same as the original'
  | 'same as another variant'
  | 'same as another task'
  | 'secret'

const REFUSAL =
  /^(i['’]?m (sorry|unable|not able)|i am (sorry|unable|not able)|sorry,? (but )?i|i (can['’]?t|cannot|can not|won['’]?t|will not)\b|as an? (ai|language model)|i apologi[sz]e|unfortunately,? i (can|am))/i
const COMMENT = /^(here('s| is| are)|sure\b|certainly\b|of course\b|okay,|reworded( request)?:|the reworded)/i

/** The text of an answer without the marks that models put around it. */
export function cleaned(text: string): string {
  let rest = text.trim()
  rest = /^<request>([\s\S]*)<\/request>$/.exec(rest)?.[1]?.trim() ?? rest
  rest = /^```\w*\n([\s\S]*)\n```$/.exec(rest)?.[1]?.trim() ?? rest
  const quoted = /^(["“'])([\s\S]*)(["”'])$/.exec(rest)?.[2]
  return quoted !== undefined && !/["“”]/.test(quoted) ? quoted.trim() : rest
}

interface Against {
  prompt: string
  keep: readonly string[]
  others: readonly string[]
  stopped: Completion['stopped']
}

/** Why an answer is no variant of `prompt`; null when it is one. `others`: the variants that there are already. */
export function reasonAgainst(text: string, { prompt, keep, others, stopped }: Against): Rejection | null {
  const reason = noRequest(text, prompt, stopped, SOME_CHARS)
  if (reason) return reason
  if (keep.some((word) => !text.includes(word))) return 'required names missing'
  if (alike(text, prompt)) return 'same as the original'
  return others.some((other) => alike(text, other)) ? 'same as another variant' : null
}

/** Why an answer is no new task in the manner of `prompt`; null when it is one. `others`: the tasks that there are already. */
export function reasonAgainstTask(text: string, { prompt, others, stopped }: Omit<Against, 'keep'>): Rejection | null {
  const reason = noRequest(text, prompt, stopped, TASK_CHARS)
  if (reason) return reason
  if (alike(text, prompt)) return 'same as the original'
  return others.some((other) => alike(text, other)) ? 'same as another task' : null
}

/** Why an answer is not a request of a developer at all, in the language of `prompt` and of a length like its. */
function noRequest(text: string, prompt: string, stopped: Completion['stopped'], someChars: number): Rejection | null {
  if (stopped === 'refusal') return 'refusal'
  if (stopped === 'length') return 'cut off'
  const words = tokensOf(text).length
  if (words < 2 || (text.length < LEAST_CHARS && words < LEAST_WORDS)) return 'empty'
  if (REFUSAL.test(text) && !REFUSAL.test(prompt.trim())) return 'refusal'
  if (COMMENT.test(text) && !COMMENT.test(prompt.trim())) return 'extra text around the request'
  if (text.length > prompt.length * MAX_TIMES_LONGER + someChars) return 'too long'
  const asked = languageOf(prompt)
  const given = languageOf(text)
  return asked !== null && given !== null && asked !== given ? 'different language' : null
}

/** Equal but for blanks and case, or nearly: characters in threes, as prompts are too short for words in threes. */
function alike(a: string, b: string): boolean {
  return tokensOf(a).join(' ') === tokensOf(b).join(' ') || jaccard(threes(a), threes(b)) > MAX_ALIKE
}

function threes(text: string): Uint32Array {
  const normal = normalSpace(text.toLowerCase())
  const all = new Set<number>()
  for (let at = 0; at + 3 <= normal.length; at += 1) all.add(hash32(normal.slice(at, at + 3)))
  return Uint32Array.from(all).toSorted()
}

/** Names in a prompt that its solution works with: files, paths, identifiers. Every variant must contain them. */
export function namesToKeep(prompt: string, solution: string): string[] {
  const found = prompt.match(NAMES) ?? []
  return [...new Set(found.map((name) => name.replace(/[.:,;]+$/, '')))]
    .filter((name) => name.length > 2 && solution.includes(name))
    .slice(0, 40)
}
/** Paths, file names, snake_case, camelCase, PascalCase with a hump, dotted names, calls, options. */
const NAMES =
  /(?:(?<![\w@~.-])[\w@~.-]{0,255}\/)+[\w@.-]+|\b(?<![\w-])[\w-]+\.[a-zA-Z]\w{0,9}\b|\b\w+_\w+\b|\b[a-z][a-z0-9]*[A-Z]\w*\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b|(?<=`)[^`\n]{3,80}(?=`)|\b\w+(?=\(\))/g
