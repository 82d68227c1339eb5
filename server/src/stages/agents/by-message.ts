/** Drives agents that take one message and then end. What the user writes in the meantime is the next message of the session. */
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Channel } from '#server/adapters/sandbox/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { agentProgram, type ProgramEnd, requireNormalEnd, noResultError } from './agent-program.ts'
import { type AgentDriver, type AgentEnd, type AgentEvent, AgentFailed, type AgentWork } from './driver.ts'
import { type BufferedInbox, bufferInbox, messageIn } from './buffered-inbox.ts'
import {
  type AgentFiles,
  agentEnvironment,
  writeAgentFiles,
  resumeFrom,
  resumeOf,
  readAgentFiles,
  sessionOnly,
  withoutTornLine,
} from './agent-files.ts'
import { askWhatNext, isAboutNext, nextOf, WHAT_NEXT_ANSWERED } from './interrupted.ts'
import { findVersionSince, programFolders, readableProgram } from './readable-program.ts'

/** Reads the lines that an agent writes. */
export interface EventReader {
  take(line: unknown): void
  /** Null until the agent has reported its session. */
  session: string | null
  /** Its last message. */
  message: string
  /** Why its last turn has no result, as the agent worded it; null if it has one. */
  failure: { boundary: 'provider' | 'harness'; message: string } | null
}

/** The model endpoint of this server, at its address inside the sandbox. */
export type Endpoint = NonNullable<AgentWork['endpoint']>

export interface MessageAgent {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  cli: AgentCli
  /** The oldest version that was tested. */
  oldest: string
  /** The folder of its files below the sandbox's home folder, and which names in it are kept. */
  folder: string
  names: readonly string[]
  createReader(emit: (event: AgentEvent) => void, resumed: string | null): EventReader
  /** The program reads the message from its input. */
  argumentsOf(work: AgentWork, endpoint: Endpoint, session: string | null): string[]
  environmentOf(work: AgentWork, endpoint: Endpoint): Record<string, string>
  /** The transcript files of a session, main file first. */
  transcriptOf(files: AgentFiles, session: string): AgentFiles
  /** The part of a transcript that the next run needs. */
  resumeFilesOf(transcript: AgentFiles, session: string): AgentFiles
  now: () => number
}

export function messageDriver(agent: MessageAgent): Pick<AgentDriver, 'find' | 'folders' | 'run' | 'recover'> {
  const { sandboxes, cli, oldest, folder } = agent
  return {
    find: () => findVersionSince(cli, oldest),
    folders: () => programFolders(cli),
    async run(work): Promise<AgentEnd> {
      const { name } = cli.kind
      const { endpoint, sandboxId, workdir } = work
      const program = readableProgram(cli)
      if (typeof program === 'string') throw new AgentFailed('harness', program)
      if (!endpoint) throw new AgentFailed('ours', `${name} was started without a model endpoint.`)
      const env = { ...agentEnvironment(name), ...agent.environmentOf(work, endpoint) }
      const resumed = work.resume === null ? null : resumeFrom(work.resume)
      await writeAgentFiles(sandboxes, sandboxId, folder, resumed?.files ?? [])
      const reader: EventReader = agent.createReader((event) => emit(event), resumed?.session ?? null)
      const start = () => {
        const argv = [...program.argv, ...agent.argumentsOf(work, endpoint, reader.session)]
        return sandboxes.spawn(sandboxId, { argv, terminal: null, cwd: workdir, env })
      }
      const emit = (event: AgentEvent) => {
        work.emit(event)
        if (event.type === 'step' && reader.session !== null) work.keep(sessionOnly(reader.session))
      }
      const lastTurn = await talk(reader, start, work, agent.now)
      const transcript = await unlessStopped(work.signal, async () => {
        const files = await readAgentFiles(sandboxes, sandboxId, folder, agent.names)
        return reader.session === null ? [] : agent.transcriptOf(files, reader.session)
      })
      if (!lastTurn.isStopped) requireResult(name, reader.failure, lastTurn, transcript)
      const kept = reader.session === null ? [] : agent.resumeFilesOf(transcript, reader.session)
      return {
        claim: lastTurn.isStopped ? 'failure' : 'success',
        exitCode: lastTurn.exit.code,
        message: lastTurn.isStopped ? 'It was stopped before it finished.' : reader.message,
        transcript,
        resume: reader.session === null || kept.length === 0 ? null : resumeOf(reader.session, kept),
      }
    },
    async recover({ sandboxId, now }) {
      if (sandboxId === null || now === null) return { transcript: [], resume: null }
      const { session } = resumeFrom(now)
      const files = (await readAgentFiles(sandboxes, sandboxId, folder, agent.names)).map(withoutTornLine)
      const transcript = agent.transcriptOf(files, session)
      const kept = agent.resumeFilesOf(transcript, session)
      return { transcript, resume: kept.length === 0 ? null : (resumeOf(session, kept) ?? sessionOnly(session)) }
    },
  }
}

