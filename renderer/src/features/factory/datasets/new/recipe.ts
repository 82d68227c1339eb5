import { DatasetRecipe, type BalanceBy, type DatasetKind } from '#contracts/entities/dataset.ts'
import { Tier } from '#contracts/entities/common.ts'
import type { ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { defaultTiers } from '#contracts/train-on-this.ts'

/** A balance rule as typed. `weights`: one group per line, such as `repo=0.5`. */
export interface BalanceDraft {
  by: BalanceBy
  cap: string
  weights: string
}

/** The form's values. Numbers are text; '' means the contract's default. */
export interface Draft {
  kind: DatasetKind
  name: string
  query: string
  /** Sessions selected in Traces. */
  traceIds: string[]
  tiers: Tier[]
  repos: string
  minQuality: string
  unverified: boolean
  /** Models whose agent runs are used. */
  runs: string[]
  review: 'not_rejected' | 'accepted'
  gapMinutes: string
  maxTurns: string
  minSuccessShare: string
  outputChars: string
  thinking: boolean
  carryPrompt: boolean
  skipRefused: boolean
  skipRetried: boolean
  acrossRepositories: boolean
  byOutcome: boolean
  systemPrompt: 'short' | 'recorded' | 'own' | 'none'
  ownPrompt: string
  near: boolean
  threshold: string
  against: string
  sessionShare: string
  balance: BalanceDraft[]
  splitBy: 'session' | 'repo' | 'time'
  val: string
  test: string
  seed: string
  replace: ReplaceStrategy | ''
  privacyOff: boolean
  privacyOffReason: string
  dropSecretCalls: boolean
  canaries: string
  include: string[]
}

/** Props of every part of the form. */
export interface FormPart {
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorOf: (path: string) => string | undefined
}

export const EMPTY: Draft = {
  kind: 'sft', name: '', query: '', traceIds: [], tiers: [], repos: '', minQuality: '', unverified: false, runs: [], review: 'not_rejected',
  gapMinutes: '', maxTurns: '', minSuccessShare: '', outputChars: '', thinking: true, carryPrompt: true, skipRefused: true, skipRetried: true, acrossRepositories: false, byOutcome: false,
  systemPrompt: 'short', ownPrompt: '', near: true, threshold: '', against: '', sessionShare: '', balance: [],
  splitBy: 'session', val: '', test: '', seed: '', replace: '', privacyOff: false, privacyOffReason: '', dropSecretCalls: false,
  canaries: '', include: [],
} // prettier-ignore

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean) // prettier-ignore
const textOr = (text: string) => (text.trim() === '' ? undefined : text.trim())
const numberOr = (text: string) => (text.trim() === '' ? undefined : Number(text))
const isSet = ([, value]: [string, unknown]) =>
  value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0)
const withoutUnset = (object: Record<string, unknown>) => Object.fromEntries(Object.entries(object).filter(isSet))

/** Parses lines such as `repo=0.5`; a missing number becomes NaN, which the contract rejects. */
const weightsOf = (text: string) =>
  Object.fromEntries(
    linesOf(text).map((line): [string, number] => {
      const at = line.lastIndexOf('=')
      return at < 0 ? [line, Number.NaN] : [line.slice(0, at).trim(), Number(line.slice(at + 1))]
    }),
  )

