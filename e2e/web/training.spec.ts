import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { callRows } from '../support/call-rows.ts'
import { root, type RunningServer, type Workspace } from '../support/server.ts'
import { makeTinyModel, PYTHON } from '../support/trainer.ts'
import { axe, expect, open, reload, test as base, withServer } from './fixtures.ts'
import { tabTo } from './keys.ts'

interface Shared {
  /** A model of two layers with random weights, made once. */
  made: string
}

const test = base.extend<{ model: string }, Shared>({
  /** Its copy in the home folder, which a browser may name without a confirmation. */
  model: async ({ made, workspace }, use) => {
    const folder = path.join(workspace.dir, 'tiny')
    fs.cpSync(made, folder, { recursive: true })
    await use(folder)
  },
  made: [
    // oxlint-disable-next-line no-empty-pattern -- a fixture names what it needs: nothing
    async ({}, use) => {
      const folder = makeTinyModel()
      await use(folder)
      fs.rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  server: async ({ workspace }, use) => {
    await withServer(workspace, { BASHGYM_PYTHON: PYTHON }, async (server) => {
      await use(server)
      for (const { id, state } of (await runs(server)).filter((run) => !OVER.has(run.state)))
        if (state !== 'paused') await server.api(`/api/training/${id}/cancel`, { method: 'POST', body: {} })
    })
  },
})

interface Listed {
  id: string
  name: string
  state: string
  step: number
}
const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])
const runs = async (server: RunningServer) => (await server.api<{ items: Listed[] }>('/api/training?limit=100')).items

/** Rows that a tiny model learns at once. */
function writeRows(workspace: Workspace): { train: string; val: string } {
  const row = (at: number) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: `List folder ${at % 5}` },
        { role: 'assistant', content: `Folder ${at % 5} has a.ts and b.ts` },
      ],
    })
  const files = { train: path.join(workspace.dir, 'train.jsonl'), val: path.join(workspace.dir, 'val.jsonl') }
  fs.writeFileSync(files.train, `${Array.from({ length: 40 }, (_, at) => row(at)).join('\n')}\n`)
  fs.writeFileSync(files.val, `${[1, 2, 3, 4].map(row).join('\n')}\n`)
  return files
}

/** Starts a run over the wire, for tests of what comes after. */
const start = (server: RunningServer, model: string, workspace: Workspace, name: string, settings: Record<string, unknown> = {}) =>
  server.api<Listed>('/api/training/start', {
    method: 'POST',
    body: {
      name,
      strategy: 'sft',
      baseModel: model,
      file: writeRows(workspace).train,
      settings: { learningRate: 0.005, maxSteps: 12, loggingSteps: 1, evalSteps: null, saveSteps: null, samples: 0, ...settings },
    },
  })

/** Two steps of GRPO with two rewards. */
function startRewarded(server: RunningServer, baseModel: string, workspace: Workspace) {
  const file = path.join(workspace.dir, 'colours.jsonl')
  const row = JSON.stringify({ prompt: [{ role: 'user', content: 'Name a colour' }], answer: 'blue' })
  fs.writeFileSync(file, `${row}\n${row}\n`)
  const rewards = [{ kind: 'exact' }, { kind: 'format' }]
  const settings = { rewards, maxSteps: 2, batchSize: 4, generations: 2, maxCompletion: 4, loggingSteps: 1, evalSteps: null, samples: 0 }
  return server.api('/api/training/start', { method: 'POST', body: { name: 'rewarded', strategy: 'grpo', baseModel, file, settings } })
}

/** The points of a curve, as its table says them: step and value of the training. */
async function pointsOf(page: Page, chart: string): Promise<string[]> {
  const figure = page.getByRole('figure', { name: chart, exact: true })
  await figure.getByRole('button', { name: `Show ${chart} as table` }).click()
  const rows = await figure.getByRole('row').allInnerTexts()
  await figure.getByRole('button', { name: `Show ${chart} as chart` }).click()
  return rows.slice(1).map((row) => row.trim().split(/\s+/).slice(0, 2).join(' '))
}
const stepsOf = (points: readonly string[]) => points.map((point) => Number(point.split(' ')[0]))
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

