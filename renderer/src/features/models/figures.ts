import type { Model } from '#contracts/entities/model.ts'
import { signed } from '#contracts/exam-words.ts'
import { wilson } from '#contracts/wilson.ts'
import { CALL_FIGURES } from '#renderer/app/words/call-figures.ts'
import { DASH, formatBytes, formatCompact, formatCount, formatDuration, formatPercent, formatValue } from '#renderer/ui/format.ts'

export interface Figure {
  id: string
  label: string
  /** The direction that is better; null if there is none, as for a number of steps. */
  better: 'lower' | 'higher' | null
  format: (value: number) => string
  /** A figure that the trainer reports and that is shown only on request. */
  isOfTrainer?: boolean
  /** Depends on the data set and strategy of the run, so only models with the same data set and strategy are comparable. */
  isOfData?: boolean
}

/** Rounds to four significant digits; whole numbers are not rounded. */
export const formatFigure = (value: number | null | undefined): string => {
  if (value === null || value === undefined || !Number.isFinite(value)) return DASH
  return Number.isInteger(value) ? formatCount(value) : formatValue(value)
}

/** A share that is comparable only between models with the same data set and strategy. */
const shareOfData = (id: string, label: string): Figure => ({
  id,
  label,
  better: 'higher',
  format: (value) => formatPercent(value, 1),
  isOfData: true,
})

const KNOWN: readonly Figure[] = [
  { id: 'loss', label: 'Final loss', better: 'lower', format: formatFigure, isOfData: true },
  { id: 'eval_loss', label: 'Loss on held-out rows', better: 'lower', format: formatFigure, isOfData: true },
  shareOfData('mean_token_accuracy', 'Token accuracy in training'),
  shareOfData('eval_mean_token_accuracy', 'Token accuracy on held-out rows'),
  shareOfData('rewards/accuracies', 'Preference accuracy in training'),
  shareOfData('eval_rewards/accuracies', 'Preference accuracy on held-out pairs'),
  ...Object.entries(CALL_FIGURES).map(([id, label]) => shareOfData(id, `${label}, held-out calls`)),
  { id: 'reward', label: 'Final reward', better: 'higher', format: formatFigure, isOfData: true },
  { id: 'eval_reward', label: 'Reward on held-out prompts', better: 'higher', format: formatFigure, isOfData: true },
  { id: 'steps', label: 'Steps', better: null, format: formatCount },
  { id: 'rows', label: 'Rows', better: null, format: formatCount },
  { id: 'tokens', label: 'Tokens', better: null, format: formatCompact },
  { id: 'train_sec', label: 'Training duration', better: 'lower', format: (value) => formatDuration(value * 1000) },
  { id: 'peak_mb', label: 'Peak training memory', better: 'lower', format: (value) => formatBytes(value * 1e6) },
  { id: 'parameters', label: 'Parameters', better: null, format: formatCompact },
  { id: 'size_bytes', label: 'Size on disk', better: null, format: formatBytes },
  { id: 'tokens_per_sec', label: 'Tokens per second', better: 'higher', format: formatFigure },
  { id: 'latency_ms', label: 'Answer time, median', better: 'lower', format: formatDuration },
  { id: 'latency_ms_p95', label: 'Answer time, 95th percentile', better: 'lower', format: formatDuration },
]
const BY_ID = new Map(KNOWN.map((figure) => [figure.id, figure]))

const PARITY = /^parity_calls\.(.+)$/

/** The label and format of a figure. An unknown figure keeps its ID as its label, and none of its values is marked as best. */
export function figureOf(id: string, evaluations: ReadonlySet<string> = new Set()): Figure {
  const known = BY_ID.get(id)
  if (known) return known
  const exported = PARITY.exec(id)?.[1]
  if (exported !== undefined)
    return { id, label: `Same tool calls as export ${exported}`, better: 'higher', format: (value) => formatPercent(value, 1) }
  if (evaluations.has(id)) return { id, label: id, better: 'higher', format: id.startsWith('Exam ') ? signed : formatFigure }
  return { id, label: id, better: null, format: formatFigure, isOfTrainer: true }
}

