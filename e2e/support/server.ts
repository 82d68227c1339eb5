import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import type { Readable } from 'node:stream'

export const root = path.resolve(import.meta.dirname, '..', '..')

/** A throw-away user: HOME with `.claude`, and a data directory. */
export interface Workspace {
  dir: string
  dataDir: string
  claudeDir: string
  /** Copies a sample's project folders under `.claude/projects`, as the client would have left them. */
  addSample(name: string): void
  remove(): void
}

/** `fixed`: a folder of this name instead of one by chance; it must not be there yet. */
export function makeWorkspace(fixed?: string): Workspace {
  if (fixed !== undefined) fs.mkdirSync(fixed)
  const dir = fs.realpathSync(fixed ?? fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-e2e-')))
  const claudeDir = path.join(dir, '.claude')
  fs.mkdirSync(path.join(claudeDir, 'projects'), { recursive: true })
  return {
    dir,
    dataDir: path.join(dir, 'bashgym'),
    claudeDir,
    addSample: (name) =>
      fs.cpSync(path.join(root, 'samples', 'claude-code', name, 'projects'), path.join(claudeDir, 'projects'), { recursive: true }),
    remove: () => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

export interface RunningServer {
  url: string
  pid: number
  token: string
  child: ChildProcess
  /** A fresh sign-in address. */
  signIn(): Promise<string>
  api<T>(path: string, init?: { method?: string; body?: unknown }): Promise<T>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** The environment of a child: nothing of the caller but PATH. */
export const environmentOf = (workspace: Workspace): Record<string, string> => ({
  PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  HOME: workspace.dir,
  BASHGYM_HOME: workspace.dataDir,
  CLAUDE_CONFIG_DIR: workspace.claudeDir,
  LANG: 'C.UTF-8',
})

/** Starts the built server and waits for its ready line. `stderr: 'inherit'` shows what it complains about later. */
export async function startServer(
  workspace: Workspace,
  options: { port?: number; args?: string[]; env?: Record<string, string>; stderr?: 'inherit' } = {},
): Promise<RunningServer> {
  const child = spawn(
    process.execPath,
    [path.join(root, 'dist', 'server', 'main.js'), '--port', String(options.port ?? 0), ...(options.args ?? [])],
    {
      env: { ...environmentOf(workspace), ...options.env },
      stdio: ['ignore', 'pipe', options.stderr ?? 'pipe'],
    },
  ) as ChildProcessByStdio<null, Readable, Readable | null>
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const line = await new Promise<string>((resolve, reject) => {
    readline.createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready: ${stderr}`)))
  })
  const { url, tokenFile, pid } = JSON.parse(line) as { url: string; tokenFile: string; pid: number }
  const token = fs.readFileSync(tokenFile, 'utf8').trim()
  const call = async <T>(place: string, init: { method?: string; body?: unknown } = {}): Promise<T> => {
    const response = await fetch(`${url}${place}`, {
      method: init.method ?? 'GET',
      // a connection of its own: one that was kept is closed by the server while a test keeps this thread busy
      headers: {
        connection: 'close',
        authorization: `Bearer ${fs.readFileSync(tokenFile, 'utf8').trim()}`, // signing out everywhere renews it
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${place}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }
  return {
    url,
    pid,
    token,
    child,
    api: call,
    signIn: async () => (await call<{ url: string }>('/api/session/link', { method: 'POST', body: {} })).url,
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
        child.once('exit', (code) => resolve(code))
        child.kill(signal)
      }),
  }
}

/** Waits for a job to end; throws when it failed. */
export async function jobDone(server: RunningServer, id: string): Promise<{ state: string; result: unknown }> {
  for (;;) {
    const job = await server.api<{ state: string; result: unknown; error: { message: string } | null }>(`/api/jobs/${id}?waitMs=10000`)
    if (job.state === 'failed') throw new Error(job.error?.message)
    if (job.state !== 'queued' && job.state !== 'running') return job
  }
}
