import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { axe, CONFIRMATION_ERRORS, confirmAsked, expect, open, test } from './fixtures.ts'

test("a project's own tests are found, run in a sandbox and shown test by test", async ({ app, server, workspace }) => {
  const project = path.join(workspace.dir, 'project')
  fs.mkdirSync(project)
  fs.writeFileSync(path.join(project, 'package.json'), '{"scripts":{"test":"node --test"}}')
  fs.writeFileSync(
    path.join(project, 'sum.test.js'),
    "const test = require('node:test')\ntest('adds', () => {})\ntest('subtracts', () => { throw new Error('expected 1, got 3') })\n",
  )
  await open(app, server, '/agents')
  await app.getByRole('link', { name: 'Check a project' }).click()
  await expect(app.getByRole('heading', { name: 'Check a project' })).toBeVisible()
  const run = app.getByRole('button', { name: 'Run checks' })
  await app.getByLabel('Folder').fill('project')
  await expect(app.getByText('Enter an absolute path, such as /home/you/project.')).toBeVisible()
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

test('the checks of a session run on the state it left, and are listed with its facts after a reload', async ({
  app,
  server,
  workspace,
}) => {
  const project = path.join(workspace.dir, 'work')
  fs.mkdirSync(project)
  fs.writeFileSync(path.join(project, 'package.json'), '{"scripts":{"test":"node --test"}}')
  fs.writeFileSync(path.join(project, 'calc.test.js'), "require('node:test')('adds', () => {})")
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-C', project, ...args], { encoding: 'utf8' }).trim()
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'Fix add()')
  const hash = git('rev-parse', 'HEAD')
  workspace.addSample('fix-test')
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-project')
  const [name] = fs.readdirSync(folder).filter((one) => one.endsWith('.jsonl')) as [string]
  const text = fs.readFileSync(path.join(folder, name), 'utf8')
  fs.writeFileSync(path.join(folder, name), text.replaceAll('/home/dev/project', project).replaceAll('a7b3321', hash.slice(0, 7)))
  await server.api('/api/imports', { method: 'POST', body: {} })
  const traces = async () => (await server.api<{ items: { id: string; cwd: string | null }[] }>('/api/traces')).items
  await expect.poll(async () => (await traces()).some(({ cwd }) => cwd === project)).toBe(true)
  const { id } = (await traces()).find(({ cwd }) => cwd === project)!

  await open(app, server, `/traces/${id}`)
  await app.getByRole('button', { name: 'Run its checks' }).click()
  await expect(app.getByText(`The session's last commit, ${hash.slice(0, 10)}.`, { exact: false })).toBeVisible()
  await expect(app.getByText('1 of 1 test passed.', { exact: false })).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.reload()
  await expect(app.getByText('1 of 1 test passed.', { exact: false })).toBeVisible()
})

test.describe('a hidden folder', () => {
  test.use({ expectedErrors: CONFIRMATION_ERRORS })

  test('is checked only after the command line has confirmed it, which serves the look and the run', async ({ app, server, workspace }) => {
    const project = path.join(workspace.dir, '.hidden', 'project')
    fs.mkdirSync(project, { recursive: true })
    fs.writeFileSync(path.join(project, 'package.json'), '{"scripts":{"test":"node --test"}}')
    fs.writeFileSync(path.join(project, 'sum.test.js'), "require('node:test')('adds', () => {})")
    await open(app, server, '/agents/checks')
    await app.getByLabel('Folder').fill(project)
    await app.getByLabel('Folder').press('Enter')
    const dialog = app.getByRole('dialog', { name: 'Confirm reading this folder' })
    await expect(dialog).toContainText('Read a project and run its tests in a sandbox')
    await expect(dialog).toContainText(project)
    await confirmAsked(app, server)
    await expect(app.getByText('1 of 1 test passed.')).toBeVisible()
  })
})
