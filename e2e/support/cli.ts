import { spawn } from 'node:child_process'
import path from 'node:path'
import { environmentOf, root, type Workspace } from './server.ts'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
  /** stdout as the one JSON document that it must be. */
  json(): unknown
  bytes: Buffer
}

/** Runs `bashgym …` of the build with a workspace's environment. */
export function bashgym(
  workspace: Workspace,
  args: readonly string[],
  options: { stdin?: string; env?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), ...args], {
    env: { ...environmentOf(workspace), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(options.stdin ?? '')
  options.signal?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true })
  const out: Buffer[] = []
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const bytes = Buffer.concat(out)
      const stdout = bytes.toString('utf8')
      resolve({ code, stdout, stderr, bytes, json: () => JSON.parse(stdout) as unknown })
    })
  })
}
