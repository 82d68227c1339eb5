import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { type Completion, metered, ProviderError, withRetries } from '#server/adapters/llm/index.ts'
import { type EpisodeEnd, type EpisodeTurn, runEpisode, type EpisodeMessage } from './episode/episode.ts'
import { readFence, UNREADABLE_FENCE } from './episode/fence.ts'
import { runCommand, SESSION } from './episode/run-command.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { AgentFailed, type AgentDriver, type AgentEnd, type AgentWork } from './driver.ts'
import type { TaskModels } from './models.ts'
import { transcriptOf } from './shell-transcript.ts'

const VERSION = '1'
const TOKENS_A_TURN = 8192
const OUTPUT_BYTES = 8192
const COMMAND_SEC = 120

/** Our own agent: each message of the model is one command of a bash session. */
export function createShellAgent({ sandboxes, models }: { sandboxes: Sandboxes; models: TaskModels }): AgentDriver {
  return {
    agent: 'shell',
    asksItself: true,
    sessions: { agent: 'claude-code', idOf: (file) => path.posix.basename(file, '.jsonl') },
    find: async () => ({ version: VERSION, missing: null }),
    async run(work): Promise<AgentEnd> {
      const { request, signal, emit, sandboxId } = work
      const open = await models.open(request.endpoint, request.model, signal, work.redaction).catch((error: unknown) => {
        throw failureOf(error)
      })
      const { price } = models.find(request.endpoint, request.model)
      const seed = request.start?.exam?.seed
      const ask = metered(open, { ledger: work.ledger, price, isWhole: false })
      const earlier = work.resume === null ? null : recordOf(work.resume)
      const record: ShellRecord = earlier ?? newRecord(work)
      const turns: EpisodeTurn[] = [...record.turns]
      const userMessages: string[] = []
      const used = { input: 0, output: 0, cacheRead: null as number | null, cacheWrite: null as number | null }
      let cost: number | null = null
      const reading = readInbox(work, sandboxes, userMessages)
      emit({ type: 'working' })
      try {
        const end = await runEpisode({
          system: systemOf(work),
          messages: messagesOf(work, earlier),
          model: work.model,
          commandOf: unfenced,
          limits: {
            turns: request.caps.turns,
            tokensATurn: TOKENS_A_TURN,
            contextTokens: null,
            tokens: request.caps.tokens,
            costUsd: request.caps.costUsd,
          },
          ask(chatRequest, stop) {
            work.keep(JSON.stringify({ ...record, turns, messages: chatRequest.messages })) // it has only texts
            return askWithRetries(() => ask({ ...chatRequest, ...(seed !== undefined && { seed }) }, stop), work, stop)
          },
          run: async (command, stop) =>
            readFence(command.trim()) === 'unreadable'
              ? REFUSED
              : runCommand(sandboxes, sandboxId, { command, timeoutSec: COMMAND_SEC, maxOutputBytes: OUTPUT_BYTES }, stop),
          takeUserMessages: () => userMessages.splice(0).map((text) => `The user says: ${text}`),
          onTurn(turn) {
            turns.push(turn)
            add(used, turn.usage)
            cost = turn.costUsd === null ? cost : (cost ?? 0) + turn.costUsd
            emit({ type: 'turn' })
            emit({ type: 'usage', tokens: { ...used }, costUsd: cost })
            emitTurn(turn, emit)
          },
          signal,
        })
        const transcript = [transcriptOf({ ...record, turns })]
        return { ...endOf(end, transcript), transcript, resume: JSON.stringify(end.messages) }
      } finally {
        reading.stop()
        await open.close()
      }
    },
    async recover({ now }) {
      const record = now === null ? null : recordOf(now)
      if (record === null || record.turns.length === 0) return { transcript: [], resume: null }
      return { transcript: [transcriptOf(record)], resume: now }
    },
  }
}

/** Collects messages for the next turn; an interruption ends the running command. */
function readInbox({ inbox, sandboxId }: AgentWork, sandboxes: Sandboxes, userMessages: string[]): { stop(): void } {
  let isOver = false
  const readAll = async () => {
    for await (const input of inbox) {
      if (isOver) return
      if (input.type === 'message') userMessages.push(input.text)
      else if (input.type === 'interrupt') await sandboxes.interrupt(sandboxId, SESSION).catch(() => {}) // no command is running
    }
  }
  void readAll()
  return { stop: () => void (isOver = true) }
}

