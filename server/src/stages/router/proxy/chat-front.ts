import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import {
  CHAT_END,
  chatEvent,
  completionOf,
  createChatWriter,
  type ReadChat,
  readChatRequest,
  readMessagesStream,
  Untranslatable,
  wireOfMessages,
} from '#server/adapters/llm/index.ts'
import { type Asked, CLIENT_ENDED, type Passed, type ProxyAnswer, type ProxyResponse } from '#server/adapters/llm-proxy/index.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import type { ChosenStudent } from '../student.ts'
import type { RouteChoice } from './conversations.ts'
import { EVENT_STREAM, sendJson } from './send.ts'
import { askFor, failureOf, type StudentAnswerDeps, waitOf, withinContext } from './student-answer.ts'

export interface ChatFrontDeps extends StudentAnswerDeps {
  /** The student under this name; null: the name is Claude's. Throws why it may not be asked. */
  studentNamed: (name: string) => ChosenStudent | null
  /** For the list of decisions: where the request goes. */
  goes: (passed: Passed, to: ChosenStudent | null) => Pick<RouteChoice, 'isAsked'>
}

export const CHAT_PATH = '/v1/chat/completions'

/** Lets programs with the chat completions API ask the student by its name, and Claude by its own. */
export function createChatFront(deps: ChatFrontDeps) {
  async function fromStudent(
    { passed, signal }: Asked,
    response: ProxyResponse,
    { read, student, choice }: { read: ReadChat; student: ChosenStudent; choice: Pick<RouteChoice, 'isAsked'> },
  ): Promise<void> {
    const startedAt = performance.now()
    const { model: _, ...given } = read.request
    const request = withinContext(given, student, deps.contextOf(student))
    passed.model = student.name
    choice.isAsked = true
    const { text, calls, usage } = await askFor(deps, { student, signal }, request, deps.patienceMs.alone)
    const toolCalls = calls.map(({ name, input }) => ({
      id: `call_${randomUUID().replaceAll('-', '')}`,
      name,
      arguments: JSON.stringify(input),
    }))
    Object.assign(passed, { status: 200, usage, firstByteMs: performance.now() - startedAt })
    write(response, read, { text, thinking: '', toolCalls, stopped: 'end', usage })
  }

  async function fromTeacher({ passed, headers, send, signal }: Asked, response: ProxyResponse, read: ReadChat): Promise<void> {
    const startedAt = performance.now()
    const { key, bearer } = keyIn(headers)
    const own = ['host', '', 'content-type', 'application/json', 'anthropic-version', '2023-06-01'] // the host is filled in
    const sent = [...own, ...(key === null ? [] : ['x-api-key', key]), ...(bearer === null ? [] : ['authorization', `Bearer ${bearer}`])]
    const body = Buffer.from(JSON.stringify(wireOfMessages(read.request)))
    const answer = await send('/v1/messages', [...sent, 'content-length', String(body.length)], body)
    signal.addEventListener('abort', () => answer.destroy(), { once: true }) // the API would go on, for money
    passed.status = answer.statusCode!
    if (answer.statusCode !== 200) return refuse(response, answer.statusCode!, await reasonIn(answer), retryAfterIn(answer))
    const identity = identityOf(read)
    const writer = createChatWriter(identity, read.hasUsage)
    if (read.isStream) response.writeHead(200, EVENT_STREAM).flushHeaders()
    for await (const event of readMessagesStream(answer)) {
      passed.firstByteMs ??= performance.now() - startedAt
      if (event.type === 'done') {
        const { completion } = event
        Object.assign(passed, { model: read.request.model, usage: completion.usage })
        if (read.isStream) response.end(writer.end(completion).map(chatEvent).join('') + CHAT_END)
        else sendJson(response, 200, completionOf(completion, identity))
      } else if (read.isStream) {
        const isTaken = writer.add(event).map((chunk) => response.write(chatEvent(chunk)))
        if (isTaken.at(-1) === false) await once(response, 'drain', { signal })
      }
    }
  }

  return async (asked: Asked, response: ProxyResponse): Promise<boolean> => {
    const { method, path, body, passed, signal } = asked
    if (method !== 'POST' || path.split('?', 1)[0] !== CHAT_PATH) return false
    try {
      const read = readChatRequest(jsonOf(body.toString('utf8')))
      const student = deps.studentNamed(read.request.model ?? '')
      const choice = deps.goes(passed, student)
      if (student) await fromStudent(asked, response, { read, student, choice })
      else await fromTeacher(asked, response, read)
    } catch (error) {
      if (signal.aborted) {
        passed.error = CLIENT_ENDED
        return true
      }
      passed.error = failureOf(error, deps.patienceMs.alone)
      if (response.headersSent) response.end(chatEvent({ error: { message: passed.error, type: 'api_error', param: null, code: null } }))
      else {
        const wait = waitOf(error)
        passed.status = error instanceof Untranslatable ? 400 : wait === null ? 502 : 429
        refuse(response, passed.status, passed.error, wait)
      }
    }
    return true
  }
}

const identityOf = ({ request: { model, format } }: ReadChat) => ({
  id: `chatcmpl-${randomUUID()}`,
  model: model ?? '',
  created: Math.floor(Date.now() / 1000),
  format: format?.name ?? null,
})

function write(response: ProxyResponse, read: ReadChat, answer: Parameters<typeof completionOf>[0]): void {
  const identity = identityOf(read)
  if (!read.isStream) return sendJson(response, 200, completionOf(answer, identity))
  const writer = createChatWriter(identity, read.hasUsage)
  response.writeHead(200, EVENT_STREAM)
  const text = answer.text === '' ? [] : writer.add({ type: 'text', text: answer.text })
  response.end([...text, ...writer.end(answer)].map(chatEvent).join('') + CHAT_END)
}

/** The client's own key for the API, however it sends it. */
function keyIn(headers: Asked['headers']): { key: string | null; bearer: string | null } {
  const own = headers['x-api-key']
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
  if (typeof own === 'string') return { key: own, bearer: null }
  return bearer?.startsWith('sk-ant-oat') ? { key: null, bearer } : { key: bearer, bearer: null }
}

async function reasonIn(answer: ProxyAnswer): Promise<string> {
  const error = jsonOf((await buffer(answer)).toString('utf8')) as { error?: { message?: unknown } } | undefined
  return typeof error?.error?.message === 'string' ? error.error.message : 'The API refused the request.'
}
const retryAfterIn = ({ headers }: ProxyAnswer): number | null =>
  headers['retry-after'] === undefined ? null : Number(headers['retry-after']) || null

function refuse(response: ProxyResponse, status: number, message: string, waitSec: number | null): void {
  const error = { message, type: status < 500 ? 'invalid_request_error' : 'api_error', param: null, code: null }
  sendJson(response, status, { error }, waitSec === null ? {} : { 'retry-after': String(waitSec) })
}
