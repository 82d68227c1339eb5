/** Asks a server with the API of NeMo Guardrails (`POST /v1/checks`, as in 0.24) whether its rails stop a text. */
import { z } from 'zod'
import { type ClearedRequest, isSealed } from '../llm/cleared.ts'
import { httpRequest } from '../tools/http-request.ts'
import { jsonOf } from '../tools/json.ts'

export interface RailsQuestion {
  url: string
  /** Empty: the server's own default. */
  configId: string
  request: ClearedRequest
  rails: 'input' | 'output'
  signal: AbortSignal
  limitMs?: number
}

/** `problem`: why nothing is known about the text. */
export type RailsAnswer = { status: 'passed' | 'modified' | 'blocked'; rail: string | null } | { status: null; problem: string }

const LIMIT_MS = 5000
/** An answer repeats the text. */
const MAX_BYTES = 2_000_000
const LONGEST_WORDS = 200
const Answer = z.object({ status: z.enum(['passed', 'modified', 'blocked']), rail: z.string().nullish() })
const Refusal = z.object({ error: z.object({ message: z.string() }) })
const ROLES = { input: 'user', output: 'assistant' } as const

/** Follows no redirect, which would send the text elsewhere. Rejects only with the reason of `signal`. */
export async function checkRails({ url, configId, request, rails, signal, limitMs = LIMIT_MS }: RailsQuestion): Promise<RailsAnswer> {
  if (!isSealed(request)) throw new Error('A text that did not pass the privacy gate was not sent.')
  const { host } = new URL(url)
  const unknown = (problem: string): RailsAnswer => ({ status: null, problem })
  const deadline = AbortSignal.timeout(limitMs)
  try {
    const response = await httpRequest(endpointOf(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'bashgym' },
      body: JSON.stringify(bodyOf(request, configId, rails)),
      signal: AbortSignal.any([signal, deadline]),
    })
    const text = await limitedText(response)
    if (text === null) return unknown(`The answer of ${host} is longer than ${MAX_BYTES / 1e6} MB.`)
    const body = jsonOf(text)
    if (!response.ok) {
      const { data } = Refusal.safeParse(body)
      return unknown(`${host} answered ${response.status}${data ? `: ${plain(data.error.message)}` : '.'}`)
    }
    const { data } = Answer.safeParse(body)
    if (!data) return unknown(`${host} did not answer as NeMo Guardrails does.`)
    return { status: data.status, rail: data.rail ? plain(data.rail) : null }
  } catch (error) {
    signal.throwIfAborted()
    if (deadline.aborted) return unknown(`${host} gave no answer in ${limitMs / 1000} s.`)
    const { code } = error as { code?: unknown }
    return unknown(`Couldn't reach ${host} (${typeof code === 'string' ? code : 'the connection was lost'}).`)
  }
}

const endpointOf = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/v1(?:\/checks)?$/, '')}/v1/checks`

/** Rails are named, because a server that has none of a kind then says so; it would pass every text else. No model: the server's own. */
const bodyOf = ({ messages }: ClearedRequest, configId: string, rails: RailsQuestion['rails']) => ({
  model: '',
  messages: messages.map((message) => ({ role: ROLES[rails], content: 'content' in message ? message.content : '' })),
  guardrails: { ...(configId !== '' && { config_id: configId }), rail_types: [rails] },
})

async function limitedText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    if ((bytes += chunk.byteLength) > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Words of the server, in one line. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, LONGEST_WORDS)
