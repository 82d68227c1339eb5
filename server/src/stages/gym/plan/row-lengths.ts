import {
  type AnswerSizes,
  offersFewer,
  pairWindows,
  type RowSizes,
  type Turn,
  windowsOf,
} from '#server/stages/factory/preview/measuring.ts'

const BINS = 40

export interface MeasuredRows {
  lengths: Float64Array
  /** Tokens of each row that carry loss. */
  trained: number[]
  /** If rows are split: what determines the rows that each row becomes; `fewer`: if a short row offers fewer tools. */
  sizes: RowSizes[]
  fewer: (RowSizes | null)[]
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
  /** Rows of the file of which nothing is trained: too long, or without an answer that carries loss. */
  tooLong: number
  untrained: number
  /** The smallest max length at which something of them is trained; null if all are trained or none can be. */
  neededForOne: number | null
  /** Rows to train on that are labelled as wanted. */
  wanted: number
  /** The smallest max length that leaves nothing out. Null: no row would fit. */
  needed: number | null
  longest: number
  histogram: { upTo: number; rows: number }[]
}

/** Counts of the rows that fit the length, by the rows measured so far and scaled to all rows. */
export function lengthsOf(
  measured: MeasuredRows,
  { repeats, labels }: { repeats: readonly number[]; labels: readonly (boolean | null)[] },
  options: { maxLength: number; splits: boolean; promptsOnly: boolean; tokenizer: string | null },
): RowLengths | null {
  const { maxLength, splits, promptsOnly, tokenizer } = options
  const knownLengths = measured.lengths.filter((length) => length >= 0)
  if (knownLengths.length === 0) return null
  const sum = { rows: 0, tokens: 0, trained: 0, learnable: 0, split: 0, leftOut: 0, tooLong: 0, untrained: 0, wanted: 0 }
  let [longest, needed, neededForOne] = [0, 0, Number.POSITIVE_INFINITY]
  for (const [at, length] of measured.lengths.entries()) {
    const repeat = repeats[at]!
    if (length < 0 || repeat === 0) continue
    longest = Math.max(longest, length)
    sum.learnable += repeat * measured.trained[at]!
    const fitted = splits ? fitSizes(sizesAt(measured, at, maxLength), maxLength) : fitRow(length, measured.trained[at]!, maxLength)
    sum.rows += repeat * fitted.rows
    sum.tokens += repeat * fitted.tokens
    sum.trained += repeat * fitted.trained
    sum.split += fitted.rows > 1 ? repeat : 0
    sum.leftOut += repeat * fitted.leftOut
    if (fitted.rows === 0) {
      sum[fitted.leftOut > 0 ? 'tooLong' : 'untrained'] += repeat
      if (fitted.leftOut > 0) neededForOne = Math.min(neededForOne, fitted.needed)
    }
    sum.wanted += labels[at] === true ? repeat * fitted.rows : 0
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
    tooLong: scaled(sum.tooLong),
    untrained: scaled(sum.untrained),
    neededForOne: Number.isFinite(neededForOne) ? neededForOne : null,
    wanted: scaled(sum.wanted),
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

const sizesAt = ({ sizes, fewer, lengths }: MeasuredRows, at: number, limit: number): RowSizes =>
  offersFewer(limit) && lengths[at]! > limit ? (fewer[at] ?? sizes[at]!) : sizes[at]!

function fitSizes(sizes: RowSizes, limit: number): Fitted {
  switch (sizes.kind) {
    case 'turns':
      return fitTurns(sizes.turns, limit)
    case 'answers':
      return fitAnswers(sizes.answers, limit)
    case 'pair':
      return fitPair(sizes, limit)
    default:
      return fitDecision(sizes, limit)
  }
}

function fitPair({ sides, lossStart }: Extract<RowSizes, { kind: 'pair' }>, limit: number): Fitted {
  const answers = sides.flatMap((turns) => turns.slice(lossStart).filter(({ trained }) => trained)).length
  const lengths = sides.map((turns) => turns.reduce((sum, { before, answer }) => sum + before + answer, 0))
  const fitted: Fitted = { rows: 0, tokens: 0, trained: 0, leftOut: answers, needed: Math.max(...lengths) }
  const windows = pairWindows(sides, lossStart, limit)
  if (windows === null) return fitted
  fitted.rows = 1
  for (const [side, { first, end }] of windows.entries())
    for (let at = first; at < end; at += 1) {
      const { before, answer, head, trained } = sides[side]![at]!
      fitted.tokens += answer + (at === first ? head : before)
      if (at < lossStart || !trained) continue
      fitted.trained += answer
      fitted.leftOut -= 1
    }
  return fitted
}

function fitDecision({ variants, answers, answerCount }: Extract<RowSizes, { kind: 'decision' }>, limit: number): Fitted {
  const sizes = variants.find((sides) => sides.every((tokens) => tokens <= limit))
  const needed = Math.min(...variants.map((sides) => Math.max(...sides)))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return sizes === undefined
    ? { rows: 0, tokens: 0, trained: 0, leftOut: answerCount, needed }
    : { rows: 1, tokens: sum(sizes), trained: sum(answers), leftOut: answerCount - answers.length, needed }
}

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
