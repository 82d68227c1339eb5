import http from 'node:http'
import type { AddressInfo } from 'node:net'
import fs from 'node:fs'
import path from 'node:path'
import { repositoryOf, TWO_FAULTS, writeWork } from '../../server/src/stages/judge/solved/testing-solved.ts'
import { jobDone } from '../support/server.ts'
import { axe, expect, listed, open, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })

/** An endpoint whose model `good` calls Bash, and whose other models call Read; as agents they leave their shell at once. */
async function startModels() {
  const names = new Map<string, string>()
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { model, tools } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { model: string; tools?: object[] }
    const call = { name: (names.get(model) ?? model) === 'good' ? 'Bash' : 'Read', arguments: '{"command":"ls"}' }
    const message = tools
      ? { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: call }] }
      : { role: 'assistant', content: 'exit 0' }
    const body = {
      choices: [{ index: 0, message, finish_reason: tools ? 'tool_calls' : 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on a model answers like another. */
    rename: (from: string, to: string) => names.set(from, to),
    close: () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}

test('an exam is made, taken by two models, decided, and its certificate saved', async ({ app, server }) => {
  const models = await startModels()
  expect((await listed(server)).length).toBeGreaterThan(0)
  await open(app, server, '/evaluator')
  await expect(app.getByRole('heading', { name: 'No exam yet' })).toBeVisible()
  expect(await axe(app)).toEqual([])

  await app.getByRole('button', { name: 'Make my exam' }).click()
  const making = app.getByRole('dialog', { name: 'Make my exam' })
  await making.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await making.getByRole('textbox', { name: 'Share' }).fill('100')
  await making.getByRole('switch', { name: 'Also unverified sessions' }).click()
  await expect(making.getByRole('region', { name: 'Plan' })).toContainText('would be held out')
  expect(await axe(app)).toEqual([])
  await making.getByRole('button', { name: 'Make exam' }).click()
  await expect(app.getByRole('heading', { name: 'Mine', exact: true })).toBeVisible()
  expect(await axe(app)).toEqual([])

  await app.getByRole('button', { name: 'Run the exam' }).click()
  const running = app.getByRole('dialog', { name: 'Run the exam' })
  await running.getByText('A server', { exact: true }).click()
  await running.getByRole('textbox', { name: 'Address' }).fill(models.url)
  await running.getByRole('textbox', { name: 'Name of the model' }).fill('good')
  await running.getByRole('textbox', { name: 'Name of its base' }).fill('plain')
  await expect(running.getByRole('region', { name: 'Plan' })).toContainText('No one: the model runs on this machine')
  expect(await axe(app)).toEqual([])
  await running.getByRole('button', { name: 'Start' }).click()

  const verdict = app.getByRole('region', { name: 'Verdict' })
  await expect(verdict).toContainText('Not proven')
  await expect(verdict).toContainText('too few: at least 20 are needed')
  await expect(app.getByRole('region', { name: 'Progress' })).toContainText('nothing owed')
  await expect(app.getByRole('table', { name: 'Items' })).toContainText('Bash')
  await expect(app.getByRole('figure', { name: 'Pair by pair' })).toContainText('a line from the score of the base')
  await expect(app.getByRole('figure', { name: 'Differences' })).toContainText('This exam')
  await expect(app.getByRole('figure', { name: 'Sessions needed' })).toContainText('would show a difference of .05 in 80 of 100 exams')
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Decide', exact: true }).click()
  await expect(verdict).toContainText('decided')
  const saving = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Certificate' }).click()
  const saved = JSON.parse(fs.readFileSync(await (await saving).path(), 'utf8')) as { verdict: string; errors: string[] }
  expect(saved).toMatchObject({ verdict: 'not_proven' })
  expect(saved.errors).toContain('General benchmarks: not measured.')
  await models.close()
})

test('tasks of an exam are read with their proofs, one is left out, and agents do the others', async ({ app, server, workspace }) => {
  const cwd = repositoryOf(workspace.dir, TWO_FAULTS.files)
  const sessions = path.join(workspace.claudeDir, 'projects', '-work')
  fs.mkdirSync(sessions, { recursive: true })
  writeWork(sessions, { cwd, prompt: 'Mend both functions', calls: TWO_FAULTS.calls(cwd) })
  await server.api('/api/imports', { method: 'POST', body: {} })
  const traces = async () => (await server.api<{ items: { cwd: string | null }[] }>('/api/traces')).items
  await expect.poll(async () => (await traces()).some((trace) => trace.cwd === cwd)).toBe(true)

  await open(app, server, '/evaluator')
  await app.getByRole('button', { name: 'Make my exam' }).click()
  const making = app.getByRole('dialog', { name: 'Make my exam' })
  await making.getByText('Solved tasks', { exact: true }).click()
  await expect(making.getByRole('region', { name: 'Plan' })).toContainText('1 of 4 sessions would be tried')
  expect(await axe(app)).toEqual([])
  await app.keyboard.press('Escape')
  const body = { kind: 'solved_tasks', name: 'My tasks', repeats: 1 }
  const { id } = await server.api<{ id: string }>('/api/exams', { method: 'POST', body })
  const { result } = await jobDone(server, id)
  await open(app, server, `/evaluator/${(result as { id: string }).id}`)
  const tasks = app.getByRole('table', { name: 'Tasks' })
  await expect(tasks.getByRole('row')).toHaveCount(4)
  await expect(tasks).toContainText('2 tests must pass, 1 must stay: adds, multiplies')
  await expect(tasks).toContainText('GOLD')
  await app.getByRole('button', { name: 'no check passed in it' }).click()
  await expect(app.getByRole('table', { name: 'Sessions: no check passed in it' }).getByRole('row').nth(1)).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Edit the prompt of task 1' }).click()
  const editing = app.getByRole('dialog', { name: 'Prompt of task 1' })
  await editing.getByRole('textbox', { name: 'Prompt' }).fill('Mend both, please')
  expect(await axe(app)).toEqual([])
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(tasks).toContainText('edited by you')
  await app.getByRole('button', { name: 'Leave out task 3' }).click()
  await expect(tasks.getByRole('row')).toHaveCount(3)

  const models = await startModels()
  await app.getByRole('button', { name: 'Run the exam' }).click()
  const running = app.getByRole('dialog', { name: 'Run the exam' })
  await running.getByText('A server', { exact: true }).click()
  await running.getByRole('textbox', { name: 'Address' }).fill(models.url)
  await running.getByRole('textbox', { name: 'Name of the model' }).fill('good')
  await running.getByRole('textbox', { name: 'Name of its base' }).fill('plain')
  await expect(running.getByRole('region', { name: 'Plan' })).toContainText('4 runs of an agent')
  expect(await axe(app)).toEqual([])
  await running.getByRole('button', { name: 'Start' }).click()
  const items = app.getByRole('table', { name: 'Items' })
  await expect(app.getByRole('region', { name: 'Verdict' })).toContainText('Not proven', { timeout: 120_000 })
  await expect(items).toContainText('not all attempts pass')
  await expect(items.getByRole('link', { name: 'Run 1' }).first()).toBeVisible()
  expect(await axe(app)).toEqual([])
  await models.close()
})

test('the thermometer is switched on after its plan, and a reading that fell opens the items that changed', async ({ app, server }) => {
  const models = await startModels()
  const body = { name: 'Mine', share: 1, unverified: true }
  await jobDone(server, (await server.api<{ id: string }>('/api/exams', { method: 'POST', body })).id)
  await open(app, server, '/evaluator/thermometer')
  await expect(app.getByRole('heading', { name: 'The thermometer is off' })).toBeVisible()
  await app.getByRole('button', { name: 'Switch on' }).click()
  const form = app.getByRole('dialog', { name: 'Switch the thermometer on' })
  await form.getByText('A server', { exact: true }).click()
  await form.getByRole('textbox', { name: 'Address' }).fill(models.url)
  await form.getByRole('textbox', { name: 'Name of the model' }).fill('good')
  const plan = form.getByRole('region', { name: 'Plan' })
  await expect(plan).toContainText('at most 5 readings a month')
  await expect(plan).toContainText('No one: the model runs on this machine')
  expect(await axe(app)).toEqual([])
  await form.getByRole('button', { name: 'Switch on' }).click()

  const readings = app.getByRole('table', { name: 'Readings' })
  await expect(readings).toContainText('switched on')
  await expect(readings).toContainText('there is nothing to compare it with')
  await expect(app.getByRole('region', { name: 'Schedule' })).toContainText('The next date is')
  models.rename('good', 'plain')
  await app.getByRole('button', { name: 'Take a reading' }).click()
  await expect(readings.getByRole('row')).toHaveCount(3)
  await expect(readings.getByRole('link', { name: '4 items fell, 1 rose' })).toBeVisible()
  await expect(app.getByRole('figure', { name: 'Score over time' })).toContainText('2 readings')
  await expect(app.getByRole('table', { name: 'Items' })).toContainText('Before')
  expect(await axe(app)).toEqual([])
  if (process.env['BASHGYM_PICTURES']) await app.screenshot({ path: `${process.env['BASHGYM_PICTURES']}/thermometer.png`, fullPage: true })
  await app.getByRole('button', { name: 'Switch off' }).click()
  await expect(app.getByRole('region', { name: 'Schedule' })).toContainText('Nothing is asked')
  await models.close()
})
