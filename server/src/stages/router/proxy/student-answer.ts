import { randomUUID } from 'node:crypto'
import type { ToolSchema } from '#contracts/entities/example.ts'
import type { ModAnswer } from '#contracts/entities/router.ts'
import {
  type AnswerIdentity,
  type ChatRequest,
  createMessagesWriter,
  messageOf,
  messagesEvent,
  ProviderError,
  readMessagesRequest,
} from '#server/adapters/llm/index.ts'
import type { Passed, ProxyResponse } from '#server/adapters/llm-proxy/index.ts'
import { NoAnswer } from '../../agents/index.ts'
import { askStudent, sentenceOf, type StepDeps } from '../step.ts'
import type { ChosenStudent } from '../student.ts'
import { EVENT_STREAM, sendJson } from './send.ts'
import type { Form } from './form.ts'

export interface StudentAnswerDeps extends Pick<StepDeps, 'endpoints' | 'readCalls'> {
  /** Tokens that the student can read and write together; null if that is not known. */
  contextOf: (student: ChosenStudent) => number | null
  /** Longest wait, ms: where nobody else can answer, and where Claude can. */
  patienceMs: { alone: number; withTeacher: number }
  /** From when on the client is told that the answer is on its way. */
  holdMs: number
}

/** As in exams. */
const ASKED = { temperature: 0, seed: 42 }
const MAX_ANSWER = 4096
/** The shortest answer that there must be room for. */
const MIN_ANSWER = 256
/** The estimate of exams and rows. */
const [CHARS_PER_TOKEN, TOKENS_PER_MESSAGE] = [3.6, 4]
const COMMENT_MS = 3000
/** A client waits no longer than a minute before it asks again, and gives up when it is told to wait longer. */
const MAX_WAIT_SEC = 60

export interface StudentsTurn {
  form: Form
  student: ChosenStudent
  body: unknown
  isStream: boolean
  signal: AbortSignal
}

/** The request for the student: the conversation in its API, within its context. Throws why it cannot be asked. */
export function requestFor({ body, student }: Pick<StudentsTurn, 'body' | 'student'>, context: number | null): Omit<ChatRequest, 'model'> {
  const request = readMessagesRequest(body)
  if (request.messages.some((message) => 'role' in message && message.role === 'user' && message.images?.length))
    throw new NoAnswer(`${student.label} is not known to see images.`)
  return withinContext(request, student, context)
}

/** The request with an answer that fits; throws if there is no room for one. */
export function withinContext(
  request: Omit<ChatRequest, 'model'>,
  student: ChosenStudent,
  context: number | null,
): Omit<ChatRequest, 'model'> {
  const { system = '', messages, tools = [] } = request
  const chars = system.length + JSON.stringify(messages).length + JSON.stringify(tools).length
  const tokens = Math.ceil(chars / CHARS_PER_TOKEN) + messages.length * TOKENS_PER_MESSAGE
  const left = context === null ? MAX_ANSWER : context - tokens
  if (left < Math.min(MIN_ANSWER, request.maxTokens))
    throw new NoAnswer(`the conversation has about ${tokens} tokens, and ${student.label} reads and writes at most ${context}.`)
  return { ...ASKED, ...request, maxTokens: Math.min(request.maxTokens, MAX_ANSWER, left) }
}

/** Where the client has this tool, text alone is not delivered: a model's last text is handed over, as no model was trained to. */
const HAND_BACK = 'SubagentHandback'
const wantsReport = (body: unknown): boolean => {
  const { tools } = body as { tools?: unknown }
  return Array.isArray(tools) && tools.some((tool: { name?: unknown } | null) => tool?.name === HAND_BACK)
}

export async function askFor(
  deps: Pick<StudentAnswerDeps, 'endpoints' | 'readCalls'>,
  { student, signal }: Pick<StudentsTurn, 'student' | 'signal'>,
  request: Omit<ChatRequest, 'model'>,
  patienceMs: number,
): Promise<ModAnswer> {
  const tools = (request.tools ?? []).flatMap((tool): ToolSchema[] =>
    'wire' in tool
      ? []
      : [{ type: 'function', function: { name: tool.name, description: tool.description, parameters: { ...tool.inputSchema } } }],
  )
  return askStudent({ ...deps, patienceMs }, student, { request, tools }, signal)
}

