import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { isBuilt, isInstalled } from '../../scripts/lib/setup.mjs'
import { root, type Workspace } from '../support/server.ts'
import { desktopEnvironment, executablePath, exitOf, expect, isAlive, serverFile, test } from './app.ts'

test.beforeAll(() => {
  // `npm test` has set up and built; here a start must never do it, or it would pull the packages from under other tests.
  expect(isInstalled() && isBuilt(), 'installed and built as the sources are').toBe(true)
})

const started: ChildProcess[] = []
test.afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGTERM') // of a test that failed half way
})

/** `npm start` as a process, with the lines it writes. */
function start(workspace: Workspace, options: { args?: string[]; env: Record<string, string> }) {
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'start.mjs'), '--port', '0', ...(options.args ?? [])], {
    env: { ...desktopEnvironment(workspace), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const waiting: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr])
    readline.createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const look of waiting) look()
    })
  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = lines.map((each) => pattern.exec(each)).find(Boolean)
        if (match) resolve(match)
      }
      waiting.push(look)
      child.once('close', () => reject(new Error(`No line like ${pattern} in:\n${lines.join('\n')}`)))
      look()
    })
  started.push(child)
  return { child, lines, line, ended: exitOf(child) }
}

const NO_DISPLAY = { DISPLAY: '', WAYLAND_DISPLAY: '' }
const ADDRESS = /Open (http:\/\/127\.0\.0\.1:\d+\/#secret=\S+)/

/** Signs in as the page would; resolves with the status of a protected call. */
async function statusWith(address: string): Promise<number> {
  const { origin, hash } = new URL(address)
  const answer = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ secret: new URLSearchParams(hash.slice(1)).get('secret') }),
  })
  const { key = '' } = (await answer.json()) as { key?: string }
  return (await fetch(`${origin}/api/stats`, { headers: { authorization: `Bearer ${key}` } })).status
}

async function interrupted({ child, ended }: { child: ChildProcess; ended: Promise<number | null> }, workspace: Workspace): Promise<void> {
  const pid = serverFile(workspace)?.pid ?? 0
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(isAlive(pid)).toBe(false)
  expect(serverFile(workspace)).toBeNull()
}

test('without a display npm start prints an address that signs in; Ctrl+C ends the server', async ({ workspace }) => {
  const first = start(workspace, { env: NO_DISPLAY })
  const [, address = ''] = await first.line(ADDRESS)
  expect(await statusWith(address)).toBe(200)
  expect(first.lines.filter((line) => line.includes('"ready"'))).toEqual([])

  const second = start(workspace, { env: NO_DISPLAY })
  const [, again = ''] = await second.line(ADDRESS)
  expect(await second.ended).toBe(0)
  expect(new URL(again).origin).toBe(new URL(address).origin)
  expect(await statusWith(again)).toBe(200)
  expect(await statusWith(again), 'an address works once').toBe(401)

  await interrupted(first, workspace)
})

test('with a window that cannot start npm start says so and opens the browser', async ({ workspace }) => {
  const tools = path.join(workspace.dir, 'tools')
  const script = (name: string, text: string) => fs.writeFileSync(path.join(tools, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  fs.mkdirSync(tools)
  script('electron', 'exit 133')
  script('xdg-open', 'echo "$1" > "$0.seen"')
  const { PATH = '' } = desktopEnvironment(workspace)
  const running = start(workspace, {
    env: { DISPLAY: ':1', ELECTRON_OVERRIDE_DIST_PATH: tools, PATH: `${tools}${path.delimiter}${PATH}` },
  })
  await running.line(/The Electron window ended at once \(exit code 133\); the same app opens in the browser\./)
  await running.line(/Bash Gym is open in your browser\./)
  const seen = path.join(tools, 'xdg-open.seen')
  await expect.poll(() => fs.existsSync(seen) && fs.readFileSync(seen, 'utf8').trim()).toBeTruthy()
  const page = fs.readFileSync(seen, 'utf8').trim()
  expect(path.dirname(page)).toBe(path.join(workspace.dataDir, 'sign-in'))
  expect(fs.statSync(page).mode & 0o777).toBe(0o600)
  const [, address = ''] = /href="([^"]+)"/.exec(fs.readFileSync(page, 'utf8')) ?? []
  expect(await statusWith(address)).toBe(200)
  await interrupted(running, workspace)
})

test('with a display and the binary npm start opens the window; Ctrl+C ends both', async ({ workspace }) => {
  const running = start(workspace, { env: { ELECTRON_OVERRIDE_DIST_PATH: path.dirname(executablePath) } })
  await running.line(/Bash Gym listens on/)
  await expect.poll(() => serverFile(workspace)).not.toBeNull()
  await interrupted(running, workspace)
})
