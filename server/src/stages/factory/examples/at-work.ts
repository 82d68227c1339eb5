import { hash } from 'node:crypto'
import { ExampleOptions } from '#contracts/entities/example.ts'
import type { Step, TranscriptItem } from '#contracts/entities/step.ts'
import { resultText } from '#server/stages/traces/index.ts'
import { type Context, contextBefore } from '../calls/context.ts'
import { UsedTools } from '../tool-schemas/infer.ts'
import { offeredTools } from '../tool-schemas/offered.ts'
import { BlockReader } from './blocks.ts'
import { withoutBoilerplate } from './boilerplate.ts'
import { SHORT_SYSTEM, withEnvironment } from './environment.ts'
import { renderBlocks } from './render.ts'

/** A conversation in the form of the client's API. */
export interface Conversation {
  clientVersion: string
  /** What was asked first; some clients leave it out of `messages`. */
  task: string | null
  messages: readonly { role: string; content?: unknown }[]
  /** Where it works; by default what the client tells its own model. */
  place?: { cwd: string; gitBranch: string | null }
}

interface Part {
  type?: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: unknown
  is_error?: boolean
}

/** The tool that delivers a report, and the client's words about it: nothing that a model was trained on. */
const HAND_BACK = 'SubagentHandback'
const ABOUT_HAND_BACK = '[handback-send-enforce]'

/**
 * What a model at work reads before its next answer: the same messages and tools as its training rows and its exam have, by the
 * same code. Null: more than `limit` estimated tokens, even without all that can be left out.
 */
export function contextAtWork(conversation: Conversation, limit: number): Context | null {
  const options = ExampleOptions.parse({})
  const reader = new BlockReader(options.outputChars)
  for (const item of itemsOf(conversation)) reader.add(item)
  const blocks = reader.takeBlocks()
  const used = new UsedTools()
  for (const { calls } of blocks) for (const { tool, input } of calls) used.add(tool, input)
  const { messages } = renderBlocks(blocks, {
    thinking: options.thinking,
    system: withEnvironment(SHORT_SYSTEM, conversation.place ?? placeOf(conversation)),
    opening: null,
  })
  const { tools } = offeredTools({ agent: 'claude-code', clientVersion: conversation.clientVersion }, null, used)
  return contextBefore({ messages, tools }, messages.length, limit)
}

/** What the agent was asked, without what the client added. */
export const promptsIn = (conversation: Conversation): string[] =>
  [...itemsOf(conversation)].flatMap((item) => {
    const text = item.kind === 'prompt' ? withoutBoilerplate(item.text).trim() : ''
    return text === '' ? [] : [text]
  })

/** What a model at work is told before any task: changes with the prompt and with the tools of the client. */
export const formAtWork = (clientVersion: string): string =>
  hash('sha256', JSON.stringify([SHORT_SYSTEM, offeredTools({ agent: 'claude-code', clientVersion }, null, new UsedTools()).tools]))

/** Answers so far. */
export const answersIn = ({ messages }: Pick<Conversation, 'messages'>): number =>
  messages.filter(({ role }) => role === 'assistant').length

function* itemsOf({ messages, task }: Conversation): Generator<TranscriptItem> {
  const results = new Map(messages.flatMap(partsOf).flatMap((part) => (part.tool_use_id === undefined ? [] : [[part.tool_use_id, part]])))
  const texts = messages.flatMap((message) => (message.role === 'user' ? partsOf(message).flatMap(({ text }) => text ?? []) : []))
  if (task !== null && !texts.some((text) => text.includes(task))) yield textItem('prompt', 'task', task)
  for (const [at, message] of messages.entries()) {
    const parts = partsOf(message)
    const isResult = parts.some(({ type }) => type === 'tool_result')
    for (const [place, part] of parts.entries()) {
      const id = `${at}.${place}`
      if (part.type === 'text' && typeof part.text === 'string' && !part.text.startsWith(ABOUT_HAND_BACK)) {
        if (message.role === 'assistant') yield textItem('text', id, part.text, `${at}`)
        else if (withoutBoilerplate(part.text).trim() !== '')
          yield { ...textItem(isResult ? 'notice' : 'prompt', id, part.text), asks: isResult ? 'within' : 'begins' }
      } else if (part.type === 'thinking' && typeof part.thinking === 'string') {
        yield textItem('thinking', id, part.thinking, `${at}`)
      } else if (part.type === 'tool_use' && part.name !== HAND_BACK) {
        yield { kind: 'step', id, position: id, step: stepOf(part, results.get(part.id ?? ''), { id, messageId: `${at}` }) }
      }
    }
  }
}

const partsOf = ({ content }: { content?: unknown }): Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? (content as Part[]) : []

const textItem = (kind: 'prompt' | 'text' | 'thinking' | 'notice', id: string, text: string, messageId: string | null = null) => ({
  kind,
  id,
  position: id,
  at: null,
  agent: 'main',
  label: null,
  text,
  truncated: false,
  model: null,
  messageId,
  asks: null,
  abandoned: false,
  byMod: false,
})

function stepOf({ name, input }: Part, result: Part | undefined, at: { id: string; messageId: string }): Step {
  const output = result ? resultText(result.content) : null
  return {
    ...at,
    seq: 0,
    at: null,
    endedAt: null,
    agent: 'main',
    parentStepId: null,
    tool: name ?? 'unknown',
    command: null,
    input: input ?? {},
    output,
    outputBytes: output?.length ?? 0,
    outputTruncated: false,
    success: result ? result.is_error !== true : null,
    exitCode: null,
    isError: result?.is_error === true,
    rejected: false,
    rejectedBy: null,
    answered: result !== undefined,
    cwd: null,
    repo: null,
    durationMs: null,
    promptId: null,
    file: null,
    patch: null,
    thinking: null,
    text: null,
    abandoned: false,
    byMod: false,
  }
}

/** From what the client tells its own model. */
function placeOf({ messages }: Conversation): { cwd: string | null; gitBranch: string | null } {
  const text = messages
    .slice(0, 1)
    .flatMap(partsOf)
    .flatMap((part) => part.text ?? [])
    .join('\n')
  const found = (line: RegExp) => line.exec(text)?.[1]?.trim() || null
  return { cwd: found(/^ *- Primary working directory: (.+)$/m), gitBranch: found(/^Current branch: (.+)$/m) }
}
