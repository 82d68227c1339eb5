import type { ChatRequest, Completion } from '#server/adapters/llm/index.ts'

/** A model at a shell: each of its messages is one command, whose output is its next message. It knows neither tasks nor rollouts. */
export interface Episode {
  system: string
  /** The conversation so far; the last message is of the user. */
  messages: readonly EpisodeMessage[]
  model: string | null
  limits: EpisodeLimits
  /** What is run of a message; as it is where absent. */
  commandOf?: (text: string) => string
  /** Throws if there is no answer: the episode is an `error` then. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<Completion>
  /** Throws if the engine failed. */
  run(command: string, signal: AbortSignal): Promise<Ran>
  onTurn(turn: EpisodeTurn): void
  /** Messages of the user meanwhile, for the next message to the model. */
  takeUserMessages?(): string[]
  signal: AbortSignal
}

export interface EpisodeMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface EpisodeLimits {
  turns: number
  /** New tokens of a message. */
  tokensATurn: number
  /** Of all messages together, as the endpoint counts them. */
  contextTokens: number | null
  /** Input and output of all requests together. */
  tokens: number | null
  costUsd: number | null
  temperature?: number
}

export interface Ran {
  output: string
  exitCode: number
  /** The shell has ended. */
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
  /** Comments alone: nothing was done. */
  isReasoning: boolean
  output: string
  exitCode: number
  timedOut: boolean
  truncated: boolean
  usage: Completion['usage']
  costUsd: number | null
  modelMs: number
  commandMs: number
}

export type EpisodeEnd = {
  messages: EpisodeMessage[]
  turns: number
} & (
  | { how: 'exited'; exitCode: number }
  /** A limit was reached. */
  | { how: 'turns' | 'tokens' | 'cost' | 'context' }
  /** A message was cut off at its length, so it is not what the model meant. */
  | { how: 'corrupted' }
  | { how: 'error'; whose: 'model' | 'engine'; error: unknown }
)

/** Instead of a command that was cut off. */
const LEAVE = 'exit 0'
const NOTHING = '(no output)'

/** Runs until the shell is left, a limit is reached, or something fails. Throws the reason of `signal`. */
export async function runEpisode({ system, model, limits, signal, ...episode }: Episode): Promise<EpisodeEnd> {
  const messages = [...episode.messages]
  const spent = { tokens: 0, usd: 0 }
  let turns = 0
  const ended = <End>(end: End) => ({ ...end, messages, turns })

  for (;;) {
    signal.throwIfAborted()
    if (turns >= limits.turns) return ended({ how: 'turns' })
    if (limits.tokens !== null && spent.tokens >= limits.tokens) return ended({ how: 'tokens' })
    if (limits.costUsd !== null && spent.usd >= limits.costUsd) return ended({ how: 'cost' })

    const asked = performance.now()
    const { tokensATurn: maxTokens, temperature } = limits
    let answer: Completion
    try {
      answer = await episode.ask(
        { model, system, messages: [...messages], maxTokens, ...(temperature !== undefined && { temperature }) },
        signal,
      )
    } catch (error) {
      signal.throwIfAborted()
      return ended({ how: 'error', whose: 'model', error })
    }
    turns += 1
    spent.tokens += answer.usage.input + answer.usage.output
    spent.usd += answer.costUsd ?? 0
    const { text } = answer
    const isCut = answer.stopped === 'length'
    const command = isCut ? LEAVE : (episode.commandOf ?? String)(text)
    const answered = performance.now()
    let ran: Ran
    try {
      ran = await episode.run(command, signal)
    } catch (error) {
      signal.throwIfAborted()
      return ended({ how: 'error', whose: 'engine', error })
    }
    episode.onTurn({
      no: turns,
      at: Date.now(),
      text,
      thinking: answer.thinking,
      command,
      isReasoning: isReasoning(command),
      output: ran.output,
      exitCode: ran.exitCode,
      timedOut: ran.timedOut,
      truncated: ran.truncated,
      usage: answer.usage,
      costUsd: answer.costUsd,
      modelMs: answered - asked,
      commandMs: performance.now() - answered,
    })
    messages.push({ role: 'assistant', content: text === '' ? '#' : text }) // endpoints refuse an empty message
    if (isCut) return ended({ how: 'corrupted' })
    if (ran.exited) return ended({ how: 'exited', exitCode: ran.exitCode })
    messages.push({ role: 'user', content: [ran.output || NOTHING, ...(episode.takeUserMessages?.() ?? [])].join('\n\n') })
    if (limits.contextTokens !== null && answer.usage.input + answer.usage.output > limits.contextTokens) return ended({ how: 'context' })
  }
}

const isReasoning = (command: string): boolean => command.split('\n').every((line) => /^\s*(?:#|$)/.test(line))
