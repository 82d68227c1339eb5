/** Tests the full-screen view in a real terminal, through tmux. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { environmentOf, makeWorkspace, root, startServer, type Workspace } from '../support/server.ts'

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
}

let workspace: Workspace
let socket: string
beforeEach(() => {
  workspace = makeWorkspace()
  socket = path.join(workspace.dir, 'tmux')
})
afterEach(() => {
  tmux('kill-server')
  workspace.remove()
})

const tmux = (...args: string[]) =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: environmentOf(workspace) })
const screen = () => tmux('capture-pane', '-p').trimEnd()
/** Terminal modes that must be restored for the shell: alternate screen and cursor. */
const modes = () => tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}').trim()
const keys = (...names: string[]) => tmux('send-keys', ...names)
const type = (text: string) => tmux('send-keys', '-l', text)
async function shows(text: string | RegExp): Promise<void> {
  await expect.poll(screen).toMatch(text)
}

const BASHGYM = `${process.execPath} ${path.join(root, 'dist', 'server', 'bashgym.js')}`

/** Opens a shell of `columns` by `rows` and starts the full-screen view in it. */
async function open(columns: number, rows: number): Promise<void> {
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), 'PS1="ready " bash --norc --noprofile')
  await shows('ready')
  type(`stty -g; ${BASHGYM} sandbox tui; echo "code $?"; stty -g`)
  keys('Enter')
  await shows('No sandboxes yet. Press n to create one.')
  expect(modes()).toBe('1 0')
}

/** Checks that the terminal has its earlier settings and content. */
async function isGivenBack(code: number): Promise<void> {
  await shows(new RegExp(`code ${code}\n[0-9a-f:\n]+\nready`))
  const settings = tmux('capture-pane', '-pJ').match(/^[0-9a-f]+:[0-9a-f:]+ *$/gm)
  expect(settings).toHaveLength(2)
  expect(settings![0]).toBe(settings![1])
  expect(modes()).toBe('0 1')
}

async function create(): Promise<string> {
  keys('n')
  await shows('Image (empty: the default):')
  keys('Enter')
  await shows('Set-up command:')
  type('echo set > /tmp/set')
  keys('Enter')
  await shows('Set-up: echo set > /tmp/set')
  keys('Enter')
  await shows(/^Shell in [0-9a-f-]{36}/)
  return /Shell in ([0-9a-f]{8})/.exec(screen())![1]!
}

describe.skipIf(findBubblewrap() === null || !hasTmux())('sandbox tui', () => {
  it('creates a sandbox, runs and shows commands, and removes it, in an 80 by 24 terminal', async () => {
    await open(80, 24)
    const id = await create()
    type('cat /tmp/set; cd /tmp; printf "\\033[31mé 日本\\n"; false')
    keys('Enter')
    await shows('[exit code 1]')
    expect(screen()).toContain('set\né 日本\n[exit code 1]')
    type('seq 40; sleep 1000')
    keys('Enter')
    await shows('Running. Ctrl-C interrupts.')
    keys('C-c')
    await shows(/40\n.*\[exit code 130\]/s)
    keys('C-u')
    await shows('scrolled up')
    expect(screen()).toContain('\n20\n')
    keys('C-d')
    keys('Up')
    await shows(`${id}$ seq 40; sleep 1000`)
    keys('Escape')
    await shows(new RegExp(`${id} host +started +bubblewrap +\\d+ % +[\\d.]+ [kM]B .* 2 +–`))

    keys('Enter')
    await shows(`$ cat /tmp/set; cd /tmp; printf`)
    keys('t')
    await shows('"commandCount": 2')
    keys('G')
    await shows(/^}$/m)
    keys('g', 'g')
    await shows('"commandCount": 2')
    tmux('resize-window', '-x', '120', '-y', '40')
    await shows('SET-UP')
    expect(screen().split('\n')).toHaveLength(40)
    keys('x')
    await shows(`Stop and remove ${id}?`)
    keys('n')
    await shows('Not removed.')
    keys('x', 'y')
    await shows(`Removed ${id}.`)
    await expect.poll(screen).not.toContain('started')
    keys('q')
    await isGivenBack(0)
  })

  it('restores the terminal when a signal ends it', async () => {
    await open(80, 24)
    await create()
    const shell = tmux('display-message', '-p', '#{pane_pid}').trim()
    const [child] = execFileSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' }).trim().split(/\s+/)
    process.kill(Number(child), 'SIGTERM')
    await isGivenBack(143)
    expect(screen()).toContain('Stopped by SIGTERM.')
  })

  it('shows the sandboxes of a running server, and reports when the server stops', async () => {
    const server = await startServer(workspace)
    await open(100, 30)
    const { id } = await server.api<{ id: string }>('/api/sandboxes', { method: 'POST', body: { setupCommands: ['true'] } })
    await shows(`${id.slice(0, 8)} host         created`)
    await server.api(`/api/sandboxes/${id}/start`, { method: 'POST', body: {} })
    await shows(/1 of 10 running/)
    await server.api(`/api/sandboxes/${id}/stop`, { method: 'POST', body: {} })
    await shows('stopped')
    keys('s')
    await shows('This sandbox was stopped.')
    await server.stop()
    await shows('did not answer')
    expect(modes()).toBe('1 0')
    keys('q')
    await isGivenBack(0)
  })

  it('needs a terminal', () => {
    expect(() =>
      execFileSync(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), 'sandbox', 'tui'], {
        env: environmentOf(workspace),
        input: '',
        stdio: 'pipe',
      }),
    ).toThrow(expect.objectContaining({ status: 2, message: expect.stringContaining('needs a terminal') as string }))
    tmux('new-session', '-d') // afterEach needs a tmux server to kill
  })
})
