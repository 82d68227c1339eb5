import fs from 'node:fs'
import path from 'node:path'
import { startScriptedModel } from '../support/scripted-model.ts'
import { axe, expect, open, test } from './fixtures.ts'

const settingsFor = (baseUrl: string) => ({
  agent: 'shell',
  model: 'scripted',
  endpoint: { kind: 'url', dialect: 'openai', baseUrl },
})

test('a batch is followed from the list over its report to one of its runs', async ({ app, server }) => {
  await open(app, server, '/agents')
  await app.getByRole('navigation', { name: 'Agents' }).getByRole('link', { name: 'Batches' }).click()
  await expect(app.getByRole('heading', { name: 'No batches yet' })).toBeVisible()
  await expect(app.getByRole('region', { name: 'the command' })).toContainText('bashgym batch tasks.jsonl --output')
  expect(await axe(app)).toEqual([])

  // one attempt at a time: the first makes the file, the others do not
  const model = await startScriptedModel(['touch made', 'exit 0', 'exit 0'])
  const { id } = await server.api<{ id: string }>('/api/batches', {
    method: 'POST',
    body: {
      name: 'Two files',
      tasks: [
        { key: 'made', prompt: 'Make a file.', verify: 'test -e made' },
        { key: 'loose', prompt: 'Do as you like.' },
      ],
      attempts: 2,
      concurrency: 1,
      settings: settingsFor(model.url),
    },
  })
  await app.getByRole('link', { name: 'Agents' }).click()
  await app.getByRole('navigation', { name: 'Agents' }).getByRole('link', { name: 'Batches' }).click()
  await app.getByRole('table', { name: 'Batches' }).getByRole('link', { name: 'Two files' }).click()

  // the page shows new results without a reload
  await expect(app.getByRole('region', { name: 'Progress' })).toContainText('4 of 4 attempts ended1 passed, 1 failed, 2 not verified')
  await expect(app.getByRole('region', { name: 'Progress' })).toContainText('Done')
  const rate = app.getByRole('figure', { name: /^Pass rate/ })
  await expect(rate).toContainText('1 of 2 attempts passed: 50 %, 95 % interval 9 % to 91 %. Not counted: 2 not verified.')
  const row = app.getByRole('table', { name: 'Attempts by task' }).getByRole('row', { name: /Make a file/ })
  await expect(row).toContainText('1 of 2')
  await expect(row).toContainText('1 file')
  await expect(row).toContainText('nothing changed')
  await expect(app.getByRole('table', { name: 'Failures by cause' })).toContainText('The work failed')
  expect(await axe(app)).toEqual([])

  const best = row.getByRole('button', { name: /made, attempt 1$/ })
  await best.press('Enter')
  await expect(best).toHaveAttribute('aria-pressed', 'true')
  expect(await server.api(`/api/batches/${id}/report`)).toMatchObject({ winners: [{ key: 'made' }] })
  await server.api(`/api/batches/${id}/winner`, { method: 'POST', body: { key: 'made', taskId: null } })
  await expect(best).toHaveAttribute('aria-pressed', 'false')

  const saved = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Download' }).press('Enter')
  await app.getByRole('menuitem', { name: 'Results as JSON lines' }).press('Enter')
  const lines = fs
    .readFileSync(await (await saved).path(), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome).toSorted()).toEqual([
    'failed',
    'passed',
    'unverified',
    'unverified',
  ])

  await row.getByRole('link', { name: 'Failed made, attempt 2' }).press('Enter')
  await expect(app.getByRole('heading', { level: 1 })).toHaveText('Attempt 2, scripted: Make a file.')
  await app.getByRole('link', { name: 'Batch', exact: true }).click()
  await expect(app).toHaveURL(new RegExp(`/agents/batches/${id}$`))
  await app.getByRole('link', { name: 'All batches' }).click()
  await expect(app.getByRole('table', { name: 'Batches' }).getByRole('row', { name: /Two files/ })).toContainText('50 % (9 % to 91 %)')
  expect(await axe(app)).toEqual([])
  await model.close()
})

