import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { IPC } from '#contracts/ipc.ts'
import { type Desktop, expect, shareApp, statusWithKey, test as base } from './app.ts'

/** A test that leads the page astray has its own app (`base`). */
const test = shareApp()

/** A page of another origin; `/away` redirects there. */
async function foreignServer(): Promise<{ url: string; close: () => void }> {
  const server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>foreign</title>a foreign page')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

/** Replaces `shell.openExternal` by a list of what it was called with. */
const watchExternal = ({ electron }: Desktop) =>
  electron.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = (url: string) => Promise.resolve(void opened.push(url))
  })
const openedExternally = ({ electron }: Desktop) => electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)

test('the page runs isolated, in the sandbox, without Node', async ({ desktop: { electron, page } }) => {
  const preferences = await electron.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => (contents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences()),
  )
  expect(preferences).toHaveLength(1)
  expect(preferences[0]).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false })
  const names = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer', '__dirname']
  expect(await page.evaluate((all) => all.filter((name) => name in globalThis), names)).toEqual([])
})

test('the preload offers the named calls and nothing else', async ({ desktop: { page } }) => {
  const surface = await page.evaluate(() => Object.keys((globalThis as unknown as { bashgymDesktop: object }).bashgymDesktop).toSorted())
  expect(surface).toEqual(['call', 'onNavigate', 'onNotice', 'onServer'])
  const call = (channel: string) =>
    page.evaluate(
      (name) =>
        (globalThis as unknown as { bashgymDesktop: { call(channel: string, input: object): Promise<unknown> } }).bashgymDesktop
          .call(name, {})
          .then(() => 'answered')
          .catch((error: Error) => error.message),
      channel,
    )
  expect(await call('app:info')).toBe('answered')
  for (const channel of ['ELECTRON_BROWSER_REQUIRE', 'navigate', 'app:quit', '__proto__'])
    expect(await call(channel)).toBe(`There is no channel ${channel}.`)
})

test('the shell answers the channels of the contract and no others', async ({ desktop: { electron } }) => {
  const channels = await electron.evaluate(({ ipcMain }) => {
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, unknown> }
    return [...handlers.keys()]
  })
  expect(channels.toSorted()).toEqual(Object.keys(IPC).toSorted())
})

test('a payload that does not fit the contract is refused', async ({ desktop: { page } }) => {
  const refused = (channel: string, payload: unknown) =>
    page.evaluate(
      ([name, input]) =>
        (globalThis as unknown as { bashgymDesktop: { call(channel: string, input: unknown): Promise<unknown> } }).bashgymDesktop
          .call(name, input)
          .then(() => 'answered')
          .catch((error: Error) => error.message),
      [channel, payload] as const,
    )
  expect(await refused('tray:set', { capture: 'sideways', tooltip: '' })).toContain('Invalid payload for tray:set: capture')
  expect(await refused('notify:show', { title: 'x'.repeat(300), body: '', traceId: null })).toContain('title')
  expect(await refused('shell:show-in-folder', { path: ['/etc'] })).toContain('path')
  expect(await refused('app:info', null)).toContain('Invalid payload for app:info')
})

test('another frame or a page from elsewhere may not call the shell', async ({ desktop: { electron, page } }) => {
  // The handler itself is asked, with senders that a compromised page could at most imitate.
  const answers = await electron.evaluate(async ({ ipcMain, webContents }) => {
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, (event: object, input: object) => unknown> }
    const own = webContents.getAllWebContents()[0]?.mainFrame
    const senders = {
      own: { senderFrame: { url: own?.url, parent: null } },
      subframe: { senderFrame: { url: own?.url, parent: {} } },
      foreign: { senderFrame: { url: 'https://example.org/', parent: null } },
      data: { senderFrame: { url: 'data:text/html,x', parent: null } },
      gone: { senderFrame: null },
    }
    const answers: Record<string, string> = {}
    for (const [name, sender] of Object.entries(senders)) {
      let thrown: unknown = null
      const event = { ...sender, _reply: () => null, _throw: (error: unknown) => (thrown = error) }
      const result = await Promise.resolve(handlers.get('app:info')?.(event, {})).catch((error: unknown) => (thrown = error))
      answers[name] = thrown ? (thrown as Error).message : typeof result
    }
    return answers
  })
  const refusal = 'This page may not call the desktop shell.'
  expect(answers).toEqual({ own: expect.not.stringContaining(refusal), subframe: refusal, foreign: refusal, data: refusal, gone: refusal })

  const inFrame = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.addEventListener('load', () => resolve('bashgymDesktop' in (frame.contentWindow ?? {})))
        document.body.append(frame)
      }),
  )
  expect(inFrame, 'a frame has no bridge').toBe(false)
})

base('navigation to another origin is refused', async ({ desktop: { electron, page } }) => {
  const foreign = await foreignServer()
  const before = page.url()
  for (const target of [foreign.url, 'https://example.org/', 'file:///etc/passwd', 'data:text/html,x']) {
    await page.evaluate((url) => location.assign(url), target).catch(() => null) // Chromium itself refuses some
    await page.evaluate((url) => {
      const link = document.createElement('a')
      link.href = url
      document.body.append(link)
      link.click()
      link.remove()
    }, target)
  }
  // Asked in main: Playwright itself waits for the end of a navigation that was refused.
  const shown = await electron.evaluate(async ({ webContents }) => {
    const contents = webContents.getAllWebContents()[0]
    return { url: contents?.getURL(), hasApp: await contents?.executeJavaScript('document.querySelector("nav") !== null') }
  })
  expect(shown).toEqual({ url: before, hasApp: true })
  foreign.close()
})

