import type { ModAnswer, ModStep } from '#contracts/entities/router.ts'
import type { ToolSchema } from '#contracts/entities/example.ts'
import { ExamRunRequest } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import { type ChatRequest, type Completion, ProviderError } from '#server/adapters/llm/index.ts'
import { parseAnswer } from '#server/calls/index.ts'
import { NoAnswer, type OpenModel, type TaskModels } from '../agents/index.ts'
import { answersIn, contextAtWork, type Conversation } from '../factory/index.ts'
import { requestOf } from '../judge/index.ts'
import type { ChosenStudent } from './student.ts'

export interface StepDeps {
  chosen: () => ChosenStudent | null
  /** The model that answers under this name. */
  modelOf: (name: string) => string | null
  endpoints: Pick<TaskModels, 'open'>
  /** Reads the calls in a text, as exams do. */
  readCalls: (raw: string, tools: readonly ToolSchema[], signal: AbortSignal) => Promise<Call[]>
  /** Where the agent works. */
  inPlace: () => boolean
  /** Does the whole task in a sandbox. */
  work: (student: ChosenStudent, step: ModStep, signal: AbortSignal) => Promise<ModAnswer>
  /** Longest wait for one answer, ms. */
  patienceMs: number
}

interface Call {
  name: string
  arguments: Record<string, unknown>
}

/** As in exams and, by default, in training. */
export const LIMITS = { contextTokens: 6000, ...ExamRunRequest.pick({ maxTokens: true, seed: true }).parse({}) }
/** Below the number of turns at which rows of training are split, so that both begin alike. */
export const MAX_STEPS = 60
const TOOL_NAME = /^[\w-]{1,64}$/

/** Answers one step of the gym agent. Never throws: whatever is wrong is the answer, so that the agent ends with the reason. */
export async function answerStep(deps: StepDeps, step: ModStep, signal: AbortSignal): Promise<ModAnswer> {
  try {
    return await answer(deps, step, signal)
  } catch (error) {
    const usage = { input: 0, output: 0, cacheRead: null, cacheWrite: null }
    return { text: `The gym agent stopped: ${sentenceOf(error, deps.patienceMs)}`, calls: [], usage, failed: true }
  }
}

async function answer(deps: StepDeps, step: ModStep, signal: AbortSignal): Promise<ModAnswer> {
  const student = deps.chosen()
  if (!student) throw new NoAnswer('no model is chosen in Settings → Model in Claude Code of Bash Gym.')
  if (!student.isUsable) throw new NoAnswer(`${student.label} may not be used. ${student.reason}`)
  // A step under another name (the client's own list can override it) is still the student's; one of another student is not.
  const asked = deps.modelOf(step.model)
  if (asked !== null && asked !== student.modelId)
    throw new NoAnswer(`this session began with another model; now ${student.label} is chosen. Start a new session.`)
  if (!deps.inPlace()) return deps.work(student, step, signal)
  const conversation = { clientVersion: step.version, task: step.task, messages: step.messages }
  return askStudent(deps, student, requestIn(conversation, student.label), signal)
}

/** What the model called `label` is asked in a conversation of the gym agent, as in exams. Throws `NoAnswer`. */
function requestIn(conversation: Conversation, label: string) {
  if (answersIn(conversation) >= MAX_STEPS) throw new NoAnswer(`${label} did not finish within ${MAX_STEPS} steps.`)
  const context = contextAtWork(conversation, LIMITS.contextTokens)
  if (!context) throw new NoAnswer(`the task is longer than the ${LIMITS.contextTokens} tokens that ${label} was examined with.`)
  return { request: requestOf(context, LIMITS), tools: context.tools }
}

/** Asks the student once, and reads its answer. Throws `NoAnswer`, an error of the provider, or the reason of `signal`. */
export async function askStudent(
  deps: Pick<StepDeps, 'endpoints' | 'readCalls' | 'patienceMs'>,
  student: ChosenStudent,
  { request, tools }: { request: Omit<ChatRequest, 'model'>; tools: readonly ToolSchema[] },
  signal: AbortSignal,
): Promise<ModAnswer> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(deps.patienceMs)])
  const model = await until(stop, deps.endpoints.open(student.endpoint, student.model, stop))
  try {
    const completion = await model.ask({ ...request, model: student.model ?? null }, stop)
    return await readAnswer(deps, { completion, tools, label: student.label, maxTokens: request.maxTokens }, stop)
  } finally {
    await model.close()
  }
}

/** The next answer of a model to a conversation of the gym agent. Throws `NoAnswer`, or what asking throws. */
export async function nextTurn(
  deps: Pick<StepDeps, 'readCalls'>,
  conversation: Conversation,
  { ask, model, label }: { ask: OpenModel['ask']; model: string | null; label: string },
  signal: AbortSignal,
) {
  const { request, tools } = requestIn(conversation, label)
  const completion = await ask({ ...request, model }, signal)
  const turn = await readAnswer(deps, { completion, tools, label, maxTokens: request.maxTokens }, signal)
  return { ...turn, costUsd: completion.costUsd }
}

/** Loading a model may take long, and goes on for the next step. */
async function until<T>(stop: AbortSignal, opening: Promise<T>): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const end = () => stopped.reject(stop.reason as Error)
  stop.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([opening, stopped.promise])
  } finally {
    stop.removeEventListener('abort', end)
  }
}

async function readAnswer(
  { readCalls }: Pick<StepDeps, 'readCalls'>,
  { completion, tools, label, maxTokens }: { completion: Completion; tools: readonly ToolSchema[]; label: string; maxTokens: number },
  signal: AbortSignal,
): Promise<ModAnswer> {
  const { toolCalls, stopped, usage } = completion
  const { text, found } = parseAnswer(completion.text)
  const calls = toolCalls.length > 0 ? toolCalls.map(callOf) : found ? await readCalls(completion.text, tools, signal) : []
  const isNonsense = calls.some((call) => call === null || !TOOL_NAME.test(call.name)) || (found !== null && calls.length === 0)
  if (stopped === 'length') throw new NoAnswer(`an answer of ${label} was cut off at ${maxTokens} tokens.`)
  if (isNonsense) throw new NoAnswer(`${label} wrote a tool call that cannot be read.`)
  if (calls.length === 0 && text.trim() === '') throw new NoAnswer(`${label} answered with nothing.`)
  return { text, calls: calls.map((call) => ({ name: call!.name, input: call!.arguments })), usage, failed: false }
}

function callOf({ name, arguments: json }: { name: string; arguments: string }): Call | null {
  try {
    const value = JSON.parse(json === '' ? '{}' : json) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { name, arguments: value as Call['arguments'] } : null
  } catch {
    return null
  }
}

/** Why there is no answer. */
export function sentenceOf(error: unknown, patienceMs: number): string {
  if (error instanceof NoAnswer) return error.message
  if (error instanceof ProviderError && error.tooLong)
    return `the conversation is longer than the context of the model${error.tooLong.tokens === null ? '' : ` (${error.tooLong.tokens} tokens, at most ${error.tooLong.limit})`}.`
  if (error instanceof ProviderError || error instanceof AppError) return [error.message, error.hint].filter(Boolean).join(' ')
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `the model did not answer within ${Math.round(patienceMs / 60_000)} minutes.`
  return error instanceof Error ? error.message : String(error)
}
