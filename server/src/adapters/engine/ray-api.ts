import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'

export interface RayPlace {
  /** Address of the dashboard, `http://HOST:8265`. */
  address: string
  /** File (0600) with the cluster's token; empty if it needs none. */
  tokenFile: string
}

const RayJob = z.object({
  submission_id: z.string().nullable(),
  status: z.enum(['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPED']),
  driver_exit_code: z.number().nullish(),
  message: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
export type RayJob = z.infer<typeof RayJob>
export const hasEnded = ({ status }: RayJob): boolean => status !== 'PENDING' && status !== 'RUNNING'

const ANSWER_MS = 20_000
/** A cluster whose nodes are still starting, or busy, refuses a job with this and asks to try again. */
const NOT_YET = /No available agent to submit job/
const NOT_YET_MS = 30_000
const AGAIN_MS = 500

/** Ray's Jobs API. Throws `AppError` (training_unavailable) for an unusable address or token file; its calls throw it if the cluster does not answer or refuses. */
export function rayApi({ address, tokenFile }: RayPlace) {
  const base = baseOf(address)
  if (tokenFile !== '') readToken(tokenFile)
  const call = async (method: string, place: string, body?: unknown): Promise<{ status: number; text: string }> => {
    const token = tokenFile === '' ? null : readToken(tokenFile)
    try {
      return await request(new URL(`${base}/api/jobs/${place}`), method, token, body)
    } catch (error) {
      throw unavailable(`The Ray cluster at ${base} does not answer: ${(error as Error).message}.`, error)
    }
  }
  const callOrThrow = async (method: string, place: string, body?: unknown): Promise<unknown> => {
    const { status, text } = await call(method, place, body)
    if (status === 401 || status === 403) throw unavailable(`The Ray cluster at ${base} refuses the token${tokenFile === '' ? ': none is set' : ` of ${tokenFile}`}.`) // prettier-ignore
    if (status >= 300) throw unavailable(`The Ray cluster at ${base} answered ${status}: ${text.trim().slice(-400)}`)
    return JSON.parse(text) as unknown
  }
  return {
    async submit(job: { submission_id: string; entrypoint: string; metadata: Record<string, string>; entrypoint_num_gpus?: number }) {
      for (const began = performance.now(); ; await setTimeout(AGAIN_MS))
        try {
          return await callOrThrow('POST', '', job)
        } catch (error) {
          if (!NOT_YET.test((error as Error).message) || performance.now() - began > NOT_YET_MS) throw error
        }
    },
    list: async (): Promise<RayJob[]> => z.array(RayJob).parse(await callOrThrow('GET', '')),
    /** Null if the cluster does not know the job, or has forgotten it. */
    async get(id: string): Promise<RayJob | null> {
      const { status, text } = await call('GET', encodeURIComponent(id))
      if (status === 404) return null
      if (status >= 300) throw unavailable(`The Ray cluster at ${base} answered ${status}: ${text.trim().slice(-400)}`)
      return RayJob.parse(JSON.parse(text))
    },
    async logs(id: string): Promise<string> {
      return z.object({ logs: z.string().nullable() }).parse(await callOrThrow('GET', `${encodeURIComponent(id)}/logs`)).logs ?? ''
    },
    stop: (id: string) => callOrThrow('POST', `${encodeURIComponent(id)}/stop`),
  }
}

/** Does not use `fetch`, because Ray treats its `Sec-Fetch-Mode` header as a browser's and refuses it. Follows no redirect, which would send the token elsewhere. */
function request(url: URL, method: string, token: string | null, body: unknown): Promise<{ status: number; text: string }> {
  const bodyText = body === undefined ? null : JSON.stringify(body)
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(bodyText === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bodyText) }),
  }
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, signal: AbortSignal.timeout(ANSWER_MS) }, (answer) => {
      textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
    })
    outgoing.once('error', reject)
    outgoing.end(bodyText ?? undefined)
  })
}

const HINT = 'Settings → Training has the address and the token file of the cluster.'
const unavailable = (message: string, cause?: unknown) => new AppError('training_unavailable', { message, hint: HINT, cause })

function baseOf(address: string): string {
  if (address === '') throw unavailable('No Ray cluster is set up.')
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw unavailable(`${address} is not the address of a Ray dashboard. An example is http://127.0.0.1:8265.`)
  return url.href.replace(/\/+$/, '')
}

function readToken(file: string): string {
  let mode: number
  let text: string
  try {
    mode = fs.statSync(file).mode
    text = fs.readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw unavailable(`Couldn't read the token file ${file}: ${(error as NodeJS.ErrnoException).code}.`)
  }
  if (process.platform !== 'win32' && mode & 0o077) throw unavailable(`Other users can read the token file ${file}. Run chmod 600 on it.`)
  if (!/^[\x21-\x7e]+$/.test(text)) throw unavailable(`The token file ${file} does not contain a token.`)
  return text
}
