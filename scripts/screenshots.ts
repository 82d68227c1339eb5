// Takes the pictures of the documentation from recorded sessions, in the real app. `--all DIR` takes every screen, dark
// and light, in two sizes, to look at before a release.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright'
import { chromiumOptions } from '../e2e/support/chromium.ts'
import { jobDone, makeWorkspace, root, startServer, type RunningServer } from '../e2e/support/server.ts'
import { probe } from './lib/probe.mjs'

const all = process.argv.includes('--all')
const out = path.resolve(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? path.join(root, 'docs', 'images'))
const DAY_MS = 86_400_000
const LARGE = { width: 1440, height: 900 }
const SMALL = { width: 1024, height: 700 }

/** Recorded sessions and how many days ago each shall have ended, so that a picture looks the same on any day. */
const SESSIONS: readonly { dir: string; project: string; daysAgo: number }[] = [
  ...['2.1.329-parallel', '2.1.329-mcp', '2.1.329-denied', '2.1.329-compact', '2.1.329-subagent-background', '2.1.329-odd-output'].map(
    (name, index) => ({
      dir: `server/src/stages/traces/readers/fixtures/${name}`,
      project: index % 2 === 0 ? 'notes' : 'shop-api',
      daysAgo: 2.3 + 5.1 * index,
    }),
  ),
  ...[
    'fix-test',
    'subagent',
    'older/2.1.50/fix-test',
    'older/2.1.197/fix-test',
    'older/1.0.128/fix-test',
    'older/2.1.197/subagent-task',
  ].map((name, index) => ({ dir: `samples/claude-code/${name}`, project: 'calc', daysAgo: 0.1 + 3.7 * index })),
]

const executablePath = probe().chromium.found
if (!executablePath) throw new Error('Chromium is not on this machine.')
fs.mkdirSync(out, { recursive: true })
const workspace = makeWorkspace(path.join(os.tmpdir(), 'dev'))
for (const session of SESSIONS) copyMoved(session)
const server = await startServer(workspace)
const browser = await chromium.launch({ ...chromiumOptions, executablePath })
try {
  const jobs = await server.api<{ items: { id: string }[] }>('/api/imports')
  for (const { id } of jobs.items) await jobDone(server, id)
  for (const theme of all ? (['dark', 'light'] as const) : (['dark'] as const)) {
    await server.api('/api/settings', { method: 'PATCH', body: { onboarding: { done: false }, appearance: { theme } } })
    const context = await browser.newContext({ colorScheme: theme, reducedMotion: 'reduce', viewport: LARGE })
    const page = await context.newPage()
    await page.goto(await server.signIn())
    for (const size of all ? [LARGE, SMALL] : [LARGE]) {
      await page.setViewportSize(size)
      const name = (screen: string) => path.join(out, `${screen}-${theme}${size === LARGE ? '' : `-${size.width}`}.png`)
      await server.api('/api/settings', { method: 'PATCH', body: { onboarding: { done: false } } })
      await shoot(page, '/', name('first-run'))
      await server.api('/api/settings', { method: 'PATCH', body: { onboarding: { done: true } } })
      await decide(server)
      const id = await idOf(server, '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe')
      await shoot(page, '/', name('home'))
      await shoot(page, '/traces', name('traces'))
      await shoot(page, `/traces?id=${id}`, name('trace'))
      await shoot(page, `/traces?id=${id}&tab=diff`, name('diff'))
      await shoot(page, `/traces?id=${id}&tab=facts`, name('evidence'), async () => {
        await page.getByRole('button', { name: /^Efficiency/ }).click()
      })
      await shoot(page, '/settings/capture', name('hooks'))
      await shoot(page, '/settings/scoring', name('thresholds'), async () => {
        await page.getByLabel('gold: success rate at least').fill('0.8')
        await page.getByRole('table', { name: 'Moves between tiers' }).first().waitFor()
      })
      if (!all) continue
      for (const place of ['prices', 'appearance', 'storage', 'notifications', 'api', 'doctor', 'about'])
        await shoot(page, `/settings/${place}`, name(`settings-${place}`))
      await shoot(page, '/traces?q=tool:Nothing', name('no-match'))
      await shoot(page, '/traces?q=tier:platinum', name('bad-term'))
      await shoot(page, '/jobs', name('jobs'))
      await shoot(page, '/nowhere', name('nowhere'))
      await shoot(page, `/traces?id=${'a'.repeat(26)}`, name('gone'))
    }
    await context.close()
  }
} finally {
  await browser.close()
  await server.stop()
  workspace.remove()
}

/** The transcript as the client left it, but for its day, its folder, and the marker that chose the recording's script. */
function copyMoved({ dir, project, daysAgo }: (typeof SESSIONS)[number]): void {
  const from = path.join(root, dir, 'projects')
  const to = path.join(workspace.claudeDir, 'projects')
  const files = fs.readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name))
  const time = /"(20\d\d-\d\d-\d\dT[\d:.]+Z)"/g
  const texts = files.map((name) => fs.readFileSync(path.join(from, name), 'utf8'))
  const ended = Math.max(...texts.flatMap((text) => [...text.matchAll(time)].map((match) => Date.parse(match[1] ?? ''))))
  const later = Date.now() - daysAgo * DAY_MS - ended
  files.forEach((name, index) => {
    const file = path.join(to, name.replace('-home-dev-project', `-home-dev-${project}`))
    fs.mkdirSync(path.dirname(file), { recursive: true })
    const text = (texts[index] ?? '')
      .replaceAll(time, (_, at: string) => `"${new Date(Date.parse(at) + later).toISOString()}"`)
      .replaceAll('/home/dev/project', `/home/dev/${project}`)
      .replaceAll(/SCENARIO=[\w-]+ /g, '')
    fs.writeFileSync(file, text)
    fs.utimesSync(file, (ended + later) / 1000, (ended + later) / 1000)
  })
}

async function idOf(from: RunningServer, sessionId: string): Promise<string> {
  const { items } = await from.api<{ items: { id: string; sessionId: string }[] }>('/api/traces?limit=100')
  return items.find((item) => item.sessionId === sessionId)?.id ?? ''
}

/** A few words of the user: a tier by hand, tags, a note. */
async function decide(on: RunningServer): Promise<void> {
  const gold = await idOf(on, '75f6e6a5-633a-4212-b085-307879b09b44')
  await on.api(`/api/traces/${gold}/promote`, { method: 'POST', body: { tier: 'gold', reason: 'Found, fixed and committed in one go' } })
  await on.api(`/api/traces/${gold}/tags`, { method: 'PUT', body: { tags: ['showcase'] } })
  const own = await idOf(on, '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe')
  await on.api(`/api/traces/${own}/tags`, { method: 'PUT', body: { tags: ['bugfix', 'short'] } })
}

async function shoot(page: Page, place: string, file: string, act?: () => Promise<void>): Promise<void> {
  await page.goto(`${server.url}${place}`)
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await act?.()
  await page.screenshot({ path: file, animations: 'disabled' })
  console.log(`${path.relative(root, file)}: ${Math.round(fs.statSync(file).size / 1024)} KiB`)
}
