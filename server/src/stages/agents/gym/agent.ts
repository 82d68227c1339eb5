import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { CapReached, metered, ProviderError, withRetries } from '#server/adapters/llm/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { summaryOf } from '../call-summary.ts'
import { AgentFailed, type AgentDriver, type AgentEnd, type AgentWork } from '../driver.ts'
import type { TaskModels } from '../models.ts'
import { callsIn, type GymRecord, messagesOf, recordOf, transcriptOf } from './record.ts'
import { createTools } from './tools.ts'
import { type GymTurns, NoAnswer } from './turn.ts'

interface Deps {
  sandboxes: Sandboxes
  models: TaskModels
  turns: GymTurns
}

/** The user's own model with the prompt and tools that it was trained with. Its loop runs here, its tools in the sandbox. */
export function createGymAgent({ sandboxes, models, turns }: Deps): AgentDriver {
  const branchOf = async ({ sandboxId, workdir, signal }: AgentWork): Promise<string | null> => {
    const request = { command: 'git branch --show-current', session: 'main', standalone: true, wait: true, cwd: workdir, timeoutSec: 20 }
    const { exitCode, output } = await sandboxes.exec(sandboxId, request, signal)
    return exitCode === 0 && output.trim() !== '' ? output.trim() : null
  }
  return {
    agent: 'gym',
    asksItself: true,
    sessions: { agent: 'claude-code', idOf: (file) => path.posix.basename(file, '.jsonl') },
    find: async () => ({ version: '1', missing: null }),
    async run(work): Promise<AgentEnd> {
      const { request, signal, emit } = work
      const open = await models.open(request.endpoint, request.model, signal, work.redaction).catch((error: unknown) => {
        throw failureOf(error)
      })
      const ask = metered(open, { ledger: work.ledger, price: models.find(request.endpoint, request.model).price, isWhole: false })
      const name = turns.nameOf(request.endpoint, request.model)
      const model = { ask, model: request.model ?? null, label: work.model ?? 'the model' }
      const tools = createTools(sandboxes, work)
      const record = recordOf(work, { cwd: work.workdir, gitBranch: await branchOf(work) })
      const used = { input: 0, output: 0, cacheRead: null as number | null, cacheWrite: null as number | null }
      let cost: number | null = null
      const end = (claim: AgentEnd['claim'], message: string): AgentEnd => ({
        claim,
        message,
        exitCode: null,
        transcript: [transcriptOf(record, name !== null)],
        resume: JSON.stringify(record),
      })
      const received = messagesIn(work)
      emit({ type: 'working' })
      try {
        for (let turn = 0; turn < request.caps.turns; turn += 1) {
          signal.throwIfAborted()
          for (const text of received.splice(0)) record.lines.push({ at: Date.now(), role: 'user', content: text })
          work.keep(JSON.stringify(record))
          const answer = await withRetries(() => turns.next({ messages: messagesOf(record), place: record.place }, model, signal), {
            signal,
          })
          add(used, answer.usage)
          cost = answer.costUsd === null ? cost : (cost ?? 0) + answer.costUsd
          emit({ type: 'turn' })
          emit({ type: 'usage', tokens: { ...used }, costUsd: cost })
          addAnswer(record, answer, name ?? work.model ?? 'unknown')
          const calls = callsIn(record).slice(-answer.calls.length)
          if (answer.text.trim() !== '') emit({ type: 'step', step: { ...STEP, kind: 'message', text: answer.text } })
          if (answer.calls.length === 0) return end('success', answer.text)
          const content: { type: 'tool_result'; tool_use_id: string; content: string; is_error: boolean }[] = []
          record.lines.push({ at: Date.now(), role: 'user', content })
          for (const { id, name: tool, input } of calls) {
            emit({ type: 'step', step: { ...STEP, kind: 'tool', tool, text: summaryOf(input) } })
            const result = await tools.run(tool, input, record)
            emit({ type: 'step', step: { ...STEP, kind: 'result', tool, text: result.text, isError: result.isError } })
            content.push({ type: 'tool_result', tool_use_id: id, content: result.text, is_error: result.isError })
          }
        }
        return end('failure', `It did not finish within ${request.caps.turns} steps.`)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof NoAnswer) return end('failure', `It stopped: ${error.message}`)
        if (error instanceof CapReached) return end('failure', `It was stopped because it reached its ${error.kind} limit.`)
        throw failureOf(error, [transcriptOf(record, name !== null)])
      } finally {
        received.stop()
        await open.close()
      }
    },
    async recover({ now }) {
      if (now === null) return { transcript: [], resume: null }
      const record = JSON.parse(now) as GymRecord // written by `run`
      return { transcript: [transcriptOf(record, isOwn(record))], resume: now }
    },
  }
}

const STEP = { tool: null, isError: false, agent: null } as const

/** Names of the user's own models begin like this. */
const isOwn = ({ lines }: GymRecord) => lines.some((line) => line.role === 'assistant' && line.model.startsWith('gym-'))

function addAnswer(record: GymRecord, { text, calls, usage }: Awaited<ReturnType<GymTurns['next']>>, model: string): void {
  const content = [
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call) => ({ type: 'tool_use' as const, id: `gym_${randomBytes(12).toString('hex')}`, ...call })),
  ]
  record.lines.push({ at: Date.now(), role: 'assistant', content, usage, model })
}

/** What the user writes while the agent works. */
function messagesIn({ inbox }: AgentWork): string[] & { stop(): void } {
  let isOver = false
  const texts = Object.assign([] as string[], { stop: () => void (isOver = true) })
  const readAll = async () => {
    for await (const input of inbox) {
      if (isOver) return
      if (input.type === 'message') texts.push(input.text)
    }
  }
  void readAll()
  return texts
}

const failureOf = (error: unknown, transcript: AgentEnd['transcript'] = []): unknown =>
  error instanceof ProviderError || error instanceof AppError
    ? new AgentFailed(error instanceof ProviderError ? 'provider' : 'sandbox', error.message, error.hint ?? null, transcript)
    : error

const add = (sum: { input: number; output: number; cacheRead: number | null; cacheWrite: number | null }, used: typeof sum) => {
  sum.input += used.input
  sum.output += used.output
  if (used.cacheRead !== null) sum.cacheRead = (sum.cacheRead ?? 0) + used.cacheRead
  if (used.cacheWrite !== null) sum.cacheWrite = (sum.cacheWrite ?? 0) + used.cacheWrite
}
