import { type AnswerSizes, type Turn, windowsOf } from '#server/stages/factory/preview/measuring.ts'

const BINS = 40

export interface MeasuredRows {
  lengths: Float64Array
  /** Tokens of each row that carry loss. */
  trained: number[]
  /** If rows are split: the turns of each row, or its answers if each answer is a row. */
  turns: Turn[][]
  answers: AnswerSizes[][]
  done: number
}

export interface RowLengths {
  /** All rows were measured. */
  isWhole: boolean
  /** All rows were measured, with the model's tokenizer. */
  exact: boolean
  /** Rows that are trained on, their tokens, and their tokens that carry loss. Scaled up while not all rows are measured. */
  rows: number
  tokens: number
  /** Null: the model generates them. */
  trained: number | null
  /** Tokens that carry loss, whether they fit or not. */
  learnable: number
  /** Rows of the file that become several rows. */
  split: number
  /** Answers (if rows are split) or rows that do not fit. */
  leftOut: number
  /** The smallest max length that leaves nothing out. Null: no row would fit. */
  needed: number | null
  longest: number
  histogram: { upTo: number; rows: number }[]
}

/** Counts of the rows that fit the length, by the rows measured so far and scaled to all rows. */
export function lengthsOf(
  measured: MeasuredRows,
  repeats: readonly number[],
  options: { maxLength: number; splits: boolean; promptsOnly: boolean; tokenizer: string | null },
): RowLengths | null {
  const { maxLength, splits, promptsOnly, tokenizer } = options
  const knownLengths = measured.lengths.filter((length) => length >= 0)
  if (knownLengths.length === 0) return null
  const sum = { rows: 0, tokens: 0, trained: 0, learnable: 0, split: 0, leftOut: 0 }
  let [longest, needed] = [0, 0]
  for (const [at, length] of measured.lengths.entries()) {
    const repeat = repeats[at]!
    if (length < 0 || repeat === 0) continue
    longest = Math.max(longest, length)
    sum.learnable += repeat * measured.trained[at]!
    const fitted = splits ? fitSplit(measured, at, maxLength) : fitRow(length, measured.trained[at]!, maxLength)
    sum.rows += repeat * fitted.rows
    sum.tokens += repeat * fitted.tokens
    sum.trained += repeat * fitted.trained
    sum.split += fitted.rows > 1 ? repeat : 0
    sum.leftOut += repeat * fitted.leftOut
    needed = Math.max(needed, fitted.needed)
  }
  const scale = repeats.length / measured.done
  const isWhole = measured.done === repeats.length
  const scaled = (value: number) => (isWhole ? value : Math.round(value * scale))
  const width = niceWidth(longest / BINS)
  const bins = new Float64Array(Math.floor(longest / width) + 1)
  for (const length of knownLengths) bins[Math.floor(length / width)]! += 1
  return {
    isWhole,
    exact: isWhole && tokenizer !== null,
    rows: scaled(sum.rows),
    tokens: scaled(sum.tokens),
    trained: promptsOnly ? null : scaled(sum.trained),
    learnable: scaled(sum.learnable),
    split: scaled(sum.split),
    leftOut: scaled(sum.leftOut),
    needed: Number.isFinite(needed) ? needed : null,
    longest,
    histogram: [...bins].map((rows, at) => ({ upTo: (at + 1) * width, rows: scaled(rows) })),
  }
}

interface Fitted {
  rows: number
  tokens: number
  trained: number
  leftOut: number
  /** The smallest max length that leaves out no part of the row. */
  needed: number
}

const fitRow = (length: number, trained: number, limit: number): Fitted =>
  length <= limit
    ? { rows: 1, tokens: length, trained, leftOut: 0, needed: length }
    : { rows: 0, tokens: 0, trained: 0, leftOut: 1, needed: length }

const fitSplit = ({ turns, answers }: MeasuredRows, at: number, limit: number): Fitted =>
  answers[at]!.length > 0 ? fitAnswers(answers[at]!, limit) : fitTurns(turns[at]!, limit)

function fitAnswers(answers: readonly AnswerSizes[], limit: number): Fitted {
  const fitted: Fitted = { rows: 0, tokens: 0, trained: 0, leftOut: 0, needed: 0 }
  for (const { rows, answer } of answers) {
    const size = rows.find((one) => one <= limit)
    if (size === undefined) fitted.leftOut += 1
    else {
      fitted.rows += 1
      fitted.tokens += size
      fitted.trained += answer
    }
    fitted.needed = Math.max(fitted.needed, Math.min(...rows))
  }
  return fitted
}

function fitTurns(turns: readonly Turn[], limit: number): Fitted {
  const { windows, leftOut } = windowsOf(turns, limit)
  const fitted: Fitted = { rows: windows.length, tokens: 0, trained: 0, leftOut: leftOut.length, needed: 0 }
  for (const { first, lossStart, end } of windows)
    for (let at = first; at < end; at += 1) {
      const { before, answer, head, trained } = turns[at]!
      fitted.tokens += answer + (at === first && first > 0 ? head : before)
      if (at >= lossStart && trained) fitted.trained += answer
    }
  const whole = turns.reduce((sum, { before, answer }) => sum + before + answer, 0)
  for (const { head, answer, trained } of turns) if (trained) fitted.needed = Math.max(fitted.needed, Math.min(whole, head + answer))
  return fitted
}

/** A width of 1, 2 or 5 times a power of ten. */
function niceWidth(atLeast: number): number {
  for (let power = 1; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= atLeast) return step * power
}
