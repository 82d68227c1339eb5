import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

it('serves environments until it is stopped', async () => {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), 'openenv', 'serve', '--port', '0'], {
    env: environmentOf(workspace),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(readline.createInterface({ input: child.stdout }), 'line')) as [string]
  const { url, ...more } = JSON.parse(line) as { url: string }
  expect(more).toEqual({ ready: true, tokenFile: null, pid: child.pid })
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'healthy' })
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const wrong = await bashgym(workspace, ['openenv', 'serve', '--mode', 'staging'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('simulation, production')])
})
