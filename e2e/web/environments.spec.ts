import WebSocket from 'ws'
import { axe, expect, open, test } from './fixtures.ts'

test('an environment server is started, shows the session of a trainer, and is stopped', async ({ app, server }) => {
  await open(app, server, '/shell-tasks')
  await app.getByRole('link', { name: 'Environments' }).click()
  await expect(app.getByRole('heading', { name: 'No server is running' })).toBeVisible()
  await app.getByRole('button', { name: 'Start a server' }).click()
  await app.getByLabel('Maximum sessions').fill('0')
  await expect(app.getByText('Enter a whole number from 1 to 1024.')).toBeVisible()
  await app.getByLabel('Maximum sessions').fill('2')
  await app.getByRole('button', { name: 'Start server' }).click()
  const token = await app.getByRole('region', { name: 'the token' }).innerText()
  const lines = app.getByRole('region', { name: 'the lines for TRL' })
  await expect(lines).toContainText(`"${token}"`)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await lines.innerText())![0]
  await app.getByRole('button', { name: 'Gymnasium' }).click()
  await expect(app.getByRole('region', { name: 'the lines for Gymnasium' })).toContainText(url)

  const trainer = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
  await new Promise((resolve) => trainer.once('open', resolve))
  trainer.send(JSON.stringify({ type: 'reset', data: { episode_id: 'episode-of-a-trainer' } }))
  const row = app.getByRole('row', { name: /episode-of-a-trainer/ })
  await expect(row).toContainText('running')
  expect(await axe(app)).toEqual([])
  await row.getByRole('link').click()
  await expect(app.getByText('environment episode-of-a-trainer').first()).toBeVisible()
  await app.goBack()
  trainer.close()
  await expect(app.getByText('No trainer is connected.')).toBeVisible()
  await app.getByRole('button', { name: 'Stop server' }).click()
  await expect(app.getByRole('heading', { name: 'No server is running' })).toBeVisible()
})
