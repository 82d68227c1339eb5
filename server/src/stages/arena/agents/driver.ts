import type { Agent, Tokens } from '#contracts/entities/common.ts'
import type { TaskAgent, TaskBoundary, TaskEvent, TaskInput, TaskQuestion, TaskRequest } from '#contracts/entities/task.ts'
import type { z } from 'zod'
import type { ProxyDialect as Dialect } from '#server/adapters/llm-proxy/index.ts'

/** How one kind of agent is run in a sandbox that is ready. It knows nothing of tasks, batches or stores. */
export interface AgentDriver {
  readonly agent: TaskAgent
  /** The format of its transcripts, and the session id of a main file. */
  readonly sessions: { agent: Agent; idOf: (mainFile: string) => string }
  /** The program on this machine; `missing`: why it cannot be used. */
  find(): Promise<{ version: string | null; missing: string | null }>
  /** It does not report its turns; its requests to the model are counted instead. */
  readonly countsRequests?: true
  /** Why it cannot do what is asked with a model of this API; null: it can. */
  refuses?(request: TaskRequest, dialect: Dialect): { message: string; hint: string | null } | null
  /** Folders of this machine that the sandbox has to be shown before it is started. */
  folders?(): readonly string[]
  /** Resolves once no process of the agent is left. Throws `AgentFailed` if there is no result. */
  run(work: AgentWork): Promise<AgentEnd>
}

export interface AgentWork {
  request: TaskRequest
  /** The first message: the prompt, or what is added to an ended run. */
  prompt: string
  /** State of an earlier end to go on from (`AgentEnd.resume`); null: a new one. */
  resume: string | null
  sandboxId: string
  /** Folder of the repository inside the sandbox. */
  workdir: string
  model: string | null
  /** Loopback endpoint as it is reached inside the sandbox, with a capability instead of the key. Null: `shell`, whose loop runs in this process. */
  endpoint: { dialect: Dialect; baseUrl: string; token: string } | null
  emit: (event: AgentEvent) => void
  /** Messages and answers of the user, as they come. */
  inbox: AsyncIterable<AgentInput>
  /** Stops it: no process is left when `run` settles. */
  signal: AbortSignal
}

export type AgentEvent =
  | { type: 'step'; step: Omit<z.infer<typeof TaskEvent>, 'no' | 'at'> }
  | { type: 'turn' }
  /** Of all requests together, so far: by a driver without `endpoint`. */
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
  /** Transcript files of the session, by their path below the agent's own folder, main file first. */
  transcript: { path: string; content: Buffer }[]
  resume: string | null
}

export class AgentFailed extends Error {
  readonly boundary: TaskBoundary
  readonly hint: string | null
  /** Its session until then. */
  readonly transcript: AgentEnd['transcript']
  constructor(boundary: TaskBoundary, message: string, hint: string | null = null, transcript: AgentEnd['transcript'] = []) {
    super(message)
    this.boundary = boundary
    this.hint = hint
    this.transcript = transcript
  }
}
