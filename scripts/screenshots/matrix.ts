// Takes every screen in every state, theme and size, for review before a release.
import fs from 'node:fs'
import path from 'node:path'
import type { Browser, Page, Route } from 'playwright'
import { statusPage } from '../../electron/src/status-page.ts'
import { jobDone, type RunningServer } from '../../e2e/support/server.ts'
import { AWKWARD, FIX } from './sessions.ts'
import { SCREENS, type Known, type Screen } from './screens.ts'

const THEMES = ['dark', 'light'] as const
export const LARGE = { width: 1440, height: 900 }
const SIZES = [LARGE, { width: 1024, height: 700 }] as const
/** Long enough for everything that is not delayed to load. */
const LOADING_MS = 500
/** Long enough for the retries of a failing request. */
const FAILED_MS = 2500

const ACT_MS = 8000

/** Screenshots that could not be taken correctly, with the reason. */
export const failures: string[] = []

/** full, empty and large differ in the server's data; loading and error differ in the responses that the browser gets. */
export type State = 'full' | 'empty' | 'large' | 'loading' | 'error'

export interface Studio {
  browser: Browser
  /** Screenshots are saved as DIR/STATE/SCREEN-THEME-WIDTH.png. */
  dir: string
  /** Matches the names `STATE/SCREEN` to take. */
  wanted: RegExp
}

/** The sign-in link works once. Do not open another page before the browser has stored the session key. */
export async function signIn(page: Page, server: RunningServer): Promise<void> {
  await page.goto(await server.signIn())
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
}

/** Takes all screens that look different in this state. */
export async function takeScreens(studio: Studio, server: RunningServer, state: State): Promise<void> {
  const known = await sessionsOf(server)
  const screens = SCREENS.filter((screen) => isTaken(studio, state, screen.name) && has(screen, state))
  await inEachTheme(studio, async (page, shoot) => {
    await signIn(page, server)
    for (const screen of screens) {
      const place = typeof screen.place === 'string' ? screen.place : screen.place(known)
      await shoot(state, screen.name, async () => {
        const stop = await meddle(page, state, screen.reads)
        await goTo(page, server, place, state)
        if ((state !== 'loading' && state !== 'error') || screen.actsWithout) await screen.act?.(page)
        return stop
      })
    }
  })
}

/** Takes one screenshot that is not in the table of screens, such as a running import or the first run. */
export async function takeOne(
  studio: Studio,
  server: RunningServer,
  name: string,
  place: string,
  act?: (page: Page) => Promise<unknown>,
): Promise<void> {
  if (!isTaken(studio, 'other', name)) return
  await inEachTheme(studio, async (page, shoot) => {
    await signIn(page, server)
    await shoot('other', name, async () => {
      await goTo(page, server, place, 'full')
      await act?.(page)
    })
  })
}

/** Takes a signed-out tab, and the pages that the desktop shell shows while no server is running. */
export async function takeOutside(studio: Studio, server: RunningServer): Promise<void> {
  if (!isTaken(studio, 'other', 'signed-out shell')) return
  const shell = {
    'shell-starting': statusPage({ title: 'Starting Bash Gym', text: 'Opening the archive.' }),
    'shell-failed': statusPage({
      title: 'The server is not running',
      text: 'The data directory was written by a newer Bash Gym.\n\nLogs: /home/dev/.bashgym/logs\nMore: `bashgym doctor`. Archived data is safe.',
      retry: 'Start server',
    }),
  }
  await inEachTheme(studio, async (page, shoot) => {
    await shoot('other', 'signed-out', async () => {
      await page.goto(server.url)
      await page.getByRole('heading', { name: 'This window is not signed in' }).waitFor()
    })
    for (const [name, url] of Object.entries(shell)) await shoot('other', name, () => page.goto(url))
  })
}

/** Takes an open window after its server was killed. Stops the server. */
export async function takeOffline(studio: Studio, server: RunningServer): Promise<void> {
  if (!isTaken(studio, 'other', 'offline')) return
  const { fix } = await sessionsOf(server)
  const pages: { page: Page; shoot: Shoot }[] = []
  await inEachTheme(studio, async (page, shoot) => {
    await signIn(page, server)
    await goTo(page, server, `/traces?id=${fix}`, 'full')
    pages.push({ page, shoot })
    if (pages.length < THEMES.length) return new Promise<void>((resolve) => waiting.push(resolve))
    await server.stop('SIGKILL')
    for (const { page: open, shoot: take } of pages)
      await take('other', 'offline', () => open.getByText('The server is not reachable.').waitFor())
    waiting.forEach((resolve) => resolve())
  })
}
const waiting: (() => void)[] = []

type Shoot = (folder: string, name: string, show: () => Promise<unknown>) => Promise<void>