/** The form of a new run as JSON and YAML, and as a preset. */
async function texts(app: Page): Promise<void> {
  await app.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const rate = app.getByRole('textbox', { name: 'Learning rate' })
  await app.getByText('Configuration and command').click()
  await app.getByRole('button', { name: 'Copy This form as YAML' }).click()
  await expect.poll(() => app.evaluate(() => navigator.clipboard.readText())).toMatch(/^name: first$[^]*learningRate: 0.005$/m)
  await app.getByRole('combobox', { name: 'Show' }).click()
  await app.getByRole('option', { name: 'This form as JSON' }).click()
  await app.getByRole('button', { name: 'Copy This form as JSON' }).click()
  await expect
    .poll(async () => JSON.parse(await app.evaluate(() => navigator.clipboard.readText())) as unknown)
    .toMatchObject({ name: 'first', strategy: 'sft', preset: 'quick', settings: { learningRate: 0.005, maxSteps: 60 } })

  const dialog = app.getByRole('dialog')
  await app.getByRole('button', { name: 'Save as preset …' }).click()
  await dialog.getByRole('textbox', { name: 'Preset name' }).fill('fast')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const own = app.getByRole('group', { name: 'Your presets' })
  await app.getByRole('button', { name: 'Load configuration …' }).click()
  await dialog.getByRole('textbox', { name: 'Configuration', exact: true }).fill('settings:\n  learningRate: fast')
  await dialog.getByRole('button', { name: 'Load configuration', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('settings.learningRate')
  await dialog.getByRole('textbox', { name: 'Configuration', exact: true }).fill('settings:\n  learningRate: 1e-9')
  await dialog.getByRole('button', { name: 'Load configuration', exact: true }).click()
  await expect(rate).toHaveValue('1e-9')
  await own.getByRole('button', { name: 'fast', exact: true }).click()
  await expect(rate).toHaveValue('0.005')
  await expect(app.getByRole('textbox', { name: 'Max steps' })).toHaveValue('60')
  await own.getByRole('button', { name: 'Delete preset fast' }).click()
  await expect(own).toHaveCount(0)
}

async function startByKeys(app: Page, server: RunningServer, model: string, file: string): Promise<void> {
  await open(app, server, '/training')
  await tabTo(app, app.getByRole('link', { name: 'New run' }))
  await app.keyboard.press('Enter')
  await tabTo(app, app.getByRole('radio', { name: 'A data set' }))
  await app.keyboard.press('ArrowRight')
  await tabTo(app, app.getByRole('textbox', { name: 'JSONL file for training' }))
  await app.keyboard.type(file)
  await tabTo(app, app.getByRole('textbox', { name: 'Or a model folder' }))
  await app.keyboard.type(model)
  await tabTo(app, app.getByRole('radio', { name: 'Balanced' }))
  await app.keyboard.press('ArrowLeft')
  await expect(app.getByRole('radio', { name: 'Quick check' })).toBeChecked()
  await tabTo(app, app.getByRole('textbox', { name: 'Name', exact: true }))
  await app.keyboard.type('by keys')
  const begin = app.getByRole('complementary', { name: 'Plan' }).getByRole('button', { name: 'Start' })
  await expect(begin).not.toHaveAttribute('aria-disabled', 'true')
  await tabTo(app, begin)
  await app.keyboard.press('Enter')
  await expect(app.getByRole('heading', { name: 'by keys', level: 1 })).toBeVisible()
}

const verdict = (page: Page) => page.getByRole('banner').or(page.locator('main header')).first()

test.describe('with a Python that trains', () => {
  test.skip(PYTHON === '', 'BASHGYM_TEST_PYTHON names no Python that trains')
  test.setTimeout(360_000)

  test('a run is planned, started and watched; a reload in the middle leaves no gap; it completes', async ({
    app,
    server,
    workspace,
    model,
  }) => {
    const { train, val } = writeRows(workspace)
    await open(app, server, '/training')
    await expect(app.getByRole('heading', { name: 'No runs yet' })).toBeVisible()
    expect(await axe(app)).toEqual([])
    await app.getByRole('link', { name: 'New run' }).click()
    await expect(app.getByText('The plan appears once the form is complete.')).toBeVisible()
    await app.getByText('A JSONL file').click()
    await app.getByRole('textbox', { name: 'JSONL file for training' }).fill(train)
    await app.getByRole('textbox', { name: 'JSONL file for validation (optional)' }).fill(val)
    await app.getByRole('textbox', { name: 'Or a model folder' }).fill(model)
    await app.getByText('Quick check').click()
    await app.getByRole('textbox', { name: 'Learning rate' }).fill('0.005')
    await app.getByText('Steps', { exact: true }).click()
    await app.getByRole('textbox', { name: 'Max steps' }).fill('60')
    await app.getByRole('textbox', { name: 'Name', exact: true }).fill('first')
    const plan = app.getByRole('complementary', { name: 'Plan' })
    await expect(plan.getByText('40 + 4 for validation')).toBeVisible()
    await expect(plan.getByText('60 (10 per epoch)')).toBeVisible()
    await expect(plan.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await axe(app)).toEqual([])
    // what the machine lacks stops the start, with what to do
    await app.getByText('Optimisation', { exact: true }).click()
    await app.getByRole('combobox', { name: 'Optimiser' }).click()
    await app.getByRole('option', { name: 'paged_adamw_8bit' }).click()
    await expect(plan.getByText('The setting optim (paged_adamw_8bit) needs a GPU with CUDA.')).toBeVisible()
    await app.getByRole('button', { name: 'Reset Optimiser to default' }).click()
    await expect(plan.getByText('needs a GPU with CUDA')).toHaveCount(0)
    // so does a template that cannot write the rows; the model's own is one reset away
    await app.getByText('Chat template', { exact: true }).click()
    await app.getByRole('textbox', { name: 'Training template' }).fill("{{ raise_exception('no such role') }}")
    await expect(plan.getByText(/no such role/).first()).toBeVisible()
    await expect(plan.getByRole('button', { name: 'Start' })).toHaveAttribute('aria-disabled', 'true')
    await app.getByRole('button', { name: 'Reset Training template to default' }).click()
    await expect(plan.getByText(/no such role/)).toHaveCount(0)
    await expect(app.getByText('Mix in more data sets')).toHaveCount(0) // there is no data set
    // a number that is none stops the start, with its reason at the field
    await app.getByRole('textbox', { name: 'Epochs' }).fill('many')
    await expect(plan.getByRole('button', { name: 'Start' })).toHaveAttribute('aria-disabled', 'true')
    await app.getByRole('button', { name: 'Reset Epochs to default' }).click()
    await expect(plan.getByRole('button', { name: 'Start' })).not.toHaveAttribute('aria-disabled', 'true')
    await test.step('the form is copied, kept under a name, taken from a text and forgotten', () => texts(app))
    await test.step('two steps are tried dry', async () => {
      await plan.getByRole('button', { name: 'Dry run' }).click()
      await expect(plan.getByText(/^Two steps on the longest rows \(\d+ tokens\) completed: .+ per step/)).toBeVisible({ timeout: 90_000 })
    })
    await app.keyboard.press('ControlOrMeta+Enter')

    await expect(app.getByRole('heading', { name: 'first', level: 1 })).toBeVisible()
    const loss = app.getByRole('figure', { name: 'Loss', exact: true })
    await expect(loss.locator('canvas')).toBeVisible({ timeout: 90_000 })
    await expect.poll(async () => (await pointsOf(app, 'Loss')).length, { timeout: 60_000 }).toBeGreaterThan(5)
    const before = await pointsOf(app, 'Loss')
    expect(await axe(app)).toEqual([])
    await reload(app)
    await expect(loss.locator('canvas')).toBeVisible()
    const after = await pointsOf(app, 'Loss')
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    await expect(app.getByText('Done', { exact: true })).toBeVisible({ timeout: 90_000 })
    const live = await pointsOf(app, 'Loss')
    expect(stepsOf(live)).toEqual(upTo(60))
    await reload(app)
    await expect(loss.locator('canvas')).toBeVisible()
    expect(await pointsOf(app, 'Loss')).toEqual(live)

    // the curve falls, says so, and can be looked at closer by keys
    await expect(loss).toContainText(/training [\d.]+ at step 60, from [\d.]+ at step 1/)
    await loss.getByRole('group').focus()
    await app.keyboard.press('+')
    await expect(app).toHaveURL(/from=.*&to=/)
    await app.keyboard.press('0')
    await expect(app).not.toHaveURL(/from=/)
    await app.keyboard.press('l')
    await expect(app).toHaveURL(/log=1/)
    const saved = app.waitForEvent('download')
    await loss.getByRole('button', { name: 'Save Loss' }).click()
    await app.getByRole('menuitem', { name: 'Vector image (SVG)' }).click()
    expect(fs.readFileSync(await (await saved).path(), 'utf8')).toContain('<svg')
    await test.step('a picture that the browser cannot make is not dropped in silence', async () => {
      await app.evaluate(() => {
        HTMLCanvasElement.prototype.toBlob = (done) => done(null)
      })
      await loss.getByRole('button', { name: 'Save Loss' }).click()
      await app.getByRole('menuitem', { name: 'Image (PNG)' }).click()
      await expect(app.getByText('The browser could not create the PNG')).toBeVisible()
    })
    await expect(app.getByRole('region', { name: 'Samples' })).toContainText('Step')
    await expect(app.getByRole('list', { name: 'Lines of the log' })).toContainText('complete after 60 steps')
    expect(await axe(app)).toEqual([])
  })

  test('held-out calls are curves from the base model on; a run without them says why', async ({ app, server, workspace, model }) => {
    const rows = (name: string, count: number) => {
      const file = path.join(workspace.dir, name)
      fs.writeFileSync(
        file,
        callRows(count)
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(''),
      )
      return file
    }
    const settings = { learningRate: 0.005, maxSteps: 10, loggingSteps: 1, evalSteps: 5, saveSteps: null, samples: 0, bestBy: 'next_call' }
    const baseRequest = { strategy: 'sft', baseModel: model, file: rows('calls.jsonl', 12), settings }
    const { id } = await server.api<Listed>('/api/training/start', { method: 'POST', body: { ...baseRequest, name: 'followed', valFile: rows('held.jsonl', 3) } }) // prettier-ignore
    await open(app, server, `/training/${id}`)
    await expect(app.getByText('Done', { exact: true })).toBeVisible({ timeout: 90_000 })
    const calls = app.getByRole('figure', { name: 'Held-out calls', exact: true })
    await expect(calls.locator('canvas')).toBeVisible()
    for (const name of ['argument f1', 'exact calls', 'right tool', 'readable calls']) await expect(calls).toContainText(name)
    expect(stepsOf(await pointsOf(app, 'Held-out calls'))).toEqual([0, 5, 10])
    expect(stepsOf(await pointsOf(app, 'Held-out answers'))).toEqual([0, 5, 10])
    await expect(
      app.getByText(/^Held-out calls: the model repeats 6 recorded answers at each evaluation, 3 of them with calls/),
    ).toBeVisible()
    await expect(app.getByText(/Argument F1 \d+ % with the base model, \d+ % now/)).toBeVisible()
    expect(await axe(app)).toEqual([])

    const bare = await server.api<Listed>('/api/training/start', { method: 'POST', body: { ...baseRequest, name: 'bare' } })
    await open(app, server, `/training/${bare.id}`)
    await expect(app.getByText('Held-out calls are not measured. The run has no held-out rows.')).toBeVisible({ timeout: 90_000 })
    await expect(app.getByText('Done', { exact: true })).toBeVisible({ timeout: 90_000 })
    await expect(app.getByRole('figure', { name: 'Held-out calls', exact: true })).toHaveCount(0)
  })

  test('pause and resume, a queue of two, cancel, compare', async ({ app, server, workspace, model }) => {
    const unbound = { method: { kind: 'full' }, schedule: 'constant', maxGradNorm: 1e30 }
    const first = await start(server, model, workspace, 'long', { ...unbound, maxSteps: 100_000 }) // works until it is cancelled
    const second = await start(server, model, workspace, 'short', { ...unbound, maxSteps: 20, learningRate: 10 })
    await open(app, server, '/training')
    const queue = app.getByRole('region', { name: 'Queue' })
    await expect(queue).toContainText('1 run on the device, 1 waiting')
    await expect(app.getByRole('contentinfo', { name: 'Status' })).toContainText('1 waiting')
    expect(await axe(app)).toEqual([])

    await app.getByRole('grid', { name: 'Runs' }).getByRole('link', { name: 'long' }).click()
    await expect(app.getByRole('figure', { name: 'Loss', exact: true }).locator('canvas')).toBeVisible({ timeout: 90_000 })
    await app.keyboard.press('p')
    await expect(app.getByText('Paused', { exact: true })).toBeVisible({ timeout: 60_000 })
    // the device is free: the next one begins
    await expect.poll(async () => (await runs(server)).find(({ id }) => id === second.id)?.state, { timeout: 90_000 }).toBe('completed')
    await app.getByRole('button', { name: 'Resume' }).click()
    await expect(verdict(app)).toContainText('Running', { timeout: 90_000 })
    await app.keyboard.press('Shift+C')
    await app.getByRole('dialog').getByRole('button', { name: 'Cancel without saving' }).click()
    await expect(app.getByText('Cancelled', { exact: true })).toBeVisible({ timeout: 30_000 })
    await startRewarded(server, model, workspace) // trains while the rest is looked at
    const points = stepsOf(await pointsOf(app, 'Loss'))
    expect(points).toEqual(points.toSorted((a, b) => a - b))
    expect(new Set(points).size).toBe(points.length)

    await app.getByRole('button', { name: 'Star long' }).click()
    await app.getByRole('textbox', { name: 'Add tag' }).fill('kept')
    await app.keyboard.press('Enter')
    await expect(app.getByRole('list', { name: 'Tags' })).toContainText('kept')
    await app.getByRole('link', { name: 'Training', exact: true }).first().click()
    for (const name of ['long', 'short']) await app.getByRole('checkbox', { name: `Select ${name}` }).click()
    await app.keyboard.press('v')
    await expect(app.getByRole('heading', { name: 'Compare 2 runs' })).toBeVisible()
    await expect(app.getByRole('figure', { name: 'Loss', exact: true })).toContainText('long')
    const differing = app.getByRole('table', { name: 'Settings that differ' })
    await expect(differing).toContainText('Max steps')
    await expect(differing).toContainText('Learning rate')
    await expect(differing.getByRole('row')).toHaveCount(3)
    await app.getByRole('button', { name: 'Hide long' }).click()
    await expect(app.getByRole('figure', { name: 'Loss', exact: true })).not.toContainText('long')
    expect(await axe(app)).toEqual([])
    expect(first.name).toBe('long')

    await test.step('a curve with something off says so beneath it', async () => {
      await open(app, server, `/training/${second.id}`)
      await expect(app.getByRole('figure', { name: 'Loss', exact: true })).toContainText(/Diverging since step \d+\./)
      await expect(app.getByRole('list', { name: 'Problems' })).toContainText('Lower the learning rate')
    })
    await test.step('answers and each of their rewards, in both themes', async () => {
      const rewarded = (await runs(server)).find(({ name }) => name === 'rewarded')
      await open(app, server, `/training/${rewarded?.id}`)
      await expect(app.getByText('Done', { exact: true })).toBeVisible({ timeout: 90_000 })
      const answers = app.getByRole('region', { name: 'Rollouts' }).getByRole('row')
      await expect(answers.first()).toContainText(/Step\s*Prompt\s*Answer\s*exact\s*format/)
      await expect(answers).not.toHaveCount(1)
      for (const chart of ['Reward', 'Reward: exact', 'Reward: format', 'Groups without reward variance', 'Answer length'])
        await expect(app.getByRole('figure', { name: chart, exact: true })).toBeVisible()
      expect(await axe(app)).toEqual([])
    })
  })

  test.describe('at 1,024 px', () => {
    test.use({ viewport: { width: 1024, height: 700 }, expectedErrors: /404 \(/ })
    test('list, form, a run that is waiting and one that is none keep to WCAG 2.2 AA', async ({ app, server, workspace, model }) => {
      await server.api('/api/training/queue', { method: 'PATCH', body: { paused: true } })
      const { id } = await start(server, model, workspace, 'waiting', { maxSteps: 5 })
      await test.step('a run is started by keys alone', () => startByKeys(app, server, model, writeRows(workspace).train))
      for (const place of [
        '/training',
        '/training/new',
        `/training/new?from=${id}`,
        `/training/${id}`,
        '/training/compare',
        `/training/compare?runs=${id},nope,${'a'.repeat(26)}`,
        '/training/nope',
      ]) {
        await open(app, server, place)
        await expect(app.locator('main h1, main h2').first()).toBeVisible()
        await expect(app.locator('.skeleton')).toHaveCount(0)
        expect(await axe(app), place).toEqual([])
        const isWide = await app.evaluate(() => document.scrollingElement!.scrollWidth > document.scrollingElement!.clientWidth)
        expect(isWide, place).toBe(false)
      }
    })
  })
})

const GAP = [11, 12, 13, 14, 15, 17, 18, 19, 20]

const gapped = test.extend({
  server: async ({ workspace }, use) => {
    const python = path.join(workspace.dir, 'python')
    const more = path.join(root, 'server', 'trainers', 'tests', 'gapped')
    fs.writeFileSync(python, `#!/bin/sh\nBASHGYM_TEST_GAPS=${GAP.join(',')} PYTHONPATH="$PYTHONPATH:${more}" exec '${PYTHON}' "$@"\n`, {
      mode: 0o755,
    })
    await withServer(workspace, { BASHGYM_PYTHON: python }, use)
  },
})

gapped.describe('a curve with a gap in its middle', () => {
  gapped.skip(PYTHON === '', 'BASHGYM_TEST_PYTHON names no Python that trains')
  gapped('is drawn, read, smoothed and saved with its gap, and goes on behind it', async ({ app, server, workspace, model }) => {
    gapped.setTimeout(360_000)
    const { id } = await start(server, model, workspace, 'gapped', { maxSteps: 40 })
    await open(app, server, `/training/${id}?smooth=0`)
    await expect(app.getByText('Done', { exact: true })).toBeVisible({ timeout: 120_000 })
    const loss = app.getByRole('figure', { name: 'Loss', exact: true })
    await expect(loss).toContainText('not a number at steps 11, 12, 13 and 6 more')
    await expect(loss).not.toContainText('Diverging') // it learns again
    await expect(app.getByRole('list', { name: 'Problems' })).toContainText('Not finite. A value was not finite at step 11.')
    const live = await pointsOf(app, 'Loss')
    expect(stepsOf(live)).toEqual(upTo(40))
    const isGap = (point: string) => point.endsWith('NaN')
    expect(stepsOf(live.filter(isGap))).toEqual(GAP)
    await reload(app)
    await expect(loss.locator('canvas')).toBeVisible()
    expect(await pointsOf(app, 'Loss')).toEqual(live)

    await loss.getByRole('group').focus()
    const words = new Map<string, string>()
    for (let press = 0; press < 52; press += 1) {
      await app.keyboard.press('ArrowRight')
      const items = await loss.locator('li').allInnerTexts()
      words.set(items.at(-1)!.replace('step ', ''), items[0]!)
    }
    expect([12, 19].map((step) => words.get(String(step)))).toEqual([expect.stringContaining('NaN'), expect.stringContaining('NaN')])
    for (const step of [5, 30]) expect(words.get(String(step))).toMatch(/\d/)

    const save = async (item: string) => {
      const saved = app.waitForEvent('download')
      await loss.getByRole('button', { name: 'Save Loss' }).click()
      await app.getByRole('menuitem', { name: item }).click()
      return fs.readFileSync(await (await saved).path())
    }
    const svg = (await save('Vector image (SVG)')).toString()
    const lines = [...svg.matchAll(/<path d="(M[^"]+)" fill="none"/g)].map(([, d]) => d!.match(/M/g)!.length)
    expect(lines).toEqual([3]) // up to the gap, the point within it, behind it
    const rows = (await save('Data (CSV)')).toString().trimEnd().split('\n').slice(1).map((row) => row.split(',')) // prettier-ignore
    expect(rows.filter((row) => row[5] === '').map((row) => Number(row[1]))).toEqual(GAP)
    expect(rows).toHaveLength(40)
    expect((await save('Image (PNG)')).subarray(1, 4).toString()).toBe('PNG')

    await app.keyboard.press('m')
    await expect(app).not.toHaveURL(/smooth/)
    const smoothed = (await save('Vector image (SVG)')).toString()
    expect([...smoothed.matchAll(/<path d="(M[^"]+)" fill="none"/g)].map(([, d]) => d!.match(/M/g)!.length)).toEqual([3, 3])
    expect(smoothed).not.toContain('NaN')
  })
})

test('several values are planned, queued as runs, and compared in one table and one chart', async ({ app, server, workspace, model }) => {
  const { id } = await start(server, model, workspace, 'sweep')
  await open(app, server, `/training/new?from=${id}`)
  await app.getByText('Try several values').click()
  await app.getByRole('button', { name: 'Add a setting' }).click()
  await app.getByRole('textbox', { name: 'Values of Learning rate' }).fill('1e-4, 1e-4')
  await expect(app.getByRole('alert')).toContainText('This value is listed twice.')
  await app.getByRole('textbox', { name: 'Values of Learning rate' }).fill('1e-4, 5e-3')
  await expect(app.getByRole('region', { name: 'Several values' })).toContainText('2 runs')
  expect(await axe(app)).toEqual([])
  await app.getByRole('button', { name: 'Start 2 runs' }).click()
  await expect(app.getByText('All have ended.')).toBeVisible({ timeout: 120_000 })
  const table = app.getByRole('table', { name: 'Values and results' })
  await expect(table.getByRole('row', { name: /sweep: learningRate 0\.005/ })).toContainText('Done')
  await app.getByRole('combobox', { name: 'Metric' }).click()
  await app.getByRole('option', { name: 'Learning rate' }).click()
  await expect(app.getByRole('figure')).toHaveCount(1)
  expect(await axe(app)).toEqual([])
})

const bare = base.extend({
  server: ({ workspace }, use) => withServer(workspace, { BASHGYM_PYTHON: '/nowhere/python' }, use),
})

bare('without a Python that trains the list says the one step that leads there', async ({ app, server }) => {
  await open(app, server, '/training/new')
  await expect(app.getByRole('button', { name: 'Start' })).toHaveAttribute('aria-disabled', 'true')
  await open(app, server, '/training')
  expect(await axe(app)).toEqual([])
  await app.getByRole('link', { name: 'Set up training' }).click()
  await expect(app).toHaveURL(/settings\/training/)
})
