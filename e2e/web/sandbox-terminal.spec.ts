import fs from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { axe, expect, open, reload, test } from './fixtures.ts'
import type { RunningServer } from '../support/server.ts'

const post = <T>(server: RunningServer, place: string, body: object) => server.api<T>(place, { method: 'POST', body })
const started = async (server: RunningServer) => {
  const { id } = await post<{ id: string }>(server, '/api/sandboxes', {})
  await post(server, `/api/sandboxes/${id}/start`, {})
  return id
}
const exec = (server: RunningServer, id: string, command: string) =>
  post<{ output: string; exitCode: number }>(server, `/api/sandboxes/${id}/exec`, { command })
/** The rows that the terminal shows. */
const rows = (app: Page) => app.locator('.xterm-rows')
const takeOver = (app: Page) => app.getByRole('switch', { name: 'Take over' })

const paste = (into: Locator, text: string) =>
  into.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('the terminal: read along, take over, type, resize, hand back', async ({ app, server }) => {
  const id = await started(server)
  await open(app, server, `/sandboxes/${id}`)
  await expect(app.getByText('Read-only. Run commands below, or take over to type.')).toBeVisible()
  const running = exec(server, id, 'x=5; echo from the api; read -t 60 line < <(sleep 1; echo go); echo then $line')
  await expect(rows(app)).toContainText('from the api')
  await app.getByRole('textbox', { name: 'Terminal of session main' }).focus()
  await app.keyboard.type('never typed')
  await takeOver(app).click()
  await running
  await expect(app.getByText('You are typing. Commands wait until you hand back.')).toBeVisible()
  await expect(rows(app)).toContainText('then go')

  const terminal = app.getByRole('textbox', { name: 'Terminal of session main' })
  await expect(terminal).toBeFocused()
  await app.keyboard.type('echo "$x and more"; cd /usr\n')
  await expect(rows(app)).toContainText('5 and more')
  await expect(rows(app)).toContainText('/usr')
  await app.setViewportSize({ width: 800, height: 700 })
  const columns = async () => {
    await app.keyboard.type('clear; stty size\n')
    await expect(rows(app)).toContainText(/^\s*\d+ \d+/)
    return Number(/^\s*\d+ (\d+)/.exec(await rows(app).innerText())?.[1])
  }
  await expect.poll(columns).toBeLessThan(110)
  await expect(rows(app)).not.toContainText('never typed')

  await paste(terminal, 'echo pas"ted"\necho twice')
  await expect(rows(app)).toContainText('echo twice') // bash takes it as text
  await expect(rows(app)).not.toContainText('pasted')
  await app.keyboard.press('Control+c')
  await app.keyboard.type('echo re"ady"; cat\n')
  await expect(rows(app)).toContainText('ready')
  await paste(terminal, 'one\ntwo')
  await app.getByRole('dialog', { name: 'Paste 2 lines?' }).getByRole('button', { name: 'Paste' }).click()
  await expect(rows(app)).toContainText('two')
  await app.keyboard.press('Control+c')

  const waiting = exec(server, id, 'echo "still $x in $PWD"; stty size')
  await app.keyboard.press('Control+Shift+ArrowUp')
  await expect(takeOver(app)).toBeFocused()
  await app.keyboard.press('Space')
  expect((await waiting).output).toBe('still 5 in /usr\n40 120')
  await expect(rows(app)).toContainText('still 5 in /usr')
  const log = app.getByRole('log', { name: 'Commands and their output' })
  await expect(log.getByText('typed').first()).toBeVisible()
  await expect(log).toContainText('echo "$x and more"; cd /usr')
})

test('a reload in the middle of output leaves no gap', async ({ app, server }) => {
  const id = await started(server)
  await open(app, server, `/sandboxes/${id}`)
  const running = exec(server, id, 'for i in $(seq 1 300); do echo "line $i"; sleep 0.005; done')
  await expect(rows(app)).toContainText('line 30')
  await reload(app)
  await running
  await expect(rows(app)).toContainText('line 300')
  const copied = await app.evaluate(async () => {
    const texts: string[] = []
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text: string) => (texts.push(text), Promise.resolve()) } })
    document.querySelector<HTMLElement>('[aria-label^="Copy the selection"]')?.click()
    return texts[0] ?? ''
  })
  expect(copied.split('\n').filter((line) => line.startsWith('line '))).toEqual(Array.from({ length: 300 }, (_, i) => `line ${i + 1}`))
})

