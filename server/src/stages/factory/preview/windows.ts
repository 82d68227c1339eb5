import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { pieces, RenderError, type ChatTemplate, type Piece } from './render.ts'
import type { Encoder } from './tokenizer.ts'

/** Tokens of an answer, of what stands between it and the one before, and of the head of a row that begins with it. */
export interface Turn {
  before: number
  answer: number
  /** Infinite: the template cannot write such a row. */
  head: number
  trained: boolean
}

/** Turns from `first` up to `fresh` are context, those from `fresh` up to `end` are learned. */
interface Window {
  first: number
  fresh: number
  end: number
}

/** What stands for the turns between the first prompt and those that a row begins with. */
const LEFT_OUT = '[Earlier steps of this task are left out here.]'
const CONTEXT_SHARE = 4

/**
 * How a conversation is split into rows of at most `limit` tokens, each answer learned in exactly one of them, and the
 * turns whose answer does not fit. The same rule as `bashgym_trainers/windows.py`, where it is put into words.
 */
export function windowsOf(turns: readonly Turn[], limit: number): { windows: Window[]; leftOut: number[] } {
  const starts = [0]
  for (const { before, answer } of turns) starts.push(starts.at(-1)! + before + answer)
  const context = (first: number, end: number) => starts[end]! - starts[first]! - turns[first]!.before
  const size = (first: number, end: number) => turns[first]!.head + context(first, end)

  const [start, last] = [turns.findIndex(({ trained }) => trained), turns.findLastIndex(({ trained }) => trained)]
  if (start >= 0 && size(0, last + 1) <= limit) return { windows: [{ first: 0, fresh: start, end: last + 1 }], leftOut: [] }
  const windows: Window[] = []
  const leftOut: number[] = []
  for (let fresh = 0; fresh < turns.length;) {
    if (!turns[fresh]!.trained || size(fresh, fresh + 1) > limit) {
      if (turns[fresh]!.trained) leftOut.push(fresh)
      fresh += 1
      continue
    }
    let first = fresh
    const isContext = (at: number) => first === fresh || context(at, fresh) <= Math.floor(limit / CONTEXT_SHARE)
    while (first > 0 && size(first - 1, fresh + 1) <= limit && isContext(first - 1)) first -= 1
    let end = fresh + 1
    while (end < turns.length && size(first, end + 1) <= limit) end += 1
    const trained = turns.slice(0, end).findLastIndex((turn) => turn.trained) + 1
    windows.push({ first, fresh, end: trained })
    fresh = end
  }
  return { windows, leftOut }
}

type Row = { messages: readonly ChatMessage[]; tools: readonly ToolSchema[] }

/** An answer with its ids, and those of what stands before it in its conversation. */
interface EncodedTurn {
  piece: Piece
  before: number[][]
  answer: number[]
  /** What stands before it in a row that begins with it; null: the template cannot write such a row. */
  head: () => number[][] | null
}

/** The turns of a conversation; what stands behind the last answer is no part of one. Throws `RenderError`. */
export function encodedTurns(encoder: Encoder, row: Row): EncodedTurn[] {
  const template = encoder.template(row.tools.length > 0)
  const turns: EncodedTurn[] = []
  const heads = new Map<number, number[][] | null>()
  let before: number[][] = []
  for (const piece of pieces(template, row)) {
    const ids = encoder.encode(piece.text)
    if (piece.answer === null) {
      before.push(ids)
      continue
    }
    const own = before
    const isFirst = turns.length === 0
    const head = () => {
      const { opening, newest } = openingOf(row.messages, piece.answer!)
      if (!heads.has(newest)) {
        const text = headText(template, { messages: [...opening, row.messages[piece.answer!]!], tools: row.tools }, piece)
        heads.set(newest, text === null ? null : [encoder.encode(text)])
      }
      return heads.get(newest)!
    }
    turns.push({ piece, before: own, answer: ids, head: isFirst ? () => own : head })
    before = []
  }
  return turns
}

/** What stands before an answer that is the first of a row; null where the template writes it otherwise there. */
function headText(template: ChatTemplate, row: Row, { text }: Piece): string | null {
  try {
    const [head, answer] = pieces(template, row)
    return answer?.text === text ? head!.text : null
  } catch (error) {
    if (error instanceof RenderError) return null
    throw error
  }
}

/** Messages that a row begins with whose first answer is `answer`; and which prompt is the newest in it, -1 for none. */
function openingOf(messages: readonly ChatMessage[], answer: number): { opening: ChatMessage[]; newest: number } {
  const before = messages.slice(0, answer)
  const task = before.findIndex(({ role }) => role === 'user')
  if (task < 0) return { opening: [...before.filter(({ role }) => role === 'system'), { role: 'user', content: LEFT_OUT }], newest: -1 }
  const newest = before.findLastIndex(({ role }) => role === 'user')
  const texts = [before[task]!.content, LEFT_OUT, ...(newest > task ? [before[newest]!.content] : [])]
  return { opening: [...before.slice(0, task), { role: 'user', content: texts.join('\n\n') }], newest }
}

/** Their sizes. `isWhole`: in one row, so no other begins with one of them. */
export const sizesOf = (turns: readonly EncodedTurn[], { isWhole = false } = {}): Turn[] =>
  turns.map(({ piece, before, answer, head }) => ({
    before: lengthOf(before),
    answer: answer.length,
    head: lengthOf(isWhole ? before : head()),
    trained: piece.trained,
  }))

const lengthOf = (ids: readonly number[][] | null): number =>
  ids === null ? Number.POSITIVE_INFINITY : ids.reduce((sum, { length }) => sum + length, 0)

/** A row as ids, cut where speakers change, each piece with whether it carries loss. */
export type EncodedRow = { ids: number[]; trained: boolean }[]

/** The rows that a conversation becomes, and the tokens of each answer that does not fit. Throws `RenderError`. */
export function splitRow(encoder: Encoder, row: Row, limit: number): { rows: EncodedRow[]; leftOut: number[] } {
  const turns = encodedTurns(encoder, row)
  const isWhole = lengthOf(turns.flatMap(({ before, answer }) => [...before, answer])) <= limit
  const { windows, leftOut } = windowsOf(sizesOf(turns, { isWhole }), limit)
  const rows = windows.map(({ first, fresh, end }) =>
    turns
      .slice(first, end)
      .flatMap(({ piece, before, answer, head }, index) => [
        ...((index === 0 && first > 0 ? head() : before) ?? []).map((ids) => ({ ids, trained: false })),
        { ids: answer, trained: first + index >= fresh && piece.trained },
      ]),
  )
  return { rows, leftOut: leftOut.map((at) => turns[at]!.answer.length) }
}
