import fs from 'node:fs'
import path from 'node:path'
import { axe, expect, jobsDone, listed, open, reload, rowsOf, test } from './fixtures.ts'
import { startServer } from '../support/server.ts'

test.use({ settled: false })

test.describe('with history on the machine', () => {
  test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })

  test('says what it found and what is at risk, has it taken in, shows the hooks, and ends on Home', async ({ app, server }) => {
    await app.goto(await server.signIn())
    await expect(app.getByRole('heading', { name: 'Welcome to Bash Gym' })).toBeVisible()
    const history = app.getByRole('region', { name: 'Import your history' })
    await expect(history).toContainText('3 sessions in 1 project')
    await expect(history).toContainText('from Claude Code')
    await expect(history).toContainText('sub-agent transcript')
    await expect(history).toContainText('Claude Code deletes sessions after 30 days')
    await expect(history).toContainText('3 sessions imported, unchanged.')
    await expect(app.getByRole('region', { name: 'Review your sessions' })).toContainText('3 sessions imported and scored')

    const hooks = app.getByRole('region', { name: 'Follow sessions while they run' })
    await expect(hooks.getByRole('region', { name: /^Change to .*settings\.json$/ })).toContainText('"SessionEnd"')
    await app.getByRole('button', { name: 'Finish and go to Home' }).click()
    await expect(app.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
    await expect(app.getByRole('link', { name: 'Captured: 3 sessions' })).toBeVisible()

    await reload(app)
    await expect(app.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  })

  test('the sessions can be looked at before the set-up is finished', async ({ app, server }) => {
    await open(app, server, '/')
    await app.getByRole('link', { name: 'Browse sessions first' }).click()
    await expect(rowsOf(app)).toHaveCount(3)
    await app.getByRole('link', { name: 'Home' }).click()
    await expect(app.getByRole('heading', { name: 'Welcome to Bash Gym' })).toBeVisible()
  })

  test('skipping leaves the settings of Claude Code alone', async ({ app, server, workspace }) => {
    await open(app, server, '/')
    await app.getByRole('button', { name: 'Skip set-up' }).click()
    await expect(app.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
    await expect(app.getByText('The hooks are not installed.')).toBeVisible()
    expect(fs.existsSync(path.join(workspace.claudeDir, 'settings.json'))).toBe(false)
  })
})

test('a project is left out by a tick and comes back by another', async ({ workspace, server, page }) => {
  await server.stop()
  workspace.addSample('fix-test')
  const sessionId = '00000000-0000-4000-8000-00000000cafe'
  const folder = path.join(workspace.claudeDir, 'projects/-home-dev-secret')
  fs.mkdirSync(folder, { recursive: true })
  const timestamp = new Date().toISOString()
  const message = { role: 'user', content: 'Of no concern to anyone' }
  const record = { type: 'user', uuid: 'one', parentUuid: null, sessionId, cwd: '/home/dev/secret', timestamp, message }
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), `${JSON.stringify(record)}\n`)

  const again = await startServer(workspace)
  await page.goto(await again.signIn())
  const history = page.getByRole('region', { name: 'Import your history' })
  await expect(history.getByRole('row', { name: /\/home\/dev\/secret/ })).toContainText('1')
  await expect(page.getByText('2 sessions imported and scored')).toBeVisible()
  const tick = history.getByRole('checkbox', { name: 'Import /home/dev/secret' })
  await tick.click()
  await expect(tick).not.toBeChecked()
  await expect(page.getByText('1 session imported and scored')).toBeVisible()
  await expect(page.getByText('1 session imported, unchanged; 1 session excluded.')).toBeVisible()
  await tick.click()
  await expect(tick).toBeChecked()
  await expect(page.getByText('2 sessions imported and scored')).toBeVisible()
  await again.stop()
})

