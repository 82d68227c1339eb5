// Starts the built server with the measuring probe, and connects to its API, socket and probe.
import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import WebSocket from 'ws'
import { LAUNCH } from '#server/launch.ts'

export interface Figures {
  p50Ms: number
  p99Ms: number
  maxMs: number
  peakRssMb: number
  rssMb: number
  /** CPU time of all threads since the start. */
  cpuMs: number
}

export interface Measured {
  url: string
  get<T>(place: string): Promise<T>
  post<T>(place: string, body?: unknown): Promise<T>
  /** Called for each socket message with the ms since the server was started. */
  onMessage(listener: (message: { type: string; payload: never }, ms: number) => void): void
  figures(): Promise<Figures>
  reset(): void
  stop(): Promise<void>
}

/** The built server; `npm run bench` builds it first. */
const SERVER = path.join(import.meta.dirname, '..', '..', 'dist', 'server', 'main.js')

export async function startMeasured(env: Record<string, string>, server = SERVER): Promise<Measured> {
  const started = performance.now()
  const child = fork(server, ['--port', '0'], {
    env: { PATH: process.env['PATH'] ?? '', BASHGYM_LOG: 'error', ...LAUNCH.env, ...env },
    execArgv: [...LAUNCH.flags, '--import', path.join(import.meta.dirname, 'probe.mjs')],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { url, tokenFile } = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', (line) => resolve(JSON.parse(line) as { url: string; tokenFile: string }))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  const token = fs.readFileSync(tokenFile, 'utf8').trim()
  const listeners: ((message: { type: string; payload: never }, ms: number) => void)[] = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string; payload: never }
    for (const listener of listeners) listener(message, performance.now() - started)
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ type: 'subscribe', topics: ['*'], afterSeq: 0 }))
  const call = async <T>(method: string, place: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}${place}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    url,
    get: (place) => call('GET', place),
    post: (place, body = {}) => call('POST', place, body),
    onMessage: (listener) => listeners.push(listener),
    figures: () =>
      new Promise((resolve) => {
        child.once('message', (message) => resolve((message as { measured: Figures }).measured))
        child.send('measure')
      }),
    reset: () => void child.send('reset'),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        socket.close()
        child.kill('SIGTERM')
      }),
  }
}
