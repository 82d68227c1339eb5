import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, listed, open, rowsOf, test } from './fixtures.ts'
import { environmentOf, root, startServer, type Workspace } from '../support/server.ts'

const SESSION = '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe'
const NAME = `-home-dev-project/${SESSION}.jsonl`
const lines = fs
  .readFileSync(path.join(root, 'samples/claude-code/fix-test/projects', NAME), 'utf8')
  .split('\n')
  .filter((line) => line !== '')

/** Sets the time of the record to now, because a session counts as live by the times of its records. */
const now = (line: string) => line.replaceAll(/"timestamp":"2026-[^"]+"/g, `"timestamp":"${new Date().toISOString()}"`)

/** Acts as Claude Code: writes its transcript record by record and runs the installed hook. */
function aSession(workspace: Workspace) {
  const file = path.join(workspace.claudeDir, 'projects', NAME)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  let written = 0
  return {
    /** Appends records up to and including the first for which `until` holds. */
    write(until: (line: string) => boolean) {
      const found = lines.findIndex((line, index) => index >= written && until(line))
      const end = found < 0 ? lines.length : found + 1
      for (; written < end; written += 1) fs.appendFileSync(file, `${now(lines[written] ?? '')}\n`)
    },
    /** Runs the hook command of the settings file, with the event on stdin. */
    ring(event: string, more: Record<string, unknown> = {}) {
      const settings = JSON.parse(fs.readFileSync(path.join(workspace.claudeDir, 'settings.json'), 'utf8')) as {
        hooks: Record<string, { hooks: { command: string }[] }[]>
      }
      const command = settings.hooks[event]?.[0]?.hooks[0]?.command ?? ''
      const payload = { session_id: SESSION, transcript_path: file, cwd: '/home/dev/project', hook_event_name: event, ...more }
      return execFileSync('sh', ['-c', command], { input: `${JSON.stringify(payload)}\n`, env: environmentOf(workspace), encoding: 'utf8' })
    },
  }
}

const untilTheEnd = () => false
const has = (text: string) => (line: string) => line.includes(text)
const steps = (app: Page) => app.getByRole('region', { name: 'Transcript' })

test('a session appears while it runs, grows step by step, and gets its tier when it ends', async ({ app, server, workspace }) => {
  await server.api('/api/hooks/install', { method: 'POST', body: {} })
  await open(app, server, '/traces')
  await expect(app.getByRole('heading', { name: 'No sessions yet' })).toBeVisible()
  await app.evaluate(() => Object.assign(window, { wasNotReloaded: true }))

  const session = aSession(workspace)
  session.ring('SessionStart', { source: 'startup' })
  session.write(has('"type":"user"'))
  await expect(rowsOf(app)).toHaveCount(1)
  await expect(rowsOf(app)).toContainText('live')
  await rowsOf(app).first().click()
  await expect(steps(app)).toContainText('Please fix the failing test.')
  await expect(rowsOf(app).getByLabel('Pending')).toBeVisible()

  const toolbar = app.getByRole('toolbar', { name: 'Transcript' })
  session.write(has('git log --oneline'))
  await expect(steps(app)).toContainText('ls && git log --oneline | head -3')
  session.write(has('Initial commit'))
  await expect(steps(app)).toContainText('exit 0')
  await expect(toolbar).toContainText('no errors')
  session.write(has('Exit code 1'))
  await expect(steps(app)).toContainText('FAIL add(2, 3) = -1, want 5')
  await expect(toolbar).toContainText('1 error')
  session.write(has('String to replace not found'))
  await expect(toolbar).toContainText('2 errors')
  session.write(untilTheEnd)
  await expect(steps(app)).toContainText('[main a7b3321] Fix add()')

  expect(session.ring('SessionEnd', { reason: 'other' })).toBe('')
  await expect(app.getByRole('region', { name: 'Facts' })).toContainText('success 0.88 and quality 0.94 reach silver; tests passed')
  await expect(rowsOf(app).getByLabel('Silver')).toBeVisible()
  await expect(rowsOf(app)).not.toContainText('live')
  expect(await app.evaluate(() => 'wasNotReloaded' in window)).toBe(true)
})

test('a session that ran while the app was closed appears at the next start', async ({ app, server, workspace }) => {
  await server.api('/api/hooks/install', { method: 'POST', body: {} })
  await app.goto('about:blank')
  await server.stop()

  const session = aSession(workspace)
  session.ring('SessionStart', { source: 'startup' })
  session.write(untilTheEnd)
  session.ring('SessionEnd', { reason: 'other' })
  expect(fs.readdirSync(path.join(workspace.dataDir, 'spool'))).not.toHaveLength(0)

  const again = await startServer(workspace)
  await app.goto(await again.signIn())
  await app.getByRole('link', { name: 'Traces', exact: true }).click()
  await expect(rowsOf(app)).toHaveCount(1)
  await expect(rowsOf(app)).toContainText('Silver')
  await expect(rowsOf(app)).not.toContainText('live')
  await expect.poll(async () => (await listed(again))[0]?.counts.toolCalls).toBe(10)
  await expect.poll(() => fs.readdirSync(path.join(workspace.dataDir, 'spool'))).toHaveLength(0)
  await app.goto('about:blank') // a page that is open would try to reconnect, and say so
  await again.stop()
})
