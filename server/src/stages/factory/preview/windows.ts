import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { encodePieces } from './ids.ts'
import { answerAlone, RenderError, rendererOf, write, type ChatTemplate, type Piece, type Written } from './render.ts'
import { thinks } from './templates.ts'
import type { Encoder } from './tokenizer.ts'

/** Tokens of an answer, of the text between it and the one before, and of the head of a row that begins with it. */
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

/** Instead of the turns between the first prompt and those that a row begins with. */
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

/** An answer with its ids, and those of the text before it in its conversation. */
interface EncodedTurn {
  piece: Piece
  before: number[][]
  answer: number[]
  /** The text before it in a row that begins with it; null: the template cannot write such a row. */
  head: () => number[][] | null
}

/** A conversation as ids: its turns, or where the template wants a row an answer, those rows. */
export interface EncodedConversation {
  written: Written
  turns: EncodedTurn[]
  answers: EncodedAnswer[]
}

/** An answer that is a row by itself. */
interface EncodedAnswer {
  answer: number
  /** Behind all that came before it, then behind fewer and fewer turns. */
  rows: () => Generator<EncodedRow>
}

/** The text after the last answer is no part of a turn. Throws `RenderError`. */
export function encodeConversation(encoder: Encoder, row: Row): EncodedConversation {
  const template = encoder.template(row.tools.length > 0)
  const written = write(template, row)
  const { messages, conversations } = written
  if (written.means === 'answers') {
    const rows = conversations.filter((parts) => parts.at(-1)?.trained)
    return { written, turns: [], answers: rows.map((parts) => encodedAnswer(encoder, template, { messages, tools: row.tools }, parts)) }
  }
  return { written, turns: encodedTurns(encoder, template, { messages, tools: row.tools }, conversations[0]!), answers: [] }
}

function encodedTurns(encoder: Encoder, template: ChatTemplate, row: Row, parts: readonly Piece[]): EncodedTurn[] {
  const turns: EncodedTurn[] = []
  const headCache = new Map<number, number[][] | null>()
  const encoded = encodePieces(encoder, parts.map(({ text }) => text)) // prettier-ignore
  let before: number[][] = []
  for (const [place, piece] of parts.entries()) {
    const ids = encoded[place]!
    if (piece.answer === null) {
      before.push(ids)
      continue
    }
    const own = before
    const isFirst = turns.length === 0
    const head = () => {
      const { opening, newest } = openingOf(row.messages, piece.answer!)
      if (!headCache.has(newest)) {
        const alone = { messages: [...opening, row.messages[piece.answer!]!], tools: row.tools }
        const text = headText(template, alone, piece, thinks(row.messages))
        headCache.set(newest, text === null ? null : [encoder.encode(text)])
      }
      return headCache.get(newest)!
    }
    turns.push({ piece, before: own, answer: ids, head: isFirst ? () => own : head })
    before = []
  }
  return turns
}

/** The text before an answer that is the first of a row; null if the template writes it otherwise there. */
function headText(template: ChatTemplate, row: Row, { text }: Piece, thinking: boolean): string | null {
  const [head, answer] = orNull(() => write(template, row, thinking).conversations[0]!) ?? []
  return answer?.text === text ? head!.text : null
}

/** Turns that a row keeps before its answer when all do not fit. */
const CONTEXTS = [4, 1, 0]

function encodedAnswer(encoder: Encoder, template: ChatTemplate, { messages, tools }: Row, parts: readonly Piece[]): EncodedAnswer {
  const answer = parts.at(-1)!
  const encoded = (some: readonly Piece[]): EncodedRow => {
    const ids = encodePieces(encoder, some.map(({ text }) => text)) // prettier-ignore
    return some.map((piece, place) => ({ ids: ids[place]!, trained: piece.text === answer.text && place === some.length - 1 }))
  }
  const whole = encoded(parts)
  function* rows() {
    yield whole
    const renderer = rendererOf(template, tools, thinks(messages))
    const silent = messages.map((message) => {
      if (message.role !== 'assistant') return message
      const { weight: _, ...rest } = message
      return rest
    })
    const turns = silent.flatMap(({ role }, at) => (role === 'assistant' && at < answer.answer! ? [at] : []))
    for (const count of CONTEXTS.filter((one) => one < turns.length)) {
      const first = turns.at(-count) !== undefined && count > 0 ? turns.at(-count)! : answer.answer!
      const { opening } = openingOf(silent, first)
      const alone = orNull(() => answerAlone(renderer, [...opening, ...silent.slice(first, answer.answer! + 1)]))
      if (alone?.at(-1)?.text === answer.text) yield encoded(alone)
    }
  }
  return { answer: whole.at(-1)!.ids.length, rows }
}

function orNull<Value>(render: () => Value): Value | null {
  try {
    return render()
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
  const { turns, answers, written } = encodeConversation(encoder, row)
  if (written.means === 'answers') {
    const fitting = answers.map(({ rows }) => rows().find((one) => lengthOf(one.map(({ ids }) => ids)) <= limit) ?? null)
    return {
      rows: fitting.filter((one) => one !== null),
      leftOut: answers.flatMap(({ answer }, at) => (fitting[at] === null ? [answer] : [])),
    }
  }
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

/** Tokens of a row that an answer is, behind all that came before it and behind less and less; and of the answer. */
export interface AnswerSizes {
  rows: number[]
  answer: number
}

export const answerSizes = (answers: readonly EncodedAnswer[]): AnswerSizes[] =>
  answers.map(({ rows, answer }) => ({ answer, rows: [...rows()].map((one) => lengthOf(one.map(({ ids }) => ids))) }))