base('a redirect to another origin is refused', async ({ desktop: { electron, page } }) => {
  const foreign = await foreignServer()
  const before = page.url()
  await electron.evaluate(({ session }, target) => {
    session.defaultSession.webRequest.onBeforeRequest({ urls: ['http://127.0.0.1:*/leave'] }, (_details, answer) =>
      answer({ redirectURL: target }),
    )
  }, foreign.url)
  // listened to before the page sets out: main and page are reached by different ways, of which either may be the quicker
  await electron.evaluate(({ webContents }) => {
    const redirected = new Promise<boolean>((resolve) =>
      webContents.getAllWebContents()[0]?.on('will-redirect', (event) => setImmediate(() => resolve(event.defaultPrevented))),
    )
    Object.assign(globalThis, { redirected })
  })
  await page.evaluate(() => location.assign('/leave'))
  expect(await electron.evaluate(() => (globalThis as unknown as { redirected: Promise<boolean> }).redirected)).toBe(true)
  await expect.poll(() => page.url()).toBe(before)
  foreign.close()
})

test('new windows are refused; only web links and the public pages go to the browser', async ({ desktop }) => {
  const { electron, page } = desktop
  await watchExternal(desktop)
  const origin = new URL(page.url()).origin
  const refused = [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    `${origin}/traces`,
    'about:blank',
    'mailto:a@example.org',
    'vscode://file/etc/passwd',
  ]
  const opened = ['https://example.org/a', 'http://127.0.0.1:1/a', `${origin}/docs`]
  for (const url of [...opened, ...refused]) expect(await page.evaluate((target) => window.open(target) === null, url), url).toBe(true)
  await expect.poll(() => openedExternally(desktop)).toEqual(opened)
  expect(electron.windows()).toHaveLength(1)
})

test('a webview cannot be attached', async ({ desktop: { electron, page } }) => {
  await page.evaluate(() => {
    const view = document.createElement('webview')
    view.setAttribute('src', 'https://example.org/')
    document.body.append(view)
  })
  expect(await page.evaluate(() => 'loadURL' in document.createElement('webview')), 'the tag means nothing').toBe(false)
  expect(await electron.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
})

test('permissions are refused, but a copy button may copy', async ({ desktop: { page } }) => {
  const states = await page.evaluate(async () => {
    const names = ['notifications', 'geolocation', 'camera', 'microphone', 'clipboard-read', 'midi']
    const entries = names.map(async (name) => [name, (await navigator.permissions.query({ name: name as PermissionName })).state])
    return Object.fromEntries(await Promise.all(entries)) as Record<string, string>
  })
  expect(
    Object.values(states).every((state) => state === 'denied'),
    JSON.stringify(states),
  ).toBe(true)
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
  const place = await page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve(0),
          (error) => resolve(error.code),
        ),
      ),
  )
  expect(place, 'GeolocationPositionError.PERMISSION_DENIED').toBe(1)
  const copying = await page.evaluate(async () => (await navigator.permissions.query({ name: 'clipboard-write' as PermissionName })).state)
  expect(copying).toBe('granted')
})

test('the page comes with the policy, and inline script does not run', async ({ desktop: { page } }) => {
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'))
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  const ran = await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.inlineRan = true'
    document.body.append(script)
    return 'inlineRan' in window
  })
  expect(ran).toBe(false)
})

test('no cookie is set, and signing out everywhere ends the window, which signs in again on a press', async ({
  desktop: { electron, page },
}) => {
  expect(await electron.evaluate(({ session }) => session.defaultSession.cookies.get({}))).toEqual([])
  expect(await page.evaluate(statusWithKey)).toBe(200)
  await page.goto(`${new URL(page.url()).origin}/settings/sign-ins`)
  await expect(page.getByRole('row', { name: /Desktop app.*this browser/ })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out everywhere …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('heading', { name: 'This window is not signed in' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await expect(page.getByRole('row', { name: /Desktop app.*this browser/ })).toBeVisible()
})

test('a program named in Settings is confirmed in a window of the system, with the server’s words', async ({
  desktop: { electron, page },
}) => {
  const answerWith = (response: number) =>
    electron.evaluate(({ dialog }, answer) => {
      const kept = globalThis as unknown as { asked: string }
      dialog.showMessageBox = ((_window: unknown, options: { detail: string }) => {
        kept.asked = options.detail
        return Promise.resolve({ response: answer, checkboxChecked: false })
      }) as unknown as typeof dialog.showMessageBox
    }, response)
  const name = async (python: string) => {
    await page.getByLabel('Interpreter', { exact: true }).fill(python)
    await page.getByLabel('Interpreter', { exact: true }).press('Enter')
  }
  await page.goto(`${new URL(page.url()).origin}/settings/training`)
  await answerWith(0)
  await name('/opt/no/python')
  await expect(page.getByText('This was not confirmed, so nothing was done.')).toBeVisible()
  await answerWith(1)
  await name('/opt/venv/bin/python')
  await expect(page.getByText('Interpreter saved')).toBeVisible()
  expect(await electron.evaluate(() => (globalThis as unknown as { asked: string }).asked)).toContain('/opt/venv/bin/python')
})
