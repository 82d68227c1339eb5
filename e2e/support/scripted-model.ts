import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** An endpoint with the chat API of OpenAI that gives these answers in order and then repeats the last; or computes each. */
export async function startScriptedModel(
  answers: readonly string[] | (() => string),
): Promise<{ url: string; close: () => Promise<void> }> {
  const next = typeof answers === 'function' ? answers : inTurn(answers)
  const server = http.createServer(async (request, response) => {
    for await (const _ of request) continue
    const body = {
      choices: [{ index: 0, message: { role: 'assistant', content: next() }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 120, completion_tokens: 30 },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function inTurn(answers: readonly string[]): () => string {
  const rest = [...answers]
  return () => (rest.length > 1 ? rest.shift()! : rest[0]!)
}
