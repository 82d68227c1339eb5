/** An agent that takes one message and ends: what is said meanwhile is the next message of the same session. */
import type { Channel } from '#server/adapters/sandbox/index.ts'
import { type AgentEnd, AgentFailed, type AgentWork } from './driver.ts'
import { type Following, follow, messageIn } from './follow.ts'
import { askWhatNext, isAboutNext, nextOf, WHAT_NEXT_ANSWERED } from './interrupted.ts'
import { jsonLines } from './lines.ts'

const MOST_LINE_BYTES = 64 * 1024 * 1024
const MOST_ERROR_CHARS = 4000
/** From the wish to end it until it is killed. */
const GRACE_MS = 2000

export interface MessageAgent {
  /** As a person calls it. */
  name: string
  /** Starts it; it reads the message from its input, which is closed then. */
  start(session: string | null): Promise<Channel>
  /** A line of its output. */
  take(line: unknown): void
  /** Of the session, once it has told it. */
  readonly session: string | null
  /** What it said last. */
  readonly message: string
  /** Why its last turn has no result, in its own words; null: it has one. */
  readonly failure: { boundary: 'provider' | 'harness'; message: string } | null
}

type Work = Pick<AgentWork, 'prompt' | 'emit' | 'inbox' | 'signal'>
type Exit = Awaited<Channel['exit']>

/** Resolves once no process of it is left. `transcript`: what it has written, read once at the end. */
export async function talk(
  agent: MessageAgent,
  work: Work,
  { now, transcript }: { now: () => number; transcript: () => Promise<AgentEnd['transcript']> },
): Promise<Omit<AgentEnd, 'resume'>> {
  const { emit, signal } = work
  const inbox = follow(work.inbox)
  let prompt = work.prompt
  for (;;) {
    emit({ type: 'working' })
    const { exit, errors, isInterrupted } = await turn(agent, prompt, { inbox, signal })
    const isLost = exit.code === null && exit.signal === null
    const next = signal.aborted || isLost ? null : isInterrupted ? await whatNext(inbox, work, now) : messageIn(inbox)
    if (next === null || signal.aborted) return ended(agent, { exit, errors, isStopped: signal.aborted || isInterrupted }, work, transcript)
    // before it has told its session, it has kept nothing of what it was asked
    prompt = agent.session === null ? `${prompt}\n\n${next}` : next
  }
}

interface Last {
  exit: Exit
  errors: string
  isStopped: boolean
}

async function ended(agent: MessageAgent, last: Last, { signal }: Work, transcript: () => Promise<AgentEnd['transcript']>) {
  const files = await transcript().catch((error: unknown) => {
    if (signal.aborted) return [] // the sandbox is gone as well
    throw error
  })
  if (!last.isStopped) requireResult(agent, last, files)
  return {
    claim: last.isStopped ? ('failure' as const) : ('success' as const),
    exitCode: last.exit.code,
    message: last.isStopped ? 'It was stopped before it had ended.' : agent.message,
    transcript: files,
  }
}

interface Turn {
  inbox: Following
  signal: AbortSignal
}

async function turn(agent: MessageAgent, prompt: string, { inbox, signal }: Turn) {
  const channel = await agent.start(agent.session)
  let errors = ''
  channel.errors?.on('data', (bytes: Buffer) => (errors = (errors + bytes.toString('utf8')).slice(-MOST_ERROR_CHARS)))
  let isInterrupted = false
  let grace: NodeJS.Timeout | undefined
  /** First so that it writes down what it has done. */
  const stop = () => {
    void channel.signal('TERM', 'all').catch(() => undefined) // it has ended already
    grace ??= setTimeout(() => void channel.end(), GRACE_MS)
  }
  const onInput = () => {
    const index = inbox.waiting.findIndex(({ type }) => type === 'interrupt')
    if (index < 0) return
    inbox.waiting.splice(index, 1)
    isInterrupted = true
    stop()
  }
  signal.addEventListener('abort', stop)
  inbox.onInput = onInput
  if (signal.aborted) stop()
  onInput()
  try {
    channel.input.on('error', () => undefined) // it ended before it had read all
    channel.input.end(prompt)
    for await (const line of jsonLines(channel.output, MOST_LINE_BYTES)) agent.take(line)
    return { exit: await channel.exit, errors: errors.trim(), isInterrupted }
  } finally {
    inbox.onInput = null
    signal.removeEventListener('abort', stop)
    clearTimeout(grace)
    await channel.end()
  }
}

/** The message of a user who interrupted it; null: it shall finish. */
async function whatNext(inbox: Following, { emit, signal }: Work, now: () => number): Promise<string | null> {
  const find = (): { text: string | null } | null => {
    for (let input = inbox.waiting.shift(); input !== undefined; input = inbox.waiting.shift()) {
      if (input.type === 'message') return { text: input.text }
      if (input.type === 'answer' && isAboutNext(input)) return { text: nextOf(input) }
    }
    return null
  }
  emit(askWhatNext(now()))
  const { promise, resolve } = Promise.withResolvers<{ text: string | null }>()
  const look = () => {
    const found = signal.aborted ? { text: null } : find()
    if (found) resolve(found)
  }
  inbox.onInput = look
  signal.addEventListener('abort', look)
  look()
  const { text } = await promise
  inbox.onInput = null
  signal.removeEventListener('abort', look)
  if (!signal.aborted) emit(WHAT_NEXT_ANSWERED)
  return text
}

/** Throws where the run has no result, with whose failure it is. */
function requireResult(agent: MessageAgent, { exit, errors }: Last, transcript: AgentEnd['transcript']): void {
  const { name, failure } = agent
  if (exit.code === null && exit.signal === null)
    throw new AgentFailed('sandbox', `The sandbox was lost while ${name} was at work.`, null, transcript)
  if (exit.outOfMemory)
    throw new AgentFailed('sandbox', `${name} was ended: the memory of its sandbox was used up.`, 'Allow the run more memory.', transcript)
  if (failure) throw new AgentFailed(failure.boundary, failure.message, null, transcript)
  if (exit.code === 0) return
  const how = exit.code === null ? `by ${exit.signal}` : `with exit code ${exit.code}`
  throw new AgentFailed('harness', `${name} ended ${how} without a result. ${errors}`.trim(), null, transcript)
}
