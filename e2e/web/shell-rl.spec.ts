import fs from 'node:fs'
import path from 'node:path'
import { startScriptedModel } from '../support/scripted-model.ts'
import { makeShellModel } from '../support/shell-model.ts'
import { PYTHON } from '../support/trainer.ts'
import { axe, expect, open, test as base, withServer } from './fixtures.ts'

const test = base.extend({
  server: ({ workspace }, use) => withServer(workspace, { BASHGYM_PYTHON: PYTHON }, use),
})

const NAMES = ['m71', 'm72', 'm73']
const SETTINGS = {
  method: { kind: 'full' },
  learningRate: 5e-4,
  maxSteps: 4,
  batchSize: 8,
  generations: 4,
  maxLength: 512,
  maxCompletion: 96,
  maxTurns: 3,
  turnTokens: 32,
  heldoutTasks: 6,
  evalSteps: 2,
  loggingSteps: 1,
  saveSteps: null,
  samples: 2,
  schedule: 'constant',
  device: 'cpu',
  threads: 1,
}

test('shell tasks are imported, validated, tried by a model and learned from; the run page shows the proof', async ({
  app,
  server,
  workspace,
}, info) => {
  test.skip(PYTHON === '', 'BASHGYM_TEST_PYTHON names no Python that trains')
  const row = (name: string) => ({ task_id: name, task: `Create the file ${name}`, setup_commands: [], success_condition: `test -f ${name}`, difficulty_level: 1, reference_solution: `touch ${name}` }) // prettier-ignore
  const file = path.join(workspace.dir, 'toys.jsonl')
  fs.writeFileSync(file, NAMES.map((name) => `${JSON.stringify(row(name))}\n`).join(''))
  const { items } = await server.api<{ items: { task: string; referenceSolution: string | null }[] }>('/api/shell-tasks?split=toy-heldout&limit=100') // prettier-ignore
  const folder = path.join(workspace.dir, 'small-model')
  const made = makeShellModel(folder, [...NAMES.map((name) => ({ task: row(name).task, referenceSolution: row(name).reference_solution })), ...items]) // prettier-ignore
  const endpoint = await startScriptedModel(['touch m71 m72 m73', 'exit 0', 'ls', 'exit 0'])

  await test.step('import', async () => {
    await open(app, server, '/shell-tasks')
    await app.getByRole('button', { name: 'Import tasks …' }).click()
    const dialog = app.getByRole('dialog', { name: 'Import shell tasks' })
    await dialog.getByLabel('File', { exact: true }).fill(file)
    await dialog.getByLabel('Split').fill('toy-mine')
    await dialog.getByRole('button', { name: 'Import tasks' }).click()
    await expect(dialog.getByRole('region', { name: 'Import report' })).toContainText('3 tasks imported.')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  await test.step('validate', async () => {
    await app.getByRole('checkbox', { name: /^toy-mine/ }).check()
    await app.getByRole('button', { name: 'Validate 3 tasks' }).click()
    await expect(app.getByText('3 of 3 tasks valid')).toBeVisible({ timeout: 90_000 })
  })

  await test.step('rollouts', async () => {
    await open(app, server, '/shell-tasks/rollouts/new')
    await app.getByRole('combobox', { name: 'Split' }).click()
    await app.getByRole('option', { name: /^toy-mine/ }).click()
    await app.getByRole('textbox', { name: 'Attempts per task' }).fill('2')
    await app.getByRole('textbox', { name: 'Episodes at a time' }).fill('1')
    await app.getByText('A server', { exact: true }).click()
    await app.getByRole('textbox', { name: 'Address of the server' }).fill(endpoint.url)
    await app.getByRole('textbox', { name: 'Name of the model' }).fill('scripted')
    await app.getByRole('button', { name: 'Start rollouts' }).click()
    const progress = app.getByRole('region', { name: 'Progress' })
    await expect(progress).toContainText('6 of 6 episodes ended', { timeout: 60_000 })
    await expect(progress).toContainText('1 solved, 5 not solved')
    await endpoint.close()
  })

  await test.step('train', async () => {
    await made
    await open(app, server, '/training/new')
    await app.getByText('GRPO', { exact: true }).click()
    await app.getByRole('radiogroup', { name: 'Data source' }).getByText('Shell tasks').click()
    await app.getByRole('combobox', { name: 'Split to train on' }).click()
    await app.getByRole('option', { name: 'toy-mine · 3 tasks' }).click()
    await app.getByRole('combobox', { name: /^Held-out split/ }).click()
    await app.getByRole('option', { name: /^toy-heldout/ }).click()
    await app.getByRole('textbox', { name: 'Or a model folder' }).fill(folder)
    await app.getByRole('textbox', { name: 'Name', exact: true }).fill('toys')
    await app.getByText('Configuration and command').click()
    await app.getByRole('button', { name: 'Load configuration …' }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Configuration', exact: true }).fill(JSON.stringify({ settings: SETTINGS }))
    await dialog.getByRole('button', { name: 'Load configuration', exact: true }).click()
    await expect(app.getByRole('textbox', { name: 'Learning rate' })).toHaveValue('0.0005')
    await app.getByRole('complementary', { name: 'Plan' }).getByRole('button', { name: 'Start run' }).click()
    await expect(app.getByRole('heading', { name: 'toys', level: 1 })).toBeVisible()
  })

  await test.step('the curve and the held-out points come while it learns, and an episode opens turn by turn', async () => {
    const heldOut = app.getByRole('figure', { name: 'Held-out tasks solved', exact: true })
    await expect(heldOut.locator('canvas')).toBeVisible({ timeout: 90_000 })
    await expect(app.getByRole('figure', { name: 'Reward', exact: true }).locator('canvas')).toBeVisible()
    const answers = app.getByRole('region', { name: 'Sampled answers' })
    const episode = answers.getByRole('group').first()
    await expect(episode).toContainText(/(?:Solved|Not solved|Cut off)/)
    await episode.locator('summary').click()
    await expect(episode.getByRole('listitem').first()).toContainText('$')
    await expect(app.getByText('Done', { exact: true })).toBeVisible({ timeout: 90_000 })
    await heldOut.getByRole('button', { name: 'Show Held-out tasks solved as table' }).click()
    const rows = await heldOut.getByRole('row').allInnerTexts()
    expect(rows.slice(1).map((one) => Number(one.trim().split(/\s+/)[0]))).toEqual([0, 2, 4])
    await heldOut.getByRole('button', { name: 'Show Held-out tasks solved as chart' }).click()
    expect(await axe(app)).toEqual([])
  })

  for (const colorScheme of ['dark', 'light'] as const) {
    await app.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await app.screenshot({ path: info.outputPath(`run-${colorScheme}.png`) })
    await app.getByRole('region', { name: 'Sampled answers' }).scrollIntoViewIfNeeded()
    await app.screenshot({ path: info.outputPath(`episodes-${colorScheme}.png`) })
  }
})
