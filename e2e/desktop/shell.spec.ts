import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import type { IpcChannel, IpcInput, IpcOutput } from '#contracts/ipc.ts'
import { expect, shareApp, shown, test as base } from './app.ts'

/** A test that ends an app or its page has its own (`base`). */
const test = shareApp()

/** Calls the shell as the page does. */
const call = <C extends IpcChannel>(page: Page, channel: C, input: IpcInput<C>): Promise<IpcOutput<C>> =>
  page.evaluate(
    ([name, payload]) => {
      const { bashgymDesktop } = globalThis as unknown as { bashgymDesktop: { call(channel: string, input: unknown): Promise<unknown> } }
      return bashgymDesktop.call(name, payload)
    },
    [channel, input] as const,
  ) as Promise<IpcOutput<C>> // the shell parsed it with the same schema

test('the tray says what capture does', async ({ desktop: { electron, page } }) => {
  // The menu is what can be watched: a tray's own methods are native and cannot be replaced.
  await electron.evaluate(({ Menu }) => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const build = Menu.buildFromTemplate.bind(Menu)
    Menu.buildFromTemplate = (template) => {
      seen.push(String(template[0]?.label))
      return build(template)
    }
  })
  expect(await call(page, 'tray:set', { capture: 'on', tooltip: '' })).toEqual({ ok: true })
  expect(await call(page, 'tray:set', { capture: 'paused', tooltip: 'Bash Gym: paused by you' })).toEqual({ ok: true })
  const seen = await electron.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
  // The page sets it too, to what holds here: no hooks are installed.
  expect(seen.filter((label) => label.startsWith('Capture'))).toEqual(['Capture is on', 'Capture is paused'])
})

test('a notification of the system is shown, and a click on it opens its trace; without support it says so', async ({
  desktop: { electron, page },
}) => {
  const id = 'abcdefghijklmnopqrstuvwx23'
  await electron.evaluate(({ Notification }) => {
    Notification.isSupported = () => true
    // Its own methods are native; the emitter that it inherits from shows which one the shell made.
    let emitter = new Notification({ title: '' }) as object
    while (!Object.hasOwn(emitter, 'once')) emitter = Object.getPrototypeOf(emitter) as object
    const once = Reflect.get(emitter, 'once') as (...parameters: unknown[]) => unknown
    Object.assign(emitter, {
      once(this: unknown, ...parameters: unknown[]) {
        if (this instanceof Notification) Object.assign(globalThis, { notified: this })
        return Reflect.apply(once, this, parameters)
      },
    })
  })
  expect(await call(page, 'notify:show', { title: 'Claude Code waits', body: 'for you', traceId: id })).toEqual({ shown: true })
  const words = await electron.evaluate(() => {
    const { notified } = globalThis as unknown as { notified: Electron.Notification }
    notified.emit('click')
    return [notified.title, notified.body]
  })
  expect(words).toEqual(['Claude Code waits', 'for you'])
  await expect(page).toHaveURL(new RegExp(`/traces\\?id=${id}$`))

  await electron.evaluate(({ Notification }) => {
    Notification.isSupported = () => false
  })
  expect(await call(page, 'notify:show', { title: 'x', body: '', traceId: null })).toEqual({ shown: false })
})

test('only files of the data directory are shown in their folder', async ({ desktop: { electron, page }, workspace }) => {
  await electron.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.showItemInFolder = (file) => void opened.push(file)
  })
  const inside = path.join(workspace.dataDir, 'logs')
  expect(await call(page, 'shell:show-in-folder', { path: inside })).toEqual({ ok: true })
  for (const outside of ['/etc/passwd', path.join(workspace.dataDir, '..', '.claude'), 'logs'])
    expect(await call(page, 'shell:show-in-folder', { path: outside })).toEqual({ ok: false })
  expect(await electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([inside])
})

test('the app shows its version', async ({ desktop: { page } }) => {
  const { version, platform, electron } = await call(page, 'app:info', {})
  expect(version).toBe(
    (JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }).version,
  )
  expect(platform).toBe(process.platform)
  expect(electron).toMatch(/^\d+\.\d+\.\d+/)
})

base('the window opens where and as large as it was left', async ({ launch }) => {
  const bounds = { x: 60, y: 40, width: 1000, height: 700 }
  const first = await launch()
  await shown(first.page)
  await first.electron.evaluate(({ BrowserWindow }, place) => BrowserWindow.getAllWindows()[0]?.setBounds(place), bounds)
  await expect.poll(() => first.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(bounds)
  await first.electron.close()
  const second = await launch()
  expect(await second.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(bounds)
})

base('a page whose process ends can be opened again', async ({ desktop: { electron, page } }) => {
  const url = page.url()
  await electron.evaluate(
    ({ webContents }) =>
      new Promise((resolve) => {
        const contents = webContents.getAllWebContents()[0]
        contents?.once('did-finish-load', () => resolve(null))
        contents?.forcefullyCrashRenderer()
      }),
  )
  const inMain = <T>(script: string) =>
    electron.evaluate(({ webContents }, code) => webContents.getAllWebContents()[0]?.executeJavaScript(code) as Promise<T>, script)
  await expect.poll(() => inMain<string>('document.querySelector("h1").textContent')).toBe('The page crashed')
  // a script that is sent while the page is on its way may never be answered
  await electron.evaluate(
    ({ webContents }) =>
      new Promise((resolve) => {
        const contents = webContents.getAllWebContents()[0]
        contents?.once('did-finish-load', () => resolve(null))
        void contents?.executeJavaScript('document.querySelector("a").click()')
      }),
  )
  await expect.poll(() => inMain<boolean>('document.querySelector("nav") !== null')).toBe(true)
  expect(await electron.evaluate(({ webContents }) => webContents.getAllWebContents()[0]?.getURL())).toBe(url)
})
