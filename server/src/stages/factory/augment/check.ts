import { jaccard } from '#server/likeness/shingles.ts'
import { normalSpace } from '#server/likeness/normal-space.ts'
import { tokensOf } from '../curate/text.ts'
import { hash32 } from '#server/likeness/word-hashes.ts'
import type { Completion } from '#server/adapters/llm/index.ts'
import { languageOf } from './language.ts'

/** More similar texts are the same request. */
const MAX_SIMILARITY = 0.95
/** Shorter texts need at least MIN_WORDS words (characters, in scripts without spaces between words). */
const MIN_CHARS = 8
const MIN_WORDS = 4
/** An answer longer than this many times the original, plus EXTRA_CHARS, is not a rewording. */
const MAX_TIMES_LONGER = 4
const EXTRA_CHARS = 400
/** EXTRA_CHARS of a new task, which also has to describe its subject and when it is done. */
const EXTRA_TASK_CHARS = 2000

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

/** Removes tags, code fences and quotation marks around an answer. */
export function unwrap(text: string): string {
  let body = text.trim()
  body = /^<request>([\s\S]*)<\/request>$/.exec(body)?.[1]?.trim() ?? body
  body = /^```\w*\n([\s\S]*)\n```$/.exec(body)?.[1]?.trim() ?? body
  const quoted = /^(["“'])([\s\S]*)(["”'])$/.exec(body)?.[2]
  return quoted !== undefined && !/["“”]/.test(quoted) ? quoted.trim() : body
}

interface Comparison {
  prompt: string
  keep: readonly string[]
  existing: readonly string[]
  stopped: Completion['stopped']
}

/** Why an answer is not a variant of `prompt`; null if it is. `existing`: variants so far. */
export function rejectionOfVariant(text: string, { prompt, keep, existing, stopped }: Comparison): Rejection | null {
  const reason = rejectionOfRequest(text, prompt, stopped, EXTRA_CHARS)
  if (reason) return reason
  if (keep.some((word) => !text.includes(word))) return 'required names missing'
  if (isAlike(text, prompt)) return 'same as the original'
  return existing.some((other) => isAlike(text, other)) ? 'same as another variant' : null
}

/** Why an answer is not a new task like `prompt`; null if it is. `existing`: tasks so far. */
export function rejectionOfTask(text: string, { prompt, existing, stopped }: Omit<Comparison, 'keep'>): Rejection | null {
  const reason = rejectionOfRequest(text, prompt, stopped, EXTRA_TASK_CHARS)
  if (reason) return reason
  if (isAlike(text, prompt)) return 'same as the original'
  return existing.some((other) => isAlike(text, other)) ? 'same as another task' : null
}

/** Why an answer is not a developer's request in the language and about the length of `prompt`; null if it is. */
function rejectionOfRequest(text: string, prompt: string, stopped: Completion['stopped'], someChars: number): Rejection | null {
  if (stopped === 'refusal') return 'refusal'
  if (stopped === 'length') return 'cut off'
  const words = tokensOf(text).length
  if (words < 2 || (text.length < MIN_CHARS && words < MIN_WORDS)) return 'empty'
  if (REFUSAL.test(text) && !REFUSAL.test(prompt.trim())) return 'refusal'
  if (COMMENT.test(text) && !COMMENT.test(prompt.trim())) return 'extra text around the request'
  if (text.length > prompt.length * MAX_TIMES_LONGER + someChars) return 'too long'
  const promptLanguage = languageOf(prompt)
  const answerLanguage = languageOf(text)
  return promptLanguage !== null && answerLanguage !== null && promptLanguage !== answerLanguage ? 'different language' : null
}

/** Compares character trigrams, because prompts are too short for word trigrams. Ignores white space and case. */
function isAlike(a: string, b: string): boolean {
  return tokensOf(a).join(' ') === tokensOf(b).join(' ') || jaccard(trigramHashes(a), trigramHashes(b)) > MAX_SIMILARITY
}

function trigramHashes(text: string): Uint32Array {
  const normal = normalSpace(text.toLowerCase())
  const hashes = new Set<number>()
  for (let at = 0; at + 3 <= normal.length; at += 1) hashes.add(hash32(normal.slice(at, at + 3)))
  return Uint32Array.from(hashes).toSorted()
}

/** Files, paths and identifiers in a prompt that its solution uses. Every variant must contain them. */
export function namesToKeep(prompt: string, solution: string): string[] {
  const names = prompt.match(NAMES) ?? []
  return [...new Set(names.map((name) => name.replace(/[.:,;]+$/, '')))]
    .filter((name) => name.length > 2 && solution.includes(name))
    .slice(0, 40)
}
/** Paths, file names, snake_case, camelCase, PascalCase with a hump, dotted names, calls, options. */
const NAMES =
  /(?:(?<![\w@~.-])[\w@~.-]{0,255}\/)+[\w@.-]+|\b(?<![\w-])[\w-]+\.[a-zA-Z]\w{0,9}\b|\b\w+_\w+\b|\b[a-z][a-z0-9]*[A-Z]\w*\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b|(?<=`)[^`\n]{3,80}(?=`)|\b\w+(?=\(\))/g
