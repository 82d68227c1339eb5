import type { z } from 'zod'
import { Tier } from '#contracts/entities/common.ts'
import { ExampleOptions } from '#contracts/entities/example.ts'
import type { buildExamples } from '#contracts/routes/factory.ts'

export const SOURCES = ['filter', 'view', 'selection'] as const
export type Source = (typeof SOURCES)[number]
export type BuildInput = z.input<typeof buildExamples.body>

/** What examples are made from, and how; all of it is in the address. */
export interface Choice {
  source: Source
  tiers: readonly Tier[]
  repos: readonly string[]
  /** Id of a saved view. */
  view: string | null
  /** A filter that was chosen in Traces. */
  q: string
  options: ExampleOptions
  minQuality: number | null
}

export const DEFAULTS = ExampleOptions.parse({})
/** Sessions below this quality are skipped unless tiers are given: the server's default. */
export const DEFAULT_QUALITY = 0.7

/** Reads the address; what does not fit is dropped. `hasSelection`: sessions were chosen in Traces. */
export function readChoice(values: URLSearchParams, hasSelection: boolean): Choice {
  const source = SOURCES.find((known) => known === values.get('from')) ?? (hasSelection ? 'selection' : 'filter')
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

/** Names of repositories may hold any sign but this one. */
export const writeRepos = (repos: readonly string[]): string => repos.join('\u001f')

function readOptions(text: string | null): ExampleOptions {
  try {
    return ExampleOptions.safeParse(JSON.parse(text ?? '{}')).data ?? DEFAULTS
  } catch {
    return DEFAULTS
  }
}

/** Only what differs from the defaults; null if nothing does. */
export function writeOptions(options: ExampleOptions): string | null {
  const own = Object.entries(options).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULTS[name as keyof ExampleOptions]),
  )
  return own.length === 0 ? null : JSON.stringify(Object.fromEntries(own))
}

/** The filter of the trace list that takes the sessions; null for a selection of ids. */
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

/** The request; null while nothing is chosen. */
export function inputOf(choice: Choice, query: string | null, ids: readonly string[]): BuildInput | null {
  const { options, minQuality } = choice
  if (query === null) return ids.length === 0 ? null : { selection: { ids: [...ids] }, options }
  // 0 takes also sessions without a measured quality
  return { selection: { filter: query === '' ? {} : { q: query } }, options, minQuality: minQuality ?? 0 }
}

/** "5 min gap, 20 turns, …": what the folded options come to. */
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
