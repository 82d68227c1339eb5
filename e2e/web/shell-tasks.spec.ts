import fs from 'node:fs'
import path from 'node:path'
import { startTestHub } from '../../server/src/adapters/hub/testing-hub.ts'
import { shellSession } from '../../server/src/testing/shell-session.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { axe, expect, listed, open, test } from './fixtures.ts'

const ROWS = [
  {
    task_id: 'sum',
    task: 'Write the sum of the numbers in /srv/numbers into /tmp/total, and below it how many there are.',
    setup_commands: 'mkdir -p /srv; seq 1 9 > /srv/numbers',
    success_condition: 'test "$(sed -n 1p /tmp/total)" = 45 && test "$(sed -n 2p /tmp/total)" = 9',
    difficulty_level: '2',
    reference_solution: "awk '{ s += $1 } END { print s; print NR }' /srv/numbers > /tmp/total",
  },
  { task_id: 'bad', task: 'It has no check.' },
  { task_id: 'easy', task: 'Make an empty file named /tmp/one.', success_condition: 'test -e /tmp/one', difficulty_level: 1 },
]

test('shell tasks are imported, found, validated with evidence, and solved by hand', async ({ app, server, workspace }) => {
  const file = path.join(workspace.dir, 'tasks.jsonl')
  fs.writeFileSync(file, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''))

  await open(app, server, '/')
  await app.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Shell tasks' }).click()
  await expect(app.getByRole('heading', { name: 'Shell tasks', level: 1 })).toBeVisible()
  await app.getByRole('button', { name: 'Import tasks …' }).click()
  const dialog = app.getByRole('dialog', { name: 'Import shell tasks' })
  await dialog.getByLabel('File', { exact: true }).fill(file)
  await dialog.getByLabel('Split').fill('mine')
  expect(await axe(app)).toEqual([])
  await dialog.getByRole('button', { name: 'Import tasks' }).click()
  await expect(dialog.getByRole('region', { name: 'Import report' })).toContainText('2 tasks imported.')
  await expect(dialog.getByRole('table', { name: 'Bad lines' }).getByRole('row', { name: /success_condition is missing/ })).toContainText(
    '2',
  )
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await app.getByRole('checkbox', { name: /^mine/ }).check()
  await expect(app.getByText('2 tasks', { exact: true })).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search shell tasks' }).fill('numbers')
  await expect(app.getByText('1 task', { exact: true })).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('link', { name: /^Write the sum of the numbers/ }).click()

  await expect(app.getByRole('region', { name: 'set-up', exact: true })).toContainText('mkdir -p /srv')
  await app.getByRole('button', { name: 'Validate', exact: true }).click()
  await expect(app.getByText('Valid', { exact: true })).toBeVisible()
  await expect(app.getByText('Solvable', { exact: true })).toBeVisible()
  await app.getByText('Solvable', { exact: true }).click()
  await expect(app.getByText('The check after the reference solution.')).toBeVisible()
  expect(await axe(app)).toEqual([])

  await app.getByRole('button', { name: 'Run by hand' }).click()
  await expect(app.getByRole('heading', { name: 'Shell task sum' })).toBeVisible()
  const check = app.getByRole('button', { name: 'Check', exact: true })
  await check.click()
  await expect(app.getByText('Not solved')).toBeVisible()
  const { items } = await server.api<{ items: { id: string }[] }>('/api/sandboxes')
  await server.api(`/api/sandboxes/${items[0]!.id}/exec`, { method: 'POST', body: { command: String.raw`printf '45\n9\n' > /tmp/total` } })
  await check.click()
  await expect(app.getByText('Solved', { exact: true })).toBeVisible()
  expect(await axe(app)).toEqual([])

  await app.getByRole('link', { name: 'sum', exact: true }).click()
  await app.getByRole('button', { name: 'Edit …' }).click()
  await app.getByRole('dialog', { name: 'Edit shell task' }).getByLabel('Check').fill('test -s /tmp/total')
  await app.getByRole('button', { name: 'Save task' }).click()
  await expect(app.getByText('Not validated', { exact: true })).toBeVisible()
  await expect(app.getByRole('region', { name: 'check', exact: true })).toContainText('test -s /tmp/total')
})

test('a data set on the hub is imported by its name, after its size and licence are shown', async ({ app, server, workspace }) => {
  const hub = await startTestHub()
  try {
    const folder = path.join(workspace.dir, 'set')
    fs.mkdirSync(folder)
    fs.writeFileSync(path.join(folder, 'train.jsonl'), `${JSON.stringify(ROWS[2])}\n`)
    hub.repos.set('datasets/acme/tasks', { folder, license: 'mit' })
    await server.api('/api/settings', { method: 'PATCH', body: { training: { hub: { endpoint: hub.url } } } })
    await open(app, server, '/shell-tasks')
    await app.getByRole('button', { name: 'Import tasks …' }).click()
    const dialog = app.getByRole('dialog', { name: 'Import shell tasks' })
    await dialog.getByRole('button', { name: 'Hugging Face Hub' }).click()
    await dialog.getByLabel('Data set').fill('acme/tasks')
    await dialog.getByRole('button', { name: 'Look up' }).click()
    await expect(dialog.getByRole('region', { name: 'Data set' })).toContainText(/Size\d+ B in 1 fileLicencemitAccessopen to everyone/)
    expect(hub.sent()).toBe(0)
    expect(await axe(app)).toEqual([])
    await dialog.getByRole('button', { name: 'Import tasks' }).click()
    await expect(dialog.getByRole('region', { name: 'Import report' })).toContainText('1 task imported.')
  } finally {
    await hub.close()
  }
})