test('what a program shows changes nothing but the picture; sessions, search, recording', async ({ app, server }) => {
  const id = await started(server)
  await open(app, server, `/sandboxes/${id}`)
  await exec(
    server,
    id,
    String.raw`printf '\033]0;other title\007\033]52;c;aGk=\007\033]8;;https://example.com/x\033\\link\033]8;;\033\\ \033[31mred\033[0m\n'`,
  )
  await expect(rows(app)).toContainText('link red')
  expect(await app.title()).toBe(`${id.slice(0, 8)} · Bash Gym`)
  const box = await rows(app).getByText('link', { exact: true }).boundingBox()
  const [x, y] = [(box?.x ?? 0) + 8, (box?.y ?? 0) + 6]
  await app.mouse.move(x, y)
  await app.mouse.click(x, y) // the rows themselves take no clicks
  await expect(app.getByRole('dialog', { name: 'Open this address?' })).toContainText('https://example.com/x')
  await app.getByRole('button', { name: 'Cancel' }).click()

  await app.getByRole('button', { name: 'Find', exact: true }).click()
  const find = app.getByRole('textbox', { name: 'Find in the terminal' })
  await find.fill('nowhere')
  await find.press('Enter')
  await expect(app.getByText('Not found')).toBeVisible()
  await find.fill('red')
  await find.press('Enter')
  await expect(app.getByText('Not found')).toBeHidden()
  await find.press('Escape')

  await app.getByRole('button', { name: 'New session' }).click()
  await expect(app.getByRole('group', { name: 'Session' }).getByRole('button', { name: 'session-2' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  const line = app.getByRole('textbox', { name: 'Command', exact: true })
  const height = async () => (await line.boundingBox())?.height ?? 0
  expect(await height()).toBeLessThanOrEqual(34)
  await line.fill('echo second;\nfalse')
  expect(await height()).toBeGreaterThan(40)
  await line.press('Enter')
  await expect(rows(app)).toContainText('> false')
  await expect(app.getByRole('log', { name: 'Commands and their output' })).toContainText('exit code 1')

  await app.getByRole('button', { name: 'Download', exact: true }).first().click()
  const [download] = await Promise.all([
    app.waitForEvent('download'),
    app.getByRole('menuitem', { name: 'Recording of main (asciinema)' }).click(),
  ])
  const [header, ...events] = fs
    .readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(JSON.parse(header ?? '')).toMatchObject({ version: 2, width: 120, height: 40 })
  expect(events.join('')).toContain('link')

  await post(server, `/api/sandboxes/${id}/stop`, {})
  await app.getByRole('group', { name: 'Session' }).getByRole('button', { name: 'main' }).click()
  await expect(app.getByText('Recording. The session has ended.')).toBeVisible()
  await expect(rows(app)).toContainText('link red')
})

for (const theme of ['light', 'dark'] as const)
  test(`the terminal can be read and left by everyone, ${theme}`, async ({ app, server }) => {
    await app.emulateMedia({ colorScheme: theme })
    await app.setViewportSize({ width: 1024, height: 700 })
    const id = await started(server)
    await exec(server, id, String.raw`printf '\033[31mred \033[32mgreen \033[33myellow \033[37mwhite \033[30mblack\033[0m\n'; false`)
    await open(app, server, `/sandboxes/${id}`)
    await expect(rows(app)).toContainText('red green')
    expect(await axe(app)).toEqual([])
    await app.getByRole('textbox', { name: 'Terminal of session main' }).focus()
    await app.keyboard.press('Tab') // it is only read: keys work as elsewhere
    await expect(app.getByRole('textbox', { name: 'Command', exact: true })).toBeFocused()
    await app.getByRole('button', { name: 'Screen reader mode' }).click()
    await expect(app.locator('.xterm-accessibility')).toContainText('red green')
    await takeOver(app).click()
    await expect(app.getByText('You are typing. Commands wait until you hand back.')).toBeVisible()
    expect(await axe(app)).toEqual([])
  })
