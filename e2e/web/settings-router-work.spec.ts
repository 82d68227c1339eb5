import fs from 'node:fs'
import path from 'node:path'
import { axe, CONFIRMATION_ERRORS, confirmAsked, expect, open, test } from './fixtures.ts'

test.use({ expectedErrors: CONFIRMATION_ERRORS })

test('work in place gets the rules that were shown and confirmed, and gives them back to the byte', async ({ app, server, workspace }) => {
  const project = path.join(workspace.dir, 'project')
  const file = path.join(project, '.claude', 'settings.local.json')
  const before = '{\n  "permissions": { "deny": ["Bash(npm publish)"] }\n}'
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, before)
  fs.writeFileSync(path.join(project, 'package.json'), '{"scripts":{"test":"node calc.test.mjs"}}')
  await open(app, server, '/settings/router')
  const main = app.getByRole('main')
  await expect(main).toContainText('Claude gets a patch to review and apply')
  await app.getByRole('combobox', { name: 'Works' }).click()
  await app.getByRole('option', { name: 'In place, in your folder' }).click()
  await app.getByLabel('Project').fill(project)
  await app.getByRole('button', { name: 'Show rules' }).click()
  const change = app.getByRole('region', { name: `Rules: change to ${file}` })
  await expect(change).toContainText('Bash(node calc.test.mjs)')
  expect(await axe(app)).toEqual([])
  expect(fs.readFileSync(file, 'utf8')).toBe(before)

  await app.getByRole('button', { name: 'Write the rules' }).click()
  await confirmAsked(app, server)
  const undo = app.getByRole('button', { name: 'Take the rules back' })
  await expect(undo).toBeVisible()
  const { permissions } = JSON.parse(fs.readFileSync(file, 'utf8')) as { permissions: { allow: string[]; deny: string[] } }
  expect(permissions.allow).toContain('Bash(node calc.test.mjs)')
  expect(permissions.deny).toEqual(['Bash(npm publish)'])
  await undo.click()
  await confirmAsked(app, server)
  await expect(app.getByRole('button', { name: 'Write the rules' })).toBeVisible()
  expect(fs.readFileSync(file, 'utf8')).toBe(before)
})
