import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { bashgym } from '../support/cli.ts'
import { environmentOf, makeWorkspace, root, type RunningServer, startServer, type Workspace } from '../support/server.ts'

let workspace: Workspace
beforeAll(() => {
  workspace = makeWorkspace()
})
afterAll(() => workspace.remove())

const sandbox = (args: readonly string[], options?: Parameters<typeof bashgym>[2]) => bashgym(workspace, ['sandbox', ...args], options)

/** Starts the command line as a child process and does not wait for it. */
const begin = (args: string[], input: 'ignore' | number = 'ignore') =>
  spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), 'sandbox', ...args], {
    env: environmentOf(workspace),
    stdio: [input, 'pipe', 'pipe'],
  })

/** Whether a process with exactly these arguments runs on this machine, including processes inside sandboxes. */
const runs = (...argv: string[]) =>
  fs.readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `${argv.join('\0')}\0`
    } catch {
      return false // the process has just ended
    }
  })

describe('guard', () => {
  it.each([
    [0, 'ls -la'],
    [1, 'rm -rf /'],
    [2, null],
  ])('exits with %i', async (code, command) => {
    expect((await bashgym(workspace, ['guard', ...(command === null ? [] : [command])])).code).toBe(code)
  })
})

describe.skipIf(findBubblewrap() === null)('sandbox run', () => {
  it('prints the output of the command and exits with its code', async () => {
    const ran = await sandbox(['run', '--', 'echo out; echo err >&2; exit 7'])
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([7, 'out\nerr\n', ''])
    const result = await sandbox(['run', '--env', 'SOME_NAME=a b', '--json', '--', 'printf', '%s|', '$SOME_NAME', "it's"])
    expect([result.code, result.json()]).toEqual([0, expect.objectContaining({ output: "$SOME_NAME|it's|", exitCode: 0, timedOut: false })])
    const late = await sandbox(['run', '--timeout', '0.3', '--', 'echo begun; sleep 1000'])
    expect([late.code, late.stdout]).toEqual([130, 'begun\n'])
    expect(late.stderr).toContain('stopped after its timeout')
  })

  it('copies a folder into the sandbox and leaves the original unchanged', async () => {
    const folder = path.join(workspace.dir, 'project')
    fs.mkdirSync(path.join(folder, 'inner'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'inner', 'run.sh'), '#!/bin/sh\necho "run in $PWD"\n', { mode: 0o755 })
    fs.writeFileSync(path.join(folder, 'bytes'), Buffer.from([0, 255]))
    fs.symlinkSync('/etc/passwd', path.join(folder, 'link'))
    const ran = await sandbox(['run', '--mount-copy', folder, '--', 'inner/run.sh; wc -c < bytes; ls; rm -r inner'])
    expect([ran.code, ran.stdout]).toEqual([0, 'run in /workspace\n2\nbytes\ninner\n'])
    expect(ran.stderr).toContain('link')
    expect(fs.readdirSync(path.join(folder, 'inner'))).toEqual(['run.sh'])
    expect((await sandbox(['run', '--mount-copy', path.join(folder, 'none'), '--', 'ls'])).code).toBe(1)
  })

  it('passes standard input to the command', async () => {
    const ran = await sandbox(['run', '--stdin', '--', 'tr a-z A-Z; cat'], { stdin: 'one é\ntwo' })
    expect([ran.code, ran.stdout]).toEqual([0, 'ONE é\nTWO\n'])
    expect(await once(begin(['run', '--stdin', '--', 'cat']), 'exit')).toEqual([0, null]) // standard input is the null device
    const file = path.join(workspace.dir, 'no-text')
    fs.writeFileSync(file, Buffer.from([0x61, 0xff]))
    const input = fs.openSync(file, 'r')
    expect(await once(begin(['run', '--stdin', '--', 'cat'], input), 'exit')).toEqual([1, null])
    fs.closeSync(input)
  })

  it('keeps the start and end of a huge output, and reports the omission', async () => {
    const ran = await sandbox(['run', '--', 'seq 3000000'])
    expect(ran.code).toBe(0)
    expect(ran.stdout.startsWith('1\n2\n')).toBe(true)
    expect(ran.stdout.endsWith('2999999\n3000000\n')).toBe(true)
    expect(ran.stdout.length).toBeLessThan(1_100_000)
    expect(ran.stdout).toMatch(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/)
    expect(ran.stderr).toContain('its middle is omitted')
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is stopped by %s, with its command and its sandbox', async (signal, code) => {
    const seconds = `8${process.pid}.${code}` // a unique command line, to find the process by
    const child = begin(['run', '--', `trap '' INT; sleep ${seconds} & wait; sleep ${seconds}`])
    const ended = once(child, 'exit')
    await expect.poll(() => runs('sleep', seconds)).toBe(true)
    child.kill(signal)
    expect(await ended).toEqual([code, null])
    expect(runs('sleep', seconds)).toBe(false)
    expect(fs.readdirSync(path.join(workspace.dataDir, 'boxes'))).toEqual([])
  })

  it('reports wrong usage, an unknown image, and a missing server', async () => {
    const wrong = await sandbox(['run', 'host'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('goes after --')])
    const image = await sandbox(['run', 'no-such-image', '--json', '--', 'ls'])
    expect([image.code, image.json()]).toEqual([1, { error: expect.objectContaining({ code: 'image_unavailable' }) as object }])
    const needs = await sandbox(['create'])
    expect([needs.code, needs.stderr]).toEqual([1, expect.stringContaining('No server is running')])
    const gone = await sandbox(['list', '--server', 'http://127.0.0.1:9'])
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('127.0.0.1:9 did not answer')])
  })
})