async function askWithRetries(ask: () => Promise<Completion>, { emit }: AgentWork, signal: AbortSignal): Promise<Completion> {
  let isWaiting = false
  const attempt = async () => {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof ProviderError && error.isTransient && !signal.aborted) {
        isWaiting = true
        emit({ type: 'waiting', detail: error.message, until: null })
      }
      throw error
    }
  }
  const answer = await withRetries(attempt, { signal })
  if (isWaiting) emit({ type: 'working' })
  return answer
}

function emitTurn({ command, thinking, isReasoning, output, exitCode }: EpisodeTurn, emit: AgentWork['emit']): void {
  const step = { tool: null, isError: false, agent: null }
  if (thinking !== '') emit({ type: 'step', step: { ...step, kind: 'thinking', text: thinking } })
  if (isReasoning) return emit({ type: 'step', step: { ...step, kind: 'thinking', text: command } })
  emit({ type: 'step', step: { ...step, kind: 'tool', text: command, tool: 'bash' } })
  emit({ type: 'step', step: { ...step, kind: 'result', text: output, tool: 'bash', isError: exitCode !== 0 } })
}

function endOf(end: EpisodeEnd, transcript: AgentEnd['transcript']): Pick<AgentEnd, 'claim' | 'exitCode' | 'message'> {
  switch (end.how) {
    case 'exited':
      return {
        claim: end.exitCode === 0 ? 'success' : 'failure',
        exitCode: end.exitCode,
        message: `The agent left its shell with exit code ${end.exitCode}.`,
      }
    case 'error':
      throw end.whose === 'model' ? failureOf(end.error, transcript) : new AgentFailed('sandbox', messageOf(end.error), null, transcript)
    case 'corrupted':
      return {
        claim: 'failure',
        exitCode: null,
        message: `A message of the model was cut off at ${TOKENS_A_TURN} tokens or what the limits of the run left, so it was not run.`,
      }
    default:
      return { claim: 'failure', exitCode: null, message: `The run was stopped because it reached its ${end.how} limit.` }
  }
}

const failureOf = (error: unknown, transcript: AgentEnd['transcript'] = []): unknown =>
  error instanceof ProviderError || error instanceof AppError
    ? new AgentFailed('provider', error.message, error.hint ?? null, transcript)
    : error
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const add = (sum: { input: number; output: number; cacheRead: number | null; cacheWrite: number | null }, used: Completion['usage']) => {
  sum.input += used.input
  sum.output += used.output
  if (used.cacheRead !== null) sum.cacheRead = (sum.cacheRead ?? 0) + used.cacheRead
  if (used.cacheWrite !== null) sum.cacheWrite = (sum.cacheWrite ?? 0) + used.cacheWrite
}

/** Chat models often put their command into a code block. */
function unfenced(text: string): string {
  const fence = readFence(text.trim())
  return fence === null || fence === 'unreadable' ? text : fence.inner
}

const REFUSED = { output: UNREADABLE_FENCE, exitCode: 1, exited: false, timedOut: false, truncated: false }

const newRecord = ({ prompt, workdir, model }: AgentWork): ShellRecord => ({
  session: randomUUID(),
  startedAt: Date.now(),
  prompt,
  workdir,
  model,
  turns: [],
  messages: [],
})

/** What the agent has done so far, stored before each request. */
interface ShellRecord {
  session: string
  startedAt: number
  prompt: string
  workdir: string
  model: string | null
  turns: EpisodeTurn[]
  messages: EpisodeMessage[]
}

/** Null for the conversation of a run that has ended, which has no turns of the next one. */
function recordOf(resume: string): ShellRecord | null {
  const stored = JSON.parse(resume) as ShellRecord | EpisodeMessage[] // written by `run`
  return Array.isArray(stored) ? null : stored
}

/** The conversation so far, if any, and the new prompt. */
function messagesOf({ prompt, resume }: AgentWork, earlier: ShellRecord | null): EpisodeMessage[] {
  const messages = earlier?.messages ?? (resume === null ? [] : (JSON.parse(resume) as EpisodeMessage[])) // as above
  const last = messages.at(-1)
  if (last?.role !== 'user') return [...messages, { role: 'user', content: prompt }]
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${prompt}` }] // endpoints expect the roles in turns
}

const systemOf = ({ workdir }: AgentWork): string =>
  `You work at a Linux shell (bash) in ${workdir}. Everything that you write is run as it is, as one command of one session that stays open; \
its output is what you read next. Write nothing but commands: no prose, no Markdown. What you want to think goes into lines that begin with #. \
Change files with the usual commands. Nobody can answer questions, so decide yourself. Check your work by running the project's own checks. \
When you are done, run \`exit 0\`; if you cannot do it, run \`exit 1\`.`
