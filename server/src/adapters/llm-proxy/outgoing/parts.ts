import { hash } from 'node:crypto'
import type { RequestPart } from '../../llm/input-tokens.ts'
import type { ProxyDialect, ProxyPath } from '../types.ts'

type Body = Record<string, unknown>

/** The most tokens that an image has, whatever its size; some of OpenAI's models count an image many times. */
const IMAGE_TOKENS: Record<ProxyDialect, number> = { anthropic: 6000, openai: 50_000 }
/** The largest context: how many pages a PDF has is not known without reading it. */
const DOCUMENT_TOKENS = 1_000_000
/** Endpoints add instructions to requests with tools. */
const TOOL_TOKENS = 600
/** Fields that change nothing about the tokens of the input. */
const NOT_INPUT = new Set([
  'messages',
  'input',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
])

/** Everything but the messages, then each message, so that the next request of a conversation begins with the same parts. */
export function partsOf(path: ProxyPath, dialect: ProxyDialect, body: Body): RequestPart[] {
  const head = JSON.stringify(withoutMarks(Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_INPUT.has(name)))))
  const messages = path === '/v1/responses' ? body['input'] : body['messages']
  const tools = body['tools'] === undefined ? 0 : TOOL_TOKENS
  return [
    { text: hash('sha256', head), tokens: Buffer.byteLength(head) + tools },
    ...(Array.isArray(messages) ? messages : [messages ?? '']).map((message: unknown) => partOf(message, dialect)),
  ]
}

function partOf(message: unknown, dialect: ProxyDialect): RequestPart {
  const text = JSON.stringify(withoutMarks(sameForm(message)))
  let tokens = Buffer.byteLength(text)
  for (const { data, isImage } of filesIn(message)) tokens += (isImage ? IMAGE_TOKENS[dialect] : DOCUMENT_TOKENS) - Buffer.byteLength(data)
  return { text: hash('sha256', text), tokens }
}

/** Clients move the mark of the cached prefix to the last block, and shorten a single text. */
const MARKED = ['system', 'tools', 'messages', 'content']
/** Only where the API reads such a mark: elsewhere, as in the arguments of a call, it is text for the model. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (typeof value !== 'object' || value === null) return value
  const { cache_control: mark, ...rest } = value as Body
  for (const name of MARKED) if (Array.isArray(rest[name])) rest[name] = withoutMarks(rest[name])
  return mark === undefined || JSON.stringify(mark) === '{"type":"ephemeral"}' ? rest : value
}
function sameForm(message: unknown): unknown {
  const content = typeof message === 'object' && message !== null ? (message as Body)['content'] : null
  return typeof content === 'string' ? { ...(message as Body), content: [{ type: 'text', text: content }] } : message
}

/** Images and PDFs, only where the API reads them as such: elsewhere they are text. */
function* filesIn(value: unknown): Generator<{ data: string; isImage: boolean }> {
  if (typeof value !== 'object' || value === null) return
  const { type, source, content, output, image_url: image } = value as Body
  const { type: sourceType, data } = (source ?? {}) as Body
  if ((type === 'image' || type === 'document') && sourceType === 'base64' && typeof data === 'string') yield { data, isImage: type === 'image' } // prettier-ignore
  const address = type === 'input_image' ? image : type === 'image_url' ? (image as Body | undefined)?.['url'] : null
  if (typeof address === 'string') yield { data: address, isImage: true }
  for (const inner of [content, output, type === 'document' ? (source as Body | undefined)?.['content'] : null])
    if (Array.isArray(inner)) for (const block of inner) yield* filesIn(block)
}
