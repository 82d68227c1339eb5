/**
 * Finds the call of the tool `terminal` in a message of a model. The call is parsed and never run as code.
 * `python/bashgym/bashgym/tool_call.py` does the same, because both sides read messages; fixtures/tool-calls.json tests both.
 */
import words from '../../../../../python/bashgym/bashgym/shell_words.json' with { type: 'json' }
import type { CallFormat, RawText, TerminalToolCall } from '#contracts/entities/tool-call.ts'
import { parseExact } from '#server/exact-json.ts'
import { readFence, UNREADABLE_FENCE } from '#server/stages/agents/index.ts'
import { beginsWithMark, withoutEnds, withoutMessage, withoutOpenedThoughts, withoutThoughts } from '#server/calls/index.ts'
import { type Found, Refused, structures } from './call-text.ts'

type TerminalArguments = NonNullable<TerminalToolCall['arguments']>

const TOOL = 'terminal'
/** First words that mark a message of a model as a shell command. */
const SHELL_WORDS: ReadonlySet<string> = new Set(words)
const MAX_DEPTH = 8
const MAX_BYTES = 256 * 1024
const EDGES = /^[ \t\r\n\f\v]+|[ \t\r\n\f\v]+$/g
const NAMES = ['name', 'tool_name', 'tool', 'function'] as const
const NESTED = ['arguments', 'parameters', 'function'] as const

const stripped = (text: string) => text.replace(EDGES, '')

/** Never throws; the result has `error` if the message is refused. */
export function buildTerminalToolCall(text: string, { raw = 'plain' }: { raw?: RawText | undefined } = {}): TerminalToolCall {
  const warnings: string[] = []
  const { rest, isOpen } = withoutThoughts(stripped(text))
  const whole = isOpen ? stripped(text) : stripped(rest)
  if (whole !== stripped(text)) warnings.push(WITHOUT_REASONING)
  const read = readFence(whole)
  const fence = read === 'unreadable' ? null : read
  const inner = fence ? stripped(fence.inner) : whole
  const callWith = (args: TerminalArguments, format: CallFormat): TerminalToolCall => ({ tool: TOOL, arguments: args, format, warnings })
  const format = (unfenced: CallFormat): CallFormat => (fence ? 'fence' : unfenced)
  try {
    if (read === 'unreadable') throw new Refused(UNREADABLE_FENCE, 'fence')
    if (isOpen) throw new Refused('The message ends within its reasoning.', 'plain')
    const { found, command } = readCalls(inner, fence?.language === 'json', warnings)
    if (found.length > 1) throw new Refused('The message holds more than one call. Send one call at a time.', format(found[0]!.format))
    const [one] = found
    if (one) return callWith(unwrapped(one, warnings, format(one.format)), format(one.format))
    if (raw === 'never') throw new Refused('The message holds no call of the tool terminal.', format('plain'))
    return callWith({ command }, format('plain'))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (raw === 'always') {
      warnings.push(`taken as a command: ${error.message}`)
      return callWith({ command: inner }, 'plain')
    }
    return { tool: TOOL, arguments: null, format: fence ? 'fence' : error.format, warnings, error: error.message }
  }
}

const WITHOUT_REASONING = 'the reasoning before the call is left out'

interface Read {
  found: Found[]
  /** The text as a command, for a message without a call. */
  command: string
}

function readCalls(text: string, isRequired: boolean, warnings: string[]): Read {
  const isMarked = beginsWithMark(text)
  const opening = isMarked ? 'tag' : structures.opening(text)
  const none: Read = { found: [], command: text }
  if (opening === null && !isRequired && opensAsShell(text)) return none
  if (Buffer.byteLength(text) > MAX_BYTES) {
    if (opening === null && !isRequired) return none
    throw new Refused(`The call is longer than ${MAX_BYTES / 1024} KiB.`, opening ?? 'json')
  }
  const ended = withoutEnds(text)
  const rest = opening === null ? stripped(withoutOpenedThoughts(ended)) : ended
  const isCallAfterThoughts = rest !== ended && (beginsWithMark(rest) || structures.opening(rest) !== null)
  if (isCallAfterThoughts) warnings.push(WITHOUT_REASONING)
  const found = structures.find(isCallAfterThoughts ? rest : ended)
  if (opening === null && !isRequired) return { found, command: text }
  if (isMarked && found.length === 0 && withoutMessage(text) !== ended) return { found, command: withoutMessage(text) }
  if (found.length === 0 || (!isMarked && opening !== null && found[0]!.start !== 0))
    throw new Refused(UNREADABLE[opening ?? 'json'], opening ?? 'json')
  return { found, command: text }
}

