import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { getCurrentFuseWire, FuseState, FuseV1Options } from '@electron/fuses'
import { chromium } from '@playwright/test'
import { root } from '../support/server.ts'
import { desktopEnvironment, executablePath, exitOf, expect, isAlive, serverFile, shown, test } from './app.ts'

const dist = path.dirname(executablePath)
let folder: string

test.beforeAll(() => {
  test.setTimeout(900_000)
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-package-'))
  execFileSync(
    path.join(root, 'node_modules', '.bin', 'electron-builder'),
    [
      '--linux',
      '--dir',
      `-c.electronDist=${dist}`,
      `-c.electronVersion=${fs.readFileSync(path.join(dist, 'version'), 'utf8').trim()}`,
      `-c.directories.output=${folder}`,
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
})
test.afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const unpacked = (...place: string[]) => path.join(folder, 'linux-unpacked', ...place)

test('the package holds what runs in production, and only that', () => {
  const resources = (...place: string[]) => unpacked('resources', ...place)
  expect(execFileSync(resources('node', 'node'), ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./)
  for (const place of [
    'dist/server/main.js',
    'dist/renderer/index.html',
    'hooks/bashgym-hook.sh',
    'samples',
    'LICENSE',
    'node_modules/express',
    'server/trainers/bashgym_trainers/train.py',
    'server/trainers/locks',
    'python/bashgym/bashgym/client.py',
  ])
    expect(fs.existsSync(resources('server', place)), place).toBe(true)
  const notices = fs.readFileSync(resources('server', 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  for (const name of ['express', 'react', 'scheduler']) expect(notices).toMatch(new RegExp(`^${name} \\d.*\\nLicence: MIT$`, 'm'))
  const absent = [
    'node_modules/electron',
    'node_modules/vite',
    'node_modules/node',
    'node_modules/react',
    'server/src',
    'server/trainers/tests',
    'e2e',
  ]
  for (const place of absent) expect(fs.existsSync(resources('server', place)), place).toBe(false)
  expect(fs.readdirSync(resources('server', 'node_modules', 'better-sqlite3', 'prebuilds'))).toEqual([`linux-${process.arch}.node`])
})

test('the fuses allow the app its own code only', async () => {
  const wire = await getCurrentFuseWire(unpacked('bashgym'))
  expect({
    runAsNode: wire[FuseV1Options.RunAsNode],
    nodeOptions: wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
    inspect: wire[FuseV1Options.EnableNodeCliInspectArguments],
    onlyAsar: wire[FuseV1Options.OnlyLoadAppFromAsar],
    cookies: wire[FuseV1Options.EnableCookieEncryption],
  }).toEqual({
    runAsNode: FuseState.DISABLE,
    nodeOptions: FuseState.DISABLE,
    inspect: FuseState.DISABLE,
    onlyAsar: FuseState.ENABLE,
    cookies: FuseState.ENABLE,
  })
})

test('the packaged app starts, takes in the samples, shows them, and ends cleanly', async ({ workspace }) => {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(unpacked('bashgym'), [...sandbox, '--remote-debugging-port=0', '--port', '0'], {
    env: desktopEnvironment(workspace),
    cwd: workspace.dir,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = exitOf(child)
  let gone: Promise<unknown> | null = null
  try {
    const address = await new Promise<string>((resolve, reject) => {
      readline.createInterface({ input: child.stderr }).on('line', (line) => {
        const match = /^DevTools listening on (ws:\S+)/.exec(line)
        if (match?.[1]) resolve(match[1])
      })
      child.once('exit', (code) => reject(new Error(`The app ended with ${code}.`)))
    })
    const browser = await chromium.connectOverCDP(address, { noDefaults: true }) // Electron knows no download behaviour
    const context = browser.contexts()[0]
    if (!context) throw new Error('The app has no window.')
    gone = new Promise((resolve) => context.once('close', resolve))
    const page = context.pages()[0] ?? (await context.waitForEvent('page'))
    await shown(page)
    expect(fs.readlinkSync(`/proc/${serverFile(workspace)?.pid}/exe`)).toBe(fs.realpathSync(unpacked('resources', 'node', 'node')))

    const job = await page.evaluate(async () => {
      const authorization = `Bearer ${localStorage.getItem('bashgym.session-key')}`
      const headers = { 'content-type': 'application/json', authorization }
      const response = await fetch('/api/samples', { method: 'POST', headers, body: '{}' })
      return response.status
    })
    expect(job).toBe(202)
    await page.getByRole('link', { name: 'Traces' }).click()
    await expect(page).toHaveURL(/\/traces/)
    const rows = page.getByRole('row')
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBeGreaterThan(3)
  } finally {
    const pid = serverFile(workspace)?.pid ?? 0
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(isAlive(pid)).toBe(false)
    expect(serverFile(workspace)).toBeNull()
    await gone // else Playwright, which may hear of the end later than this, asks what has ended for its trace, and fails
  }
})
