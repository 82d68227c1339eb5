/** Takes what is neither text nor call off an answer: thoughts, and the marks around a turn. */
import { BEGINS, ENDS, matchAt, MESSAGE, OPENINGS, THOUGHT_END, THOUGHT_ENDS, THOUGHTS } from './data.ts'
import { type FoundCalls, findCalls, TORN } from './forms.ts'

const WHITE = ' \t\r\n\f\v'
const LONGEST_OPENING = 400

/** By a loop, since an expression would take quadratic time for a long run of blanks. */
function trimmedEnd(text: string): string {
  let end = text.length
  while (end > 0 && WHITE.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Whether a text begins with a mark that only an answer of a model has. */
export const beginsWithMark = (text: string): boolean => BEGINS.some((mark) => text.startsWith(mark)) || matchAt(MESSAGE, text, 0) !== null

/** Without the marks at its end, and the white space before them. */
export function withoutEnds(text: string): string {
  let cut = trimmedEnd(text)
  let isCut = false
  for (let mark; (mark = ENDS.find((one) => cut.endsWith(one))) !== undefined; isCut = true) cut = trimmedEnd(cut.slice(0, -mark.length))
  return isCut ? cut : text
}

/** Without the thoughts at its beginning. `isOpen`: they have no end, so that nothing is left. */
export function withoutThoughts(text: string): { rest: string; isOpen: boolean } {
  let at = 0
  let isOpen = false
  for (let thoughts; !isOpen && (thoughts = matchAt(THOUGHTS, text, at));) {
    const [thought] = thoughts
    at += thought.length
    isOpen = !THOUGHT_ENDS.some((end) => thought.endsWith(end))
  }
  return { rest: text.slice(at), isOpen }
}

/** Without thoughts that the prompt opened, unless their end comes after a call. */
export function withoutOpenedThoughts(text: string): string {
  const end = matchAt(THOUGHT_END, text, 0)
  if (!end) return text
  const found = findCalls(text)
  const comesLater = found !== null && found.start < end.index && !found.written.includes(TORN)
  return comesLater ? text : text.slice(end.index + end[0].length)
}

/** The text before calls without what opens their list. */
export function withoutOpenings(before: string): string {
  const cut = Math.max(0, before.length - LONGEST_OPENING)
  return before.slice(0, cut) + before.slice(cut).replace(OPENINGS, '')
}

/** The text without the marks of its channel. */
export function withoutMessage(text: string): string {
  const trimmed = text.trim()
  const opened = matchAt(MESSAGE, trimmed, 0)
  const inner = opened ? trimmed.slice(opened[0].length) : text
  return inner.trim() === '<|start|>assistant' ? '' : withoutEnds(inner).trim()
}

/** An answer with its special tokens: its text, its calls as they are written, and where they are in `answer`. */
export interface ParsedAnswer {
  answer: string
  text: string
  found: FoundCalls | null
}

export function parseAnswer(written: string): ParsedAnswer {
  const whole = withoutEnds(written)
  const { rest } = withoutThoughts(whole)
  const answer = withoutEnds(rest === whole ? withoutOpenedThoughts(whole) : rest).trim()
  const found = findCalls(answer)
  return { answer, found, text: withoutMessage(found ? withoutOpenings(answer.slice(0, found.start)) : answer) }
}
