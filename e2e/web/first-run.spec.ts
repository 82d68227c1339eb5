import fs from 'node:fs'
import path from 'node:path'
import { expect, jobsDone, open, reload, rowsOf, test } from './fixtures.ts'
import { startServer } from '../support/server.ts'

test.use({ settled: false })

test.describe('with history on the machine', () => {
  test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })

  test('says what it found and what is at risk, has it taken in, shows the hooks, and ends on Home', async ({ app, server }) => {
    await app.goto(await server.signIn())
    await expect(app.getByRole('heading', { name: 'Welcome to Bash Gym' })).toBeVisible()
    const history = app.getByRole('region', { name: 'Keep your history' })
    await expect(history).toContainText('3 sessions in 1 project')
    await expect(history).toContainText('Claude Code deletes sessions after 30 days')
    await expect(history).toContainText('All of them are in your archive, unchanged.')
    await expect(app.getByRole('region', { name: 'Look at what came in' })).toContainText('3 sessions scored so far')

    const hooks = app.getByRole('region', { name: 'Follow sessions while they run' })
    await expect(hooks.getByRole('region', { name: /^Change to .*settings\.json$/ })).toContainText('"SessionEnd"')
    await app.getByRole('button', { name: 'Finish and go to Home' }).click()
    await expect(app.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
    await expect(app.getByRole('link', { name: /3\s*sessions archived/ })).toBeVisible()

    await reload(app)
    await expect(app.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  })

  test('the sessions can be looked at before the set-up is finished', async ({ app, server }) => {
    await open(app, server, '/')
    await app.getByRole('link', { name: 'Look at the sessions first' }).click()
    await expect(rowsOf(app)).toHaveCount(3)
    await app.getByRole('link', { name: 'Home' }).click()
    await expect(app.getByRole('heading', { name: 'Welcome to Bash Gym' })).toBeVisible()
  })

  test('skipping leaves the settings of Claude Code alone', async ({ app, server, workspace }) => {
    await open(app, server, '/')
    await app.getByRole('button', { name: 'Skip the set-up' }).click()
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
  const history = page.getByRole('region', { name: 'Keep your history' })
  await expect(history.getByRole('row', { name: /\/home\/dev\/secret/ })).toContainText('1')
  await expect(page.getByText('2 sessions scored so far')).toBeVisible()
  const tick = history.getByRole('checkbox', { name: 'Take in /home/dev/secret' })
  await tick.click()
  await expect(tick).not.toBeChecked()
  await expect(page.getByText('1 session scored so far')).toBeVisible()
  await expect(page.getByText('All of them are in your archive, unchanged, but for what you left out.')).toBeVisible()
  await tick.click()
  await expect(tick).toBeChecked()
  await expect(page.getByText('2 sessions scored so far')).toBeVisible()
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
  await page.getByRole('button', { name: 'Take in 2 sessions' }).click()
  await expect(page.getByText('All of them are in your archive, unchanged.')).toBeVisible()
  await again.stop()
})

test('a machine without history is offered samples, marked as such and removable', async ({ app, server }) => {
  await open(app, server, '/')
  const history = app.getByRole('region', { name: 'Keep your history' })
  await expect(history).toContainText('There is no Claude Code history on this machine.')
  await history.getByRole('button', { name: 'Take in the samples' }).click()
  await expect(app.getByRole('region', { name: 'Look at what came in' })).toContainText(/\d+ sessions scored so far/)
  await jobsDone(server)

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
