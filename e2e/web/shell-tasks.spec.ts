import fs from 'node:fs'
import path from 'node:path'
import { axe, expect, open, test } from './fixtures.ts'

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

  await open(app, server, '/arena')
  await app.getByRole('navigation', { name: 'Arena' }).getByRole('link', { name: 'Shell tasks' }).click()
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