/** The request body, without default values. */
export function requestOf(draft: Draft): { kind: DatasetKind } & Record<string, unknown> {
  return {
    kind: draft.kind,
    ...withoutUnset({
      name: textOr(draft.name),
      query: textOr(draft.query),
      traceIds: draft.traceIds,
      tiers: draft.tiers,
      repos: linesOf(draft.repos),
      minQuality: numberOr(draft.minQuality),
      unverified: draft.unverified || undefined,
      runs: draft.runs,
      review: draft.review === 'accepted' ? 'accepted' : undefined,
      examples: withoutUnset({
        gapMinutes: numberOr(draft.gapMinutes),
        maxTurns: numberOr(draft.maxTurns),
        minSuccessShare: numberOr(draft.minSuccessShare),
        outputChars: numberOr(draft.outputChars),
        thinking: draft.thinking ? undefined : false,
        skipRefused: draft.skipRefused ? undefined : false,
        skipRetried: draft.skipRetried ? undefined : false,
        pairAcrossRepositories: draft.acrossRepositories || undefined,
        byOutcome: draft.byOutcome || undefined,
        carryPrompt: draft.carryPrompt ? undefined : false,
        systemPrompt:
          draft.systemPrompt === 'short'
            ? undefined
            : { kind: draft.systemPrompt, ...(draft.systemPrompt === 'own' && { text: draft.ownPrompt }) },
      }),
      dedup: withoutUnset({ near: draft.near ? undefined : false, threshold: numberOr(draft.threshold) }),
      sessionShare: numberOr(draft.sessionShare),
      balance: draft.balance.map(({ by, cap, weights }) => ({ by, ...withoutUnset({ cap: numberOr(cap), weights: weightsOf(weights) }) })),
      against: linesOf(draft.against),
      split: withoutUnset({
        by: draft.splitBy === 'session' ? undefined : draft.splitBy,
        val: numberOr(draft.val),
        test: numberOr(draft.test),
      }),
      seed: numberOr(draft.seed),
      replace: draft.replace || undefined,
      privacyOff: draft.privacyOff ? draft.privacyOffReason.trim() : undefined,
      dropSecretCalls: draft.dropSecretCalls || undefined,
      canaries: numberOr(draft.canaries),
      include: draft.include,
    }),
  }
}

/** The recipe of a draft, or its errors by path (`split.val`). */
export function recipeOf(draft: Draft): { recipe: DatasetRecipe } | { errors: Record<string, string> } {
  const parsed = DatasetRecipe.safeParse(requestOf(draft))
  if (!parsed.success) return { errors: Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), plainWords(issue)])) }
  return { recipe: parsed.data }
}

const shellQuote = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)

/** The equivalent command: with flags where they exist, and the rest of the recipe as JSON. */
export function commandOf(draft: Draft): string {
  const { kind, name, query, tiers, repos, minQuality, against, include, seed, replace, canaries, runs, sessionShare, ...rest } = requestOf(
    draft,
  ) as Record<string, unknown>
  const { maxTurns, ...examples } = (rest['examples'] ?? {}) as Record<string, unknown>
  const { by, val, test } = (rest['split'] ?? {}) as Record<string, unknown>
  delete rest['examples']
  delete rest['split']
  const flags: [string, unknown][] = [
    ['kind', kind], ['name', name],
    // the command takes either a query or tiers
    ['query', tiers && query ? `${draft.query.trim()} tier:${draft.tiers.join(',')}` : query],
    ['tier', query ? undefined : (tiers as string[] | undefined)?.join(',')],
    ...((repos as string[] | undefined) ?? []).map((repo): [string, unknown] => ['repo', repo]),
    ['min-quality', minQuality], ['max-turns', maxTurns], ['session-share', sessionShare],
    ['split-by', by], ['val', val], ['test', test], ['seed', seed], ['replace', replace], ['canaries', canaries],
    ...((against as string[] | undefined) ?? []).map((file): [string, unknown] => ['against', file]),
    ...((runs as string[] | undefined) ?? []).map((model): [string, unknown] => ['runs', model]),
    ...((include as string[] | undefined) ?? []).map((id): [string, unknown] => ['include', id]),
  ] // prettier-ignore
  const recipeRest = withoutUnset({ ...rest, examples })
  return [
    'bashgym dataset build',
    ...flags.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag} ${shellQuote(String(value as string | number))}`])),
    ...(Object.keys(recipeRest).length > 0 ? [`--recipe ${shellQuote(JSON.stringify(recipeRest))}`] : []),
  ].join(' ')
}

/** A draft from a link of another screen, with its filter, tiers, repository and review rule, or with selected sessions. */
export function draftOf(search: URLSearchParams, selectedIds: readonly string[] = []): Draft {
  const kind = DatasetRecipe.shape.kind.safeParse(search.get('kind')).data ?? EMPTY.kind
  const query = search.get('q') ?? ''
  const traceIds = search.get('from') === 'selection' ? [...selectedIds] : []
  const tiers = (search.get('tiers') ?? '').split(',').flatMap((word) => Tier.safeParse(word).data ?? [])
  return {
    ...EMPTY,
    kind,
    query,
    traceIds,
    tiers: tiers.length > 0 ? tiers : traceIds.length > 0 ? [] : defaultTiers(kind, query),
    repos: search.get('repo') ?? '',
    review: search.get('review') === 'accepted' ? 'accepted' : EMPTY.review,
    dropSecretCalls: true,
  }
}
