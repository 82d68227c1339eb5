import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bashgym } from '../support/cli.ts'
import { environmentOf, makeWorkspace, root, type Workspace } from '../support/server.ts'

let workspace: Workspace
beforeAll(() => {
  workspace = makeWorkspace()
})
afterAll(() => workspace.remove())

it('parses the call in a message, and exits 1 if the call is invalid', async () => {
  const read = await bashgym(workspace, ['openenv', 'parse-call', '--json'], { stdin: '{"command": "ls"}\n' })
  expect([read.code, read.json()]).toEqual([0, { tool: 'terminal', arguments: { command: 'ls' }, format: 'json', warnings: [] }])
  const refused = await bashgym(workspace, ['openenv', 'parse-call', '--json'], { stdin: 'terminal(command=ls)' })
  expect([refused.code, refused.json()]).toEqual([1, expect.objectContaining({ arguments: null, error: expect.any(String) })])
  const never = await bashgym(workspace, ['openenv', 'parse-call', '--raw', 'never'], { stdin: 'ls' })
  expect(never.code).toBe(1)
})

async function started(...args: string[]) {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), ...args, '--port', '0'], {
    env: environmentOf(workspace),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(readline.createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, line }
}

it('serves environments from the running app, and ends its server with its command', async () => {
  const app = await started('serve')
  const { child, line } = await started('openenv', 'serve')
  const { url } = JSON.parse(line) as { url: string }
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'healthy' })
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  const closed = once(app.child, 'exit')
  app.child.kill('SIGTERM')
  await closed
})

it('ends its server in the app when it is killed', async () => {
  const app = await started('serve')
  const { child, line } = await started('openenv', 'serve')
  const { url } = JSON.parse(line) as { url: string }
  const answers = () => fetch(`${url}/health`, { headers: { connection: 'close' } }).then(({ ok }) => ok, () => false) // prettier-ignore
  expect(await answers()).toBe(true)
  child.kill('SIGKILL')
  while (await answers()) continue // until the app has noticed
  const ended = once(app.child, 'exit')
  app.child.kill('SIGTERM')
  await ended
})

it('serves environments until it is stopped', async () => {
  const { child, line } = await started('openenv', 'serve')
  const { url, tokenFile, ...more } = JSON.parse(line) as { url: string; tokenFile: string }
  expect(more).toEqual({ ready: true, pid: child.pid })
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'healthy' })
  expect([path.dirname(tokenFile), fs.statSync(tokenFile).mode & 0o777]).toEqual([workspace.dataDir, 0o600])
  const token = fs.readFileSync(tokenFile, 'utf8').trim()
  const status = async (headers: Record<string, string>) => (await fetch(`${url}/metadata`, { headers })).status
  expect([await status({}), await status({ authorization: `Bearer ${token}` })]).toEqual([401, 200])
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const wrong = await bashgym(workspace, ['openenv', 'serve', '--mode', 'staging'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('simulation, production')])
})

it('refuses a token that others can read or guess, and other machines without a token of their own', async () => {
  const file = path.join(workspace.dir, 'their-token')
  const serve = async (...more: string[]) => (await bashgym(workspace, ['openenv', 'serve', '--port', '0', ...more])).stderr
  fs.writeFileSync(file, 'a'.repeat(40), { mode: 0o644 })
  expect(await serve('--token-file', file)).toContain(`chmod 600 ${file}`)
  fs.chmodSync(file, 0o600)
  fs.writeFileSync(file, 'short')
  expect(await serve('--token-file', file)).toContain('32 to 200')
  expect(await serve('--host', '0.0.0.0')).toContain('--token-file')
})
