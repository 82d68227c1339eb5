import type { z } from 'zod'
import { Tier } from '#contracts/entities/common.ts'
import { ExampleOptions } from '#contracts/entities/example.ts'
import type { buildExamples } from '#contracts/routes/factory.ts'

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
}

export const DEFAULTS = ExampleOptions.parse({})
/** The server's default minimum, unless tiers are selected. */
export const DEFAULT_QUALITY = 0.7

/** Reads the URL and ignores invalid parts. `hasSelection`: sessions are selected in Traces. */
export function readChoice(values: URLSearchParams, hasSelection: boolean): Choice {
  const source = SOURCES.find((name) => name === values.get('from')) ?? (hasSelection ? 'selection' : 'filter')
  const tiers = (values.get('tiers') ?? '').split(',').flatMap((word) => Tier.safeParse(word).data ?? [])
  const quality = Number(values.get('quality') ?? Number.NaN)
  return {
    source,
    tiers,
    repos: values
      .getAll('repos')
      .flatMap((text) => text.split('\u001f'))
      .filter(Boolean),
    view: values.get('view'),
    q: values.get('q') ?? '',
    options: readOptions(values.get('options')),
    minQuality:
      values.get('quality') === 'any'
        ? null
        : Number.isFinite(quality) && quality >= 0 && quality <= 1
          ? quality
          : tiers.length > 0
            ? null
            : DEFAULT_QUALITY,
  }
}

/** Separated by a character that no repository name contains. */
export const writeRepos = (repos: readonly string[]): string => repos.join('\u001f')

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
  const { options, minQuality } = choice
  if (query === null) return ids.length === 0 ? null : { selection: { ids: [...ids] }, options }
  // 0 includes sessions without a quality
  return { selection: { filter: query === '' ? {} : { q: query } }, options, minQuality: minQuality ?? 0 }
}

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