test('commands of a session become a shell task: edited, stored, validated', async ({ app, server, workspace }) => {
  const { sessionId, text } = shellSession('/home/ada/site', [
    { prompt: 'Tidy the notes, please.', commands: ['mkdir -p old && mv notes.txt old/', 'chmod 600 old/notes.txt'] },
    { prompt: 'And get the page.', commands: ['curl -o page.html https://example.com'] },
  ])
  const file = path.join(workspace.dir, 'session.jsonl')
  fs.writeFileSync(file, text)
  const { id: job } = await server.api<{ id: string }>('/api/imports', { method: 'POST', body: { paths: [file] } })
  await server.api(`/api/jobs/${job}?waitMs=30000`)
  const trace = (await listed(server)).find((one) => one.sessionId === sessionId)!

  await open(app, server, `/traces?id=${trace.id}`)
  await app.getByRole('button', { name: 'More for this session' }).click()
  await app.getByRole('menuitem', { name: 'Make shell tasks' }).click()
  await expect(app.getByRole('heading', { name: 'Shell tasks from a session' })).toBeVisible()
  await expect(app.getByText('It may need the network (curl), which a sandbox does not have.')).toBeVisible()
  const proposal = app.getByRole('region', { name: 'Proposal 1' })
  const task = proposal.getByLabel('Task', { exact: true })
  await expect(task).toHaveValue(/^Tidy the notes, please\.[^]*\/srv\/project\/old\/notes\.txt has the permissions 600\./)
  await expect(proposal.getByLabel('Reference solution')).toHaveValue(/mv notes\.txt old\/\nchmod 600 old\/notes\.txt$/)
  expect(await axe(app)).toEqual([])
  await task.fill(`Keep the notes safe.\n${await task.inputValue()}`)
  await proposal.getByRole('button', { name: 'Save task' }).click()
  await proposal.getByRole('button', { name: 'Validate' }).click()
  await expect(proposal.getByText('Valid', { exact: true })).toBeVisible()
  expect(await axe(app)).toEqual([])
  const { items } = await server.api<{ items: object[] }>('/api/shell-tasks?source=session')
  expect(items).toMatchObject([{ task: expect.stringMatching(/^Keep the notes safe\./), extra: { traceId: trace.id } }])
})

test('new shell tasks are planned with their exact text, generated, and listed with their reasons', async ({ app, server }) => {
  const answer = [
    '# Step 1\nx\n',
    '## Description\nPut the number of herons that /srv/herons lists into /srv/count.\n',
    '## Set-up commands\n```bash\nmkdir -p /srv\nseq 3 44 > /srv/herons\n```\n',
    '## Success condition\n```bash\n[ "$(wc -l < /srv/herons)" -gt 40 ] && [ "$(cat /srv/count)" = "$(wc -l < /srv/herons)" ]\n```\n',
  ].join('\n')
  const model = await startScriptedModel([answer, 'wc -l < /srv/herons > /srv/count', 'exit'])
  await open(app, server, '/shell-tasks')
  await app.getByRole('button', { name: 'Generate …' }).click()
  await app.getByText('A server', { exact: true }).click()
  await app.getByRole('textbox', { name: 'Address of the server' }).fill(model.url)
  await app.getByRole('textbox', { name: 'Name of the model' }).fill('scripted')
  await app.getByRole('textbox', { name: 'Difficulty 1' }).fill('1')
  await app.getByRole('textbox', { name: 'Difficulty 2' }).fill('0')
  await app.getByRole('textbox', { name: 'Attempts per task' }).fill('1')
  const plan = app.getByRole('complementary', { name: 'Plan' })
  await expect(plan).toContainText('1 task.')
  await plan.getByText('Exact text, difficulty 1').click()
  await expect(plan.getByText(/^You write tasks/)).toBeVisible()
  expect(await axe(app)).toEqual([])
  await plan.getByRole('button', { name: 'Start generation' }).click()
  const generations = app.getByRole('region', { name: 'Generations' })
  await expect(generations).toContainText('1 task kept of 1 candidate', { timeout: 60_000 })
  await expect(generations.getByRole('region', { name: 'Diversity' })).toContainText('The split generated has 1 task')
  expect(await axe(app)).toEqual([])
  await model.close()
})
