import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { _electron, type ElectronApplication, expect, type Page, test as base } from '@playwright/test'
import { environmentOf, makeWorkspace, root, type Workspace } from '../support/server.ts'

/** The Electron that `npm test` found; the tests are skipped as a whole if there is none. */
export const executablePath = process.env['BASHGYM_TEST_ELECTRON'] || ''

export interface Desktop {
  electron: ElectronApplication
  page: Page
}

export interface Launch {
  /** `port`: null leaves it to the app and the environment. */
  (options?: { args?: string[]; port?: number | null; env?: Record<string, string> }): Promise<Desktop>
}

export const desktopEnvironment = (workspace: Workspace): Record<string, string> => ({
  ...environmentOf(workspace),
  ...Object.fromEntries(['DISPLAY', 'XAUTHORITY'].map((name) => [name, process.env[name] ?? ''])),
  XDG_CONFIG_HOME: path.join(workspace.dir, 'config'),
})

/** `launch` starts the app on the workspace's data directory; `end` ends what still runs of it. */
function launcher(workspace: Workspace): { launch: Launch; end: () => Promise<void> } {
  const running: ElectronApplication[] = []
  return {
    launch: async ({ args = [], port = 0, env = {} } = {}) => {
      const electron = await _electron.launch({
        executablePath,
        args: [root, ...(port === null ? [] : ['--port', String(port)]), ...args],
        cwd: workspace.dir,
        env: { ...desktopEnvironment(workspace), ...env },
      })
      running.push(electron)
      return { electron, page: await electron.firstWindow() }
    },
    end: async () => {
      for (const electron of running) await electron.close().catch(() => null) // a test may have ended it
    },
  }
}

export const test = base.extend<{ workspace: Workspace; launch: Launch; desktop: Desktop }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  workspace: async ({}, use) => {
    const workspace = makeWorkspace()
    await use(workspace)
    workspace.remove()
  },
  launch: async ({ workspace }, use) => {
    const { launch, end } = launcher(workspace)
    await use(launch)
    await end()
  },
  desktop: async ({ launch }, use) => {
    const desktop = await launch()
    await shown(desktop.page)
    await use(desktop)
  },
})

/** An app that the tests of a file have in common, on a data directory of its own. Its page is loaded anew for each. */
export function shareApp(): typeof test {
  let shared: Awaited<ReturnType<typeof openApp>>
  test.beforeAll(async () => {
    shared = await openApp()
    await shown(shared.page) // a reload while it signs in would end that
  })
  test.afterAll(() => shared.close())
  return test.extend({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    workspace: async ({}, use) => use(shared.workspace),
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    desktop: async ({}, use) => {
      await shared.page.reload()
      await shown(shared.page)
      await use(shared)
    },
  })
}

async function openApp(): Promise<Desktop & { workspace: Workspace; close(): Promise<void> }> {
  const workspace = makeWorkspace()
  const { launch, end } = launcher(workspace)
  const close = async () => {
    await end()
    workspace.remove()
  }
  return { ...(await launch()), workspace, close }
}

export { expect } from '@playwright/test'

/** In the page: the answer to a call with the session key that the window was signed in with. */
export const statusWithKey = async (): Promise<number> => {
  const authorization = `Bearer ${localStorage.getItem('bashgym.session-key')}`
  return (await fetch('/api/stats', { headers: { authorization } })).status
}

/** Waits until the app itself (not a page of the shell) is in the window. */
export const shown = (page: Page): Promise<void> => expect(page.getByRole('navigation').first()).toBeVisible()

/** A second start of the app, as a user would make it. Resolves with the exit code. */
export function startAgain(workspace: Workspace, args: string[]): Promise<number | null> {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return exitOf(spawn(executablePath, [...sandbox, root, ...args], { env: desktopEnvironment(workspace), stdio: 'ignore' }))
}

export const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })

/** What the server says of itself in its data directory; null when there is none. */
export function serverFile({ dataDir }: Workspace): { pid: number; url: string } | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, 'server.json'), 'utf8')) as { pid: number; url: string }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // no such process
  }
}
