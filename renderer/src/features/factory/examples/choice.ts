import type { z } from 'zod'
import { Tier } from '#contracts/entities/common.ts'
import { DatasetRecipe, DEFAULT_MIN_QUALITY } from '#contracts/entities/dataset.ts'
import { ExampleOptions } from '#contracts/entities/example.ts'
import type { buildExamples } from '#contracts/routes/factory.ts'
import { defaultTiers } from '#contracts/train-on-this.ts'

export const SOURCES = ['filter', 'view', 'selection'] as const
export type Source = (typeof SOURCES)[number]
export type BuildInput = z.input<typeof buildExamples.body>

/** What examples are made from, and how; stored in the URL. */
export interface Choice {
  source: Source
  tiers: readonly Tier[]
  repos: readonly string[]
  /** Id of a saved view. */
  view: string | null
  /** A filter from Traces. */
  q: string
  options: ExampleOptions
  minQuality: number | null
  unverified: boolean
  /** Models whose agent runs are used. */
  runs: readonly string[]
}

export const DEFAULTS = ExampleOptions.parse({})
/** Reads the URL and ignores invalid parts. `hasSelection`: sessions are selected in Traces. */
export function readChoice(values: URLSearchParams, hasSelection: boolean): Choice {
  const source = SOURCES.find((name) => name === values.get('from')) ?? (hasSelection ? 'selection' : 'filter')
  const q = values.get('q') ?? ''
  const tiers = values.has('tiers')
    ? values.get('tiers')!.split(',').flatMap((word) => Tier.safeParse(word).data ?? [])
    : source === 'filter' ? defaultTiers('sft', q) : [] // prettier-ignore
  const quality = Number(values.get('quality') ?? Number.NaN)
  return {
    source,
    tiers,
    repos: readList(values, 'repos'),
    view: values.get('view'),
    q,
    unverified: values.get('unverified') === '1',
    runs: readList(values, 'runs'),
    options: readOptions(values.get('options')),
    minQuality:
      values.get('quality') === 'any'
        ? null
        : Number.isFinite(quality) && quality >= 0 && quality <= 1
          ? quality
          : tiers.length > 0
            ? null
            : DEFAULT_MIN_QUALITY,
  }
}

/** Separated by a character that no name of a repository or model contains. */
const SEPARATOR = '\u001f'
export const writeList = (names: readonly string[]): string => names.join(SEPARATOR)
const readList = (values: URLSearchParams, name: string): string[] =>
  values
    .getAll(name)
    .flatMap((text) => text.split(SEPARATOR))
    .filter(Boolean)

function readOptions(text: string | null): ExampleOptions {
  try {
    return ExampleOptions.safeParse(JSON.parse(text ?? '{}')).data ?? DEFAULTS
  } catch {
    return DEFAULTS
  }
}

/** The options that differ from the defaults; null if none do. */
export function writeOptions(options: ExampleOptions): string | null {
  const changedOptions = Object.entries(options).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULTS[name as keyof ExampleOptions]),
  )
  return changedOptions.length === 0 ? null : JSON.stringify(Object.fromEntries(changedOptions))
}

/** The trace filter that selects the sessions; null for a selection by id. */
export function queryOf(choice: Choice, viewQuery: string | null): string | null {
  if (choice.source === 'selection') return null
  if (choice.source === 'view') return viewQuery ?? ''
  const parts = [
    choice.q.trim(),
    choice.tiers.length > 0 ? `tier:${choice.tiers.join(',')}` : '',
    choice.repos.length > 0 ? `repo:${choice.repos.map(quote).join(',')}` : '',
  ]
  return parts.filter(Boolean).join(' ')
}

const quote = (value: string): string => (/[\s,":]/.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value)

/** The request; null while nothing is selected. */
export function inputOf(choice: Choice, query: string | null, ids: readonly string[]): BuildInput | null {
  const { options } = choice
  if (query === null) return ids.length === 0 ? null : { selection: { ids: [...ids] }, options }
  return { selection: { filter: query === '' ? {} : { q: query } }, options, ...criteriaOf(choice) }
}

// 0 includes sessions without a quality
const criteriaOf = ({ minQuality, unverified, runs }: Choice) => ({ minQuality: minQuality ?? 0, unverified, runs: [...runs] })

/** The recipe of a data set that uses the same sessions, for counting them. */
export const recipeOf = (choice: Choice, query: string): DatasetRecipe => DatasetRecipe.parse({ kind: 'sft', query, ...criteriaOf(choice) })

/** Summary of the collapsed options: "short system prompt, thinking kept, …". */
export function optionsSentence(options: ExampleOptions): string {
  const system = { short: 'short system prompt', recorded: 'recorded system prompt', own: 'custom system prompt', none: 'no system prompt' }
  return [
    system[options.systemPrompt.kind],
    options.thinking ? 'thinking kept' : 'thinking removed',
    options.skipRefused ? 'refused calls not trained on' : 'refused calls trained on',
    options.skipRetried ? 'retried calls not trained on' : 'retried calls trained on',
    `outputs up to ${options.outputChars.toLocaleString('en-US')} characters`,
    `at most ${options.maxTurns} turns`,
    `new task after ${options.gapMinutes} min idle`,
  ].join(', ')
}