/** Why a student did not answer, in words that a client does not take for a refusal of its checks. */
export function failureOf(error: unknown, patienceMs: number): string {
  return sentenceOf(error, patienceMs).replaceAll(/safeguards?|dangerous.tool.use/gi, 'checks')
}

/** Seconds after which the client may ask again; null if it should not. */
export const waitOf = (error: unknown): number | null =>
  error instanceof ProviderError && error.kind === 'rate_limited'
    ? Math.min(MAX_WAIT_SEC, Math.max(1, Math.ceil((error.retryAfterMs ?? 1000) / 1000)))
    : null

/** By its own name, also where Claude was asked: transcripts keep it. */
const identityOf = (form: Form, student: ChosenStudent): AnswerIdentity => ({
  id: `chatcmpl-${randomUUID()}`,
  model: student.name,
  isChecked: form.isAuto,
})
const writtenOf = ({ text, calls, usage }: ModAnswer) => ({
  text,
  toolCalls: calls.map(({ name, input }) => ({ id: '', name, arguments: JSON.stringify(input) })),
  stopped: 'end' as const,
  usage,
})

/**
 * Tells the client that an answer is on its way while the student reads: it waits for headers for six minutes only, and then for as
 * long as it hears something.
 */
export function holdOpen(response: ProxyResponse, holdMs: number): { stop: () => void } {
  let timer = setTimeout(begin, holdMs)
  function begin(): void {
    if (!response.headersSent) response.writeHead(200, EVENT_STREAM)
    response.write(': the model is at work\n\n')
    timer = setTimeout(begin, COMMENT_MS)
  }
  return { stop: () => clearTimeout(timer) }
}

/** Writes a whole answer, as a stream if the client asked for one. */
export function sendAnswer(
  response: ProxyResponse,
  { form, student, body, isStream }: Pick<StudentsTurn, 'form' | 'student' | 'body' | 'isStream'>,
  answer: ModAnswer,
): void {
  const isReport = answer.calls.length === 0 && wantsReport(body)
  const written = writtenOf(isReport ? { ...answer, text: '', calls: [{ name: HAND_BACK, input: { message: answer.text } }] } : answer)
  const identity = identityOf(form, student)
  if (!isStream) return sendJson(response, 200, messageOf(written, identity))
  const writer = createMessagesWriter(identity, answer.usage)
  if (!response.headersSent) response.writeHead(200, EVENT_STREAM)
  response.end([...writer.add({ type: 'text', text: written.text }), ...writer.end(written)].map(messagesEvent).join(''))
}

/** Ends the turn with the reason. The client does not ask again, unless it is told when. */
export function sendFailure(
  response: ProxyResponse,
  { reason, waitSec, passed }: { reason: string; waitSec: number | null; passed: Passed },
): void {
  passed.error = reason
  if (response.headersSent) {
    const event = { type: 'error', error: { type: 'api_error', message: reason } }
    response.end(messagesEvent(event))
    return
  }
  passed.status = waitSec === null ? 500 : 429
  const error = { type: waitSec === null ? 'api_error' : 'rate_limit_error', message: reason }
  sendJson(
    response,
    passed.status,
    { type: 'error', error },
    waitSec === null ? { 'x-should-retry': 'false' } : { 'retry-after': String(waitSec) },
  )
}

/** A conversation of which only the newest messages came: the client sends it whole then, and goes on so. */
export function sendThreadRefusal(response: ProxyResponse, passed: Passed): void {
  passed.status = 400
  const message = 'thread_unsupported_request: this model reads whole conversations.'
  passed.error = message
  const error = { type: 'invalid_request_error', message, details: { error_code: 'thread_unsupported_request' } }
  sendJson(response, 400, { type: 'error', error })
}
