import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, OFFLINE_ERRORS, open, rowsOf, test } from './fixtures.ts'
import { environmentOf, root, startServer } from '../support/server.ts'

const run = promisify(execFile)

test.describe('when the server dies', () => {
  test.use({ samples: ['fix-test'], expectedErrors: OFFLINE_ERRORS })

  test('the page shows the time of its data, disables actions with the reason, and updates itself on reconnection', async ({
    app,
    server,
    workspace,
  }) => {
    await open(app, server, '/traces')
    await rowsOf(app).first().click()
    const gold = app.getByRole('group', { name: 'Tier of this session' }).getByRole('button', { name: /^Gold/ })
    await expect(gold).toBeVisible()
    await server.stop('SIGKILL')

    const banner = app.getByRole('status').filter({ hasText: 'The server is not reachable.' })
    await expect(banner).toContainText(/What you see is from \d{1,2}:\d{2}/)
    await expect(app.getByRole('contentinfo', { name: 'Status' })).toContainText('Not connected')
    await expect(rowsOf(app)).toHaveCount(1)
    await expect(gold).toHaveAttribute('aria-disabled', 'true')
    await gold.hover()
    await expect(app.getByRole('tooltip')).toContainText(/not (reachable|connected)/i)

    // the command line imports another session while the server is stopped
    workspace.addSample('subagent')
    await run(process.execPath, [path.join(root, 'dist', 'server', 'bashgym.js'), 'import'], { env: environmentOf(workspace) })
    const again = await startServer(workspace, { port: Number(new URL(server.url).port) })
    await expect(banner).toBeHidden({ timeout: 30_000 })
    await expect(app.getByRole('contentinfo', { name: 'Status' })).toContainText('Connected')
    await expect(rowsOf(app)).toHaveCount(2)
    await gold.click()
    await expect(gold).toHaveAttribute('aria-pressed', 'true')
    await again.stop()
  })
})

test('a tab that is not signed in shows only how to sign in', async ({ page, server }) => {
  await page.goto(`${server.url}/traces`)
  await expect(page.getByRole('heading', { name: 'This window is not signed in' })).toBeVisible()
  await expect(page.getByText('bashgym open', { exact: true })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)

  await page.goto(await server.signIn())
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
})
