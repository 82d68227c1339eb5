import type { Page } from '@playwright/test'
import { axe, expect, OFFLINE_ERRORS, open, rowsOf, test } from './fixtures.ts'
import type { RunningServer } from '../support/server.ts'

/** Violations, and whether the page can be scrolled sideways at the narrowest width that is promised. */
async function inspect(page: Page): Promise<string[]> {
  await expect(page.locator('.skeleton')).toHaveCount(0)
  const sideways = await page.evaluate(() =>
    [document.scrollingElement, document.querySelector('main')].some((element) => element && element.scrollWidth > element.clientWidth),
  )
  return [...(await axe(page)), ...(sideways ? ['the page scrolls sideways'] : [])]
}

const SETTINGS = [
  'capture',
  'scoring',
  'privacy',
  'router',
  'providers',
  'telemetry',
  'training',
  'sandboxes',
  'prices',
  'appearance',
  'storage',
  'notifications',
  'api',
  'doctor',
  'about',
]

type Screen = (page: Page, server: RunningServer) => Promise<unknown>
const visit =
  (place: string): Screen =>
  (page, server) =>
    open(page, server, place)

const profile =
  (search: string): Screen =>
  async (page, server) => {
    const { items } = await server.api<{ items: { id: string }[] }>('/api/traces?limit=1')
    await open(page, server, `/profiler/${items[0]!.id}${search}`)
  }

