import fs from 'node:fs'
import http from 'node:http'

/** The cookie that signs the window in, as the server names it. */
export interface Cookie {
  name: string
  value: string
}

const ANSWER_MS = 10_000

/** With the token of a server that this process started: asks for a one-time code and exchanges it. */
export async function cookieByToken(url: string, tokenFile: string): Promise<Cookie> {
  const token = fs.readFileSync(tokenFile, 'utf8').trim()
  const { body } = await post(`${url}/api/session/code`, {}, { authorization: `Bearer ${token}` })
  return cookieByAddress((JSON.parse(body) as { url: string }).url)
}

/** With a sign-in address (`http://host:port/#code=…`): exchanges its one-time code, as the page in a browser does. */
export async function cookieByAddress(address: string): Promise<Cookie> {
  const { origin, hash } = new URL(address)
  const code = new URLSearchParams(hash.slice(1)).get('code')
  const { cookies } = await post(`${origin}/api/session`, { code }, {})
  const match = /^([^=;\s]+)=([^;]+);/.exec(cookies[0] ?? '')
  if (!match?.[1] || !match[2]) throw new Error(`${origin}/api/session answered without a cookie.`)
  return { name: match[1], value: match[2] }
}

function post(url: string, payload: object, headers: http.OutgoingHttpHeaders): Promise<{ body: string; cookies: string[] }> {
  const sent = JSON.stringify(payload)
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) },
        timeout: ANSWER_MS,
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.once('error', reject)
        response.once('end', () => {
          if (response.statusCode === 200) resolve({ body, cookies: response.headers['set-cookie'] ?? [] })
          else reject(new Error(`${new URL(url).pathname} answered with status ${response.statusCode}.`))
        })
      },
    )
    request.once('error', reject)
    request.once('timeout', () => request.destroy(new Error(`no answer from ${new URL(url).host} within ${ANSWER_MS / 1000} s`)))
    request.end(sent)
  })
}

/** Whether something listens there. A server that is only slow counts as there. */
export function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get(`${url}/api/health`, { timeout: ANSWER_MS }, (response) => {
      response.resume()
      resolve(true)
    })
    request.once('timeout', () => request.destroy(Object.assign(new Error('slow'), { code: 'ETIMEDOUT' })))
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'))
  })
}
