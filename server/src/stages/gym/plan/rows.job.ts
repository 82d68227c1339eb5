import { hash } from 'node:crypto'
import fs from 'node:fs'
import type { ColumnUse } from '#contracts/entities/dataset.ts'
import { MAX_UNWRITTEN, type TrainStrategy } from '#contracts/trainer.ts'
import { readRowTexts } from '#server/adapters/outside-rows/lines.ts'
import {
  createUseCounts,
  type UseCounts,
  encoderOf,
  measurePrompt,
  measureRow,
  measureSizes,
  type RowRendering,
  type RowSizes,
} from '#server/stages/factory/preview/measuring.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { Row, RowProblem } from './check-row.ts'
import { rowOf } from './foreign.ts'
import { type MeasuredRows, type RowLengths, lengthsOf } from './row-lengths.ts'
import { lastTurn, repeatsOf, weightOf } from './selection.ts'

export interface RowsInput {
  train: string
  /** Files that are mixed in, and how often their rows occur in an epoch. */
  mix: readonly { train: string; weight: number }[]
  val: string | null
  strategy: TrainStrategy
  /** Columns that rewards read. */
  required: string[]
  /** Folder of the base model's tokenizer; null if it cannot be read, which makes lengths estimates. */
  tokenizer: string | null
  /** Replaces the tokenizer's chat template. */
  template: string | null
  maxLength: number
  /** The model generates the answers: only prompts are measured, with the mark that opens an answer. */
  promptsOnly: boolean
  /** Only the answers after the last user message carry loss. */
  lastTurnOnly: boolean
  /** Rows above the max length are split between turns; otherwise they are left out. */
  splits: boolean
  /** After this time the result so far is returned, and the next call continues. Null: measure all rows. */
  budgetMs: number | null
}

export interface CheckedRows {
  rows: number
  valRows: number
  /** Number of answers that a teacher would write for the training rows. */
  answers: number
  /** The first row that cannot be trained on. */
  bad: (RowProblem & { row: number; file: 'train' | 'val' }) | null
  /** Number of rows in another program's format, which the start converts. */
  foreign: number
  /** Columns of the training rows by other names than the trainers', and what they are read as. */
  columnUses: ColumnUse[]
  /** The different labels in the rows. */
  labels: boolean[]
  /** Validation rows that are also trained on; `isSame`: the validation has the same rows as the training. */
  overlap: { rows: number; isSame: boolean }
  /** By the rows measured so far, which are evenly spread over the file. Null if none could be measured. */
  lengths: RowLengths | null
  /** Lengths of the validation rows; null if there are none, or none could be measured. */
  val: { rows: number; leftOut: number; needed: number | null; longest: number } | null
  /** How the template renders the rows measured so far. */
  rendering: RenderingCounts
}

/** Counts of the rows measured so far, by how the chat template renders them. */
export interface RenderingCounts {
  measured: number
  /** Rows that become one row per answer. */
  answers: number
  /** Rows with parallel calls, a system prompt or text next to calls, which the template cannot render as they are. */
  calls: number
  system: number
  apart: number
  texts: number
  /** Rows with thinking. */
  thinks: number
  /** Rows that cannot be rendered, by reason, the most frequent first. */
  unwritten: { reason: string; rows: number; firstRow: number; message: string }[]
}

interface Source {
  file: string
  weight: number
}
/** What is cached of some files: positions of their rows, and the lengths measured so far. */
interface ReadFiles {
  stamp: string
  places: { file: string; row: number; offset: number; length: number }[]
  bad: (RowProblem & { row: number }) | null
  /** The label of each row; null if it has none. */
  labels: (boolean | null)[]
  answers: number
  foreign: number
  uses: UseCounts
  /** How often each row occurs in an epoch. */
  repeats: number[]
  /** Short hashes of the rows. */
  digests: Set<string>
  tokens: Map<string, Measured>
}
interface Measured extends MeasuredRows {
  rendering: RenderingCounts
}

const MAX_CACHED = 8
const DIGEST_CHARS = 16
const cache = new Map<string, ReadFiles>()

/** Checks every row and measures lengths. Results are cached in the thread, so that a changed setting needs no new reading. */
export default function checkRows(input: RowsInput, { signal }: JobContext): CheckedRows {
  const mixed = input.mix.map(({ train: file, weight }): Source => ({ file, weight }))
  const train = rowsOf([{ file: input.train, weight: 1 }, ...mixed], input, signal)
  const val = input.val === null ? null : rowsOf([{ file: input.val, weight: 1 }], input, signal)
  const bad = train.bad ? { ...train.bad, file: 'train' as const } : val?.bad ? { ...val.bad, file: 'val' as const } : null
  const count = train.repeats.reduce((sum, times) => sum + times, 0)
  const overlap = overlapOf(train, val)
  const found = { rows: count, overlap, valRows: val?.places.length ?? 0, answers: train.answers, bad, foreign: train.foreign + (val?.foreign ?? 0), columnUses: train.uses.list(), labels: [...new Set(train.labels)].filter((label) => label !== null) } // prettier-ignore
  if (bad !== null || count === 0) return { ...found, lengths: null, val: null, rendering: noRendering() }
  const measured = measureMore(train, input, signal)
  const measuredVal = val === null ? null : measureMore(val, input, signal)
  return {
    ...found,
    lengths: lengthsOf(measured, train, input),
    val: measuredVal && val && validationLengths(measuredVal, val, input),
    rendering: measured.rendering,
  }
}

