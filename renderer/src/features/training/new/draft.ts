import { lookup } from '#contracts/lookup.ts'
import type { z } from 'zod'
import { MatrixAxes } from '#contracts/entities/run-matrix.ts'
import { RunRequest, type PlanNote, type RunPreset } from '#contracts/entities/run.ts'
import { CHATML, type Reward, type TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { ALL_FIELDS, fitsStrategy } from './fields.ts'

/** The form as typed. Settings are texts by path; a missing setting has its default. */
export interface Draft {
  name: string
  source: 'dataset' | 'file' | 'tasks'
  datasetId: string
  file: string
  valFile: string
  /** Splits of shell tasks: to train on, and held out. */
  split: string
  heldout: string
  /** Data sets that are mixed in, with their weights as text. */
  mix: readonly { datasetId: string; weight: string }[]
  baseModel: string
  teacher: string
  strategy: TrainStrategy
  preset: RunPreset
  settings: Readonly<Record<string, string>>
  /** Null: the strategy's default rewards. */
  rewards: readonly Reward[] | null
  overrideMemory: boolean
  /** Exports the model as GGUF when the run completes. */
  exportsGguf: boolean
  tags: string
  fromRun: string | null
  /** Settings for which several values are tried, by path; the values as text. */
  axes: readonly { path: string; values: string }[]
}

export const EMPTY: Draft = {
  name: '', source: 'dataset', datasetId: '', file: '', valFile: '', split: '', heldout: '', mix: [], baseModel: '', teacher: '', strategy: 'sft', preset: 'balanced',
  settings: {}, rewards: null, overrideMemory: false, exportsGguf: false, tags: '', fromRun: null, axes: [],
} // prettier-ignore

type Request = z.input<typeof RunRequest>
type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** The value of a setting from its text. A number field with other text keeps the text, which the contract rejects. */
function valueOf(path: string, text: string): Json {
  const field = fieldOf(path)
  const trimmed = text.trim()
  if (field?.none !== undefined && (trimmed === field.none || trimmed === 'none')) return null
  if (field?.kind === 'switch') return trimmed === 'true'
  if (field?.kind === 'list') return splitAtCommas(trimmed).map((word) => (Number.isFinite(Number(word)) ? Number(word) : word))
  if (field?.kind === 'number' && trimmed !== '' && Number.isFinite(Number(trimmed))) return Number(trimmed)
  return trimmed
}

const splitAtCommas = (text: string): string[] => text.split(',').map((word) => word.trim()).filter(Boolean) // prettier-ignore

/** The chosen settings, in the shape of the contract. */
export function chosenSettings({
  settings,
  strategy,
  rewards,
  source,
}: Pick<Draft, 'settings' | 'strategy' | 'rewards' | 'source'>): Record<string, unknown> {
  const chosen: Record<string, unknown> = lookup()
  const method: Record<string, unknown> = lookup()
  const reportTo: Record<string, unknown> = lookup()
  for (const [path, text] of Object.entries(settings)) {
    const field = fieldOf(path)
    if (text.trim() === '' || !field || !fitsStrategy(field, strategy)) continue
    const value = valueOf(path, text)
    if (path === 'earlyStopping.patience') chosen['earlyStopping'] = value === null ? null : { patience: value }
    else if (path.startsWith('method.')) method[path.slice('method.'.length)] = value
    else if (path.startsWith('reportTo.')) reportTo[path.slice('reportTo.'.length)] = value
    else chosen[path] = value
  }
  if (Object.keys(method).length > 0) chosen['method'] = method['kind'] === 'full' ? { kind: 'full' } : { ...method, kind: 'lora' }
  if (Object.keys(reportTo).length > 0) chosen['reportTo'] = reportTo
  if (rewards && source !== 'tasks' && (strategy === 'grpo' || strategy === 'rlvr')) chosen['rewards'] = rewards
  return chosen
}

/** The request of the form, or its errors by path of the field. */
export function requestOf(draft: Draft): { request: RunRequest } | { errors: Record<string, string> } {
  const errors: Record<string, string> = lookup()
  if (draft.source === 'dataset' && draft.datasetId === '') errors['datasetId'] = 'Choose a data set.'
  if (draft.source === 'file' && draft.file.trim() === '') errors['file'] = 'Enter a JSONL file.'
  if (draft.source === 'tasks' && draft.split === '') errors['shellTasks.split'] = 'Choose shell tasks.'
  if (draft.baseModel.trim() === '') errors['baseModel'] = 'Choose a base model.'
  if (draft.strategy === 'distillation' && draft.teacher.trim() === '') errors['teacher'] = 'Choose a teacher.'
  const tags = splitAtCommas(draft.tags)
  const body: Record<string, unknown> = lookup({
    ...(draft.name.trim() ? { name: draft.name.trim() } : {}),
    strategy: draft.strategy,
    baseModel: draft.baseModel.trim() || '?',
    ...(draft.strategy === 'distillation' && draft.teacher.trim() ? { teacher: draft.teacher.trim() } : {}),
    ...dataOf(draft),
    ...(draft.mix.length > 0 && draft.source !== 'tasks' ? { mix: draft.mix.map(({ datasetId, weight }) => ({ datasetId, weight: weight.trim() === '' ? 1 : Number(weight) })) } : {}), // prettier-ignore
    preset: draft.preset,
    settings: chosenSettings(draft),
    overrideMemory: draft.overrideMemory,
    ...(draft.exportsGguf ? { autoExportGguf: 'q4_k_m' } : {}),
    tags,
    ...(draft.fromRun ? { fromRun: draft.fromRun } : {}),
  })
  const read = RunRequest.safeParse(body)
  if (!read.success) for (const issue of read.error.issues) errors[pathOf(issue.path)] ??= plainWords(issue)
  return read.success && Object.keys(errors).length === 0 ? { request: read.data } : { errors }
}

export const MODEL_AXIS = 'baseModel'

/** Settings that this strategy can try with several values. */
export const axisFields = (strategy: TrainStrategy) =>
  ALL_FIELDS.filter((field) => ['number', 'choice', 'switch'].includes(field.kind) && fitsStrategy(field, strategy))

/** The axes with their values (null: a single run), or what is wrong with them. */
export function axesOf({ axes, strategy }: Draft): { axes: MatrixAxes | null } | { error: string } {
  if (axes.length === 0) return { axes: null }
  const allowedPaths = new Set([MODEL_AXIS, ...axisFields(strategy).map(({ path }) => path)])
  const read = MatrixAxes.safeParse(
    Object.fromEntries(
      axes
        .filter(({ path }) => allowedPaths.has(path))
        .map(({ path, values }) => [path, splitAtCommas(values).map((word) => valueOf(path, word))]),
    ),
  )
  if (read.success) return { axes: read.data }
  const [issue] = read.error.issues
  const label = fieldOf(String(issue?.path[0]))?.label
  return { error: `Several values: ${label === undefined ? '' : `${label}: `}${plainWords(issue!)}` }
}

function dataOf({ source, datasetId, file, valFile, split, heldout }: Draft): Partial<Request> {
  if (source === 'dataset') return { datasetId }
  if (source === 'tasks') return { shellTasks: { split: split || '0', ...(heldout !== '' && { heldout }) } }
  return { file: file.trim() || '?', ...(valFile.trim() && { valFile: valFile.trim() }) }
}

/** A value as text for its field. */
const fieldText = (value: unknown, none = ''): string =>
  value === null || value === undefined
    ? none
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)

