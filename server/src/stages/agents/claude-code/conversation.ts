/** One process of Claude Code, from its first message to its end. */
import type { Channel } from '#server/adapters/sandbox/index.ts'
import { agentProgram, type ProgramEnd } from '../agent-program.ts'
import type { AgentEvent } from '../driver.ts'
import type { BufferedInbox } from '../buffered-inbox.ts'
import { askWhatNext, isAboutNext, nextOf, WHAT_NEXT_ANSWERED } from '../interrupted.ts'
import { createEventReader, type EventReader, type Result } from './events.ts'
import { createQuestions } from './questions.ts'

/** How long the process may take to end after its input was closed. */
const EXIT_MS = 20_000

export interface Conversation {
  allowsAll: boolean
  inbox: BufferedInbox
  emit: (event: AgentEvent) => void
  /** Called once, when the agent has answered in a session. */
  onAnswer: (session: string) => void
  now: () => number
  signal: AbortSignal
}

export interface ConversationEnd extends ProgramEnd {
  session: string | null
  result: Result | null
}

/** Resolves when all processes of Claude Code have ended. */
export async function converse(
  channel: Channel,
  first: string,
  { allowsAll, inbox, emit, onAnswer, now, signal }: Conversation,
): Promise<ConversationEnd> {
  let hasAnswered = false
  const emitAndNote = (event: AgentEvent) => {
    emit(event)
    if (event.type !== 'turn' || hasAnswered || reader.session === null) return
    hasAnswered = true
    onAnswer(reader.session)
  }
  const reader: EventReader = createEventReader(emitAndNote, now)
  const program = agentProgram(channel)
  signal.addEventListener('abort', program.stop)
  if (signal.aborted) program.stop()

  let isIdle = false
  let isOver = false
  let isInterrupted = false
  let requests = 0
  const send = (message: object) => void channel.input.write(`${JSON.stringify(message)}\n`)
  const write = (text: string) => {
    isIdle = false
    send({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: reader.session ?? '' })
  }
  const questions = createQuestions({ allowsAll, emit, send, now })
  /** Closing its input makes the process end. */
  const finish = () => {
    isOver = true
    channel.input.end()
    const forceEnd = setTimeout(() => void channel.end(), EXIT_MS)
    const cancelForceEnd = () => clearTimeout(forceEnd)
    channel.exit.then(cancelForceEnd, cancelForceEnd)
  }
  const continueWith = (text: string | null) => {
    if (isInterrupted && isIdle) {
      emit(WHAT_NEXT_ANSWERED)
      emit({ type: 'working' })
    }
    isInterrupted = false
    if (text !== null) write(text)
    else if (isIdle) finish()
  }
  const drain = () => {
    for (;;) {
      const input = isOver ? undefined : inbox.waiting.shift()
      if (input === undefined) return
      if (input.type === 'message') continueWith(input.text)
      else if (input.type === 'answer' && isAboutNext(input)) continueWith(nextOf(input))
      else if (input.type === 'answer') questions.answer(input)
      else if (!isIdle) {
        isInterrupted = true
        send({ type: 'control_request', request_id: `interrupt-${++requests}`, request: { subtype: 'interrupt' } })
      }
    }
  }

  write(first)
  inbox.onInput = drain
  drain()
  try {
    for await (const line of program.lines()) {
      if (questions.take(line) || reader.take(line) !== 'idle' || isOver) continue
      isIdle = true
      if (isInterrupted) emit(askWhatNext(now()))
      else finish()
    }
    return { session: reader.session, result: reader.result, ...(await program.ended()) }
  } finally {
    isOver = true
    inbox.onInput = null
    signal.removeEventListener('abort', program.stop)
    await program.close()
  }
}