/** Sorts figures into display order, with unknown figures last by name. */
export const inOrder = (ids: readonly string[]): string[] => {
  const rank = (id: string) => {
    const at = KNOWN.findIndex((figure) => figure.id === id)
    return at === -1 ? KNOWN.length : at
  }
  return ids.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

/** The indexes of the best value. Empty if fewer than two values were measured or all are equal. */
export function bestOf(values: readonly (number | null)[], better: Figure['better']): ReadonlySet<number> {
  const measured = values.filter((value) => value !== null)
  if (better === null || measured.length < 2) return new Set()
  const best = better === 'lower' ? Math.min(...measured) : Math.max(...measured)
  if (measured.every((value) => value === best)) return new Set()
  return new Set(values.flatMap((value, at) => (value === best ? [at] : [])))
}

/** Figures of the model's own answers to held-out prompts. */
const isOfAnswers = (id: string): boolean => id !== 'eval_loss' && id.startsWith('eval_')

/** Whether a figure of a model was measured on the same data, and if it is of held-out answers on the same answers, as that of another. */
export const isSameMeasure = (id: string, a: Model, b: Model): boolean =>
  sharesData([a, b]) && (!isOfAnswers(id) || a.training.heldOut === b.training.heldOut)

/**
 * The models whose figure was measured on other data or answers than that of the first one that has it, so that it must not stand
 * beside it. `of`: null if it was not measured.
 */
export function measuredElsewhere(
  { id, isOfData = false }: Pick<Figure, 'id' | 'isOfData'>,
  models: readonly Model[],
  of: (model: Model) => number | null,
): ReadonlySet<Model['id']> {
  const measured = isOfData ? models.filter((model) => of(model) !== null) : []
  return new Set(measured.filter((model) => !isSameMeasure(id, measured[0]!, model)).map((model) => model.id))
}
export const ELSEWHERE = 'other answers'
export const ELSEWHERE_WHY =
  "Measured on other rows or answers than the first figure here, so it is not comparable. It is on the model's own page."

/** Whether all models have the same strategy and data set, so that figures that depend on them are comparable. */
export const sharesData = (models: readonly Pick<Model, 'lineage'>[]): boolean =>
  // rows of an unknown source are like no others
  new Set(
    models.map(({ lineage: { strategy, datasetId, datasetName, runId } }) =>
      JSON.stringify([strategy, datasetId ?? datasetName ?? [runId]]),
    ),
  ).size < 2

/** The difference from `base`, such as "+0.12" or "−3 points". Null if either value was not measured or both are equal. */
export function differenceOf(value: number | null, base: number | null, format: Figure['format']): string | null {
  if (value === null || base === null) return null
  const difference = value - base
  const size = format(Math.abs(difference)).replace(/^\+/, '') // of a figure that has its own sign
  // the difference between two shares is in percentage points, not a percentage
  return difference === 0 ? null : `${difference > 0 ? '+' : '−'}${size.replace(/ %$/, ' points')}`
}

export interface Measured {
  value: number
  /** The sample size of a share; null if the value is not a share. */
  n: number | null
  /** That was measured; otherwise it follows from the size of the sample. */
  interval?: readonly [number, number]
}

export interface Measure extends Figure {
  of: (model: Model) => Measured | null
  /** Why its values may not be comparable between models. */
  caution: string | null
}

const plain = (value: number | null | undefined): Measured | null => (value === null || value === undefined ? null : { value, n: null })
const measure = (id: string, of: Measure['of'], caution: string | null = null): Measure => ({ ...figureOf(id), of, caution })

/** The figures that a list of models can be sorted by: evaluations first, then the figures that every model may have. */
export function measuresOf(models: readonly Model[]): Measure[] {
  const found = Map.groupBy(
    models.flatMap(({ evaluations }) => evaluations),
    ({ name }) => name,
  )
  const evaluations = [...found.keys()].toSorted().map((name): Measure => ({
    id: name,
    label: name,
    better: 'higher',
    format: found.get(name)!.some(({ exam }) => exam)
      ? signed
      : (value) => (value >= 0 && value <= 1 ? formatPercent(value, 1) : formatFigure(value)),
    of: (model) => {
      const newest = model.evaluations.findLast((one) => one.name === name)
      if (newest === undefined || newest.value === null) return null
      const { value, n, exam } = newest
      return { value, n, ...(exam?.interval && { interval: [exam.interval.low, exam.interval.high] as const }) }
    },
    caution: null,
  }))
  const ofOneDataset = 'Only models with the same strategy and data set are compared.'
  return [
    ...evaluations,
    measure('eval_loss', ({ training }) => plain(training.evalLoss), ofOneDataset),
    measure('loss', ({ training }) => plain(training.loss), ofOneDataset),
    {
      id: 'parity_calls',
      label: 'Tool calls preserved by exports',
      better: 'higher',
      format: (value) => formatPercent(value, 1),
      of: callsKept,
      caution: 'How closely the exports match the model, not how good the model is.',
    },
    measure('tokens_per_sec', ({ operational }) => plain(operational.tokensPerSec), 'Measured on the device where each was last tried.'),
    measure('latency_ms', ({ operational }) => plain(operational.latencyMsP50), 'Measured on the device where each was last tried.'),
  ]
}

/** The share of tool calls that the exports preserved, over all compared prompts with a call. */
function callsKept({ artifacts }: Model): Measured | null {
  const compared = artifacts.flatMap(({ parity }) => parity ?? [])
  const n = compared.reduce((sum, { withCalls }) => sum + withCalls, 0)
  return n === 0 ? null : { value: compared.reduce((sum, { sameCalls }) => sum + sameCalls, 0) / n, n }
}

/** The 95 % interval that was measured, or of a share of `n` tries. Null if there is neither. */
export function intervalOf({ value, n, interval: measured }: Measured): readonly [number, number] | null {
  if (measured) return measured
  if (n === null || n <= 0 || value < 0 || value > 1) return null
  const interval = wilson(value * n, n)
  return interval && [interval.low, interval.high]
}
