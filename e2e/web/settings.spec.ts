import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { CONFLICT_ERRORS, expect, open, reload, rowsOf, test } from './fixtures.ts'
import type { Workspace } from '../support/server.ts'

const settingsFile = (workspace: Workspace) => path.join(workspace.claudeDir, 'settings.json')
const diffOf = (app: Page) => app.getByRole('region', { name: /^Change to .*settings\.json$/ })

/** A user's own file: odd spacing, a number too big for a double, a hook of their own. */
const OWN = `{
   "env": {"FOO":"bar"},  "big": 12345678901234567890,
   "hooks": { "Stop": [ {"hooks":[{"type":"command","command":"echo mine"}]} ] }
}
`

test('installing shows the exact change, writes it with a backup and says the state of each event; removing gives the bytes back', async ({
  app,
  server,
  workspace,
}) => {
  fs.writeFileSync(settingsFile(workspace), OWN, { mode: 0o640 })
  await open(app, server, '/settings/capture')
  const added = diffOf(app).locator('text=/^\\+/')
  await expect(diffOf(app)).toContainText('"SessionEnd"')
  await expect(diffOf(app)).toContainText(path.join(workspace.dataDir, 'hook'))
  await expect(added.first()).toBeVisible()
  expect(fs.readFileSync(settingsFile(workspace), 'utf8')).toBe(OWN)

  await app.getByRole('button', { name: 'Install hooks' }).click()
  const events = app.getByRole('table', { name: 'Hook events' })
  await expect(events.getByRole('row').filter({ hasText: 'SessionEnd' })).toContainText('installed')
  await expect(app.getByText(/^Backup: /)).toBeVisible()
  const after = fs.readFileSync(settingsFile(workspace), 'utf8')
  expect(after).toContain('echo mine')
  expect(after).toContain('12345678901234567890')
  const backup = await app.locator('dt:has-text("Backup") + dd').textContent()
  expect(fs.readFileSync(backup ?? '', 'utf8')).toBe(OWN)
  await expect(app.getByRole('contentinfo', { name: 'Status' })).toContainText('Capture on')

  await app.getByRole('button', { name: 'Remove hooks …' }).click()
  await expect(diffOf(app)).toContainText('"SessionEnd"')
  await app.getByRole('button', { name: 'Remove hooks' }).click()
  await expect(app.getByRole('button', { name: 'Install hooks' })).toBeVisible()
  expect(fs.readFileSync(settingsFile(workspace), 'utf8')).toBe(OWN)
  expect(fs.statSync(settingsFile(workspace)).mode & 0o777).toBe(0o640)

  const edits = app.getByRole('region', { name: 'Edits by shell commands', exact: true })
  await expect(edits).toContainText('"bashEditDiffEnabled": true')
  await edits.getByRole('button', { name: 'Record edits of shell commands' }).click()
  await expect(edits).toContainText('It is on in')
  expect(fs.readFileSync(settingsFile(workspace), 'utf8')).toContain('"bashEditDiffEnabled": true')
  await edits.getByRole('button', { name: 'Undo' }).click()
  await expect(edits).toContainText('It is not on')
  expect(fs.readFileSync(settingsFile(workspace), 'utf8')).toBe(OWN)
})

test.describe('a file that cannot be changed safely', () => {
  test.use({ expectedErrors: CONFLICT_ERRORS })

  for (const [kind, text, line] of [
    ['a comment', '{\n  // mine\n  "env": {}\n}\n', 2],
    ['a duplicate key', '{\n  "env": {},\n  "model": "x",\n  "env": {}\n}\n', 4],
    ['a list where an object belongs', '{\n  "hooks": []\n}\n', 2],
  ] as const) {
    test(`a settings file with ${kind} is refused with its line and stays as it is`, async ({ app, server, workspace }) => {
      fs.writeFileSync(settingsFile(workspace), text)
      await open(app, server, '/settings/capture')
      const refusal = app.getByRole('alert').filter({ hasText: "Couldn't prepare the installation" })
      await expect(refusal).toContainText(`line ${line}`)
      await expect(app.getByRole('button', { name: 'Install hooks' })).toHaveCount(0)
      expect(fs.readFileSync(settingsFile(workspace), 'utf8')).toBe(text)

      // mended by hand: the way on is on the screen
      fs.writeFileSync(settingsFile(workspace), '{}\n')
      await refusal.getByRole('button', { name: 'Try again' }).click()
      await expect(app.getByRole('button', { name: 'Install hooks' })).toBeVisible()
    })
  }
})

