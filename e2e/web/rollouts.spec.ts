import { startScriptedModel } from '../support/scripted-model.ts'
import { axe, expect, open, test } from './fixtures.ts'

test('rollouts are begun in the app, followed to their figures, and their attempts read side by side', async ({ app, server }) => {
  // one attempt at a time: the first makes the file, the second does not
  const model = await startScriptedModel(['touch /srv/made', 'exit 0', 'ls /nothing', 'exit 1'])
  const row = { task_id: 'make-one', task: 'Make the file /srv/made.', setup_commands: ['mkdir -p /srv'], success_condition: 'test -e /srv/made', difficulty_level: 1 } // prettier-ignore
  const { id: job } = await server.api<{ id: string }>('/api/shell-tasks', {
    method: 'POST',
    body: { text: JSON.stringify(row), split: 'mine' },
  })
  await server.api(`/api/jobs/${job}?waitMs=30000`)

  await open(app, server, '/shell-tasks')
  await app.getByRole('navigation', { name: 'Shell tasks' }).getByRole('link', { name: 'Rollouts' }).click()
  await expect(app.getByRole('heading', { name: 'No rollouts yet' })).toBeVisible()
  expect(await axe(app)).toEqual([])

  await app.getByRole('link', { name: 'New rollouts' }).first().click()
  await app.getByRole('combobox', { name: 'Split' }).click()
  await app.getByRole('option', { name: /^mine/ }).click()
  await app.getByRole('textbox', { name: 'Attempts per task' }).fill('2')
  await app.getByRole('textbox', { name: 'Episodes at a time' }).fill('1')
  await app.getByText('A server', { exact: true }).click()
  await app.getByRole('textbox', { name: 'Address of the server' }).fill(model.url)
  await app.getByRole('textbox', { name: 'Name of the model' }).fill('scripted')
  const plan = app.getByRole('complementary', { name: 'Plan' })
  await expect(plan).toContainText('1 task, 2 episodes, 1 at a time.')
  await expect(plan).toContainText('No one: the model runs on this machine, and no key is sent.')
  expect(await axe(app)).toEqual([])
  await plan.getByRole('button', { name: 'Start rollouts' }).click()

  // the page shows new results without a reload
  const progress = app.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('2 of 2 episodes ended')
  await expect(progress).toContainText('1 solved, 1 not solved')
  await expect(progress).toContainText('Done')
  await expect(app.getByRole('figure', { name: /^Success by difficulty/ })).toContainText(
    '1 of 2 episodes solved: 50 %, 95 % interval 9 % to 91 %.',
  )
  await expect(app.getByRole('figure', { name: /^Exit codes/ })).toContainText('of 4 commands ended with a non-zero exit code.')
  expect(await axe(app)).toEqual([])

  await app.getByRole('table', { name: 'Attempts by task' }).getByRole('link', { name: 'Make the file /srv/made.' }).click()
  const left = app.getByRole('region', { name: 'Left attempt' })
  const right = app.getByRole('region', { name: 'Right attempt' })
  await expect(left).toContainText('touch /srv/made')
  await expect(left).toContainText('Solved')
  await expect(right).toContainText('ls /nothing')
  await expect(right).toContainText('exit code 2')
  expect(await axe(app)).toEqual([])

  await app.goBack()
  await app.getByRole('button', { name: 'Score again' }).click()
  const dialog = app.getByRole('dialog', { name: 'Score again' })
  await dialog.getByRole('textbox', { name: 'Policy name' }).fill('plain')
  for (const name of ['Length share', 'Exit penalty', 'Fail penalty']) await dialog.getByRole('textbox', { name }).fill('0')
  await dialog.getByRole('button', { name: 'Score again' }).click()
  await expect(dialog).toBeHidden()
  await expect(app.getByRole('figure', { name: /^Rewards/ })).toContainText('0.50 on average over 2 episodes, from 0.00 to 1.00.')
  await model.close()
})