test('in the app nothing is read before the import is asked for: projects are chosen first, secrets and machine are shown', async ({
  workspace,
  server,
  page,
}) => {
  await server.stop()
  workspace.addSample('subagent')
  const sessionId = '00000000-0000-4000-8000-00000000cafe'
  const key = `sk-ant-api03-${'Ab3dE6gH9jK2mN5p'.repeat(6).slice(0, 93)}AA`
  for (const [cwd, id, content] of [
    ['/home/dev/secret', sessionId, 'Of no concern to anyone'],
    ['/home/dev/leaky', '00000000-0000-4000-8000-00000000beef', `Use ANTHROPIC_API_KEY=${key}`],
  ] as const) {
    const folder = path.join(workspace.claudeDir, 'projects', cwd.replaceAll('/', '-'))
    fs.mkdirSync(folder, { recursive: true })
    const message = { role: 'user', content }
    const record = { type: 'user', uuid: id, parentUuid: null, sessionId: id, cwd, timestamp: new Date().toISOString(), message }
    fs.writeFileSync(path.join(folder, `${id}.jsonl`), `${JSON.stringify(record)}\n`)
  }

  // a data directory in which no server has imported anything
  const env = { BASHGYM_HOME: path.join(workspace.dir, 'fresh') }
  const again = await startServer(workspace, { args: ['--ask-before-import'], env })
  await page.goto(await again.signIn())
  const history = page.getByRole('region', { name: 'Import your history' })
  await expect(history).toContainText('3 sessions in 3 projects')
  await expect(history).toContainText('Nothing has been imported yet')
  const secrets = page.getByRole('region', { name: 'Secrets found' })
  await expect(secrets).toContainText('Not scanned yet.')
  const machine = page.getByRole('region', { name: 'This machine' })
  await expect(machine).toContainText('GPU')
  await expect(machine).toContainText('no base model on this machine yet')

  await history.getByRole('checkbox', { name: 'Import /home/dev/secret' }).click()
  await expect(history).toContainText('1 session excluded.')
  expect(await again.api<{ items: unknown[] }>('/api/jobs')).toMatchObject({ items: [] })
  expect(await listed(again)).toEqual([])
  expect(await axe(page)).toEqual([])

  // skipping imports nothing either, and the way back is on Home
  await page.getByRole('button', { name: 'Skip without importing' }).click()
  await page.getByRole('link', { name: 'Import 2 sessions' }).click()
  await history.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect(history).toContainText('2 sessions imported, unchanged; 1 session excluded.')
  await expect(page.getByText('2 sessions imported and scored')).toBeVisible()
  expect((await listed(again)).map((session) => session.sessionId)).not.toContain(sessionId)
  await expect(secrets).toContainText(/secrets? found in 2 sessions/, { timeout: 30_000 })
  await secrets.getByRole('link', { name: /^API key/ }).click()
  await expect(page).toHaveURL(/\/privacy\?type=api_key/)
  await again.stop()
})

test('sessions that the clean-up is about to take are counted, and are taken in on a press', async ({ workspace, server, page }) => {
  // while capture is paused nothing comes in by itself, so there is something to be at risk
  await server.api('/api/settings', { method: 'PATCH', body: { capture: { paused: true } } })
  await server.stop()
  workspace.addSample('fix-test')
  workspace.addSample('subagent')
  const old = new Date(Date.now() - 26 * 86_400_000)
  fs.utimesSync(path.join(workspace.claudeDir, 'projects/-home-dev-project/490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe.jsonl'), old, old)

  const again = await startServer(workspace)
  await page.goto(await again.signIn())
  await expect(page.getByText('Claude Code deletes sessions after 30 days: 1 session would be lost within 7 days.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect(page.getByText('2 sessions imported, unchanged.')).toBeVisible()
  await again.stop()
})

test('a machine without history is offered samples, marked as such and removable', async ({ app, server }) => {
  await open(app, server, '/')
  const history = app.getByRole('region', { name: 'Import your history' })
  await expect(history).toContainText('No sessions of Claude Code, Codex, Gemini CLI or OpenCode were found')
  await history.getByRole('button', { name: 'Load sample sessions' }).click()
  await expect(app.getByRole('region', { name: 'Review your sessions' })).toContainText(/\d+ sessions imported and scored/)
  await jobsDone(server)
  await expect(history).toContainText(/\d+ sample sessions loaded/)

  await app.getByRole('link', { name: 'Traces' }).click()
  const rows = rowsOf(app)
  await expect(rows.first()).toContainText('sample')
  await expect(rows.filter({ hasNotText: 'sample' })).toHaveCount(0)

  await app.getByRole('link', { name: 'Settings' }).click()
  await app.getByRole('link', { name: 'Storage', exact: true }).click()
  await app.getByRole('button', { name: 'Remove sample sessions' }).click()
  await expect(app.getByText(/\d+ sample sessions removed/)).toBeVisible()
  await app.getByRole('link', { name: 'Traces' }).click()
  await expect(app.getByRole('heading', { name: 'No sessions yet' })).toBeVisible()
})
