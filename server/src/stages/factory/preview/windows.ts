import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { callsOf, withoutWeight } from '../curate/candidate.ts'
import { encodePieces } from './ids.ts'
import { renderLastAnswer, RenderError, rendererOf, renderRow, type ChatTemplate, type Piece, type RenderedRow } from './render.ts'
import { thinks } from './templates.ts'
import type { Encoder } from './tokenizer.ts'

/** Tokens of an answer, of the text since the previous one, and of the head of a row that begins with this answer. */
export interface Turn {
  before: number
  answer: number
  /** Infinite if the template cannot render such a row. */
  head: number
  trained: boolean
}

/** Turns from `first` up to `lossStart` are context; turns from `lossStart` up to `end` carry loss. */
interface Window {
  first: number
  lossStart: number
  end: number
}

/** Replaces the omitted turns after the first prompt. */
const OMISSION = '[Earlier steps of this task are left out here.]'
/** Context may take this share of a row; the newest earlier turn may take more. */
const CONTEXT_SHARE = 0.25

/**
 * Splits a conversation into rows of at most `limit` tokens, so that each answer carries loss in exactly one of them; also
 * returns the turns whose answer does not fit. The same rule as `bashgym_trainers/windows.py`, which explains it.
 */
export function windowsOf(turns: readonly Turn[], limit: number): { windows: Window[]; leftOut: number[] } {
  const starts = [0]
  for (const { before, answer } of turns) starts.push(starts.at(-1)! + before + answer)
  const context = (first: number, end: number) => starts[end]! - starts[first]! - turns[first]!.before
  const size = (first: number, end: number) => turns[first]!.head + context(first, end)

  const [start, last] = [turns.findIndex(({ trained }) => trained), turns.findLastIndex(({ trained }) => trained)]
  if (start >= 0 && size(0, last + 1) <= limit) return { windows: [{ first: 0, lossStart: start, end: last + 1 }], leftOut: [] }
  const windows: Window[] = []
  const leftOut: number[] = []
  for (let lossStart = 0; lossStart < turns.length;) {
    if (!turns[lossStart]!.trained || size(lossStart, lossStart + 1) > limit) {
      if (turns[lossStart]!.trained) leftOut.push(lossStart)
      lossStart += 1
      continue
    }
    let first = lossStart
    const isContext = (at: number) => first === lossStart || context(at, lossStart) <= limit * CONTEXT_SHARE
    while (first > 0 && size(first - 1, lossStart + 1) <= limit && isContext(first - 1)) first -= 1
    let end = lossStart + 1
    while (end < turns.length && size(first, end + 1) <= limit) end += 1
    const trained = turns.slice(0, end).findLastIndex((turn) => turn.trained) + 1
    windows.push({ first, lossStart, end: trained })
    lossStart = end
  }
  return { windows, leftOut }
}

/**
 * One window of each side of a preference, with the same context; null if the first answers do not fit. The same rule as
 * `pair_windows` in `bashgym_trainers/windows.py`.
 */
export function pairWindows(sides: readonly (readonly Turn[])[], lossStart: number, limit: number): Window[] | null {
  const context = (turns: readonly Turn[], first: number, end: number) =>
    turns.slice(first, end).reduce((sum, { before, answer }) => sum + before + answer, 0) - turns[first]!.before
  const fits = (first: number, ends: readonly number[]) =>
    sides.every((turns, side) => turns[first]!.head + context(turns, first, ends[side]!) <= limit)
  const whole = sides.map(({ length }) => length)
  for (let first = 0; first <= lossStart; first += 1) if (fits(first, whole)) return whole.map((end) => ({ first, lossStart, end }))
  const least = sides.map(() => lossStart + 1)
  if (!fits(lossStart, least)) return null
  let first = lossStart
  while (first > 0 && fits(first - 1, least) && context(sides[0]!, first - 1, lossStart) <= limit * CONTEXT_SHARE) first -= 1
  return sides.map((turns) => {
    let end = lossStart + 1
    while (end < turns.length && turns[first]!.head + context(turns, first, end + 1) <= limit) end += 1
    return { first, lossStart, end }
  })
}

/** Rows from this length on offer all tools. */
const OFFER_ALL = 8192
const OTHER_TOOLS = 4

/**
 * The tools that rows below `OFFER_ALL` offer if the conversation does not fit: those it calls, and the first of the others; null
 * if these are all. The same rule as `fewer_tools` in `bashgym_trainers/windows.py`.
 */
