/**
 * Reads the tool-call formats of model families, as `python/bashgym/bashgym/calls/forms.py` does: where a call begins is
 * recognised by a mark of `forms.json`, where it ends by its own grammar. How a form is read is code in both languages, because a
 * message must not start an interpreter of the other one; `python/bashgym/tests/calls.json` is read by the tests of both.
 *
 * Values of the forms that write every value as text stay text: the one tool that is read here has texts only.
 */
import { FORMS, matchAt, PAIRS, type Pairs, PARTS } from './data.ts'
import { gemmaArguments } from './gemma.ts'
import { pythonCalls } from './python.ts'
import { loadedAt, past, pastSpace } from './values.ts'

/** Stands for a call that begins but cannot be read. */
export const TORN = Symbol('a call that cannot be read')

/** What a text has as its calls: JSON values or TORN, and the offsets where the first begins and the last ends. */
export interface FoundCalls {
  written: unknown[]
  start: number
  end: number
}
type Read = Omit<FoundCalls, 'start'>
type Reader = (text: string, at: number) => Read

/** A text may be long and made to be slow: nothing is looked for after so many calls that cannot be read. */
const MOST_TORN = 64

const one = (name: string, args: unknown, end: number): Read => ({ written: [{ name, arguments: args }], end })
const allOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** A call that cannot be read; what follows its end mark is read again. */
function torn(text: string, at: number, end: string | null): Read {
  const found = end === null ? -1 : text.indexOf(end, at)
  return { written: [TORN], end: found === -1 ? text.length : found + end!.length }
}

/** The offset behind all marks in their order. */
function pastAll(text: string, from: number, marks: readonly string[]): number | null {
  let at: number | null = from
  for (const mark of marks) at = at === null ? null : past(text, at, mark)
  return at
}

const tagged: Reader = (text, at) => {
  const opened = matchAt(PARTS.function, text, at)
  if (opened) return functionAt(text, opened, ['</function>', '</tool_call>'])
  const keyed = matchAt(PARTS.keyed, text, at)
  if (keyed) return withPairs(text, at + keyed[0].length, keyed[1]!, PAIRS.keyed, ['</tool_call>'])
  const found = loadedAt(text, at)
  const end = found && past(text, found.end, '</tool_call>')
  return end === null ? torn(text, at, '</tool_call>') : { written: [found!.value], end }
}

const bareFunction: Reader = (text, at) => {
  const opened = matchAt(PARTS.function, text, at)
  return opened ? functionAt(text, opened, ['</function>']) : torn(text, at, '</function>')
}

/** Parameters between marks, or JSON as Llama 3 writes it. */
function functionAt(text: string, opened: RegExpExecArray, ends: readonly string[]): Read {
  const at = opened.index + opened[0].length
  if (text[at] !== '{') return withPairs(text, at, opened[1]!, PAIRS.parameters, ends)
  const found = loadedAt(text, at)
  const end = found && pastAll(text, found.end, ends)
  return end === null ? torn(text, at, ends.at(-1)!) : one(opened[1]!, found!.value, end)
}

function withPairs(text: string, from: number, name: string, form: Pairs, ends: readonly string[]): Read {
  const pairs: [string, string][] = []
  let at = from
  for (let opened; (opened = matchAt(form.open, text, at));) {
    const start = at + opened[0].length
    const closed = matchAt(form.close, text, start) ?? matchAt(form.loose, text, start)
    if (!closed) return torn(text, start, ends.at(-1)!)
    pairs.push([opened[1]!, text.slice(start, closed.index)])
    at = closed.index + closed[0].length
  }
  const end = pastAll(text, at, ends)
  return end === null ? torn(text, at, ends.at(-1)!) : one(name, Object.fromEntries(pairs), end)
}

/** A JSON list, or since 2025 a name and its arguments for each call. */
const mistral: Reader = (text, at) => {
  const named = matchAt(PARTS.mistral, text, at)
  const found = loadedAt(text, at + (named?.[0].length ?? 0))
  if (!found) return torn(text, at, named ? '[TOOL_CALLS]' : null)
  return named ? one(named[1]!, found.value, found.end) : { written: allOf(found.value), end: found.end }
}

const channels: Reader = (text, at) => {
  const opened = matchAt(PARTS.channel, text, at)
  const from = at + (opened?.[0].length ?? 0)
  const found = opened && loadedAt(text, from)
  if (!found) return { written: [TORN], end: opened ? from : text.length }
  return one(opened[1]!, found.value, found.end)
}

