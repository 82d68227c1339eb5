import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { jobDone, type RunningServer, type Workspace } from '../support/server.ts'
import { axe, expect, jobsDone, open, test } from './fixtures.ts'

const EMAIL = 'linnea.sandqvist@nordhavn.dk'
const KEY = `sk-ant-api03-${'Qz7'.repeat(31)}AA`
const SESSION = '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe'

/** The recorded session, with a secret and an address in the output of one of its calls. */
async function plant(server: RunningServer, workspace: Workspace): Promise<void> {
  const file = path.join(workspace.claudeDir, 'projects', '-home-dev-project', `${SESSION}.jsonl`)
  const from = path.join(import.meta.dirname, '../../samples/claude-code/fix-test/projects/-home-dev-project', `${SESSION}.jsonl`)
  const lines = fs.readFileSync(from, 'utf8').trimEnd().split('\n')
  const last = JSON.parse(lines.findLast((line) => line.includes('"type":"user"')) ?? '{}') as Record<string, unknown>
  const record = {
    ...last,
    uuid: '0f0f0f0f-0000-4000-8000-000000000001',
    message: { role: 'user', content: `ask ${EMAIL} or ${EMAIL}, the key is ${KEY}` },
  }
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `${lines.join('\n')}\n${JSON.stringify(record)}\n`)
  const job = await server.api<{ id: string }>('/api/imports', { method: 'POST', body: {} })
  await jobDone(server, job.id)
  const scan = await server.api<{ id: string }>('/api/privacy/scan', { method: 'POST', body: { all: true } })
  await jobDone(server, scan.id)
  await jobsDone(server)
}

const findings = (app: Page) => app.getByRole('grid', { name: 'Findings' }).locator('[role=row][aria-selected]')
const emails = (app: Page) => findings(app).filter({ hasText: 'E-mail address' })
const text = (app: Page) => app.getByRole('region', { name: 'Text in context' })

test('findings are masked until a key is pressed, decided and undone, all by key', async ({ app, server, workspace }) => {
  await plant(server, workspace)
  await open(app, server, '/privacy?type=email')
  await expect(emails(app)).toHaveCount(1)
  await expect(emails(app)).toContainText('2 places')
  await expect(emails(app), 'the masked line').toContainText('the key is ********')
  await app.keyboard.press('j')
  await app.keyboard.press('Enter')
  await expect(text(app)).toContainText('Masked')
  await expect(app.locator('body')).not.toContainText(EMAIL)
  await app.keyboard.down(' ')
  await expect(text(app)).toContainText(EMAIL)
  await app.keyboard.up(' ')
  await expect(text(app)).not.toContainText(EMAIL)

  await app.getByRole('button', { name: 'Keep visible' }).click()
  await expect(text(app)).toContainText(EMAIL)
  await app.getByRole('button', { name: 'Mask again' }).click()
  await expect(app.locator('body')).not.toContainText(EMAIL)

  const hold = app.getByRole('button', { name: /^Hold to show/ })
  await hold.hover()
  await app.mouse.down()
  await expect(text(app)).toContainText(EMAIL)
  await app.mouse.up()
  await expect(text(app)).not.toContainText(EMAIL)

  await expect(app.getByRole('button', { name: /^Keep · 2 places/ })).toBeVisible()
  await app.getByRole('grid', { name: 'Findings' }).focus()
  await app.keyboard.press('1')
  await expect(emails(app).filter({ hasText: 'Kept' })).toHaveCount(1)
  expect((await server.api<{ total: number }>('/api/privacy/findings?type=email&action=keep')).total).toBe(2)
  await app.keyboard.press('z')
  await expect(emails(app).filter({ hasText: 'Replaced' })).toHaveCount(1)

  await app.getByRole('link', { name: '2 places' }).click()
  await expect(emails(app)).toHaveCount(2)

  await app.getByRole('button', { name: 'Decisions', exact: true }).click()
  await expect(app.getByRole('list', { name: 'Decisions' })).toContainText('undone')
})

