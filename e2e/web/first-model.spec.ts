import fs from 'node:fs'
import os from 'node:os'
import { startTestHub, type TestHub } from '../../server/src/adapters/hub/testing-hub.ts'
import { startServer } from '../support/server.ts'
import { acceptingSessions, makeTinyModel, PYTHON } from '../support/trainer.ts'
import { axe, expect, jobsDone, open, test as base } from './fixtures.ts'

// A new user's way to a first model of their own, by clicks only, with a hub on this machine. The clock is printed.
const ID = 'acme/tiny-instruct'
const MINUTES = 10

const test = base.extend<{ hub: TestHub }>({
  // oxlint-disable-next-line no-empty-pattern -- a fixture names what it needs: nothing
  hub: async ({}, use) => {
    const hub = await startTestHub()
    const folder = acceptingSessions(makeTinyModel())
    hub.repos.set(ID, { folder, license: 'apache-2.0' })
    await use(hub)
    await hub.close()
    fs.rmSync(folder, { recursive: true, force: true })
  },
  server: async ({ workspace, hub }, use) => {
    const server = await startServer(workspace, { env: { HF_ENDPOINT: hub.url, BASHGYM_PYTHON: PYTHON } })
    await jobsDone(server)
    await use(server)
    await server.stop()
  },
})
test.use({ settled: false, samples: ['fix-test', 'subagent'] })
test.skip(PYTHON === '', 'BASHGYM_TEST_PYTHON names no Python that trains')
test.setTimeout(MINUTES * 60_000)

test('from the first start to an answer of an own model', async ({ app, server }) => {
  const started = Date.now()
  const clock: string[] = []
  const stage = async (name: string, walk: () => Promise<void>) => {
    await test.step(name, walk)
    clock.push(`${((Date.now() - started) / 1000).toFixed(0)} s ${name}`)
  }
  const training = app.getByRole('region', { name: 'Train a first model' })

  await stage('the guide knows what training lacks', async () => {
    await open(app, server, '/')
    await expect(training).toContainText('Training needs a base model')
    await training.getByRole('link', { name: 'Get a base model' }).click()
  })
  await stage('a base model is downloaded', async () => {
    await app.getByRole('textbox', { name: 'Any other model, by its id on the hub' }).fill(ID)
    await app.getByRole('button', { name: 'Look up' }).click()
    const dialog = app.getByRole('dialog', { name: `Download ${ID}?` })
    await expect(dialog).toContainText('its chat template writes them')
    expect(await axe(app)).toEqual([])
    await dialog.getByRole('button', { name: 'Download', exact: true }).click()
    await expect(app.getByRole('list', { name: 'Models on this machine' })).toContainText('tiny-instruct')
    await app.getByRole('link', { name: 'Back to set-up' }).click()
  })
  await stage('a data set is built', async () => {
    await expect(training).toContainText('Everything that training needs is here')
    expect(await axe(app)).toEqual([])
    await training.getByRole('link', { name: 'Train on my sessions' }).click()
    await app.getByRole('button', { name: 'Build and plan the run' }).click()
    await expect(app.getByRole('radio', { name: /tiny-instruct/ })).toBeChecked()
  })
  const plan = app.getByRole('complementary', { name: 'Plan' })
  await stage('the run is planned and started', async () => {
    await app.getByText('Quick check').click()
    await expect(plan.getByRole('heading', { name: /^Trains on/ })).toBeVisible()
    const start = plan.getByRole('button', { name: 'Start run' })
    await expect(start).not.toHaveAttribute('aria-disabled', 'true')
    await start.click()
  })
  await stage('the run is done, and asks one question', async () => {
    await expect(app.locator('#content').getByRole('link', { name: 'Is it better?' })).toBeVisible({ timeout: 5 * 60_000 })
    expect(await axe(app)).toEqual([])
    await app.getByRole('link', { name: 'Open model' }).first().click()
  })
  await stage('the model answers', async () => {
    await app.getByRole('link', { name: 'Try it', exact: true }).click()
    await app.getByRole('textbox', { name: 'Message to both models' }).fill('Which files are here?')
    await app.getByRole('button', { name: 'Send' }).click()
    await expect(app.getByText(/tokens per second|tokens\/s/).first()).toBeVisible({ timeout: 3 * 60_000 })
  })
  await stage('an exam is made for it', async () => {
    await app.locator('#content').getByRole('link', { name: 'Is it better?' }).click()
    const making = app.getByRole('dialog', { name: 'Make my exam' })
    await expect(making.getByRole('switch', { name: 'Only what this model has not seen' })).toBeChecked()
    await expect(making.getByRole('region', { name: 'Plan' })).toContainText('this model was trained on it')
    expect(await axe(app)).toEqual([])
  })
  console.log(`A first own model on ${os.availableParallelism()} cores:\n${clock.join('\n')}`)
  expect(Date.now() - started).toBeLessThan(MINUTES * 60_000)
})
