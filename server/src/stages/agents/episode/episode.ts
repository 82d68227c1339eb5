import { isBlankScript } from '#contracts/blank-script.ts'
import { recordRequest, recordSpan } from '#server/spans/index.ts'
import { CapReached, type ChatRequest, type Completion } from '#server/adapters/llm/index.ts'

/** A model at a shell: each message of the model is one command, and the command's output is the reply. Tasks and rollouts are not known here. */
export interface Episode {
  system: string
  /** The conversation so far; the last message is of the user. */
  messages: readonly EpisodeMessage[]
  model: string | null
  limits: EpisodeLimits
  /** Extracts the command from a message; by default the whole message is the command. */
  commandOf?: (text: string) => string
  /** If it throws, the episode ends with `error`. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<Completion>
  /** Throws only if the engine failed. */
  run(command: string, signal: AbortSignal): Promise<CommandOutput>
  onTurn(turn: EpisodeTurn): void
  /** Messages that the user sent since the last call; added to the next message to the model. */
  takeUserMessages?(): string[]
  signal: AbortSignal
}

export interface EpisodeMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface EpisodeLimits {
  turns: number
  /** The maximum length of one message. */
  tokensATurn: number
  /** The maximum size of the conversation, as counted by the endpoint. */
  contextTokens: number | null
  /** Input and output of all requests together. */
  tokens: number | null
  costUsd: number | null
  temperature?: number
}

export interface CommandOutput {
  output: string
  exitCode: number
  /** Whether the shell has ended. */
  exited: boolean
  timedOut: boolean
  truncated: boolean
}

export interface EpisodeTurn {
  /** From 1 on. */
  no: number
  at: number
  text: string
  thinking: string
  command: string
  /** Whether the command consists of comments only. */
  isReasoning: boolean
  output: string
  exitCode: number
  timedOut: boolean
  truncated: boolean
  usage: Completion['usage']
  costUsd: number | null
  modelMs: number
  commandMs: number
  logprobs?: Completion['logprobs']
}

export type EpisodeEnd = {
  messages: EpisodeMessage[]
  turns: number
} & (
  | { how: 'exited'; exitCode: number }
  /** A limit was reached. */
  | { how: 'turns' | 'tokens' | 'cost' | 'context' }
  /** A message was cut off at the length limit, so it is not what the model intended. */
  | { how: 'corrupted' }
  | { how: 'error'; whose: 'model' | 'engine'; error: unknown }
)

const failureOf = ({ exitCode, timedOut }: CommandOutput) => ({
  error: timedOut ? 'failed, timed out' : exitCode === 0 ? null : `failed, exit ${exitCode}`,
})

/** Runs instead of a command that was cut off. */
const LEAVE_COMMAND = 'exit 0'
const NO_OUTPUT = '(no output)'

/** Runs until the shell is left, a limit is reached, or something fails. Throws the reason of `signal`. */
export async function runEpisode({ system, model, limits, signal, ...episode }: Episode): Promise<EpisodeEnd> {
  const messages = [...episode.messages]
  const spent = { tokens: 0, usd: 0 }
  let turns = 0
  const endOf = <End>(end: End) => ({ ...end, messages, turns })

  for (;;) {
    signal.throwIfAborted()
    if (turns >= limits.turns) return endOf({ how: 'turns' })
    if (limits.tokens !== null && spent.tokens >= limits.tokens) return endOf({ how: 'tokens' })
    if (limits.costUsd !== null && spent.usd >= limits.costUsd) return endOf({ how: 'cost' })

    const askedAt = performance.now()
    const { tokensATurn: maxTokens, temperature } = limits
    let answer: Completion
    try {
      const request = { model, system, messages: [...messages], maxTokens, ...(temperature !== undefined && { temperature }) }
      answer = await recordRequest(model, () => episode.ask(request, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CapReached) return endOf({ how: error.kind })
      return endOf({ how: 'error', whose: 'model', error })
    }
    turns += 1
    spent.tokens += answer.usage.input + answer.usage.output
    spent.usd += answer.costUsd ?? 0
    const { text } = answer
    const isCut = answer.stopped === 'length'
    const command = isCut ? LEAVE_COMMAND : (episode.commandOf ?? String)(text)
    const answeredAt = performance.now()
    let result: CommandOutput
    try {
      result = await recordSpan({ kind: 'tool', name: 'bash', label: command }, () => episode.run(command, signal), failureOf)
    } catch (error) {
      signal.throwIfAborted()
      return endOf({ how: 'error', whose: 'engine', error })
    }
    episode.onTurn({
      no: turns,
      at: Date.now(),
      text,
      thinking: answer.thinking,
      command,
      isReasoning: isBlankScript(command),
      output: result.output,
      exitCode: result.exitCode,
      timedOut: result.timedOut,
      truncated: result.truncated,
      usage: answer.usage,
      costUsd: answer.costUsd,
      modelMs: answeredAt - askedAt,
      commandMs: performance.now() - answeredAt,
      ...(answer.logprobs && text !== '' && { logprobs: answer.logprobs }),
    })
    messages.push({ role: 'assistant', content: text === '' ? '#' : text }) // endpoints refuse an empty message
    if (isCut) return endOf({ how: 'corrupted' })
    if (result.exited) return endOf({ how: 'exited', exitCode: result.exitCode })
    messages.push({ role: 'user', content: [result.output || NO_OUTPUT, ...(episode.takeUserMessages?.() ?? [])].join('\n\n') })
    if (limits.contextTokens !== null && answer.usage.input + answer.usage.output > limits.contextTokens) return endOf({ how: 'context' })
  }
}