/** The files of a run; none if it was stopped, because its sandbox no longer exists. */
export const unlessStopped = (signal: AbortSignal, read: () => Promise<AgentFiles>): Promise<AgentFiles> =>
  read().catch((error: unknown) => {
    if (signal.aborted) return []
    throw error
  })

export const stepOf =
  (emit: (event: AgentEvent) => void) =>
  (kind: 'message' | 'thinking' | 'tool' | 'result', text: string, tool: string | null = null, isError = false): void =>
    emit({ type: 'step', step: { kind, text, tool, isError, agent: null } })

type Work = Pick<AgentWork, 'prompt' | 'emit' | 'inbox' | 'signal'>

interface LastTurn extends ProgramEnd {
  isStopped: boolean
}

/** Resolves once no process of the agent is left. */
async function talk(reader: EventReader, start: () => Promise<Channel>, work: Work, now: () => number): Promise<LastTurn> {
  const { emit, signal } = work
  const inbox = bufferInbox(work.inbox)
  let { prompt } = work
  for (;;) {
    emit({ type: 'working' })
    const { isInterrupted, ...end } = await runTurn(reader, start, prompt, { inbox, signal })
    const isLost = end.exit.code === null && end.exit.signal === null
    const next = signal.aborted || isLost ? null : isInterrupted ? await askUser(inbox, work, now) : messageIn(inbox)
    if (next === null || signal.aborted) return { ...end, isStopped: signal.aborted || isInterrupted }
    // an agent that has not reported its session has not stored the prompt
    prompt = reader.session === null ? `${prompt}\n\n${next}` : next
  }
}

interface Turn {
  inbox: BufferedInbox
  signal: AbortSignal
}

async function runTurn(reader: EventReader, start: () => Promise<Channel>, prompt: string, { inbox, signal }: Turn) {
  const channel = await start()
  const program = agentProgram(channel)
  let isInterrupted = false
  const onInput = () => {
    const index = inbox.waiting.findIndex(({ type }) => type === 'interrupt')
    if (index < 0) return
    inbox.waiting.splice(index, 1)
    isInterrupted = true
    program.stop()
  }
  signal.addEventListener('abort', program.stop)
  inbox.onInput = onInput
  if (signal.aborted) program.stop()
  onInput()
  try {
    channel.input.on('error', () => undefined) // it ended before it had read everything
    channel.input.end(prompt)
    for await (const line of program.lines()) reader.take(line)
    return { ...(await program.ended()), isInterrupted }
  } finally {
    inbox.onInput = null
    signal.removeEventListener('abort', program.stop)
    await program.close()
  }
}

/** Asks a user who interrupted the agent for the next message; null: the agent should finish. */
async function askUser(inbox: BufferedInbox, { emit, signal }: Work, now: () => number): Promise<string | null> {
  const find = (): { text: string | null } | null => {
    for (let input = inbox.waiting.shift(); input !== undefined; input = inbox.waiting.shift()) {
      if (input.type === 'message') return { text: input.text }
      if (input.type === 'answer' && isAboutNext(input)) return { text: nextOf(input) }
    }
    return null
  }
  emit(askWhatNext(now()))
  const { promise, resolve } = Promise.withResolvers<{ text: string | null }>()
  const checkInbox = () => {
    const found = signal.aborted ? { text: null } : find()
    if (found) resolve(found)
  }
  inbox.onInput = checkInbox
  signal.addEventListener('abort', checkInbox)
  checkInbox()
  const { text } = await promise
  inbox.onInput = null
  signal.removeEventListener('abort', checkInbox)
  if (!signal.aborted) emit(WHAT_NEXT_ANSWERED)
  return text
}

/** Throws if the run has no result; the error names who caused that. */
function requireResult(name: string, failure: EventReader['failure'], last: LastTurn, transcript: AgentFiles): void {
  requireNormalEnd(name, last, transcript)
  if (failure) throw new AgentFailed(failure.boundary, failure.message, null, transcript)
  if (last.exit.code !== 0) throw noResultError(name, last, transcript)
}
