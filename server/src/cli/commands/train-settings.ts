// Settings of a training run on the command line, under our names and those of the libraries.
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { MatrixAxes } from '#contracts/entities/run-matrix.ts'
import { lookup } from '#contracts/lookup.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { Knobs, LoraKnobs } from '#contracts/train-knobs.ts'
import { CHATML, TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import { enumOf, listOf, parseNumber, textOf, UsageError, type Values } from '../command.ts'

/** Settings with their own option. */
const FLAGS = {
  'learning-rate': 'learningRate',
  epochs: 'epochs',
  'batch-size': 'batchSize',
  'logging-steps': 'loggingSteps',
  'max-steps': 'maxSteps',
  seed: 'seed',
} as const
/** Settings of the libraries; each has an option too: `--warmup-ratio` is `warmupRatio`. */
const KNOB_NAMES = [...Object.keys(Knobs), ...Object.keys(LoraKnobs)].map((name) => (name === 'reportTo' ? 'report_to' : name))
const flagOf = (name: string) => name.replace('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** Names that other tools use for our settings. */
const ALIASES: Record<string, string> = lookup({
  num_epochs: 'epochs',
  max_seq_length: 'maxLength',
  lora_r: 'method.rank',
  lora_alpha: 'method.alpha',
  lora_dropout: 'method.dropout',
  dpo_beta: 'beta',
  num_generations: 'generations',
  max_completion_length: 'maxCompletion',
  num_train_epochs: 'epochs',
  num_processes: 'processes',
  per_device_train_batch_size: 'microBatch',
  lr_scheduler_type: 'schedule',
  gradient_checkpointing: 'activationCheckpointing',
  max_length: 'maxLength',
  target_modules: 'method.targets',
})
/** Names that other tools use for all strategies, but that are different settings here. */
const BY_STRATEGY: Record<string, Partial<Record<TrainStrategy, string>>> = lookup({
  loss_type: { sft: 'sftLossType', dpo: 'dpoLossType', kto: 'ktoLossType', grpo: 'grpoLossType', rlvr: 'grpoLossType' },
})
/** Settings that are stored as part of `method`. */
const METHOD_SETTINGS = new Set(Object.keys(LoraKnobs))
const LISTS = new Set(
  Object.entries({ ...Knobs, ...LoraKnobs })
    .filter(([, type]) => type.unwrap() instanceof z.ZodArray)
    .map(([name]) => name),
)

const meaningOf = (field: object) => (z.globalRegistry.get(field as z.ZodType) as { description?: string } | undefined)?.description ?? ''
/** Options that set one setting. */
export const SETTING_OPTIONS = Object.fromEntries(
  [...Object.keys(FLAGS), ...KNOB_NAMES.map(flagOf)].map((name) => [name, { type: 'string' as const }]),
)

export const settingsHelp = (): string => {
  const own = Object.entries(TrainSettings.shape).filter(([name]) => !Object.hasOwn(Knobs, name))
  const lines = (fields: readonly (readonly [string, object])[], width: number) => fields.map(([name, field]) => `  ${name.padEnd(width)} ${meaningOf(field)}`.trimEnd()).join('\n') // prettier-ignore
  const setting = [...Object.entries(Knobs), ...Object.entries(LoraKnobs)].map(([name, field]) => [`--${flagOf(name)}`, field] as const)
  return `Settings for --set NAME=VALUE (VALUE is JSON or a word; method.rank, method.alpha … name a part; use_lora=false trains all weights):
${lines(own, 18)}
Settings of the libraries, as an option or with --set under the library's name (neftune_noise_alpha=5, loss_type=ipo, report_to=tensorboard):
${lines(setting, 30)}`
}

/** A path if the folder exists, otherwise the id of a model on a hub. */
export const modelOf = (name: string) => (fs.existsSync(name) ? path.resolve(name) : name)

/** Reads settings from options, `--set` and `--template`. Throws `UsageError`. */
export function settingsOf(values: Values, strategy: TrainStrategy): Record<string, unknown> {
  const settings: Record<string, unknown> = lookup()
  const template = textOf(values, 'template')
  if (template !== undefined) settings['template'] = template === CHATML ? CHATML : readTemplate(template)
  for (const [flag, name] of Object.entries(FLAGS)) {
    const text = textOf(values, flag)
    if (text !== undefined) settings[name] = parseNumber(flag, text)
  }
  for (const name of KNOB_NAMES) {
    const text = textOf(values, flagOf(name))
    if (text !== undefined) setSetting(settings, name, valueOf(text), strategy)
  }
  for (const pair of listOf(values, 'set')) {
    const [name = '', ...rest] = pair.split('=')
    if (name === '' || rest.length === 0) throw new UsageError(`--set must be NAME=VALUE, not "${pair}".`)
    setSetting(settings, name, valueOf(rest.join('=')), strategy)
  }
  return settings
}

/** Reads `--matrix` into values by setting path; accepts the names of --set and of options. Null without --matrix. Throws `UsageError`. */
export function axesOf(pairs: readonly string[], values: Values): MatrixAxes | null {
  if (pairs.length === 0) return null
  const strategy = enumOf(values, 'strategy', TrainStrategy.options) ?? 'sft'
  const axes: Record<string, unknown[]> = lookup()
  for (const pair of pairs) {
    const [axis = '', ...rest] = pair.split('=')
    const words = rest.join('=').split(',').map((word) => word.trim()).filter(Boolean) // prettier-ignore
    if (axis === '' || words.length === 0) throw new UsageError(`--matrix must be NAME=VALUE,VALUE…, not "${pair}".`)
    const name = axis.replaceAll('-', '_')
    for (const word of words) {
      const [path, value] = name === 'base_model' || name === 'baseModel' ? (['baseModel', modelOf(word)] as const) : settingAt(name, valueOf(word), strategy) // prettier-ignore
      ;(axes[path] ??= []).push(value)
    }
  }
  const parsed = MatrixAxes.safeParse({ ...axes })
  if (parsed.success) return parsed.data
  throw new UsageError(`--matrix: ${parsed.error.issues.map(plainWords).join(' ')}`)
}

/** Resolves any name of a setting to its path, and converts its value. */
function settingAt(name: string, rawValue: unknown, strategy: TrainStrategy): readonly [string, unknown] {
  const single: Record<string, unknown> = lookup()
  setSetting(single, name, rawValue, strategy)
  const [[top, value]] = Object.entries(single) as [[string, unknown]]
  if (top !== 'method' && top !== 'reportTo') return [top, value]
  const parts = Object.entries(value as object) as [string, unknown][]
  const [setPart, partValue] = parts.find(([key]) => key !== 'kind') ?? parts[0]!
  return [`${top}.${setPart}`, partValue]
}

function readTemplate(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The chat template ${file} cannot be read: ${(error as Error).message}.`)
  }
}

function setSetting(settings: Record<string, unknown>, name: string, rawValue: unknown, strategy: TrainStrategy): void {
  const setPart = (whole: 'method' | 'reportTo', some: object) => (settings[whole] = { ...(whole === 'method' && { kind: 'lora' }), ...(settings[whole] as object | undefined), ...some }) // prettier-ignore
  if (name === 'use_lora') {
    if (rawValue === false) settings['method'] = { kind: 'full' }
    else setPart('method', {})
    return
  }
  if (name === 'report_to') return void setPart('reportTo', reportersOf(rawValue))
  const setting =
    BY_STRATEGY[name]?.[strategy] ?? ALIASES[name] ?? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const value = valueFor(setting, rawValue)
  if (setting.startsWith('method.')) return void setPart('method', { [setting.slice('method.'.length)]: value })
  if (setting.startsWith('reportTo.')) return void setPart('reportTo', { [setting.slice('reportTo.'.length)]: value })
  if (METHOD_SETTINGS.has(setting)) return void setPart('method', { [setting]: value })
  if (!Object.hasOwn(TrainSettings.shape, setting))
    throw new UsageError(`Unknown setting "${name}". Settings: ${[...Object.keys(TrainSettings.shape), ...METHOD_SETTINGS].join(', ')}.`)
  settings[setting] = value
}

/** Splits list settings at commas, and converts true and false of the libraries to our words. */
function valueFor(name: string, value: unknown): unknown {
  if (name === 'activationCheckpointing' && typeof value === 'boolean') return value ? 'on' : 'off'
  if (!LISTS.has(name) || Array.isArray(value)) return value
  return String(value).split(',').map((word) => valueOf(word.trim())) // prettier-ignore
}

function reportersOf(value: unknown): Record<string, boolean> {
  const names = String(value).split(',').map((name) => name.trim()) // prettier-ignore
  return Object.fromEntries(names.filter((name) => name !== 'none').map((name) => [name, true]))
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text // a word without JSON quotes
  }
}
