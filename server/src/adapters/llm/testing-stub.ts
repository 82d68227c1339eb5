import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received request. */
export interface Received {
  path: string
  headers: http.IncomingHttpHeaders
  body: { model: string; max_tokens: number; system?: string; messages: { role: string; content: string }[]; logprobs?: boolean }
  raw: string
}

/** How the stub answers a request: with a text, or with a fault. */
export type Reply =
  | { text: string; usage?: { input: number; output: number }; stop?: string }
  | { status: number; headers?: Record<string, string>; json?: unknown }
  /** Exactly these bytes, with status 200. */
  | { raw: string }
  | 'hang'
  /** Closes the connection in the middle of the answer. */
  | 'cut'

export interface Stub {
  url: string
  received: Received[]
  /** Number of open requests now, and the maximum so far. */
  open: { now: number; max: number }
  close(): Promise<void>
}

/** A local endpoint with the Messages API at /v1/messages and the chat completions API at /chat/completions. */
export async function startStub(reply: (request: Received, index: number) => Reply | Promise<Reply>): Promise<Stub> {
  const received: Received[] = []
  const open = { now: 0, max: 0 }
  const server = http.createServer(async (request, response) => {
    open.now += 1
    open.max = Math.max(open.max, open.now)
    response.once('close', () => (open.now -= 1))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    const receivedRequest: Received = { path: request.url ?? '', headers: request.headers, body: JSON.parse(raw) as Received['body'], raw }
    received.push(receivedRequest)
    const answer = await reply(receivedRequest, received.length - 1)
    if (answer === 'hang') return
    if (answer === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"type":"mess', () => response.destroy())
      return
    }
    const send = (status: number, text: string, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    if ('raw' in answer) send(200, answer.raw)
    else if ('status' in answer) send(answer.status, JSON.stringify(answer.json ?? {}), answer.headers)
    else
      send(
        200,
        JSON.stringify(
          receivedRequest.path.endsWith('/v1/messages') ? message(receivedRequest, answer) : completion(receivedRequest, answer),
        ),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Answer = Extract<Reply, { text: string }>
const USAGE = { input: 120, output: 30 }

const message = ({ body }: Received, { text, usage = USAGE, stop = 'end_turn' }: Answer) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: body.model,
  content: [{ type: 'text', text }],
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: usage.input, output_tokens: usage.output },
})
const completion = ({ body }: Received, { text, usage = USAGE, stop = 'stop' }: Answer) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: body.model,
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: stop, logprobs: body.logprobs ? { content: [{ token: text, logprob: -0.5, bytes: null, top_logprobs: [] }] } : null }], // prettier-ignore
  usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
})
