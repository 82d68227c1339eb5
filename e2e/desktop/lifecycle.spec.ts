import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { startServer } from '../support/server.ts'
import { expect, isAlive, statusWithKey, serverFile, shown, startAgain, test } from './app.ts'

test('the app starts its server on Node 24, shows the signed-in app, and leaves nothing running', async ({ desktop, workspace }) => {
  const { electron, page } = desktop
  const server = serverFile(workspace)
  expect(server, 'server.json is there').not.toBeNull()
  const { url, pid } = server ?? { url: '', pid: 0 }
  expect(page.url()).toBe(`${url}/`)
  const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  expect(command[0]).toContain(path.join('node_modules', 'node', 'bin', 'node'))
  expect(command[1]).toBe('--max-semi-space-size=8')
  expect(command[2]).toContain(path.join('dist', 'server', 'main.js'))
  expect(fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')).toContain('MALLOC_MMAP_THRESHOLD_=65536')

  expect(await page.evaluate(statusWithKey), 'the window is signed in').toBe(200)
  expect(page.url(), 'no secret is left in the address').not.toContain('#')

  const ended = electron.waitForEvent('close')
  await electron.evaluate(({ app }) => app.quit())
  await ended
  expect(isAlive(pid)).toBe(false)
  expect(serverFile(workspace)).toBeNull()
})

test('a killed server is started again: the window says why, then it is live', async ({ launch, workspace }) => {
  const { page } = await launch({ port: 0 })
  await shown(page)
  await page.getByRole('link', { name: 'Traces' }).click()
  await expect(page).toHaveURL(/\/traces/)
  const before = serverFile(workspace)
  // It is back within two seconds, and the window with it: what was shown in between is kept, not waited for.
  let shownMeanwhile = ''
  await page.exposeFunction('kept', (text: string) => void (shownMeanwhile += text))
  await page.evaluate(() => {
    const { kept } = globalThis as unknown as { kept: (text: string) => void }
    new MutationObserver(() => kept(document.body.innerText)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
  process.kill(before?.pid ?? 0, 'SIGKILL')
  await expect.poll(() => shownMeanwhile).toContain('The server is not reachable.')
  await expect.poll(() => shownMeanwhile).toContain('The server stopped: it was stopped by SIGKILL.')
  await expect.poll(() => serverFile(workspace)?.pid ?? before?.pid).not.toBe(before?.pid)
  await expect(page.getByText('The server is not reachable.')).toHaveCount(0)
  await expect(page).toHaveURL(/\/traces/) // with a new port the window goes to the same place there
  await expect.poll(() => page.evaluate(statusWithKey)).toBe(200)
})

test('a server that keeps failing is given up with its words and the place of the logs, and can be tried again', async ({
  launch,
  workspace,
}) => {
  fs.mkdirSync(workspace.dataDir, { mode: 0o700 })
  fs.writeFileSync(
    path.join(workspace.dataDir, 'bashgym.db'),
    'this is no database, and it is longer than its header would have to be'.repeat(20),
  )
  const { page } = await launch()
  await expect(page.getByRole('heading', { name: 'Restarting the server' })).toBeVisible()
  await expect(page.getByText(/The server stopped: it exited with code 1\. It said: .*database/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The server is not running' })).toBeVisible({ timeout: 180_000 })
  await expect(page.getByText('That was the 5th time within a minute.')).toBeVisible()
  await expect(page.getByText(path.join(workspace.dataDir, 'logs'))).toBeVisible()
  fs.rmSync(path.join(workspace.dataDir, 'bashgym.db'))
  await page.getByRole('link', { name: 'Start server' }).click()
  await shown(page)
})

// electron/src/backend.test.ts has what happens when it ends, and every other state of the supervisor, with a stand-in for the server
test('a server that runs already is used, and left running on quit', async ({ launch, workspace }) => {
  const first = await startServer(workspace)
  try {
    const one = await launch()
    await shown(one.page)
    expect(one.page.url()).toBe(`${first.url}/`)
    await one.electron.close()
    expect(isAlive(first.pid)).toBe(true)
    expect(await first.api<{ status: string }>('/api/health')).toMatchObject({ status: 'ok' })
  } finally {
    await first.stop()
  }
})

test('a port that another program has is left to it: the app takes a free one and says so', async ({ launch, workspace }) => {
  const foreign = http.createServer((_request, response) => response.end('foreign'))
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  const { port } = foreign.address() as AddressInfo // a TCP server
  try {
    const { page } = await launch({ port: null, env: { BASHGYM_PORT: String(port) } })
    await shown(page)
    const { url } = serverFile(workspace) ?? { url: '' }
    expect(new URL(url).port).not.toBe(String(port))
    await expect(
      page.getByText(`Another program is using Bash Gym's usual port. Until the next start, its address is ${url}.`),
    ).toBeVisible()
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('foreign')
  } finally {
    foreign.close()
  }
})

test('a killed shell leaves no server behind', async ({ desktop: { electron }, workspace }) => {
  const pid = serverFile(workspace)?.pid ?? 0
  expect(isAlive(pid)).toBe(true)
  const ended = electron.waitForEvent('close')
  electron.process().kill('SIGKILL')
  await ended
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect(serverFile(workspace)).toBeNull()
})

test('a second start opens its deep link in the first window', async ({ desktop, workspace }) => {
  const { electron, page } = desktop
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
  expect(await startAgain(workspace, [])).toBe(0)
  await expect.poll(() => electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized())).toBe(false)
  expect(electron.windows()).toHaveLength(1)

  const id = 'abcdefghijklmnopqrstuvwx23'
  expect(await startAgain(workspace, [`bashgym://trace/${id}`])).toBe(0)
  await expect(page).toHaveURL(new RegExp(`/traces\\?id=${id}$`))

  for (const foreign of ['bashgym://settings', 'bashgym://trace/../../docs', `https://example.org/trace/${id}`, 'bashgym://trace/ABC'])
    expect(await startAgain(workspace, [foreign])).toBe(0)
  await expect(page).toHaveURL(new RegExp(`/traces\\?id=${id}$`))
})

test('a deep link at a cold start opens its trace', async ({ launch }) => {
  const id = 'abcdefghijklmnopqrstuvwx23'
  const { page } = await launch({ args: [`bashgym://trace/${id}`] })
  await shown(page)
  await expect(page).toHaveURL(new RegExp(`/traces\\?id=${id}$`))
})
