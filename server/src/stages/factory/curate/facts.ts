import { lookup } from '#contracts/lookup.ts'
import path from 'node:path'
import type { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { callsOf, messagesOf, type Candidate } from './candidate.ts'

export type BalanceKey = DatasetRecipe['balance'][number]['by']
/** The group of a row for each thing that a data set may be balanced by. */
export type Facts = Record<BalanceKey, string>

const NO_GROUP = 'none'

/** The first match names the task. */
const TASKS: [name: string, words: RegExp][] = [
  ['fix', /\b(fix|bug|error|crash|fail(s|ed|ing|ure)?|broken|debug|wrong|issue)\b/i],
  ['test', /\b(tests?|coverage|spec|e2e)\b/i],
  ['refactor', /\b(refactor|clean ?up|simplif\w+|rename|extract|move|split|tidy)\b/i],
  ['docs', /\b(docs?|document\w*|readme|comments?|changelog)\b/i],
  ['review', /\b(review|audit|check|verify|look (at|over))\b/i],
  ['question', /^\s*(what|why|how|where|which|who|when|is|are|does|do|can|explain|show|list|find)\b/i],
  ['feature', /\b(add|implement|create|build|write|support|introduce|make|enable)\b/i],
]

/** By file extension; several extensions of one language share its name. */
const LANGUAGES: Record<string, string> = lookup({
  ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript',
  js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript',
  py: 'python', pyi: 'python', ipynb: 'python',
  rs: 'rust', go: 'go', java: 'java', kt: 'kotlin', kts: 'kotlin', scala: 'scala',
  c: 'c', h: 'c', cc: 'c++', cpp: 'c++', cxx: 'c++', hpp: 'c++', cs: 'c#',
  rb: 'ruby', php: 'php', swift: 'swift', sh: 'shell', bash: 'shell', zsh: 'shell',
  sql: 'sql', html: 'html', css: 'css', scss: 'css', vue: 'vue', svelte: 'svelte',
  md: 'markdown', json: 'json', yaml: 'yaml', yml: 'yaml', toml: 'toml',
}) // prettier-ignore

/** Characters of a row's text: about 1,000, 4,000 and 16,000 tokens. */
const LENGTHS: [name: string, below: number][] = [
  ['short', 4000],
  ['medium', 16_000],
  ['long', 64_000],
]

/** The kind of task that a prompt asks for, by its words. */
export const taskOf = (prompt: string): string => TASKS.find(([, words]) => words.test(prompt))?.[0] ?? 'other'

export function factsOf({ row, repo, traceIds }: Pick<Candidate, 'row' | 'repo' | 'traceIds'>, characters: number): Facts {
  const messages = messagesOf(row)
  const calls = messages.flatMap(callsOf)
  const files = calls.flatMap((call) => Object.values(call.function.arguments).filter((value) => typeof value === 'string'))
  return {
    repo: repo ?? NO_GROUP,
    session: traceIds[0] ?? NO_GROUP,
    tool: mostFrequent(calls.map((call) => call.function.name)) ?? NO_GROUP,
    task: taskOf(messages.find(({ role }) => role === 'user')?.content ?? ''),
    language: languageIn(files) ?? NO_GROUP,
    length: LENGTHS.find(([, below]) => characters < below)?.[0] ?? 'very long',
  }
}

/** The most frequent language among the files in arguments of calls; null if there are none. */
export const languageIn = (texts: readonly string[]): string | null =>
  mostFrequent(texts.flatMap(pathsIn).map((name) => LANGUAGES[extensionOf(name)]!)) ?? null

/** Files with a known extension in an argument: a path, or the words of a command. */
export function pathsIn(argument: string): string[] {
  if (argument.length > 2000) return []
  return argument.split(/[\s'"`;|&()<>=]+/).filter((word) => LANGUAGES[extensionOf(word)] !== undefined)
}

const extensionOf = (name: string) => path.extname(name).slice(1).toLowerCase()

/** Of several, the first in the alphabet; undefined for an empty list. */
function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0]
}