test.describe('with sessions', () => {
  test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })

  test('other thresholds are counted first and saved then', async ({ app, server }) => {
    await open(app, server, '/settings/scoring')
    await app.getByLabel('gold: minimum success rate').fill('0.75')
    await app.getByLabel('gold: minimum quality').fill('0.7')
    await expect(app.getByText(/\d+ traces? would change tier/).first()).toBeVisible()
    await expect(app.getByRole('table', { name: 'Tier changes' }).first()).toContainText('Gold')
    expect((await server.api<{ byTier: Record<string, number> }>('/api/stats')).byTier['gold'] ?? 0).toBe(0)
    await app.getByRole('button', { name: 'Save policy' }).click()
    await expect(app.getByRole('button', { name: 'Save policy' })).toHaveAttribute('aria-disabled', 'true')

    await app.getByRole('button', { name: 'Rescore all …' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Rescore all' }).click()
    await app.getByRole('link', { name: 'Traces', exact: true }).click()
    await expect(rowsOf(app).filter({ hasText: 'Gold' })).not.toHaveCount(0)
  })

  test.describe('looked at', () => {
    test.use({ looks: true })

    test('a bound that makes no sense cannot be saved', async ({ app, server }) => {
      await open(app, server, '/settings/scoring')
      await app.getByLabel('gold: minimum quality').fill('seven')
      await expect(app.getByRole('alert')).toBeVisible()
      await expect(app.getByRole('button', { name: 'Save policy' })).toHaveAttribute('aria-disabled', 'true')
    })

    test('for whom motion is too much a change of theme sets nothing in motion', async ({ app, server }) => {
      await app.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await open(app, server, '/traces')
      await expect(rowsOf(app)).not.toHaveCount(0)
      await app.emulateMedia({ colorScheme: 'light' })
      const [moving, background] = await app.evaluate(() => [
        document.getAnimations().length,
        getComputedStyle(document.body).backgroundColor,
      ])
      expect([moving, background]).toEqual([0, 'rgb(251, 251, 252)'])
    })
  })

  test('the theme changes at once and is kept; single-letter keys can be switched off', async ({ app, server }) => {
    await open(app, server, '/settings/appearance')
    const background = () => app.evaluate(() => getComputedStyle(document.body).backgroundColor)
    for (const [theme, color] of [
      ['Dark', 'rgb(14, 16, 19)'],
      ['Light', 'rgb(251, 251, 252)'],
    ] as const) {
      await app.getByRole('combobox', { name: 'Theme' }).click()
      await app.getByRole('option', { name: theme }).click()
      await expect.poll(background).toBe(color)
    }
    await reload(app)
    await expect.poll(background).toBe('rgb(251, 251, 252)')

    await app.getByRole('switch', { name: 'Single-letter keys' }).click()
    await expect(app.getByRole('switch', { name: 'Single-letter keys' })).not.toBeChecked()
    await app.getByRole('link', { name: 'Traces', exact: true }).click()
    await rowsOf(app).first().click()
    const gold = app.getByRole('group', { name: 'Tier of this session' }).getByRole('button', { name: /^Gold/ })
    await expect(gold).toBeVisible()
    await app.keyboard.press('g')
    // a key with Ctrl still acts, so the press before it has been handled when the palette is open
    await app.keyboard.press('ControlOrMeta+k')
    await expect(app.getByRole('dialog', { name: 'Search and commands' })).toBeVisible()
    await app.keyboard.press('Escape')
    await expect(gold).toHaveAttribute('aria-pressed', 'false')
  })
})
