import type { GuardTaint } from '#contracts/entities/guardrail.ts'
import type { Step, TranscriptItem } from '#contracts/entities/step.ts'
import { LONGEST_PART, partOf } from '../excerpt.ts'
import { counts, type Read, readBy } from './sources.ts'
import { type Word, wordsOf } from './words.ts'

/** A line from a result of a tool to a command; nothing is redacted yet. */
export type FoundTaint = Omit<GuardTaint, 'traceId'>

/** Where a conversation has a word first. */
type First =
  | { by: 'own' }
  /** The task that its parent gave a sub-agent. */
  | { by: 'task' }
  | { by: 'result'; step: Step; line: string }

const MOST_COMMANDS = 200
/** Shown before the word. */
const LEAD = 150

/**
 * For each of these commands: which result of a tool first brought words of it into its conversation. A word that stands
 * earlier in what the user or the model wrote is theirs. Goes through the session twice.
 */
export function findTaint(items: () => Iterable<TranscriptItem>, commands: ReadonlyMap<string, string>): FoundTaint[] {
  const wanted = new Map<string, Word[]>()
  for (const [stepId, command] of commands) {
    if (wanted.size >= MOST_COMMANDS) break
    const words = wordsOf(command)
    if (words.length > 0) wanted.set(stepId, words)
  }
  if (wanted.size === 0) return []
  const reading = new SessionWords([...new Map([...wanted.values()].flat().map((word) => [word.needle, word])).values()])
  const found: FoundTaint[] = []
  for (const item of items()) {
    if (item.kind !== 'step') {
      if (!item.abandoned) reading.text(item)
      continue
    }
    const { step } = item
    if (step.abandoned) continue
    reading.begin(step)
    const words = wanted.get(step.id)
    if (words) found.push(...linesTo(step, words, reading))
    reading.call(step)
  }
  return found
}

/** One line for each result that brought words in. */
function linesTo(command: Step, words: readonly Word[], reading: SessionWords): FoundTaint[] {
  const lines = new Map<string, FoundTaint>()
  for (const word of words) {
    const first = reading.origin(command.agent, word.needle)
    const read = first && readBy(first.step)
    if (!first || !read || !counts(read, word.kind, word.text, command.cwd)) continue
    if (word.beside !== null && !word.beside.test(first.line)) continue
    const line = lines.get(first.step.id) ?? lineOf(command, first, read)
    // a host says nothing more than an address with it
    if (!line.words.some(({ text }) => text.toLowerCase().includes(word.needle))) line.words.push({ text: word.text, kind: word.kind })
    lines.set(first.step.id, line)
  }
  return [...lines.values()]
}

const lineOf = (command: Step, { step, line }: Extract<First, { by: 'result' }>, { reach, from }: Read): FoundTaint => ({
  stepId: command.id,
  command: partOf(command.command ?? '', null),
  denied: command.rejected,
  sourceStepId: step.id,
  source: reach === 'prose' ? 'file' : reach,
  tool: step.tool,
  from,
  line,
  words: [],
})

/** Where each word is first, by conversation. Results of calls that were made together count only after all of them. */
class SessionWords {
  private readonly words: readonly Word[]
  private readonly conversations = new Map<string, Map<string, First>>()
  private readonly parents = new Map<string, string>()
  private readonly children = new Map<string, string[]>()
  private readonly agentOf = new Map<string, string>()
  private readonly pending = new Map<string, Step[]>()

  constructor(words: readonly Word[]) {
    this.words = words
  }

  text({ agent, kind, label, text, messageId }: Exclude<TranscriptItem, { kind: 'step' }>): void {
    this.settle(agent, messageId)
    const isTask = agent !== 'main' && (kind === 'prompt' || label?.startsWith('task') === true)
    this.note(agent, text, isTask ? { by: 'task' } : { by: 'own' })
  }

