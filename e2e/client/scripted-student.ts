import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StudentRequest {
  messages: { role: string; content: string; tool_calls?: unknown[] }[]
  tools: { function: { name: string } }[]
}

interface Reply {
  text?: string
  /** `input` as text is sent as it is. */
  calls?: { name: string; input: unknown }[]
  finish?: string
  afterMs?: number
  /** Ends the connection in the middle of the answer. */
  breaksOff?: boolean
}

/** An endpoint with the chat API of OpenAI; `reply` gets the request and how many answers the conversation has. */
export async function startStudent(reply: (request: StudentRequest, answers: number) => Reply) {
  const requests: StudentRequest[] = []
  const server = http.createServer(async (request, response) => {
    const request_ = JSON.parse(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString('utf8')) as StudentRequest
    requests.push(request_)
    const {
      text = '',
      calls = [],
      finish,
      afterMs = 0,
      breaksOff,
    } = reply(request_, request_.messages.filter(({ role }) => role === 'assistant').length)
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
    const body = JSON.stringify({
      choices: [
        {
          message: {
            content: text,
            // ids that a client would refuse
            tool_calls: calls.map(({ name, input }) => ({
              id: 'call.1:é',
              type: 'function',
              function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
            })),
          },
          finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
        },
      ],
      usage: { prompt_tokens: 120, completion_tokens: 30 },
    })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.write(breaksOff ? body.slice(0, body.length / 2) : body)
    if (breaksOff) response.destroy()
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
