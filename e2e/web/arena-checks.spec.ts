import fs from 'node:fs'
import path from 'node:path'
import { axe, expect, open, test } from './fixtures.ts'

test("a project's own tests are found, run in a sandbox and shown test by test", async ({ app, server, workspace }) => {
  const project = path.join(workspace.dir, 'project')
  fs.mkdirSync(project)
  fs.writeFileSync(path.join(project, 'package.json'), '{"scripts":{"test":"node --test"}}')
  fs.writeFileSync(
    path.join(project, 'sum.test.js'),
    "const test = require('node:test')\ntest('adds', () => {})\ntest('subtracts', () => { throw new Error('expected 1, got 3') })\n",
  )
  await open(app, server, '/arena')
  await app.getByRole('link', { name: 'Check a project' }).click()
  await expect(app.getByRole('heading', { name: 'Check a project' })).toBeVisible()
  const run = app.getByRole('button', { name: 'Run checks' })
  await app.getByLabel('Folder').fill('project')
  await expect(app.getByText('Write the whole path, as in /home/you/project.')).toBeVisible()
  await app.getByLabel('Folder').fill(project)
  await app.getByLabel('Folder').press('Enter')
  await expect(app.getByText('1 of 2 tests passed, 1 failed.')).toBeVisible()
  await expect(app.getByText('Found: npm test (package.json)')).toBeVisible()
  await expect(app.getByRole('row', { name: /failed subtracts/ })).toContainText('expected 1, got 3')
  await expect(app.getByRole('table', { name: 'Tests' }).getByRole('row')).toHaveCount(3)
  expect(await axe(app)).toEqual([])

  await app.getByLabel('Command').fill('sleep 1000')
  await app.getByLabel('Time limit').fill('1')
  await run.click()
  await expect(app.getByText('The checks did not end within 1 s and were stopped.')).toBeVisible()
})
