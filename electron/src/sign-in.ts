import fs from 'node:fs'
import http from 'node:http'
import type { Confirmation as ContractConfirmation } from '#contracts/entities/confirmation.ts'
import type { TaskState } from '#contracts/entities/task.ts'

/** What a page requested, as the server describes it. */
export type Confirmation = Pick<ContractConfirmation, 'title' | 'changes' | 'canTrust'>

const ANSWER_MS = 10_000

/** A link that signs in one window and works once, from a server that this process started. */
export async function createSignInLink(url: string, tokenFile: string): Promise<string> {
  const { url: link } = (await call(`${url}/api/session/link`, tokenFile, {})) as { url: string }
  return link
}

export const fetchConfirmation = async (url: string, tokenFile: string, id: string): Promise<Confirmation> =>
  (await call(`${url}/api/confirmations/${encodeURIComponent(id)}`, tokenFile)) as Confirmation

export async function confirmChange(url: string, tokenFile: string, id: string): Promise<void> {
  await call(`${url}/api/confirmations/${encodeURIComponent(id)}`, tokenFile, {})
}

/** A run of an agent that works now. */
export interface ActiveRun {
  id: string
  title: string
}

const WORKING = ['preparing', 'working', 'needs_you', 'waiting', 'verifying'] satisfies TaskState[]

export async function fetchActiveRuns(url: string, tokenFile: string): Promise<ActiveRun[]> {
  const { items } = (await call(`${url}/api/tasks?state=${WORKING.join(',')}&limit=100`, tokenFile)) as { items: ActiveRun[] }
  return items
}

export async function stopRun(url: string, tokenFile: string, id: string): Promise<void> {
  await call(`${url}/api/tasks/${encodeURIComponent(id)}/cancel`, tokenFile, {})
}

/** GET, or POST if there is a body. The token is read each time, because signing out everywhere replaces it. */
function call(url: string, tokenFile: string, body?: object): Promise<unknown> {
  const bodyText = body === undefined ? null : JSON.stringify(body)
  const token = fs.readFileSync(tokenFile, 'utf8').trim()
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: bodyText === null ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(bodyText !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bodyText) }),
        },
        timeout: ANSWER_MS,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.once('error', reject)
        response.once('end', () => {
          if (response.statusCode !== 200) reject(new Error(`${new URL(url).pathname} answered with status ${response.statusCode}.`))
          else
            try {
              resolve(JSON.parse(text))
            } catch (error) {
              reject(error)
            }
        })
      },
    )
    request.once('error', reject)
    request.once('timeout', () => request.destroy(new Error(`no answer from ${new URL(url).host} within ${ANSWER_MS / 1000} s`)))
    request.end(bodyText ?? undefined)
  })
}

/** Whether a server listens at this address. A slow server counts as listening. */
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
