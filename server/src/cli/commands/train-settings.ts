// Settings of a training run on the command line, under our names and those of the libraries.
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { MatrixAxes } from '#contracts/entities/run-matrix.ts'
import { lookup } from '#contracts/lookup.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { Knobs, LoraKnobs } from '#contracts/train-knobs.ts'
import { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
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
/** Those of the libraries have one too: `--warmup-ratio` is `warmupRatio`. */
const KNOB_NAMES = [...Object.keys(Knobs), ...Object.keys(LoraKnobs)].map((name) => (name === 'reportTo' ? 'report_to' : name))
const flagOf = (name: string) => name.replace('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** Names of settings that others know them by. */
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
/** Settings that others give one name for all strategies. */
const BY_STRATEGY: Record<string, Partial<Record<TrainStrategy, string>>> = lookup({
  loss_type: { sft: 'sftLossType', dpo: 'dpoLossType', kto: 'ktoLossType', grpo: 'grpoLossType', rlvr: 'grpoLossType' },
})
/** `use_dora` and `useDora` for what is a part of the method. */
const OF_METHOD = new Set(Object.keys(LoraKnobs))
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
  const known = [...Object.entries(Knobs), ...Object.entries(LoraKnobs)].map(([name, field]) => [`--${flagOf(name)}`, field] as const)
  return `Settings for --set NAME=VALUE (VALUE is JSON or a word; method.rank, method.alpha … name a part; use_lora=false trains all weights):
${lines(own, 18)}
Settings of the libraries, as an option or with --set under their name there (neftune_noise_alpha=5, loss_type=ipo, report_to=tensorboard):
${lines(known, 30)}`
}

/** The name of a model on the Hub has a slash too: what is a folder here is one. */
export const modelOf = (name: string) => (fs.existsSync(name) ? path.resolve(name) : name)

/** The settings that options, `--set` and `--template` give. Throws `UsageError`. */
export function settingsOf(values: Values, strategy: TrainStrategy): Record<string, unknown> {
  const settings: Record<string, unknown> = lookup()
  const template = textOf(values, 'template')
  if (template !== undefined) settings['template'] = templateIn(template)
  for (const [flag, name] of Object.entries(FLAGS)) {
    const text = textOf(values, flag)
    if (text !== undefined) settings[name] = parseNumber(flag, text)
  }
  for (const name of KNOB_NAMES) {
    const text = textOf(values, flagOf(name))
    if (text !== undefined) place(settings, name, valueOf(text), strategy)
  }
  for (const pair of listOf(values, 'set')) {
    const [name = '', ...rest] = pair.split('=')
    if (name === '' || rest.length === 0) throw new UsageError(`--set must be NAME=VALUE, not "${pair}".`)
    place(settings, name, valueOf(rest.join('=')), strategy)
  }
  return settings
}

/** Axes by the path of their setting, each named as with --set or as an option; null: one run is asked for. Throws `UsageError`. */
export function axesOf(pairs: readonly string[], values: Values): MatrixAxes | null {
  if (pairs.length === 0) return null
  const strategy = enumOf(values, 'strategy', TrainStrategy.options) ?? 'sft'
  const axes: Record<string, unknown[]> = lookup()
  for (const pair of pairs) {
    const [given = '', ...rest] = pair.split('=')
    const words = rest.join('=').split(',').map((word) => word.trim()).filter(Boolean) // prettier-ignore
    if (given === '' || words.length === 0) throw new UsageError(`--matrix must be NAME=VALUE,VALUE…, not "${pair}".`)
    const name = given.replaceAll('-', '_')
    for (const word of words) {
      const [path, value] = name === 'base_model' || name === 'baseModel' ? (['baseModel', modelOf(word)] as const) : settingAt(name, valueOf(word), strategy) // prettier-ignore
      ;(axes[path] ??= []).push(value)
    }
  }
  const parsed = MatrixAxes.safeParse({ ...axes })
  if (parsed.success) return parsed.data
  throw new UsageError(`--matrix: ${parsed.error.issues.map(plainWords).join(' ')}`)
}

/** The path of a setting under any of its names, with its value. */
function settingAt(name: string, given: unknown, strategy: TrainStrategy): readonly [string, unknown] {
  const one: Record<string, unknown> = lookup()
  place(one, name, given, strategy)
  const [[whole, value]] = Object.entries(one) as [[string, unknown]]
  if (whole !== 'method' && whole !== 'reportTo') return [whole, value]
  const parts = Object.entries(value as object) as [string, unknown][]
  const [part, chosen] = parts.find(([key]) => key !== 'kind') ?? parts[0]!
  return [`${whole}.${part}`, chosen]
}

function templateIn(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The chat template ${file} cannot be read: ${(error as Error).message}.`)
  }
}

function place(settings: Record<string, unknown>, name: string, given: unknown, strategy: TrainStrategy): void {
  const part = (whole: 'method' | 'reportTo', some: object) => (settings[whole] = { ...(whole === 'method' && { kind: 'lora' }), ...(settings[whole] as object | undefined), ...some }) // prettier-ignore
  if (name === 'use_lora') {
    if (given === false) settings['method'] = { kind: 'full' }
    else part('method', {})
    return
  }
  if (name === 'report_to') return void part('reportTo', reportersOf(given))
  const known = BY_STRATEGY[name]?.[strategy] ?? ALIASES[name] ?? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const value = valueFor(known, given)
  if (known.startsWith('method.')) return void part('method', { [known.slice('method.'.length)]: value })
  if (known.startsWith('reportTo.')) return void part('reportTo', { [known.slice('reportTo.'.length)]: value })
  if (OF_METHOD.has(known)) return void part('method', { [known]: value })
  if (!Object.hasOwn(TrainSettings.shape, known))
    throw new UsageError(`Unknown setting "${name}". Settings: ${[...Object.keys(TrainSettings.shape), ...OF_METHOD].join(', ')}.`)
  settings[known] = value
}

/** Words for lists, and for what the libraries have as true or false. */
function valueFor(name: string, given: unknown): unknown {
  if (name === 'activationCheckpointing' && typeof given === 'boolean') return given ? 'on' : 'off'
  if (!LISTS.has(name) || Array.isArray(given)) return given
  return String(given).split(',').map((word) => valueOf(word.trim())) // prettier-ignore
}

function reportersOf(given: unknown): Record<string, boolean> {
  const names = String(given).split(',').map((name) => name.trim()) // prettier-ignore
  return Object.fromEntries(names.filter((name) => name !== 'none').map((name) => [name, true]))
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text // a word
  }
}