const UNREADABLE: Readonly<Record<CallFormat, string>> = {
  json: 'The message begins like JSON, but is not valid JSON.',
  call: 'The message begins with terminal(, but is not one call with quoted strings.',
  tag: 'The message begins with the mark of a tool call, but holds none that can be read.',
  fence: 'The block marked as JSON is not valid JSON.',
  prose: 'The call cannot be read.',
  plain: 'The call cannot be read.',
}

/** Unwraps the objects around a call until an object with `command` or `final_answer` is found. */
function unwrapped({ value }: Found, warnings: string[], format: CallFormat): TerminalArguments {
  let level: unknown = value
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    if (typeof level === 'string') level = parsed(level, format)
    if (Array.isArray(level)) {
      if (level.length > 1) throw new Refused('The message holds more than one call. Send one call at a time.', format)
      level = level[0]
    }
    if (typeof level !== 'object' || level === null) throw new Refused('The call is not an object.', format)
    const object = level as Readonly<Record<string, unknown>>
    const name = NAMES.map((key) => ownValue(object, key)).find((one) => typeof one === 'string')
    if (name !== undefined && name !== TOOL) throw new Refused(`There is no tool "${name}"; the one tool is terminal.`, format)
    if (ownValue(object, 'command') !== undefined || ownValue(object, 'final_answer') !== undefined) return chosen(object, warnings, format)
    const calls = ownValue(object, 'tool_calls')
    const next = calls === undefined ? NESTED.map((key) => ownValue(object, key)).find((one) => isNesting(one)) : calls
    if (next === undefined) throw new Refused('The object has neither command nor final_answer.', format)
    level = next
  }
  throw new Refused(`The call is wrapped in more than ${MAX_DEPTH} objects.`, format)
}

const ownValue = (object: Readonly<Record<string, unknown>>, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)
const isNesting = (value: unknown) => (typeof value === 'object' && value !== null) || (typeof value === 'string' && /^\s*[{[]/.test(value))

function parsed(text: string, format: CallFormat): unknown {
  try {
    return parseExact(text).value
  } catch {
    throw new Refused('The arguments of the call are not valid JSON.', format)
  }
}

/** If both keys are given, the command is used and the answer ignored. A blank value counts as missing if the other key is given. */
function chosen(object: Readonly<Record<string, unknown>>, warnings: string[], format: CallFormat): TerminalArguments {
  const text = (key: 'command' | 'final_answer'): string | null => {
    const value = ownValue(object, key) ?? null
    if (value !== null && typeof value !== 'string') throw new Refused(`${key} must be a string.`, format)
    return value
  }
  const command = text('command')
  const answer = text('final_answer')
  if (command === null && answer === null) throw new Refused('command must be a string.', format)
  const isGiven = (value: string | null) => value !== null && stripped(value) !== ''
  if (isGiven(command) && isGiven(answer)) warnings.push('final_answer is ignored: command is given too')
  if (isGiven(command) || answer === null || (!isGiven(answer) && command !== null)) return { command: command! }
  return { final_answer: answer }
}

const SYNTAX = /[|<>;&$`()[\]{}=~\\*]|(?:^|[ \t])-{1,2}[A-Za-z0-9]/

/** Whether the first line that is not a comment is a shell command. Later lines do not count, because a command may contain JSON. */
function opensAsShell(text: string): boolean {
  const line = text.split('\n').map(stripped).find((one) => one !== '' && !one.startsWith('#')) // prettier-ignore
  if (line === undefined) return true
  if (structures.opening(line) !== null || line.startsWith('```')) return false
  const lead = structures.lead(line)
  const [word = ''] = lead.split(/[ \t]+/)
  if (SHELL_WORDS.has(word) || SHELL_WORDS.has(word.replace(/[;:]$/, '')) || /^(?:[.~]?\/|\.\.?$)/.test(word)) return true
  if (/^[A-Z]/.test(lead) && !/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(lead)) return false
  return SYNTAX.test(lead) || !structures.isProse(lead)
}