export function fewerTools(messages: readonly ChatMessage[], tools: readonly ToolSchema[]): ToolSchema[] | null {
  const called = new Set(messages.flatMap(callsOf).map((call) => call.function.name))
  const dropped = new Set(tools.filter((tool) => !called.has(tool.function.name)).slice(OTHER_TOOLS))
  return dropped.size === 0 ? null : tools.filter((tool) => !dropped.has(tool))
}

/** Whether a row that does not fit this length offers fewer tools. */
export const offersFewer = (limit: number): boolean => limit < OFFER_ALL

type Row = { messages: readonly ChatMessage[]; tools: readonly ToolSchema[] }

/** The ids of an answer and of the text before it. */
interface EncodedTurn {
  piece: Piece
  before: number[][]
  answer: number[]
  /** The text before it in a row that begins with it; null if the template cannot render such a row. */
  head: () => number[][] | null
}

/** A conversation as ids: its turns, or with the method `answers` its rows. */
export interface EncodedConversation {
  rendered: RenderedRow
  turns: EncodedTurn[]
  answers: EncodedAnswer[]
}

/** An answer with a row of its own. */
interface EncodedAnswer {
  answer: number
  /** The row with its full context, then with fewer and fewer turns. */
  rows: () => Generator<EncodedRow>
}

/** Leaves out the text after the last answer. Throws `RenderError`. */
export function encodeConversation(encoder: Encoder, row: Row, thinking = thinks(row.messages)): EncodedConversation {
  const template = encoder.template(row.tools.length > 0)
  const rendered = renderRow(template, row, thinking)
  const { messages, conversations } = rendered
  if (rendered.method === 'answers') {
    const rows = conversations.filter((parts) => parts.at(-1)?.trained)
    return { rendered, turns: [], answers: rows.map((parts) => encodedAnswer(encoder, template, { messages, tools: row.tools }, parts)) }
  }
  return { rendered, turns: encodedTurns(encoder, template, { messages, tools: row.tools }, conversations[0]!, thinking), answers: [] }
}

function encodedTurns(encoder: Encoder, template: ChatTemplate, row: Row, parts: readonly Piece[], thinking: boolean): EncodedTurn[] {
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
    const textBefore = before
    const isFirst = turns.length === 0
    const head = () => {
      const { opening, newestPrompt } = openingOf(row.messages, piece.answer!)
      if (!headCache.has(newestPrompt)) {
        const shortened = { messages: [...opening, row.messages[piece.answer!]!], tools: row.tools }
        const text = headText(template, shortened, piece, thinking)
        headCache.set(newestPrompt, text === null ? null : [encoder.encode(text)])
      }
      return headCache.get(newestPrompt)!
    }
    turns.push({ piece, before: textBefore, answer: ids, head: isFirst ? () => textBefore : head })
    before = []
  }
  return turns
}

/** The text before an answer that begins a row; null if the template renders the answer differently there. */
function headText(template: ChatTemplate, row: Row, { text }: Piece, thinking: boolean): string | null {
  const [head, answer] = orNull(() => renderRow(template, row, thinking).conversations[0]!) ?? []
  return answer?.text === text ? head!.text : null
}

/** Numbers of turns to try before an answer whose full context does not fit. */
const CONTEXT_TURNS = [4, 1, 0]

function encodedAnswer(encoder: Encoder, template: ChatTemplate, { messages, tools }: Row, parts: readonly Piece[]): EncodedAnswer {
  const answer = parts.at(-1)!
  const encoded = (pieces: readonly Piece[]): EncodedRow => {
    const ids = encodePieces(encoder, pieces.map(({ text }) => text)) // prettier-ignore
    return pieces.map((piece, place) => ({ ids: ids[place]!, trained: piece.text === answer.text && place === pieces.length - 1 }))
  }
  const fullRow = encoded(parts)
  function* rows() {
    yield fullRow
    const renderer = rendererOf(template, tools, thinks(messages))
    const unweighted = messages.map(withoutWeight)
    const turns = unweighted.flatMap(({ role }, at) => (role === 'assistant' && at < answer.answer! ? [at] : []))
    for (const count of CONTEXT_TURNS.filter((one) => one < turns.length)) {
      const first = turns.at(-count) !== undefined && count > 0 ? turns.at(-count)! : answer.answer!
      const { opening } = openingOf(unweighted, first)
      const shortened = orNull(() => renderLastAnswer(renderer, [...opening, ...unweighted.slice(first, answer.answer! + 1)]))
      if (shortened?.at(-1)?.text === answer.text) yield encoded(shortened)
    }
  }
  return { answer: fullRow.at(-1)!.ids.length, rows }
}