const pathOf = (path: readonly PropertyKey[]): string => {
  const names = path.map(String)
  if (names[0] === 'tags') return 'tags' // a single field contains all tags
  const place = (names[0] === 'settings' ? names.slice(1) : names).join('.')
  return ALL_FIELDS.find(({ kind, path: listPath }) => kind === 'list' && place.startsWith(`${listPath}.`))?.path ?? place // a single field contains the whole list
}

/** Fills in the form from the request of an earlier run, a preset or a loaded configuration. */
export function draftOf(request: Partial<Request>, base: Draft = EMPTY): Draft {
  const settings: Record<string, string> = lookup()
  const requestSettings = (request.settings ?? {}) as Record<string, unknown>
  const setField = (path: string, value: unknown) => {
    const field = fieldOf(path)
    if (field && value !== undefined) settings[path] = fieldText(value, field.none)
  }
  for (const [name, value] of Object.entries(requestSettings)) {
    if (name === 'method' || name === 'reportTo')
      for (const [part, chosen] of Object.entries(value ?? {})) setField(`${name}.${part}`, chosen)
    else if (name === 'earlyStopping') setField('earlyStopping.patience', value === null ? null : (value as { patience?: number }).patience)
    else setField(name, value)
  }
  return {
    ...base,
    name: request.name ?? base.name,
    source: request.shellTasks
      ? 'tasks'
      : request.file === undefined
        ? request.datasetId === undefined
          ? base.source
          : 'dataset'
        : 'file',
    split: request.shellTasks?.split ?? base.split,
    heldout: request.shellTasks?.heldout ?? base.heldout,
    datasetId: request.datasetId ?? base.datasetId,
    file: request.file ?? base.file,
    valFile: request.valFile ?? base.valFile,
    mix: request.mix?.map(({ datasetId, weight }) => ({ datasetId, weight: String(weight ?? 1) })) ?? base.mix,
    baseModel: request.baseModel ?? base.baseModel,
    teacher: request.teacher ?? base.teacher,
    strategy: request.strategy ?? base.strategy,
    preset: request.preset ?? base.preset,
    settings: request.settings === undefined ? base.settings : settings,
    rewards: request.settings === undefined ? base.rewards : ((requestSettings['rewards'] as Reward[] | undefined) ?? null),
    tags: request.tags?.join(', ') ?? base.tags,
    fromRun: request.fromRun ?? base.fromRun,
  }
}

/** The form with the advice of a note applied. */
export const withAdvice = (draft: Draft, change: Advice): Draft => ({
  ...draft,
  settings: {
    ...draft.settings,
    ...Object.fromEntries(Object.entries(change).map(([path, value]) => [path, fieldText(value, fieldOf(path)?.none)])),
  },
})

/** Label of the button that applies an advice: "Set Max length to 4096". */
export function adviceLabel(change: Advice): string {
  if (change['template'] === CHATML) return 'Write calls as Hermes/ChatML'
  const parts = Object.entries(change).map(([path, value]) => {
    const field = fieldOf(path)
    const text = fieldText(value, field?.none)
    const word =
      field?.kind === 'switch' ? (value === true ? 'on' : 'off') : (field?.options?.find((one) => one.value === text)?.label ?? text)
    return `${field?.label ?? path} to ${word}`
  })
  return `Set ${parts.join(' and ')}`
}

type Advice = NonNullable<PlanNote['apply']>
const fieldOf = (path: string) => ALL_FIELDS.find((one) => one.path === path)

export function settingText(settings: TrainSettings, path: string): string {
  let value: unknown = settings
  for (const name of path.split('.')) value = value === null || value === undefined ? value : (value as Record<string, unknown>)[name]
  return fieldText(value, fieldOf(path)?.none)
}

/** A command as typed in a shell. */
export const shellWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ')
