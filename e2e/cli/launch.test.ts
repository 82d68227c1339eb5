import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { expect, it } from 'vitest'
import { environmentOf, makeWorkspace, root } from '../support/server.ts'

it.runIf(process.platform === 'linux').each([
  ['the server of `npm start` and of the window', ['main.js', '--port', '0']],
  ['`bashgym serve`', ['bashgym.js', 'serve', '--port', '0']],
  ['a command that opens the app in its own process', ['bashgym.js', 'import', '--watch', '--json']],
])('%s runs in the started process, with the flag and variables that reduce memory use', async (_, [entry, ...args]) => {
  const workspace = makeWorkspace()
  const child = spawn(process.execPath, [path.join(root, 'dist', 'server', entry!), ...args], {
    env: environmentOf(workspace),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await once(readline.createInterface({ input: child.stdout }), 'line') // the first line means that the server runs
    const [, flag, script, ...rest] = fs.readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    expect([flag, path.basename(script!), ...rest]).toEqual(['--max-semi-space-size=8', entry, ...args])
    const environment = fs.readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0')
    expect(environment).toEqual(expect.arrayContaining(['MALLOC_MMAP_THRESHOLD_=65536', 'MALLOC_TRIM_THRESHOLD_=131072']))
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended, 'the signal reached it').toEqual([0, null])
    workspace.remove()
  }
})
