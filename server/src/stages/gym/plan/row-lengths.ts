import { type AnswerSizes, type Turn, windowsOf } from '#server/stages/factory/preview/measuring.ts'

const BINS = 40

export interface MeasuredRows {
  lengths: Float64Array
  /** Tokens of each row that carry loss. */
  trained: number[]
  /** Where rows are split, the turns of each, or its answers where they are rows by themselves. */
  turns: Turn[][]
  answers: AnswerSizes[][]
  done: number
}

export interface RowLengths {
  /** None is left to measure. */
  isWhole: boolean
  /** All rows were measured, with the model's own tokenizer. */
  exact: boolean
  /** Rows that are trained on, their tokens and those of them that carry loss: scaled up while not all rows are measured. */
  rows: number
  tokens: number
  /** Null: the model writes them itself. */
  trained: number | null
  /** Tokens that carry loss, whether they fit or not. */
  learnable: number
  /** Rows of the file that become several. */
  split: number
  /** Answers (where rows are split) or rows that do not fit. */
  leftOut: number
  /** The least length with which nothing is left out. Null: no row would fit. */
  needed: number | null
  longest: number
  histogram: { upTo: number; rows: number }[]
}

/** Counts of the rows measured so far, scaled to all rows, and what of them fits the length. */
export function summary(
  measured: MeasuredRows,
  times: readonly number[],
  options: { maxLength: number; splits: boolean; promptsOnly: boolean; tokenizer: string | null },
): RowLengths | null {
  const { maxLength, splits, promptsOnly, tokenizer } = options
  const found = measured.lengths.filter((length) => length >= 0)
  if (found.length === 0) return null
  const sum = { rows: 0, tokens: 0, trained: 0, learnable: 0, split: 0, leftOut: 0 }
  let [longest, needed] = [0, 0]
  for (const [at, length] of measured.lengths.entries()) {
    const often = times[at]!
    if (length < 0 || often === 0) continue
    longest = Math.max(longest, length)
    sum.learnable += often * measured.trained[at]!
    const fitted = splits ? fitSplit(measured, at, maxLength) : fitRow(length, measured.trained[at]!, maxLength)
    sum.rows += often * fitted.rows
    sum.tokens += often * fitted.tokens
    sum.trained += often * fitted.trained
    sum.split += fitted.rows > 1 ? often : 0
    sum.leftOut += often * fitted.leftOut
    needed = Math.max(needed, fitted.needed)
  }
  const scale = times.length / measured.done
  const isWhole = measured.done === times.length
  const scaled = (value: number) => (isWhole ? value : Math.round(value * scale))
  const width = niceWidth(longest / BINS)
  const bins = new Float64Array(Math.floor(longest / width) + 1)
  for (const length of found) bins[Math.floor(length / width)]! += 1
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
  /** The least length with which nothing of it is left out. */
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
  for (const { first, fresh, end } of windows)
    for (let at = first; at < end; at += 1) {
      const { before, answer, head, trained } = turns[at]!
      fitted.tokens += answer + (at === first && first > 0 ? head : before)
      if (at >= fresh && trained) fitted.trained += answer
    }
  const whole = turns.reduce((sum, { before, answer }) => sum + before + answer, 0)
  for (const { head, answer, trained } of turns) if (trained) fitted.needed = Math.max(fitted.needed, Math.min(whole, head + answer))
  return fitted
}

/** 1, 2 or 5 times a power of ten. */
function niceWidth(atLeast: number): number {
  for (let power = 1; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= atLeast) return step * power
}
