import fs from 'node:fs'
import path from 'node:path'
import { axe, expect, open, test } from './fixtures.ts'

test.use({ samples: ['subagent'] })

test('nothing is said to have been saved without a proof; a rule shows its price before it is saved, and is off until it is switched on', async ({
  app,
  server,
  workspace,
}) => {
  const file = path.join(workspace.dataDir, 'step-rules.json')
  await open(app, server, '/router')
  await expect(app.getByRole('region', { name: 'What it would have saved' })).toContainText('Nothing is proven yet')

  const rule = app.getByRole('group', { name: 'New rule' })
  await rule.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'claude-haiku-4-5', exact: true }).click()
  await expect(rule.getByRole('status')).toContainText('It fits 3 past steps. With it, 1 session would have cost')
  await rule.getByRole('button', { name: 'Save rule' }).click()
  await expect(app.getByRole('table', { name: 'Rules' })).toContainText('claude-haiku-4-5')
  expect(fs.existsSync(file)).toBe(false)

  await app.getByRole('switch', { name: 'Follow the rules' }).click()
  await expect(app.getByText('The mod is not installed, so Claude Code does not follow the rules.')).toBeVisible()
  await expect.poll(() => fs.existsSync(file)).toBe(true)
  expect(await axe(app)).toEqual([])

  await app.getByRole('button', { name: 'Remove the rule for steps of sub-agents' }).click()
  await expect(app.getByText('There are no rules yet.')).toBeVisible()
  await expect.poll(() => fs.existsSync(file)).toBe(false)
})
