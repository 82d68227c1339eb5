import { test as base, expect, type Page } from '@playwright/test'
import axeCore, { type RunOnly, type RunOptions } from 'axe-core'
import { jobDone, makeWorkspace, type RunningServer, startServer, type Workspace } from '../support/server.ts'

interface Options {
  /** Samples (folders of samples/claude-code) that are copied to `.claude/projects` before the server starts. */
  samples: string[]
  /** True if the history is imported and the first run is finished before the page opens. */
  settled: boolean
  /** Console errors and exceptions that the test causes on purpose, so they do not fail it. */
  expectedErrors: RegExp | null
  /** True if the test only reads. It then shares its server with other tests of the worker and must change nothing there. */
  looks: boolean
}

interface Library {
  workspace: Workspace
  server: RunningServer
}

interface Shared {
  /** Returns a settled server with these samples; the first call starts it. */
  library: (samples: string[]) => Promise<Library>
}

interface Fixtures {
  workspace: Workspace
  server: RunningServer
  /** A page that is signed in and has loaded nothing yet; console errors and uncaught exceptions fail the test. */
  app: Page
}

/** Errors that Chromium reports when a server is not running or stops around a request; which one depends on the timing. */
export const OFFLINE_ERRORS =
  /WebSocket connection to|Failed to fetch|ERR_(CONNECTION_\w+|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)/
/** The browser's message about a request that the server refuses because of a conflict. */
export const CONFLICT_ERRORS = /409 \(Conflict\)/

export const test = base.extend<Fixtures & Options, Shared>({
  expectedErrors: [null, { option: true }],
  samples: [[], { option: true }],
  settled: [true, { option: true }],
  looks: [false, { option: true }],
  library: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const places = new Map<string, Promise<Library>>()
      await use((samples) => {
        const key = samples.join('\n')
        const place = places.get(key) ?? openLibrary(samples)
        places.set(key, place)
        return place
      })
      for (const { server, workspace } of await Promise.all(places.values())) {
        await server.stop()
        workspace.remove()
      }
    },
    { scope: 'worker' },
  ],
  workspace: async ({ samples, looks, library }, use) => {
    if (looks) return use((await library(samples)).workspace)
    const workspace = workspaceWith(samples)
    await use(workspace)
    workspace.remove()
  },
  server: async ({ workspace, samples, settled, looks, library }, use) => {
    if (looks) return lookAt((await library(samples)).server, use)
    const server = await startServer(workspace)
    if (settled) await settle(server)
    await use(server)
    await server.stop()
  },
  app: async ({ page, server, expectedErrors }, use) => {
    const complaints: string[] = []
    const complain = (text: string) => {
      if (!expectedErrors?.test(text)) complaints.push(text)
    }
    page.on('console', (message) => {
      if (message.type() === 'error') complain(message.text())
    })
    page.on('pageerror', (error) => complain(error.message))
    await slowDown(page)
    await signIn(page, server)
    await use(page)
    if (complaints.length) throw new Error(`The console was not silent:\n${complaints.join('\n')}`)
  },
})

/** Waits until every job on the server has ended. */
export async function jobsDone(server: RunningServer): Promise<void> {
  const { items } = await server.api<{ items: { id: string }[] }>('/api/jobs')
  for (const { id } of items) await jobDone(server, id)
}

function workspaceWith(samples: string[]): Workspace {
  const workspace = makeWorkspace()
  for (const sample of samples) workspace.addSample(sample)
  return workspace
}

async function openLibrary(samples: string[]): Promise<Library> {
  const workspace = workspaceWith(samples)
  const server = await startServer(workspace)
  await settle(server)
  return { workspace, server }
}

/** Fails the test if it changed the shared server. */
async function lookAt(server: RunningServer, use: (server: RunningServer) => Promise<void>): Promise<void> {
  const found = await keptBy(server)
  await use(server)
  expect(await keptBy(server), 'A test with `looks` has changed the server that it shares.').toEqual(found)
}

/** Settings, saved views, and the users' tiers, tags and notes of sessions. */
const keptBy = async (server: RunningServer): Promise<unknown> => [
  await server.api('/api/settings'),
  await server.api('/api/views'),
  (await server.api<{ items: Listed[] }>('/api/traces?limit=100')).items.map(({ id, tier, tags, note }) => ({ id, tier, tags, note })),
]