const gemma: Reader = (text, at) => {
  const named = matchAt(PARTS.gemma, text, at)
  const found = named && gemmaArguments(text, at + named[0].length)
  const end = found && past(text, found.end, '<tool_call|>')
  return end === null ? torn(text, at, '<tool_call|>') : one(named![1]!, found!.value, end)
}

/** An end mark inside an argument leaves its list unfinished, so that the first end with a complete list counts. */
const python: Reader = (text, at) => {
  const mark = '<|tool_call_end|>'
  for (let end = text.indexOf(mark, at), tries = 0; end !== -1 && tries < MOST_TORN; end = text.indexOf(mark, end + 1), tries++) {
    const written = pythonCalls(text.slice(at, end).trim())
    if (written) return { written, end: end + mark.length }
  }
  return torn(text, at, mark)
}

/** V3: kind, name and fenced JSON; V3.1: name and JSON. */
const deepseek: Reader = (text, at) => {
  const mark = '<｜tool▁call▁end｜>'
  const opened = matchAt(PARTS.deepseek, text, at)
  const found = opened && loadedAt(text, at + opened[0].length)
  const end = found && past(text, past(text, found.end, '```') ?? found.end, mark)
  return end === null ? torn(text, at, mark) : one((opened![2] ?? opened![1]!).trim(), found!.value, end)
}

const invoke: Reader = (text, at) => {
  const opened = matchAt(PARTS.invoke, text, at)
  if (!opened) return torn(text, at, '</atem:invoke>')
  return withPairs(text, at + opened[0].length, opened[1]!, PAIRS.invoked, ['</atem:invoke>'])
}

const sections: Reader = (text, at) => {
  const mark = '<|tool_call_end|>'
  const opened = matchAt(PARTS.section, text, at)
  const found = opened && loadedAt(text, at + opened[0].length)
  const end = found && past(text, found.end, mark)
  return end === null ? torn(text, at, mark) : one(opened![1]!, found!.value, end)
}

const listed =
  (end: string | null): Reader =>
  (text, at) => {
    const found = loadedAt(text, at)
    if (!found) return torn(text, at, end)
    return { written: allOf(found.value), end: (end === null ? null : past(text, found.end, end)) ?? found.end }
  }

/** The end of a call without its beginning. */
const stray: Reader = (_, at) => ({ written: [TORN], end: at })

const READERS = new Map<string, Reader>(
  Object.entries({ tagged, function: bareFunction, stray, mistral, channels, gemma, python, deepseek, invoke, sections }),
)
const readerOf = ({ read, end }: (typeof FORMS)[number]): Reader => READERS.get(read) ?? listed(end ?? null)

/** The calls of the format that begins first; null if there is none. */
export function findCalls(text: string): FoundCalls | null {
  const bare = bareCalls(text)
  if (bare) return bare
  const [first] = FORMS.map((form) => ({ form, begun: matchAt(form.mark, text, 0) }))
    .flatMap(({ form, begun }) => (begun ? [{ form, start: begun.index, length: begun[0].length }] : []))
    .toSorted((a, b) => a.start - b.start || b.length - a.length)
  if (!first) return null
  const read = readerOf(first.form)
  const written: unknown[] = []
  let at = 0
  for (let begun, failed = 0; failed < MOST_TORN && (begun = matchAt(first.form.mark, text, at));) {
    const some = read(text, begun.index + begun[0].length)
    if (some.written[0] === TORN) failed++
    written.push(...some.written)
    at = Math.max(some.end, begun.index + 1)
  }
  return { written, start: first.start, end: at }
}

/** Llama 3: the whole text is one call or several, with `;` between them. */
function bareCalls(text: string): FoundCalls | null {
  const mark = '<|python_tag|>'
  const start = pastSpace(text, 0)
  const isMarked = text.startsWith(mark, start)
  const written: unknown[] = []
  let at = isMarked ? start + mark.length : start
  while (text[pastSpace(text, at)] === '{') {
    const found = loadedAt(text, at)
    const value = found?.value as Record<string, unknown> | undefined
    if (!found || !value || !('name' in value && ('parameters' in value || 'arguments' in value))) break
    written.push(value)
    at = past(text, found.end, ';') ?? found.end
  }
  if (text.slice(at).trim() !== '' || written.length === 0) return isMarked ? { written: [TORN], start, end: text.length } : null
  return { written, start, end: at }
}