function orNull<Value>(render: () => Value): Value | null {
  try {
    return render()
  } catch (error) {
    if (error instanceof RenderError) return null
    throw error
  }
}

/** The first messages of a row that begins with `answer`, and the index of their newest prompt (-1 for none). */
export function openingOf(messages: readonly ChatMessage[], answer: number): { opening: ChatMessage[]; newestPrompt: number } {
  const before = messages.slice(0, answer)
  const task = before.findIndex(({ role }) => role === 'user')
  if (task < 0)
    return { opening: [...before.filter(({ role }) => role === 'system'), { role: 'user', content: OMISSION }], newestPrompt: -1 }
  const newestPrompt = before.findLastIndex(({ role }) => role === 'user')
  const texts = [before[task]!.content, OMISSION, ...(newestPrompt > task ? [before[newestPrompt]!.content] : [])]
  return { opening: [...before.slice(0, task), { role: 'user', content: texts.join('\n\n') }], newestPrompt }
}

/** `isWhole`: all turns are in one row, so none begins another. */
export const sizesOf = (turns: readonly EncodedTurn[], { isWhole = false } = {}): Turn[] =>
  turns.map(({ piece, before, answer, head }) => ({
    before: lengthOf(before),
    answer: answer.length,
    head: lengthOf(isWhole ? before : head()),
    trained: piece.trained,
  }))

const lengthOf = (ids: readonly number[][] | null): number =>
  ids === null ? Number.POSITIVE_INFINITY : ids.reduce((sum, { length }) => sum + length, 0)

/** The ids of a row, cut where the speaker changes. `trained`: the piece carries loss. */
export type EncodedRow = { ids: number[]; trained: boolean }[]

/** The rows of a conversation, and the tokens of each answer that does not fit. Throws `RenderError`. */
export function splitRow(encoder: Encoder, row: Row, limit: number): { rows: EncodedRow[]; leftOut: number[] } {
  const encoded = encodeConversation(encoder, row)
  const fewer = offersFewer(limit) && lengthOfRow(encoded) > limit ? fewerTools(row.messages, row.tools) : null
  return splitEncoded(fewer === null ? encoded : encodeConversation(encoder, { ...row, tools: fewer }), limit)
}

/** Tokens of a conversation, or of its longest row if each answer is a row. */
function lengthOfRow({ turns, answers }: EncodedConversation): number {
  const first = answers.map(({ rows }) => rows().next().value as EncodedRow)
  return Math.max(lengthOf(turns.flatMap(({ before, answer }) => [...before, answer])), ...first.map((row) => lengthOf(row.map(({ ids }) => ids)))) // prettier-ignore
}

function splitEncoded({ turns, answers, rendered }: EncodedConversation, limit: number): { rows: EncodedRow[]; leftOut: number[] } {
  if (rendered.method === 'answers') {
    const fitting = answers.map(({ rows }) => rows().find((one) => lengthOf(one.map(({ ids }) => ids)) <= limit) ?? null)
    return {
      rows: fitting.filter((one) => one !== null),
      leftOut: answers.flatMap(({ answer }, at) => (fitting[at] === null ? [answer] : [])),
    }
  }
  const isWhole = lengthOf(turns.flatMap(({ before, answer }) => [...before, answer])) <= limit
  const { windows, leftOut } = windowsOf(sizesOf(turns, { isWhole }), limit)
  const rows = windows.map(({ first, lossStart, end }) =>
    turns
      .slice(first, end)
      .flatMap(({ piece, before, answer, head }, index) => [
        ...((index === 0 && first > 0 ? head() : before) ?? []).map((ids) => ({ ids, trained: false })),
        { ids: answer, trained: first + index >= lossStart && piece.trained },
      ]),
  )
  return { rows, leftOut: leftOut.map((at) => turns[at]!.answer.length) }
}

/** Tokens of an answer, and of its row with full context and with less and less of it. */
export interface AnswerSizes {
  rows: number[]
  answer: number
}

export const answerSizes = (answers: readonly EncodedAnswer[]): AnswerSizes[] =>
  answers.map(({ rows, answer }) => ({ answer, rows: [...rows()].map((one) => lengthOf(one.map(({ ids }) => ids))) }))