function overlapOf(train: ReadFiles, val: ReadFiles | null): CheckedRows['overlap'] {
  if (val === null) return { rows: 0, isSame: false }
  const shared = val.digests.intersection(train.digests).size
  const isAll = shared === val.digests.size
  return {
    rows: isAll ? val.places.length : shared,
    isSame: isAll && shared === train.digests.size && val.places.length === train.places.length,
  }
}

const UNUSABLE = { rows: 0, leftOut: 0, needed: 0, longest: 0 }

/** Lengths of the validation rows. If too many of them cannot be rendered, none is used. */
function validationLengths(measured: Measured, files: ReadFiles, input: RowsInput): CheckedRows['val'] {
  const unwritten = measured.rendering.unwritten.reduce((sum, { rows: some }) => sum + some, 0)
  return unwritten > MAX_UNWRITTEN * measured.rendering.measured ? UNUSABLE : lengthsOf(measured, files, input)
}

const isAnswer = (message: unknown) => (message as { role: string }).role === 'assistant'

/** Number of answers that a teacher would write for a row. */
const answersIn = ({ prompt, messages }: Row): number =>
  prompt === undefined && Array.isArray(messages) ? messages.slice(1).filter(isAnswer).length : 1

function rowsOf(sources: readonly Source[], { strategy, required }: RowsInput, signal: AbortSignal): ReadFiles {
  const key = JSON.stringify([sources, strategy, required])
  const stamp = sources.map(({ file }) => stampOf(file)).join(' ')
  const cached = cache.get(key)
  if (cached?.stamp === stamp) return cached
  const files: ReadFiles = {
    stamp,
    places: [],
    bad: null,
    labels: [],
    answers: 0,
    foreign: 0,
    uses: createUseCounts(),
    repeats: [],
    digests: new Set(),
    tokens: new Map(),
  }
  const weights: number[] = []
  for (const { file, weight } of sources) {
    if (files.bad === null) readSource(file, weight)
  }
  files.repeats = repeatsOf(weights)
  cache.delete(key)
  cache.set(key, files)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
  return files

  function readSource(file: string, weight: number): void {
    let row = 0
    for (const { text, offset, length, isListed } of readRowTexts(file)) {
      signal.throwIfAborted()
      row += 1
      if (text.trim() === '') continue
      const parsed = rowOf(text, strategy, required)
      if ('problem' in parsed) {
        files.bad = { ...parsed.problem, row }
        return
      }
      const { label } = parsed.row
      files.labels.push(typeof label === 'boolean' ? label : null)
      files.answers += answersIn(parsed.row)
      weights.push(weightOf(parsed.row, required, weight))
      files.foreign += parsed.isForeign || isListed ? 1 : 0
      files.uses.add(parsed.uses)
      files.digests.add(hash('sha1', text.trim(), 'base64').slice(0, DIGEST_CHARS))
      files.places.push({ file, row, offset, length })
    }
  }
}

function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return `${stat?.size} ${stat?.mtimeMs}`
}

/** Measures more rows, in an order that is always evenly spread over the file. */
function measureMore(file: ReadFiles, input: RowsInput, signal: AbortSignal): Measured {
  const count = file.places.length
  const cacheKey = JSON.stringify([input.tokenizer, input.template, input.promptsOnly, input.splits, input.lastTurnOnly])
  let measured = file.tokens.get(cacheKey)
  if (!measured) {
    measured = { lengths: new Float64Array(count).fill(-1), trained: [], sizes: [], fewer: [], done: 0, rendering: noRendering() }
    file.tokens.set(cacheKey, measured)
  }
  if (measured.done === count) return measured
  const encoder = encoderOf(input.tokenizer, input.template)
  const sizeOf = input.promptsOnly ? measurePrompt : input.splits ? measureSizes : measureRow
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
      const parsed = rowOf(buffer.toString('utf8'), input.strategy, input.required)
      if ('problem' in parsed) throw new Error(`The data changed while they were measured: ${parsed.problem.message}`)
      const size = sizeOf(encoder, input.lastTurnOnly ? lastTurn(parsed.row) : parsed.row)
      if ('reason' in size) countUnwritten(measured.rendering, size, place.row)
      else {
        countRendering(measured.rendering, size.rendering)
        measured.lengths[at] = size.tokens
        measured.trained[at] = size.trained
        if ('sizes' in size && 'fewer' in size)
          [measured.sizes[at], measured.fewer[at]] = [size.sizes as RowSizes, size.fewer as RowSizes | null]
      }
      measured.done += 1
    }
  } finally {
    for (const handle of handles.values()) fs.closeSync(handle)
  }
  return measured
}

const noRendering = (): RenderingCounts => ({ measured: 0, answers: 0, calls: 0, system: 0, apart: 0, texts: 0, thinks: 0, unwritten: [] })

function countRendering(counts: RenderingCounts, { method, changes, thinks }: RowRendering): void {
  counts.measured += 1
  if (method === 'answers') counts.answers += 1
  if (thinks) counts.thinks += 1
  for (const change of changes) counts[change] += 1
}

function countUnwritten(counts: RenderingCounts, { reason, message }: { reason: string; message: string }, row: number): void {
  counts.measured += 1
  const existing = counts.unwritten.find((one) => one.reason === reason)
  if (!existing) counts.unwritten.push({ reason, rows: 1, firstRow: row, message })
  else {
    existing.rows += 1
    if (row < existing.firstRow) [existing.firstRow, existing.message] = [row, message]
  }
  counts.unwritten.sort((a, b) => b.rows - a.rows)
}

/** The next number from `from` that shares no divisor with `count`, so that its multiples reach every row once. */
function coprime(from: number, count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let stride = from
  while (divisor(stride, count) !== 1) stride += 1
  return stride
}