/** Runs a server with these environment variables for one test; Home opens instead of the first run. */
export async function withServer(
  workspace: Workspace,
  env: Record<string, string>,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(workspace, { env })
  await server.api('/api/settings', { method: 'PATCH', body: { onboarding: { done: true } } })
  await use(server)
  await server.stop()
}

/** Waits until the import has ended, and makes Home open instead of the first run. */
async function settle(server: RunningServer): Promise<void> {
  await jobsDone(server)
  await server.api('/api/settings', { method: 'PATCH', body: { onboarding: { done: true } } })
}

export interface Listed {
  id: string
  sessionId: string
  title: string
  tier: string
  tags: string[]
  note: string | null
  counts: { toolCalls: number; subagents: number }
}

/** The sessions that the server lists now. */
export const listed = async (server: RunningServer): Promise<Listed[]> =>
  (await server.api<{ items: Listed[] }>('/api/traces?limit=100')).items

/** Exchanges the secret of a sign-in link for a key, as the page does, and stores the key for every page of the context. */
async function signIn(page: Page, server: RunningServer): Promise<void> {
  const secret = new URL(await server.signIn()).hash.replace('#secret=', '')
  const answer = await page.context().request.post(`${server.url}/api/session`, { data: { secret, userAgent: 'Chrome/1 (Linux)' } })
  if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`)
  const { key } = (await answer.json()) as { key: string }
  const place = { origin: server.url, key }
  await page.context().addInitScript(({ origin, key: kept }) => {
    if (location.origin === origin && localStorage.getItem('bashgym.session-key') === null)
      localStorage.setItem('bashgym.session-key', kept)
  }, place)
}

/** The browser's message about a change that needs a confirmation. */
export const CONFIRMATION_ERRORS = /403 \(Forbidden\)/

/** Confirms the change that the page asks about, as `bashgym confirm` does it. */
export async function confirmAsked(page: Page, server: RunningServer): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Confirm / })
  const code = /bashgym confirm (\S+)/.exec(await dialog.innerText())?.[1] ?? ''
  await server.api(`/api/confirmations/${code}`, { method: 'POST', body: {} })
  await expect(dialog).toBeHidden()
}

/** `BASHGYM_TEST_SLOWDOWN=4` makes the browser four times slower, so that tests that forget to wait fail. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['BASHGYM_TEST_SLOWDOWN'] ?? 1)
  if (rate <= 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Waits until the app is drawn, because a loaded page ignores keys until then. */
const drawn = (page: Page) => page.getByRole('navigation', { name: 'Sections', exact: true }).waitFor()

/** Opens a path of the app and waits until it is drawn. */
export async function open(page: Page, server: RunningServer, place: string): Promise<void> {
  await page.goto(`${server.url}${place}`)
  await drawn(page)
}

/** Reloads the page at its address. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await drawn(page)
}

/** Rows of the session list, without its header. */
export const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Sessions' }).locator('[role=row][aria-selected]')

export { expect }

/** Runs in the page. Resolves after two frames without animations, because inherited colours change one frame later. */
async function settled(): Promise<void> {
  for (let still = 0; still < 2;) {
    await new Promise(requestAnimationFrame)
    still = document.getAnimations().some(({ playState }) => playState === 'running') ? 0 : still + 1
  }
}

const WCAG: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** The rules whose result depends on the theme. */
const COLOURS: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Violations of WCAG 2.2 A and AA on the page, with colours checked in both themes. Leaves the page in the light theme. */
export async function axe(page: Page): Promise<string[]> {
  const found: string[] = []
  await page.evaluate(axeCore.source)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(settled) // colours in a transition belong to neither theme
    const options: RunOptions = { runOnly: colorScheme === 'dark' ? WCAG : COLOURS, resultTypes: ['violations'] }
    for (const { id, target, failureSummary } of await page.evaluate(violations, options))
      found.push(`${colorScheme}: ${id}: ${target}: ${failureSummary}`)
  }
  return found
}

/** Runs in the page, after the source of axe was evaluated there. */
async function violations(options: RunOptions) {
  const { axe } = globalThis as unknown as { axe: typeof axeCore }
  const results = await axe.run(document, options)
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => ({ id, target: target.join(' '), failureSummary })),
  )
}
