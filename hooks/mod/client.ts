/** The part of the client's interface for mods that ours uses (observed in Claude Code 2.1.300 and 2.1.329). */

export interface Usage {
  input_tokens: number
  output_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

export type Chunk =
  | { kind: 'text'; index: number; text: string }
  | { kind: 'tool'; index: number; id: string; name: string }
  | { kind: 'input'; index: number; json: string }
  | { kind: 'stop'; stopReason: string; usage: Usage }

/** What the client is told at the end of a step that was answered. */
export interface StepResult {
  turnId: string
  index: number
  answer: string
  toolUses: { name: string; input: unknown }[]
  stopReason: string
  usage: Usage
}

export interface Step {
  turnId: string
  index: number
  model: string
  effort?: string
  agentId?: string
}

export interface Spawn {
  subagentType?: string
  model?: string
  prompt?: string
}

export interface Check {
  tool: string
  input?: unknown
  tool_use_id?: string
  agentId?: string
}

export interface Decision {
  decision: 'allow' | 'ask' | 'deny'
  reason?: string
}

type Output = { stream: 'stdout' | 'stderr'; text: string }
type Ended = { code: number | null; signal: string | null }

/** The client accepts calls only as they are written here: `$.noun.verb(…)`. */
export interface Client {
  fs: { read(file: string): Promise<string> }
  session: {
    messages(options: { as: 'api'; agentId: string }): Promise<Message[]>
    version(): Promise<{ version: string }>
    id(): Promise<string>
    cwd(): Promise<string>
  }
  agent: {
    list(): Promise<{ id: string; type?: string }[]>
    register(agent: { name: string; description: string; prompt: string; tools: string[]; model: string }): Promise<unknown>
  }
  process: {
    spawn(program: { argv: string[]; input: string; env?: Record<string, string> }): AsyncGenerator<Output, Ended, void>
  }
}

export interface Message {
  role: string
  content: string | { type?: string; name?: string; text?: string }[]
}

/** `catch`: asked in place of a hook that failed. */
type CheckHook = ($: Client, e: Check, next: (e: Check) => Promise<Decision>) => Promise<Decision>

export interface On {
  (event: 'session.start', hook: ($: Client, e: object, next: (e: object) => Promise<unknown>) => Promise<unknown>): void
  (
    event: 'agent.spawn',
    hook: ($: Client, e: Spawn, next: (e: Spawn) => Promise<{ agentId?: string }>) => Promise<{ agentId?: string }>,
  ): void
  (
    event: 'turn.step',
    hook: ($: Client, e: Step, next: (e: Step) => AsyncGenerator<Chunk, StepResult, void>) => AsyncGenerator<Chunk, StepResult, void>,
  ): void
  (event: 'tool.check', hook: CheckHook): { catch(hook: CheckHook): void }
}