test('a finding leads to its step, facets and picture hold the list, many are decided at once', async ({ app, server, workspace }) => {
  await plant(server, workspace)
  await open(app, server, '/privacy')
  await app
    .getByRole('group', { name: 'API key' })
    .or(app.getByLabel(/^API key/))
    .first()
    .click()
  await expect(app).toHaveURL(/type=api_key/)
  await expect(findings(app)).toHaveCount(1)
  await findings(app).first().click()
  await app.getByRole('button', { name: /^Not a secret/ }).click()
  await expect(findings(app).filter({ hasText: 'Kept' })).toHaveCount(1)
  await app.getByRole('region', { name: 'Finding', exact: true }).getByRole('button', { name: 'Close' }).click()
  await app.getByRole('button', { name: 'Clear filter', exact: true }).click()
  await expect(app).toHaveURL(/\/privacy$/)

  await app
    .getByLabel(/^E-mail address/)
    .first()
    .click()
  await app.getByRole('checkbox', { name: 'Select all listed rows' }).click()
  await app
    .getByRole('toolbar', { name: 'Selected findings' })
    .getByRole('button', { name: /^Redact/ })
    .click()
  await expect(emails(app).filter({ hasText: 'Redacted' })).toHaveCount(1)
  expect((await server.api<{ total: number }>('/api/privacy/findings?type=email&action=redact')).total).toBe(2)

  await emails(app).first().click()
  await app.getByRole('link', { name: 'Open step' }).click()
  await expect(app).toHaveURL(/\/traces\?id=.*item=/)
  await expect(app.getByText(/item (\d+) of \1$/)).toBeVisible()
})

test('Settings: a text is tried, a rule proves itself, a figure is released and paid for', async ({ app, server }) => {
  await open(app, server, '/settings/privacy')
  await expect(app.getByRole('list', { name: 'Export paths' }).getByRole('listitem')).toContainText(['Data set versions'])
  await expect(app.getByRole('main'), 'no path of the source, no hash').not.toContainText(/\.ts\b|[0-9a-f]{12}/)
  await app.getByLabel('Text to try').fill(`mail ${EMAIL}`)
  await expect(app.getByRole('region', { name: 'Before' })).toContainText(EMAIL)
  await expect(app.getByRole('region', { name: 'After' })).not.toContainText(EMAIL)

  await app.getByRole('combobox', { name: 'Replace personal data with' }).click()
  await app.getByRole('option', { name: 'Label' }).click()
  await expect(app.getByRole('region', { name: 'After' })).toContainText('mail [EMAIL_1]')

  await app.getByRole('button', { name: 'New rule' }).click()
  await app.getByRole('form', { name: 'Rule' }).getByLabel('Name').fill('staff')
  await app.getByRole('form', { name: 'Rule' }).getByLabel('Pattern').fill('(a+)+b')
  await expect(app.getByRole('alert')).toContainText('repetition')
  await app.getByRole('form', { name: 'Rule' }).getByLabel('Pattern').fill('EMP-\\d{6}')
  await app.getByRole('textbox', { name: 'Must match, one per line' }).fill('EMP-42')
  await expect(app.getByRole('button', { name: 'Save rule' })).toHaveAttribute('aria-disabled', 'true')
  await app.getByRole('textbox', { name: 'Must match, one per line' }).fill('EMP-004211')
  await app.getByRole('button', { name: 'Save rule' }).click()
  await expect(app.getByRole('table', { name: 'Custom rules' })).toContainText('EMP-')

  await app.getByRole('button', { name: 'Release statistic …' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Release statistic' }).click()
  await expect(app.getByText('ε 7.5 left')).toBeVisible()
  await expect(app.getByRole('table', { name: 'Releases' })).toContainText('Number of sessions')
})

test.describe('at 1,024 px', () => {
  test.use({ viewport: { width: 1024, height: 700 } })
  test('review and settings keep to WCAG 2.2 AA', async ({ app, server, workspace }) => {
    await open(app, server, '/privacy')
    await expect(app.getByText('No sessions yet')).toBeVisible()
    expect.soft(await axe(app), 'empty').toEqual([])
    await plant(server, workspace)
    for (const place of ['/privacy', '/privacy?by=confidence&type=email', '/privacy?view=decisions', '/settings/privacy']) {
      await open(app, server, place)
      await expect(app.locator('.skeleton')).toHaveCount(0)
      expect.soft(await axe(app), place).toEqual([])
    }
    await open(app, server, '/privacy')
    await findings(app).first().click()
    await app.getByRole('button', { name: 'Keep visible' }).click()
    expect.soft(await axe(app), 'an open finding').toEqual([])
  })
})
