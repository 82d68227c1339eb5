import http from 'node:http'
import net from 'node:net'

export interface RawAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  json: () => { error: { code: string; message: string } }
}

/** Sends a request with exactly these headers and this path. A browser or `fetch` would normalise them; this function does not. */
export function rawRequest(
  port: number,
  path: string,
  options: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers: options.headers, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: () => JSON.parse(text) as ReturnType<RawAnswer['json']>,
          })
        })
      },
    )
    request.once('error', reject)
    request.end(options.body)
  })
}

/** Writes bytes to the port and returns everything received until the other side closes the connection. */
export function rawConversation(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
  })
}
