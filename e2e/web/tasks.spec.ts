import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import type { Workspace } from '../support/server.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { axe, expect, open, test } from './fixtures.ts'

const SUM = Array.from({ length: 24 }, (_, line) => `// line ${line + 1}`)
const BROKEN = ['const add = (a, b) => a - b', ...SUM, 'module.exports = { add }', ''].join('\n')
const FILES = {
  'package.json': '{"scripts":{"test":"node --test"}}\n',
  'sum.js': BROKEN,
  'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js').add(1, 2), 3))\n",
}
/** Two places of one file, and a new one. */
const SOLVE = "sed -i 's/a - b/a + b/; s/{ add }/{ add, version: 2 }/' sum.js; mkdir -p docs; echo 'Adds two numbers.' > docs/sum.md"

/** A repository with one commit whose tests fail. */
function makeRepository({ dir }: Workspace): string {
  const folder = path.join(dir, 'adder')
  fs.mkdirSync(folder)
  for (const [name, text] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), text)
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-C', folder, ...args])
  git('init', '-q', '-b', 'trunk')
  git('add', '-A')
  git('commit', '-qm', 'Start')
  return folder
}

/** Fills in what the shell loop needs to work on a folder with a server of this machine. */
async function fillIn(app: Page, folder: string, url: string): Promise<void> {
  await app.getByLabel('Folder', { exact: true }).fill(folder)
  await app.getByLabel('Shell loop').check({ force: true })
  await app.getByLabel('A server').check({ force: true })
  await app.getByLabel('Address of the server').fill(url)
  await app.getByLabel('Name of the model').fill('scripted')
}

test('a task is paused, shows its change so far, and goes on from there', async ({ app, server, workspace }) => {
  const folder = makeRepository(workspace)
  const model = await startScriptedModel([SOLVE, 'sleep 600', 'exit 0'])
  await open(app, server, '/agents/tasks/new')
  await fillIn(app, folder, model.url)
  await app.getByLabel('Task', { exact: true }).fill('Make add() add.')
  await app.getByRole('button', { name: 'Start task' }).click()
  await expect(app.getByRole('list', { name: 'Steps of the agent' })).toContainText('docs/sum.md')
  await app.getByRole('button', { name: 'Pause' }).click()
  const resume = app.getByRole('button', { name: 'Resume' })
  await expect(resume).toBeVisible()
  await expect(app.getByText('2 files', { exact: false }).first()).toBeVisible()
  expect(await axe(app)).toEqual([])
  await resume.click()
  await expect(app.locator('header').getByText('To review', { exact: true })).toBeVisible()
  await model.close()
})

test('a task goes from the first click over its live page and its review to files of the repository', async ({
  app,
  server,
  workspace,
}) => {
  const folder = makeRepository(workspace)
  const model = await startScriptedModel(['cat sum.js; ls', SOLVE, 'exit 0'])
  await open(app, server, '/')
  await app.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Agents' }).click()
  await expect(app.getByRole('heading', { name: 'No tasks yet' })).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('link', { name: 'New task' }).click()

  const start = app.getByRole('button', { name: 'Start task' })
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  await fillIn(app, folder, model.url)
  const plan = app.getByRole('complementary', { name: 'Plan' })
  await expect(plan.getByRole('region', { name: 'Checks' })).toContainText('npm test')
  await expect(plan.getByRole('region', { name: 'Repository' })).toContainText('trunk')
  await expect(plan).toContainText('Describe the task.')
  expect(await axe(app)).toEqual([])
  await app.getByLabel('Task', { exact: true }).fill('Make add() add.\nThe tests say when it is right.')
  await expect(start).not.toHaveAttribute('aria-disabled', 'true')
  await start.click()

  await expect(app.getByRole('heading', { level: 1 })).toHaveText('Make add() add.')
  const steps = app.getByRole('list', { name: 'Steps of the agent' })
  await expect(steps).toContainText('cat sum.js')
  const result = app.getByRole('region', { name: 'Result', exact: true })
  await expect(result).toContainText('1 of 1 test passed.')
  await expect(result).toContainText('it succeeded')
  await expect(app.locator('header').getByText('To review', { exact: true })).toBeVisible()
  expect(fs.readFileSync(path.join(folder, 'sum.js'), 'utf8')).toBe(BROKEN)
  expect(await axe(app)).toEqual([])

  await result.getByRole('link', { name: 'Review change' }).click()
  const files = app.getByRole('navigation', { name: 'Changed files' })
  await expect(files).toContainText('2 files, 0 viewed')
  await app.keyboard.press('n')
  await app.keyboard.press('r')
  await expect(files).toContainText('2 files, 1 viewed')
  await app.keyboard.press('p')
  await expect(app.getByRole('region', { name: 'Hunk 2', exact: true })).toBeVisible()
  await app.keyboard.press('j')
  await app.keyboard.press('x')
  await expect(app.getByText('2 of 3 changes selected', { exact: false })).toBeVisible()
  const download = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Save patch of 2 changes' }).click()
  const patch = fs.readFileSync(await (await download).path(), 'utf8')
  expect(patch.match(/^[+-][^+-].*/gm)).toEqual(['+Adds two numbers.', `-${BROKEN.split('\n')[0]}`, '+const add = (a, b) => a + b'])
  await app.keyboard.press('c')
  await app.getByLabel('Comment', { exact: true }).fill('No version is needed here.')
  await app.getByRole('button', { name: 'Save comment' }).click()
  await expect(app.getByRole('button', { name: 'Send 1 comment to the agent' })).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Apply' }).click()
  await expect(app.getByRole('button', { name: 'Undo' })).toBeVisible()
  const applied = fs.readFileSync(path.join(folder, 'sum.js'), 'utf8')
  expect(applied).toContain('a + b')
  expect(applied).toContain('module.exports = { add }\n')
  expect(fs.readFileSync(path.join(folder, 'docs/sum.md'), 'utf8')).toBe('Adds two numbers.\n')

  await app.getByRole('button', { name: 'Undo' }).click()
  await expect(app.getByText('Your repository is unchanged.', { exact: false })).toBeVisible()
  expect(fs.readFileSync(path.join(folder, 'sum.js'), 'utf8')).toBe(BROKEN)

  await app.getByRole('link', { name: 'Tasks', exact: true }).first().click()
  const row = app.getByRole('grid', { name: 'Tasks' }).getByRole('row', { name: /Make add/ })
  await expect(row).toContainText('Passed')
  await expect(row).toContainText('adder')
  expect(await axe(app)).toEqual([])
  await model.close()
})
