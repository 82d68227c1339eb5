import type { ProxyResponse } from '#server/adapters/llm-proxy/index.ts'

export const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

export function sendJson(response: ProxyResponse, status: number, value: object, headers: object = {}): void {
  const body = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}
