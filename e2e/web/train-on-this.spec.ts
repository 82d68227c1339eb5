import fs from 'node:fs'
import { type RunningServer, startServer } from '../support/server.ts'
import { makeTinyModel, PYTHON, acceptingSessions } from '../support/trainer.ts'
import { axe, expect, jobsDone, open, rowsOf, test as base } from './fixtures.ts'

const test = base.extend<object, { model: string }>({
  model: [
    // oxlint-disable-next-line no-empty-pattern -- a fixture names what it needs: nothing
    async ({}, use) => {
      const folder = acceptingSessions(makeTinyModel())
      await use(folder)
      fs.rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  server: async ({ workspace, model }, use) => {
    const server = await startServer(workspace, { env: { BASHGYM_PYTHON: PYTHON } })
    await jobsDone(server)
    await server.api('/api/settings', { method: 'PATCH', body: { onboarding: { done: true }, training: { baseModels: [model] } } })
    await use(server)
    for (const { id, state } of await runs(server))
      if (state !== 'completed') await server.api(`/api/training/${id}/cancel`, { method: 'POST', body: {} }).catch(() => undefined)
    await server.stop()
  },
})
test.use({ samples: ['fix-test', 'subagent'] })
test.skip(PYTHON === '', 'BASHGYM_TEST_PYTHON names no Python that trains')
test.setTimeout(240_000)

const runs = async (server: RunningServer) => (await server.api<{ items: { id: string; state: string }[] }>('/api/training')).items

test('from sessions to a run in three clicks', async ({ app, server, model }) => {
  await open(app, server, '/traces')
  await expect(rowsOf(app)).toHaveCount(2)
  await app.getByRole('link', { name: 'Train on this' }).click() // click 1

  const card = app.getByRole('region', { name: 'What is built' })
  await expect(card.getByRole('heading', { name: 'Gold (verified) and silver → train and validation' })).toBeVisible()
  await expect(card.getByText(/^\d+ sessions?/)).toBeVisible()
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Build and plan the run' }).click() // click 2

  const plan = app.getByRole('complementary', { name: 'Plan' })
  await expect(app.getByRole('radio', { name: new RegExp(model.split('/').at(-1)!) })).toBeChecked()
  await expect(plan.getByRole('heading', { name: /^Trains on/ })).toBeVisible()
  const start = plan.getByRole('button', { name: 'Start run' })
  await expect(start).not.toHaveAttribute('aria-disabled', 'true')
  expect(await axe(app)).toEqual([])
  await start.click() // click 3

  await expect(app.getByRole('figure', { name: 'Loss', exact: true }).locator('canvas')).toBeVisible({ timeout: 120_000 })
})

test('a selection is trained on whatever its tier', async ({ app, server }) => {
  await open(app, server, '/traces')
  await rowsOf(app).first().getByRole('checkbox').click()
  await app.getByRole('toolbar', { name: 'Selected sessions' }).getByRole('button', { name: 'Train on this' }).click()
  await expect(app.getByRole('heading', { name: '1 selected session → train and validation' })).toBeVisible()
  await expect(app.getByText('1 session', { exact: true })).toBeVisible()
})