describe.skipIf(findBubblewrap() === null)('sandboxes on a server', () => {
  let server: RunningServer
  let other: Workspace
  let bare: { url: string; tokenFile: string; pid: number; child: ChildProcessByStdio<null, Readable, Readable> }
  beforeAll(async () => {
    other = makeWorkspace()
    server = await startServer(workspace)
    const child = spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), 'sandbox', 'serve', '--port', '0'], {
      env: environmentOf(other),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [line] = (await once(readline.createInterface({ input: child.stdout }), 'line')) as [string]
    bare = { ...(JSON.parse(line) as { url: string; tokenFile: string; pid: number }), child }
  })
  afterAll(async () => {
    const ended = once(bare.child, 'exit')
    bare.child.kill('SIGTERM')
    await ended
    await server.stop()
    other.remove()
  })

  /** Options that select the server. */
  const NAMED = 'of a named Bash Gym server'
  const PLACES: [string, () => string[]][] = [
    ['of the running app', () => []],
    [NAMED, () => ['--server', server.url, '--token-file', path.join(workspace.dataDir, 'token')]],
    ['of the bare service', () => ['--server', bare.url, '--token-file', bare.tokenFile]],
  ]

  // how a server is named is the same for every command
  it.each(PLACES.filter(([name]) => name !== NAMED))('are created, used and removed by commands: %s', async (_, place) => {
    const act = (...args: string[]) => sandbox([...args, ...place()])
    const made = await act('create', '--setup', 'echo set > /tmp/set', '--idempotency-key', 'the-same-key')
    const id = made.stdout.trim()
    expect([made.code, id]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect((await act('create', '--idempotency-key', 'the-same-key')).stdout.trim()).toBe(id)

    const early = await act('exec', id, 'ls')
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('not started')])
    expect((await act('start', id)).stdout.trim()).toBe(id)
    const twice = await act('start', id)
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('started before')])

    expect((await act('exec', id, 'cd /tmp; x=5')).code).toBe(0)
    expect((await act('exec', id, 'cat set; echo $x $PWD; false')).stdout).toBe('set\n5 /tmp\n')
    expect((await act('exec', id, '')).code).toBe(0)
    expect((await act('exec', id, '(exit 42)')).code).toBe(42)
    const alone = await sandbox(['exec', id, '--standalone', '--stdin', ...place(), '--', 'cat; pwd'], { stdin: 'in\n' })
    expect([alone.code, alone.stdout]).toEqual([0, 'in\n/\n'])
    expect((await act('list')).stdout).toContain(id.slice(0, 8))

    expect((await act('exec', id, 'exit 3')).code).toBe(3)
    const over = await act('exec', id, 'ls')
    expect([over.code, over.stderr]).toEqual([1, expect.stringContaining('session has ended')])
    expect((await act('trajectory', id, '--formatted')).stdout).toContain('$ cat set; echo $x $PWD; false\nset\n5 /tmp\n[exit code 1]\n')
    expect((await act('trajectory', id, '--json')).json()).toMatchObject({ sandboxId: id, commandCount: 5 })

    expect((await act('stop', id)).code).toBe(0)
    expect((await act('stop', id, '--remove')).code).toBe(0)
    const gone = await act('stop', id)
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining(id)])
  })

  it.each(PLACES)('run a session line by line: %s', async (_, place) => {
    const ran = await sandbox(['session', ...place()], { stdin: 'cd /tmp\npwd\nfalse\nexit\npwd\n' })
    expect([ran.code, ran.stdout]).toEqual([0, '/tmp\n'])
    expect(ran.stderr).toContain('exit code 1')
  })

  it('keep their session when one of its commands is interrupted', async () => {
    const id = (await sandbox(['create'])).stdout.trim()
    await sandbox(['start', id])
    const seconds = `9${process.pid}`
    const child = begin(['exec', id, `sleep ${seconds}`])
    const ended = once(child, 'exit')
    await expect.poll(() => runs('sleep', seconds)).toBe(true)
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect((await sandbox(['exec', id, 'echo alive'])).stdout).toBe('alive\n')
    await sandbox(['stop', id, '--remove'])
  })

  it('of the bare service leave the data directory to the app, which starts beside it', async () => {
    const app = await startServer(other)
    expect((await sandbox(['list', '--server', bare.url, '--token-file', bare.tokenFile])).code).toBe(0)
    await app.stop()
  })

  it('need the token of a Bash Gym server, and a free port', async () => {
    const refused = await sandbox(['list', '--server', server.url], { env: { BASHGYM_HOME: other.dataDir } })
    expect((await sandbox(['list', '--server', server.url])).code).toBe(0) // with the token of its own data directory
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('needs a token')])
    const allowed = await sandbox(['list', '--server', server.url, '--json'], { env: { BASHGYM_SANDBOX_TOKEN: server.token } })
    expect([allowed.code, allowed.json()]).toEqual([0, expect.objectContaining({ capacity: expect.any(Object) as object })])
    const { port } = new URL(bare.url)
    const taken = await sandbox(['serve', '--port', port])
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(`Port ${port} is in use`)])
  })
})
