import type { RunRedaction } from '../privacy/index.ts'
import type { Agent, Tokens } from '#contracts/entities/common.ts'
import type { TaskAgent, TaskBoundary, TaskEvent, TaskInput, TaskQuestion, TaskAsked, TaskRequest } from '#contracts/entities/task.ts'
import type { z } from 'zod'
import type { Ledger } from '#server/adapters/llm/index.ts'
import type { ProxyDialect as Dialect } from '#server/adapters/llm-proxy/index.ts'

/** Runs one kind of agent in a prepared sandbox. Tasks, batches and stores are not known here. */
export interface AgentDriver {
  readonly agent: TaskAgent
  /** The format of its transcripts, and how the name of a main file contains the session id. */
  readonly sessions: { agent: Agent; idOf: (mainFile: string) => string }
  /** Looks for the program on this machine; `missing` says why it cannot be used. */
  find(): Promise<{ version: string | null; missing: string | null }>
  /** Set if the agent does not report its turns, so that its requests to the model are counted instead. */
  readonly countsRequests?: true
  /** Set if its loop runs in this process, which asks the model then. */
  readonly asksItself?: true
  /** Why it cannot do the request with a model of this API; null if it can. */
  refuses?(request: TaskRequest, dialect: Dialect): { message: string; hint: string | null } | null
  /** Folders of this machine that the sandbox must be able to read. */
  folders?(): readonly string[]
  /** Resolves when all processes of the agent have ended. Throws `AgentFailed` if there is no result. */
  run(work: AgentWork): Promise<AgentEnd>
  /** Reads the conversation of an agent that was interrupted or has failed. */
  recover(left: Left): Promise<Pick<AgentEnd, 'transcript' | 'resume'>>
}

export interface Left {
  /** A sandbox with the files that the agent left; null if there is none any more. */
  sandboxId: string | null
  /** What it kept last (`AgentWork.keep`). */
  now: string | null
}

export interface AgentWork {
  request: TaskAsked
  /** The first message: the prompt, or a message to an ended run. */
  prompt: string
  /** The state to continue from (`AgentEnd.resume`); null for a new session. */
  resume: string | null
  sandboxId: string
  /** Folder of the repository inside the sandbox. */
  workdir: string
  model: string | null
  /** The model endpoint inside the sandbox, with a capability instead of the key. Null for an agent whose loop runs in this process. */
  endpoint: { dialect: Dialect; baseUrl: string; token: string } | null
  emit: (event: AgentEvent) => void
  /** Stores what `recover` needs if the agent is interrupted after this. */
  keep: (now: string) => void
  /** Messages and answers of the user, as they arrive. */
  inbox: AsyncIterable<AgentInput>
  /** For drivers whose loop runs in this process: reserves each request before it is sent. */
  ledger: Ledger
  /** For agents whose model is called from this process; null: requests on this machine are sent as they are. */
  redaction: RunRedaction | null
  /** Stops the agent: all its processes have ended when `run` settles. */
  signal: AbortSignal
}

export type AgentEvent =
  | { type: 'step'; step: Omit<z.infer<typeof TaskEvent>, 'no' | 'at'> }
  | { type: 'turn' }
  /** The total of all requests so far; sent only by drivers without `endpoint`. */
  | { type: 'usage'; tokens: Tokens; costUsd: number | null }
  | { type: 'working' }
  | { type: 'waiting'; detail: string; until: string | null }
  | { type: 'asks'; question: z.infer<typeof TaskQuestion> }
  | { type: 'answered'; questionId: string }
  | { type: 'input'; input: z.infer<typeof TaskInput> }

export type AgentInput =
  | { type: 'message'; text: string }
  | { type: 'answer'; questionId: string; value: string; text: string | null }
  | { type: 'interrupt' }

export interface AgentEnd {
  claim: 'success' | 'failure'
  exitCode: number | null
  /** Its last message. */
  message: string
  /** Transcript files of the session, main file first, with paths below the agent's own folder. */
  transcript: { path: string; content: Buffer }[]
  resume: string | null
}

export class AgentFailed extends Error {
  readonly boundary: TaskBoundary
  readonly hint: string | null
  /** The transcript up to the failure. */
  readonly transcript: AgentEnd['transcript']
  constructor(boundary: TaskBoundary, message: string, hint: string | null = null, transcript: AgentEnd['transcript'] = []) {
    super(message)
    this.boundary = boundary
    this.hint = hint
    this.transcript = transcript
  }
}
