import fs from 'node:fs'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'
import {
  type AnswerSizes,
  encoderOf,
  measurePrompt,
  measureRow,
  measureTurns,
  type Turn,
  type Way,
} from '#server/stages/factory/preview/measuring.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { Row, RowProblem } from './check-row.ts'
import { rowOf } from './foreign.ts'
import { MAX_UNWRITTEN } from './refusals.ts'
import { type MeasuredRows, type RowLengths, summary } from './row-lengths.ts'
import { lastTurn, timesOf, weightOf } from './selection.ts'

export interface RowsInput {
  train: string
  /** What is mixed in, and how often each of its rows comes. */
  mix: readonly { train: string; weight: number }[]
  val: string | null
  strategy: TrainStrategy
  /** Columns that rewards read. */
  required: string[]
  /** Folder of the base model's tokenizer; null: none can be read, lengths are estimates. */
  tokenizer: string | null
  /** Instead of the tokenizer's own chat template. */
  template: string | null
  maxLength: number
  /** The model answers by itself: only what rows ask goes in, with the mark that it is its turn. */
  promptsOnly: boolean
  /** Only the answers behind the last user message carry loss. */
  lastTurnOnly: boolean
  /** Longer rows are split between turns; else they are left out. */
  splits: boolean
  /** How long rows are measured before the result so far is returned; the next call continues. Null: until all are. */
  budgetMs: number | null
}

export interface RowsFound {
  rows: number
  valRows: number
  /** Answers in the training rows: what a teacher that is asked every turn has to say. A prompt asks for one. */
  answers: number
  /** The first row that cannot be trained on. */
  bad: (RowProblem & { row: number; file: 'train' | 'val' }) | null
  /** Rows as others write them, which are brought to our shape at the start. */
  foreign: number
  /** Labels in the rows, each once. */
  labels: boolean[]
  /** Of the rows that are measured by now, evenly spread over the file. Null: not one could be measured. */
  lengths: RowLengths | null
  /** The same of the validation rows; null: there are none, or not one could be measured. */
  val: { rows: number; leftOut: number; needed: number | null; longest: number } | null
  /** How the template writes the rows measured so far, and why not. */
  ways: RowWays
}

/** Counts of rows, of those that were measured so far. */
export interface RowWays {
  measured: number
  /** That became a row an answer. */
  answers: number
  /** With calls at once, a system prompt or text beside calls that had to be written otherwise. */
  calls: number
  system: number
  texts: number
  /** In which the model thinks. */
  thinks: number
  /** That cannot be written, by reason, most often first. */
  unwritten: { reason: string; rows: number; firstRow: number; message: string }[]
}

interface Source {
  file: string
  weight: number
}
/** Files read once: positions of their rows, and the lengths measured so far. */
interface Known {
  stamp: string
  places: { file: string; row: number; offset: number; length: number }[]
  bad: (RowProblem & { row: number }) | null
  labels: Set<boolean>
  answers: number
  foreign: number
  /** How often each row comes. */
  times: number[]
  tokens: Map<string, Measured>
}
interface Measured extends MeasuredRows {
  ways: RowWays
}

const KEPT = 8
const known = new Map<string, Known>()

/** Checks every row and measures lengths. Its thread keeps what it found, so that a changed setting costs nothing. */
export default function rows(input: RowsInput, { signal }: JobContext): RowsFound {
  const mixed = input.mix.map(({ train: file, weight }): Source => ({ file, weight }))
  const train = rowsOf([{ file: input.train, weight: 1 }, ...mixed], input, signal)
  const val = input.val === null ? null : rowsOf([{ file: input.val, weight: 1 }], input, signal)
  const bad = train.bad ? { ...train.bad, file: 'train' as const } : val?.bad ? { ...val.bad, file: 'val' as const } : null
  const count = train.times.reduce((sum, times) => sum + times, 0)
  const found = { rows: count, valRows: val?.places.length ?? 0, answers: train.answers, bad, foreign: train.foreign + (val?.foreign ?? 0), labels: [...train.labels] } // prettier-ignore
  if (bad !== null || count === 0) return { ...found, lengths: null, val: null, ways: noWays() }
  const measured = measure(train, input, signal)
  const measuredVal = val === null ? null : measure(val, input, signal)
  return {
    ...found,
    lengths: summary(measured, train.times, input),
    val: measuredVal && val && heldOut(measuredVal, val.times, input),
    ways: measured.ways,
  }
}

const UNUSABLE = { rows: 0, leftOut: 0, needed: 0, longest: 0 }

/** Of the validation rows. Where more cannot be written than the trainers take, none is used. */
function heldOut(measured: Measured, times: readonly number[], input: RowsInput): RowsFound['val'] {
  const unwritten = measured.ways.unwritten.reduce((sum, { rows: some }) => sum + some, 0)
  return unwritten > MAX_UNWRITTEN * measured.ways.measured ? UNUSABLE : summary(measured, times, input)
}