/** Screens of an archive with sessions, each led to from the server's address. */
const FULL: Record<string, Screen> = {
  Home: visit('/'),
  'Home as tables': async (page, server) => {
    await open(page, server, '/')
    const pictures = page.getByRole('button', { name: 'Show as table' })
    await expect(pictures).toHaveCount(2)
    for (const left of [1, 0]) {
      await pictures.first().click()
      await expect(pictures).toHaveCount(left) // a button that was pressed is called something else
    }
  },
  Traces: visit('/traces'),
  'Evaluator without an exam': visit('/evaluator'),
  Router: visit('/router'),
  'the slowest sessions': visit('/profiler'),
  'recorded traces': visit('/profiler/recorded'),
  'sessions by tool': visit('/profiler/across?by=tool'),
  'a profile': profile(''),
  'a profile as a table': profile('?view=table'),
  'the charts of a profile': profile('?view=charts'),
  Guardrails: visit('/guardrails'),
  'Rules of the guardrails': visit('/guardrails/rules'),
  'the guard of Claude Code, off': visit('/guardrails/client'),
  'What is installed in Claude Code': visit('/guardrails/installed'),
  'the thermometer, off': visit('/evaluator/thermometer'),
  'no graded answers': visit('/evaluator/answers'),
  rubrics: visit('/evaluator/answers/rubrics'),
  'no own set': visit('/evaluator/sets'),
  'benchmarks without a result': visit('/evaluator/benchmarks'),
  'Traces with facets and a selection': async (page, server) => {
    await open(page, server, '/traces?q=tool:Bash tier:platinum')
    await page.getByRole('button', { name: 'Show the facets' }).click()
    await rowsOf(page).first().getByRole('checkbox').check()
  },
  'no session matches': visit('/traces?q=tool:Nothing'),
  'an open session': async (page, server) => {
    await openNewest(page, server, '')
    await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('ls && git log')
  },
  'evidence, tag, note and reason': async (page, server) => {
    await openNewest(page, server, '&tab=facts')
    await page.getByRole('button', { name: /^Success/ }).click()
    await page.getByRole('button', { name: 'Add note' }).click()
  },
  'diff of a session': (page, server) => openNewest(page, server, '&tab=diff'),
  'raw transcript': (page, server) => openNewest(page, server, '&tab=raw'),
  'history of the tier': async (page, server) => {
    await openNewest(page, server, '')
    await page.getByRole('button', { name: 'Tier history' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  privacy: visit('/privacy'),
  examples: visit('/factory/examples'),
  pairs: visit('/factory/pairs'),
  'data sets': visit('/factory/datasets'),
  'a new data set': visit('/factory/datasets/new'),
  agents: visit('/agents'),
  'a new task': visit('/agents/tasks/new'),
  batches: visit('/agents/batches'),
  'check a project': visit('/agents/checks'),
  sandboxes: visit('/sandboxes'),
  'shell tasks': visit('/shell-tasks'),
  rollouts: visit('/shell-tasks/rollouts'),
  environments: visit('/shell-tasks/environments'),
  jobs: visit('/jobs'),
  'an address that is none': visit('/nowhere'),
  palette: async (page, server) => {
    await open(page, server, '/')
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'key map': async (page, server) => {
    await open(page, server, '/traces')
    await expect(rowsOf(page)).not.toHaveCount(0)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'a question': async (page, server) => {
    await open(page, server, '/settings/storage')
    await page.getByRole('button', { name: 'Rebuild …' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  ...Object.fromEntries(SETTINGS.map((section) => [`Settings, ${section}`, visit(`/settings/${section}`)])),
}

async function openNewest(page: Page, server: RunningServer, more: string): Promise<void> {
  const { items } = await server.api<{ items: { id: string }[] }>('/api/traces?q=tool:Grep')
  await open(page, server, `/traces?id=${items[0]?.id}${more}`)
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
}

async function inspectAll(app: Page, server: RunningServer, screens: Record<string, Screen>): Promise<void> {
  for (const [name, show] of Object.entries(screens)) {
    await test.step(name, async () => {
      await show(app, server)
      await expect(app.getByRole('contentinfo', { name: 'Status' }).or(app.getByRole('main')).first()).toBeVisible()
      expect.soft(await inspect(app), name).toEqual([])
    })
  }
}

test.describe('at 1,024 px', () => {
  test.use({ viewport: { width: 1024, height: 700 } })

  test.describe('with sessions', () => {
    test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })
    test('every screen keeps to WCAG 2.2 AA', async ({ app, server }) => {
      test.setTimeout(600_000)
      await inspectAll(app, server, FULL)
    })
  })

  test.describe('of nobody', () => {
    test.use({ looks: true })
    test('a fault is found, in either theme', async ({ app, server }) => {
      await open(app, server, '/nowhere')
      await app
        .locator('main')
        .evaluate((main) => main.insertAdjacentHTML('beforeend', '<p style="color: #999; background: #888">gray</p><button></button>'))
      const found = (await axe(app)).map((violation) => violation.split(':').slice(0, 2).join())
      expect(found.toSorted()).toEqual(['dark, button-name', 'dark, color-contrast', 'light, color-contrast'])
    })

    test('the empty screens do', async ({ app, server }) => {
      await inspectAll(app, server, { Home: visit('/'), Traces: visit('/traces') })
    })

    test('the page of a tab that is not signed in does', async ({ page, server }) => {
      await page.goto(server.url)
      await expect(page.getByRole('heading', { name: 'This window is not signed in' })).toBeVisible()
      expect(await inspect(page)).toEqual([])
    })
  })

  test.describe('before the first run is over', () => {
    test.use({ settled: false })
    test('the first run does', async ({ app, server, workspace }) => {
      await inspectAll(app, server, { 'without history': visit('/') })
      workspace.addSample('fix-test')
      await inspectAll(app, server, { 'with history': visit('/') })
    })
  })

  test.describe('without the server', () => {
    test.use({ samples: ['fix-test'], expectedErrors: OFFLINE_ERRORS })
    test('the page without its server does', async ({ app, server }) => {
      await open(app, server, '/traces')
      await rowsOf(app).first().click()
      await expect(app.getByRole('region', { name: 'Transcript' })).toContainText('ls && git log')
      await server.stop('SIGKILL')
      await expect(app.getByText('The server is not reachable.')).toBeVisible()
      expect(await inspect(app)).toEqual([])
    })
  })
})