  /** Before the words of a call are looked up. */
  begin(step: Step): void {
    this.settle(step.agent, step.messageId)
    if (step.parentStepId !== null && !this.parents.has(step.agent)) {
      this.parents.set(step.agent, step.parentStepId)
      this.children.set(step.parentStepId, [...(this.children.get(step.parentStepId) ?? []), step.agent])
    }
    this.agentOf.set(step.id, step.agent)
  }

  call(step: Step): void {
    for (const text of stringsIn(step.input)) this.note(step.agent, text, { by: 'own' })
    if (step.output === null || step.output === '') return
    this.pending.set(step.agent, [...(this.pending.get(step.agent) ?? []), step])
  }

  /** The result that a conversation has a word from, over its sub-agents and its parent. */
  origin(agent: string, needle: string, seen: readonly string[] = []): Extract<First, { by: 'result' }> | null {
    const first = this.conversations.get(agent)?.get(needle)
    if (first === undefined || first.by === 'own' || seen.includes(agent)) return null
    if (first.by === 'task') {
      const parent = this.agentOf.get(this.parents.get(agent) ?? '')
      return parent === undefined ? null : this.origin(parent, needle, [...seen, agent])
    }
    const workers = this.children.get(first.step.id) ?? []
    if (workers.length === 0) return first
    for (const worker of workers) {
      this.settle(worker, null) // it has reported, so it has read everything
      const inside = this.conversations.get(worker)?.get(needle)
      if (inside) return inside.by === 'result' ? this.origin(worker, needle, [...seen, agent]) : null
    }
    return null
  }

  private settle(agent: string, messageId: string | null): void {
    const steps = this.pending.get(agent)
    if (steps === undefined) return
    const later = steps.filter((step) => messageId !== null && step.messageId === messageId)
    for (const step of steps) if (!later.includes(step)) this.noteResult(step)
    if (later.length > 0) this.pending.set(agent, later)
    else this.pending.delete(agent)
  }

  private note(agent: string, text: string, first: First): void {
    const known = this.of(agent)
    const small = text.toLowerCase()
    for (const { needle, own } of this.words) if (!known.has(needle) && own.some((one) => small.includes(one))) known.set(needle, first)
  }

  private noteResult(step: Step): void {
    const known = this.of(step.agent)
    const text = step.output ?? ''
    const small = text.toLowerCase()
    for (const word of this.words) {
      if (known.has(word.needle)) continue
      const at = placeOf(small, word)
      if (at < 0) continue
      const line = text.split('\n')[countOf(small, at)] ?? ''
      known.set(word.needle, { by: 'result', step, line: around(line, word.needle) })
    }
  }

  private of(agent: string): Map<string, First> {
    const known = this.conversations.get(agent) ?? new Map<string, First>()
    this.conversations.set(agent, known)
    return known
  }
}

/** Where a text has a word that is no part of a longer one. */
function placeOf(text: string, { kind, needle }: Word): number {
  const before = kind === 'host' ? /[a-z0-9_.-]$/ : /[a-z0-9_-]$/
  const after = kind === 'host' ? /^(?:[a-z0-9_-]|\.[a-z0-9])/ : /^[a-z0-9_-]/
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length
    if (!after.test(text.slice(end, end + 2)) && !before.test(text.slice(Math.max(0, at - 1), at))) return at
  }
  return -1
}

const countOf = (text: string, end: number): number => {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** A line without the number that the client puts in front, and not from the middle of a word: half of a secret is not found. */
function around(whole: string, needle: string): string {
  const line = whole.replace(/^\s*\d+[→\t]/, '').trim()
  if (line.length <= 2 * LEAD) return line
  const at = Math.max(0, line.toLowerCase().indexOf(needle))
  const lead = Math.max(0, at - LEAD)
  const gap = lead === 0 ? 0 : line.slice(lead, at).search(/\s/)
  const from = gap < 0 ? at : lead + gap
  return `${from > 0 ? '…' : ''}${line.slice(from, from + LONGEST_PART).trim()}`
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* stringsIn(inner)
}