/** Runs both themes in parallel, each in its own window; `shoot` takes a screenshot in each size. */
async function inEachTheme({ browser, dir }: Studio, work: (page: Page, shoot: Shoot) => Promise<void>): Promise<void> {
  await Promise.all(
    THEMES.map(async (theme) => {
      const context = await browser.newContext({ colorScheme: theme, reducedMotion: 'reduce', viewport: LARGE })
      const page = await context.newPage()
      page.setDefaultTimeout(ACT_MS)
      const shoot: Shoot = async (folder, name, show) => {
        for (const size of SIZES) {
          await page.setViewportSize(size)
          const after = await show().catch((error: Error) => {
            failures.push(`${folder}/${name}-${theme}-${size.width}: ${error.message}`)
          })
          const file = path.join(dir, folder, `${name}-${theme}-${size.width}.png`)
          fs.mkdirSync(path.dirname(file), { recursive: true })
          await page.screenshot({ path: file, animations: 'disabled' })
          if (typeof after === 'function') await after()
        }
        console.log(`${folder}/${name}-${theme}`)
      }
      await work(page, shoot)
      await context.close()
    }),
  )
}

const isTaken = ({ wanted }: Studio, folder: string, name: string): boolean => wanted.test(`${folder}/${name}`)

const has = (screen: Screen, state: State): boolean =>
  ({
    full: true,
    empty: screen.hasEmpty === true,
    large: screen.hasLarge === true,
    loading: screen.reads !== undefined,
    error: screen.reads !== undefined,
  })[state]

export async function goTo(page: Page, server: RunningServer, place: string, state: State = 'full'): Promise<void> {
  // reset the layout to the default, but keep the session key
  await page
    .evaluate(() => {
      for (const name of Object.keys(localStorage)) if (name !== 'bashgym.session-key') localStorage.removeItem(name)
    })
    .catch(() => null)
  await page.goto(`${server.url}${place}`)
  if (state === 'loading') {
    await page.locator('nav').first().waitFor() // the app has loaded, its data has not
    await page.waitForTimeout(LOADING_MS)
    await page.getByText('Loading the page').first().waitFor({ state: 'detached' })
    await page.waitForTimeout(LOADING_MS)
  } else if (state === 'error') {
    await page.waitForTimeout(FAILED_MS)
  } else {
    await page.waitForLoadState('networkidle')
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
}

const REFUSAL = {
  code: 'archive_damaged',
  message: 'The archive of 2026-11 cannot be read: frame 12 of `home-dev-calc.zst` ends early.',
  hint: 'Run `bashgym verify`; it names what is damaged and how to mend it.',
  details: { frame: 12 },
}

/** Blocks the screen's requests or answers them with an error. Returns the function that undoes this. */
async function meddle(page: Page, state: State, reads: RegExp | undefined): Promise<() => Promise<void>> {
  if (state !== 'loading' && state !== 'error') return async () => {}
  const blocked: Route[] = []
  const isOne = (url: URL) => reads?.test(url.pathname) ?? false
  await page.route(isOne, async (route) => {
    if (state === 'loading') blocked.push(route)
    else await route.fulfill({ status: 500, json: { error: REFUSAL } })
  })
  return async () => {
    await page.unroute(isOne)
    await Promise.all(blocked.map((route) => route.abort().catch(() => null)))
  }
}

async function sessionsOf(server: RunningServer): Promise<Known> {
  const [dataset, older] = (await server.api<{ items: { id: string }[] }>('/api/datasets')).items.map(({ id }) => id)
  const pair = (await server.api<{ items: { id: string }[] }>('/api/factory/pairs')).items[0]?.id
  const example = (await server.api<{ items: { id: string }[] }>('/api/factory/examples?sort=-steps&limit=1')).items[0]?.id
  const runs = (await server.api<{ items: { id: string; name: string }[] }>('/api/training?limit=100')).items
  const [model, olderModel] = (await server.api<{ items: { id: string }[] }>('/api/models')).items.map(({ id }) => id)
  const finding = (await server.api<{ items: { id: string }[] }>('/api/privacy/findings?limit=1')).items[0]?.id
  return {
    fix: await idOf(server, FIX),
    awkward: await idOf(server, AWKWARD),
    dataset: dataset ?? '',
    olderDataset: older ?? '',
    pair: pair ?? '',
    example: example ?? '',
    finding: finding ?? '',
    model: model ?? '',
    olderModel: olderModel ?? '',
    runs: Object.fromEntries(runs.map(({ id, name }) => [name, id])),
  }
}

/** The trace id of a session, or of the newest trace if the session is not in the archive. */
export async function idOf(server: RunningServer, sessionId: string): Promise<string> {
  const { items } = await server.api<{ items: { id: string; sessionId: string }[] }>('/api/traces?limit=100')
  return (items.find((item) => item.sessionId === sessionId) ?? items[0])?.id ?? ''
}

/** Waits until everything on disk is imported. */
export async function takenIn(server: RunningServer): Promise<void> {
  const jobs = await server.api<{ items: { id: string }[] }>('/api/jobs')
  for (const { id } of jobs.items) await jobDone(server, id)
}