const isAnswer = (message: unknown) => (message as { role: string }).role === 'assistant'

/** Answers that a teacher would give to a row. */
const answersIn = ({ prompt, messages }: Row): number =>
  prompt === undefined && Array.isArray(messages) ? messages.slice(1).filter(isAnswer).length : 1

function rowsOf(sources: readonly Source[], { strategy, required }: RowsInput, signal: AbortSignal): Known {
  const key = JSON.stringify([sources, strategy, required])
  const stamp = sources.map(({ file }) => stampOf(file)).join(' ')
  const before = known.get(key)
  if (before?.stamp === stamp) return before
  const fresh: Known = { stamp, places: [], bad: null, labels: new Set(), answers: 0, foreign: 0, times: [], tokens: new Map() }
  const weights: number[] = []
  for (const { file, weight: often } of sources) {
    if (fresh.bad === null) readSource(file, often)
  }
  fresh.times = timesOf(weights)
  known.delete(key)
  known.set(key, fresh)
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return fresh

  function readSource(file: string, often: number): void {
    let row = 0
    for (const { text, offset, length } of readLines(file)) {
      signal.throwIfAborted()
      row += 1
      if (text.trim() === '') continue
      const read = rowOf(text, strategy, required)
      if ('problem' in read) {
        fresh.bad = { ...read.problem, row }
        return
      }
      const { label } = read.row
      if (typeof label === 'boolean') fresh.labels.add(label)
      fresh.answers += answersIn(read.row)
      weights.push(weightOf(read.row, required, often))
      fresh.foreign += read.isForeign ? 1 : 0
      fresh.places.push({ file, row, offset, length })
    }
  }
}

function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return `${stat?.size} ${stat?.mtimeMs}`
}

/** Continues measuring rows in an order that is spread over the file whenever it ends. */
function measure(file: Known, input: RowsInput, signal: AbortSignal): Measured {
  const count = file.places.length
  const name = JSON.stringify([input.tokenizer, input.template, input.promptsOnly, input.splits, input.lastTurnOnly])
  let measured = file.tokens.get(name)
  if (!measured) {
    measured = { lengths: new Float64Array(count).fill(-1), trained: [], turns: [], answers: [], done: 0, ways: noWays() }
    file.tokens.set(name, measured)
  }
  if (measured.done === count) return measured
  const encoder = encoderOf(input.tokenizer, input.template)
  const sizeOf = input.promptsOnly ? measurePrompt : input.splits ? measureTurns : measureRow
  const until = input.budgetMs === null ? Number.POSITIVE_INFINITY : performance.now() + input.budgetMs
  const stride = coprime(Math.max(1, Math.round(count * 0.618)), count)
  const handles = new Map<string, number>()
  try {
    while (measured.done < count && performance.now() < until) {
      signal.throwIfAborted()
      const at = (measured.done * stride) % count
      const place = file.places[at]!
      const handle = handles.get(place.file) ?? fs.openSync(place.file, 'r')
      handles.set(place.file, handle)
      const buffer = Buffer.alloc(place.length)
      fs.readSync(handle, buffer, 0, buffer.length, place.offset)
      const read = rowOf(buffer.toString('utf8'), input.strategy, input.required)
      if ('problem' in read) throw new Error(`The data changed while they were measured: ${read.problem.message}`)
      const size = sizeOf(encoder, input.lastTurnOnly ? lastTurn(read.row) : read.row)
      if ('reason' in size) noteUnwritten(measured.ways, size, place.row)
      else {
        noteWay(measured.ways, size.way)
        measured.lengths[at] = size.tokens
        measured.trained[at] = size.trained
        if ('turns' in size && 'answers' in size)
          [measured.turns[at], measured.answers[at]] = [size.turns as Turn[], size.answers as AnswerSizes[]]
      }
      measured.done += 1
    }
  } finally {
    for (const handle of handles.values()) fs.closeSync(handle)
  }
  return measured
}

const noWays = (): RowWays => ({ measured: 0, answers: 0, calls: 0, system: 0, texts: 0, thinks: 0, unwritten: [] })

function noteWay(ways: RowWays, { means, changes, thinks }: Way): void {
  ways.measured += 1
  if (means === 'answers') ways.answers += 1
  if (thinks) ways.thinks += 1
  for (const change of changes) ways[change] += 1
}

function noteUnwritten(ways: RowWays, { reason, message }: { reason: string; message: string }, row: number): void {
  ways.measured += 1
  const known = ways.unwritten.find((one) => one.reason === reason)
  if (!known) ways.unwritten.push({ reason, rows: 1, firstRow: row, message })
  else {
    known.rows += 1
    if (row < known.firstRow) [known.firstRow, known.message] = [row, message]
  }
  ways.unwritten.sort((a, b) => b.rows - a.rows)
}

/** The next number from `from` on that shares no divisor with `count`: its multiples visit every row once. */
function coprime(from: number, count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let stride = from
  while (divisor(stride, count) !== 1) stride += 1
  return stride
}
