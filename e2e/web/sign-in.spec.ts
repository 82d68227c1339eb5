import { spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { environmentOf, root, type Workspace } from '../support/server.ts'
import { axe, confirmAsked, expect, open, reload, rowsOf, test } from './fixtures.ts'

const SIGNED_OUT = 'This window is not signed in'
const KEY = 'bashgym.session-key'
/** Refused for want of a key, or of a confirmation: what the browser says of it. */
const REFUSED = /401 \(Unauthorized\)|403 \(Forbidden\)/

/** `bashgym …` as the user types it. */
async function command(workspace: Workspace, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), ...args], {
    env: { ...environmentOf(workspace), PATH: `${workspace.dir}/tools:${environmentOf(workspace)['PATH']}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).toBe(0)
  return out
}

/** A browser of another user or profile: it shares nothing with the first. */
const otherBrowser = async (browser: Browser) => (await browser.newContext()).newPage()

test('the browser is opened on a private file, and reload, second tabs and links go on working', async ({ page, server, workspace }) => {
  const tools = path.join(workspace.dir, 'tools')
  fs.mkdirSync(tools)
  // the browser: takes down how it was called and every process of the moment
  fs.writeFileSync(
    path.join(tools, 'xdg-open'),
    '#!/bin/sh\nprintf "%s" "$1" >"$0.seen"\ncat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " " >"$0.processes"\n',
    { mode: 0o755 },
  )
  expect(JSON.parse(await command(workspace, 'open', '--json'))).toMatchObject({ url: server.url, opened: true })
  const file = fs.readFileSync(path.join(tools, 'xdg-open.seen'), 'utf8')
  expect(path.dirname(file)).toBe(path.join(workspace.dataDir, 'sign-in'))
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  const secret = /#secret=([\w-]+)/.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? ''
  expect(secret).not.toBe('')
  expect(fs.readFileSync(path.join(tools, 'xdg-open.processes'), 'utf8')).toContain('xdg-open')
  expect(fs.readFileSync(path.join(tools, 'xdg-open.processes'), 'utf8')).not.toContain(secret)

  await page.goto(`file://${file}`)
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/`)
  expect(await page.context().cookies()).toEqual([])
  expect(fs.existsSync(file)).toBe(false)
  await reload(page)
  const second = await page.context().newPage()
  await open(second, server, '/settings/sign-ins')
  await expect(second.getByRole('row', { name: /this browser/ })).toHaveCount(1)
  expect(await axe(second)).toEqual([])
})

test.describe('led astray', () => {
  test.use({ expectedErrors: /./ })
  test('a server on another port that the browser is led to receives nothing', async ({ app, server }) => {
    const requests: string[] = []
    const foreign = http.createServer((request, response) => {
      requests.push(JSON.stringify([request.url, request.headers]))
      response.setHeader('content-type', 'text/html')
      if (request.url === '/back') response.writeHead(302, { location: `${server.url}/api/stats` })
      response.end('<title>foreign</title>')
    })
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
    const away = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
    try {
      await open(app, server, '/')
      const key = (await app.evaluate((place) => localStorage.getItem(place), KEY)) ?? ''
      expect(key).toMatch(/^bgk_/)
      await app.evaluate((url) => location.assign(url), `${away}/link`)
      await expect(app).toHaveTitle('foreign')
      const stolen = await app.evaluate(
        async ({ url, ws }) => ({
          cookie: document.cookie,
          stored: JSON.stringify(localStorage),
          api: await fetch(`${url}/api/stats`, { credentials: 'include' }).then((answer) => answer.text(), String),
          socket: await new Promise((resolve) => {
            const socket = new WebSocket(ws)
            socket.addEventListener('open', () => resolve('open'))
            socket.addEventListener('error', () => resolve('refused'))
          }),
        }),
        { url: server.url, ws: `${server.url.replace('http', 'ws')}/ws` },
      )
      expect(stolen).toEqual({ cookie: '', stored: '{}', api: 'TypeError: Failed to fetch', socket: 'refused' })
      await app.goto(`${away}/back`)
      await expect(app.locator('body')).toContainText('unauthorized')
      const secrets = [key, server.token]
      for (const secret of secrets) expect(requests.join('\n')).not.toContain(secret)
      for (const request of requests) expect(request).not.toMatch(/"(cookie|authorization|referer)":/)
      expect(requests.length).toBeGreaterThan(1)
    } finally {
      foreign.close()
      foreign.closeAllConnections()
    }
  })
})

test('a link that somebody else uses too signs both out and notifies both', async ({ page, browser, server }) => {
  const link = await server.signIn()
  await page.goto(link)
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await page.goto(link) // the same browser once more, as from its history
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()

  const other = await otherBrowser(browser)
  await other.goto(link)
  await expect(other.getByRole('heading', { name: SIGNED_OUT })).toBeVisible()
  await expect(other.getByRole('alert')).toContainText('was used twice, so both browsers are signed out')
  await expect(page.getByRole('heading', { name: SIGNED_OUT })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('was used a second time, so both browsers are signed out')
  expect(await axe(page)).toEqual([])
  await other.context().close()

  const second = await page.context().newPage()
  await second.goto(await server.signIn())
  await expect(page.getByRole('navigation', { name: 'Sections' }), 'the first tab follows').toBeVisible()
})

test.describe('in Settings', () => {
  test.use({ expectedErrors: REFUSED, samples: ['fix-test'] })

  test('another browser is signed out there, and everybody at once', async ({ app, browser, server, workspace }) => {
    await open(app, server, '/settings/sign-ins')
    const other = await otherBrowser(browser)
    await other.goto(await server.signIn())
    await expect(other.getByRole('navigation', { name: 'Sections' }), 'its key is kept before it goes on').toBeVisible()
    await open(other, server, '/traces')
    await expect(rowsOf(other)).toHaveCount(1)
    const rows = app.getByRole('table', { name: 'Signed-in browsers' }).getByRole('row')
    await expect(rows).toHaveCount(3)
    await app.getByRole('button', { name: /^Sign out Chrome on Linux$/ }).click()
    await expect(other.getByRole('heading', { name: SIGNED_OUT })).toBeVisible()
    await expect(other.getByRole('alert')).toContainText('signed out in Settings')
    await expect(rows).toHaveCount(2)

    const token = server.token
    await app.getByRole('button', { name: 'Sign out everywhere …' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(app.getByRole('heading', { name: SIGNED_OUT })).toBeVisible()
    expect(fs.readFileSync(path.join(workspace.dataDir, 'token'), 'utf8').trim()).not.toBe(token)

    await app.goto(await server.signIn())
    await expect(app.getByRole('navigation', { name: 'Sections' })).toBeVisible()
    expect(JSON.parse(await command(workspace, 'sign-out', '--json'))).toEqual({ signedOut: 1 })
    await expect(app.getByRole('heading', { name: SIGNED_OUT })).toBeVisible()
    await other.context().close()
  })

  test('a program is named only after the command line has confirmed it', async ({ app, server, workspace }) => {
    const python = async () => (await server.api<{ settings: { training: { python: string } } }>('/api/settings')).settings.training.python
    await open(app, server, '/settings/training')
    const field = app.getByLabel('Interpreter', { exact: true })
    const dialog = app.getByRole('dialog', { name: 'Confirm this change' })
    await field.fill('/opt/first/python')
    await field.press('Enter')
    await expect(dialog).toContainText('/opt/first/python')
    expect(await axe(app)).toEqual([])
    await app.keyboard.press('Escape')
    await expect(app.getByText('This was not confirmed, so nothing was done.')).toBeVisible()
    expect(await python()).toBe('')

    await field.fill('/opt/second/python')
    await field.press('Enter')
    const code = /bashgym confirm (\S+)/.exec(await dialog.innerText())?.[1] ?? ''
    await command(workspace, 'confirm', code, '--yes')
    await expect(dialog).toBeHidden()
    await expect.poll(python).toBe('/opt/second/python')
    await field.fill('/opt/third/python')
    await field.press('Enter')
    await confirmAsked(app, server)
    await expect.poll(python).toBe('/opt/third/python')
  })
})

test('the docs page tries calls out as the browser that is signed in, and never gets its key', async ({ app, server }) => {
  await open(app, server, '/')
  const key = (await app.evaluate((place) => localStorage.getItem(place), KEY)) ?? ''
  await app.goto(`${server.url}/docs`)
  const call = app.locator('#operations-system-getStats')
  await call.locator('.opblock-summary').click()
  await call.getByRole('button', { name: 'Execute' }).click()
  await expect(call.locator('.responses-table.live-responses-table')).toContainText('200')
  expect(await app.locator('body').innerText()).not.toContain(key)
})