test('a batch is begun from pasted tasks in the app, with its plan before and its report after', async ({ app, server, workspace }) => {
  const model = await startScriptedModel(['touch made', 'exit 0', 'exit 0'])
  await open(app, server, '/agents/batches')
  await app.getByRole('link', { name: 'New batch' }).click()
  const start = app.getByRole('button', { name: 'Start batch' })
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  const plan = app.getByRole('complementary', { name: 'Plan' })
  await expect(plan).toContainText('Paste tasks, or choose a file with tasks.')
  expect(await axe(app)).toEqual([])

  fs.mkdirSync(path.join(workspace.dir, 'empty'))
  const file = path.join(workspace.dir, 'tasks.jsonl')
  fs.writeFileSync(file, '{"id": "made", "prompt": "Make a file.", "verify": "test -e made", "directory": "empty"}\n{"promt": "Wrong."}\n')
  await app.getByLabel('File of tasks').setInputFiles(file)
  const status = app.getByRole('status').filter({ hasText: 'No task yet' })
  await expect(status).toContainText('Line 1: directory: "empty" is not an absolute path')
  await expect(status).toContainText('Line 2: prompt: it is missing')
  await app.getByLabel('Base folder for relative paths').fill(workspace.dir)
  await app.getByLabel('Shell loop').check({ force: true })
  await app.getByLabel('A server').check({ force: true })
  await app.getByLabel('Address of the server').fill(model.url)
  await app.getByLabel('Name of the model').fill('scripted')
  await app.getByLabel('Attempts per task', { exact: true }).fill('2')
  await app.getByLabel('Runs at a time').fill('1')
  await expect(plan).toContainText('Line 2: ')
  const lines = app.getByLabel('Tasks as JSON lines')
  await lines.fill((await lines.inputValue()).replace('promt', 'prompt'))

  const much = plan.getByRole('region', { name: 'How much' })
  await expect(much).toContainText('2 tasks, 2 attempts each: 4 runs, 1 at a time.')
  await expect(much).toContainText('No estimate: no run of Shell loop with scripted has ended yet.')
  await expect(plan.getByRole('region', { name: 'Checks' })).toContainText('test -e made')
  await expect(plan.getByRole('region', { name: 'Who pays' })).toContainText('scripted')
  expect(await axe(app)).toEqual([])
  await expect(start).not.toHaveAttribute('aria-disabled', 'true')
  await start.click()
  await expect(app).toHaveURL(/\/agents\/batches\/[a-z2-7]{26}$/)
  await expect(app.getByRole('region', { name: 'Progress' })).toContainText('4 of 4 attempts ended1 passed, 1 failed, 2 not verified')
  await expect(app.getByRole('table', { name: 'Attempts by task' }).getByRole('row', { name: /Make a file/ })).toContainText('1 of 2')

  // what was measured is the estimate of the next one
  await app.goBack()
  await app.getByLabel('Tasks as JSON lines').fill('{"prompt": "Once more."}')
  await app.getByLabel('Shell loop').check({ force: true })
  await app.getByLabel('A server').check({ force: true })
  await app.getByLabel('Address of the server').fill(model.url)
  await app.getByLabel('Name of the model').fill('scripted')
  await expect(much).toContainText('if each run is like the median of 4 earlier runs of Shell loop with scripted.')
  await model.close()
})

test('a batch is cancelled, and continues with what has no result', async ({ app, server }) => {
  let answer = 'sleep 1000'
  const model = await startScriptedModel(() => answer)
  const { id } = await server.api<{ id: string }>('/api/batches', {
    method: 'POST',
    body: { tasks: [{ key: 'only', prompt: 'Wait.', verify: 'true' }], attempts: 2, concurrency: 1, settings: settingsFor(model.url) },
  })
  await open(app, server, `/agents/batches/${id}`)
  await expect(app.getByRole('link', { name: 'Working only, attempt 1' })).toBeVisible()
  const progress = app.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('0 of 2 attempts ended1 running, 1 waiting')
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Cancel batch' }).click()
  await expect(progress).toContainText('Cancelled')
  await expect(progress).toContainText('1 without a result, 1 waiting')
  answer = 'exit 0'
  await app.getByRole('button', { name: 'Continue with 2 attempts' }).click()
  await expect(progress).toContainText('2 of 2 attempts ended2 passed')
  await expect(app.getByRole('figure', { name: /^Pass rate/ })).toContainText('100 %')
  await model.close()
})
