// Takes the documentation's screenshots in the real app, from recorded sessions; `--only=REGEX` takes only the matching names.
// `--all DIR [--only=REGEX]` takes every screen in every state, dark and light, in two sizes, for review before a release (REGEX matches STATE/SCREEN).
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright'
import { chromiumOptions } from '../e2e/support/chromium.ts'
import { jobDone, makeWorkspace, root, startServer, type RunningServer, type Workspace } from '../e2e/support/server.ts'
import { probe } from './lib/probe.mjs'
import {
  goTo,
  idOf,
  LARGE,
  signIn,
  takeOffline,
  takeOne,
  takeOutside,
  takeScreens,
  takenIn,
  failures,
  type Studio,
} from './screenshots/matrix.ts'
import { addRollouts, addSandboxes } from './screenshots/sandboxes.ts'
import { addExamples, addFactory, estimateGrowth } from './screenshots/factory.ts'
import { addModels } from './screenshots/models.ts'
import { addRuns } from './screenshots/runs.ts'
import { SCREEN_NAMES } from './screenshots/screens.ts'
import { addAwkward, addLeaky, addMany, addRecorded, FIX, FIX_WITH_OLDER_CLIENT } from './screenshots/sessions.ts'

const MANY = 10_000

const TRAINING_PICTURES = [
  'train-on-this',
  'train-plan',
  'training-new',
  'training',
  'run',
  'runs-compared',
  'models',
  'model',
  'model-try',
]
const FACTORY_PICTURES = [
  'tasks',
  'examples-make',
  'examples',
  'example',
  'grow',
  'pair',
  'dataset',
  'dataset-preview',
  ...TRAINING_PICTURES,
]
const SANDBOX_PICTURES = ['sandboxes', 'sandbox', 'checks']
const PRIVACY_PICTURES = ['privacy', 'privacy-finding', 'privacy-settings']

const isAll = process.argv.includes('--all')
const dir = path.resolve(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? path.join(root, 'docs', 'images'))
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)

const parts = probe()
const executablePath = parts.chromium.found
/** A Python that can train. If null, the screenshots of models are skipped and count as failures. */
const python = parts.python.found
if (!executablePath) throw new Error('Chromium is not on this machine.')
fs.mkdirSync(dir, { recursive: true })
const browser = await chromium.launch({ ...chromiumOptions, executablePath })
try {
  await (isAll ? takeAll({ browser, dir, wanted: new RegExp(only ?? '') }) : takeDocumentation())
} finally {
  await browser.close()
}
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exitCode = 1

type Shoot = (name: string, place: string, act?: (page: Page) => Promise<unknown>) => Promise<void>

/** Takes the screenshots that docs/ and the README show; with `--only=REGEX` only the matching names. */
async function takeDocumentation(): Promise<void> {
  const wanted = new RegExp(only ?? '')
  const isWanted = (names: readonly string[]) => names.some((name) => wanted.test(name))
  const shooter = async (server: RunningServer): Promise<Shoot> => {
    const context = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce', viewport: LARGE })
    const page = await context.newPage()
    await signIn(page, server)
    return async (name, place, act) => {
      if (!wanted.test(name)) return
      await goTo(page, server, place)
      await act?.(page)
      const file = path.join(dir, `${name}-dark.png`)
      await page.screenshot({ path: file, animations: 'disabled' })
      console.log(`${path.relative(root, file)}: ${Math.round(fs.statSync(file).size / 1024)} KiB`)
    }
  }
  if (isWanted(['first-run']))
    await onServer(addRecorded, async (server) => (await shooter(server))('first-run', '/'), { args: ['--ask-before-import'] })
  await onServer(addRecorded, async (server) => {
    await settle(server)
    const shoot = await shooter(server)
    await decide(server)
    const id = await idOf(server, FIX)
    await shoot('home', '/')
    await shoot('traces', '/traces')
    await shoot('trace', `/traces?id=${id}`)
    await shoot('diff', `/traces?id=${id}&tab=diff`)
    await shoot('evidence', `/traces?id=${id}&tab=facts`, (on) => on.getByRole('button', { name: /^Efficiency/ }).click())
    if (isWanted(FACTORY_PICTURES)) await shootFactory(server, id, shoot, isWanted(TRAINING_PICTURES))
    await shoot('hooks', '/settings/capture')
    await shoot('thresholds', '/settings/scoring', async (on) => {
      await on.getByLabel('gold: minimum success rate').fill('0.8')
      await on.getByRole('table', { name: 'Tier changes' }).first().waitFor()
    })
  })
  if (isWanted(PRIVACY_PICTURES)) await onServer(addLeaky, (server) => shootPrivacy(server, shooter))
  if (isWanted(SANDBOX_PICTURES))
    await onServer(
      (workspace) => (addRecorded(workspace), addProject(workspace)),
      (server) => shootSandboxes(server, shooter),
    )
}

/** Takes the findings in a session that contains many secrets. */
async function shootPrivacy(server: RunningServer, shooter: (server: RunningServer) => Promise<Shoot>): Promise<void> {
  await settle(server)
  await scan(server)
  const shoot = await shooter(server)
  const { items } = await server.api<{ items: { id: string }[] }>('/api/privacy/findings')
  await shoot('privacy', '/privacy')
  await shoot('privacy-finding', `/privacy?id=${items[0]?.id}`)
  await shoot('privacy-settings', '/settings/privacy')
}

/** Takes the list of sandboxes, and the terminal of one after the user has taken it over. */
async function shootSandboxes(server: RunningServer, shooter: (server: RunningServer) => Promise<Shoot>): Promise<void> {
  await settle(server)
  const shoot = await shooter(server)
  const id = await addSandboxes(server)
  await shoot('sandboxes', '/sandboxes', (on) => on.getByText('running', { exact: true }).first().waitFor())
  await shoot('sandbox', `/sandboxes/${id}`, takeTerminalOver)
  await shoot('checks', '/agents/checks', async (on) => {
    await on.getByLabel('Folder').fill(path.join(os.tmpdir(), 'dev', 'sums'))
    await on.getByLabel('Folder').press('Enter')
    await on.getByText('1 of 2 tests passed, 1 failed.').waitFor()
  })
}

/** A project with one test that passes and one that fails. */
function addProject({ dir: workspaceDir }: Workspace): void {
  const project = path.join(workspaceDir, 'sums')
  fs.mkdirSync(project)
  fs.writeFileSync(path.join(project, 'package.json'), '{"scripts":{"test":"node --test"}}')
  fs.writeFileSync(
    path.join(project, 'sum.test.js'),
    "const test = require('node:test')\ntest('adds', () => {})\ntest('subtracts', () => { throw new Error('expected 1, got 3') })\n",
  )
}

async function takeTerminalOver(page: Page): Promise<void> {
  const rows = page.locator('.xterm-rows')
  await rows.getByText('notes.txt').last().waitFor()
  const another = page.getByRole('button', { name: 'Type here' }) // an earlier screenshot already took it over
  if (await another.isVisible()) await another.click()
  else await page.getByRole('switch', { name: 'Take over' }).click()
  await page.getByText('You are typing.').waitFor()
  await page.getByRole('textbox', { name: 'Terminal of session main' }).focus()
  await page.keyboard.type('echo "side 4" | tee notes.txt\n')
  await rows.getByText('side 4', { exact: true }).last().waitFor()
  await page.getByText('running', { exact: true }).waitFor() // the command has ended
}

/** Takes the screens from sessions to data sets. */
async function shootFactory(server: RunningServer, id: string, shoot: Shoot, withTraining: boolean): Promise<void> {
  await addExamples(server, id)
  await shoot('tasks', `/traces?id=${id}`, async (on) => {
    const begun = on.getByRole('group', { name: 'Task 2 of 2' })
    await begun.waitFor()
    await begun.scrollIntoViewIfNeeded()
  })
  await shoot('examples-make', '/factory/examples/new', (on) => on.getByText('Options', { exact: true }).click())
  await shoot('examples', '/factory/examples')
  await shoot('example', '/factory/examples?sort=-steps', (on) =>
    on.getByRole('grid', { name: 'Examples' }).locator('[role=row][aria-selected]').first().click(),
  )
  await shoot('grow', '/factory/examples/grow', (on) => estimateGrowth(on, 'New tasks'))
  const versions = await addFactory(server)
  const pairs = await server.api<{ items: { id: string }[] }>('/api/factory/pairs')
  await shoot('pair', `/factory/pairs?id=${pairs.items[0]?.id}`)
  await shoot('dataset', `/factory/datasets/${versions.at(-1)}`)
  await shoot('dataset-preview', `/factory/datasets/${versions.at(-1)}?tab=rows&row=0`)
  if (withTraining) await shootTraining(server, versions.at(-1) ?? '', shoot)
}

/** Takes the screens from a data set to a model; the models are really trained. */
async function shootTraining(server: RunningServer, datasetId: string, shoot: Shoot): Promise<void> {
  if (python === null) return void failures.push(`training: ${parts.python.install}`)
  const sweep = await addModels(server, python, datasetId)
  await server.api('/api/training/environment') // the first check of a Python is slow because it imports the packages
  const { items } = await server.api<{ items: { id: string; baseModel: string }[] }>('/api/training')
  const id = items[0]?.id
  await server.api('/api/settings', { method: 'PATCH', body: { training: { baseModels: [items[0]?.baseModel] } } }) // so that the form is filled in
  await shoot('train-on-this', '/factory/datasets/new?train=1', (on) =>
    on
      .getByText(/ that match|sessions/)
      .first()
      .waitFor(),
  )
  await shoot('train-plan', `/training/new?dataset=${datasetId}`, (on) => on.getByRole('heading', { name: /^Trains on / }).waitFor())
  await shoot('training-new', `/training/new?from=${id}`, (on) => on.getByRole('button', { name: /^Start/ }).waitFor())
  await shoot('training', '/training')
  await shoot('run', `/training/${id}`)
  await shoot('runs-compared', `/training/compare?runs=${items.map((run) => run.id).join(',')}`)
  await shoot('models', '/models')
  await shoot('model', `/models/${id}`)
  await shoot('model-try', `/models/${id}/try`)
  sweep()
}

async function takeAll(studio: Studio): Promise<void> {
  const isWanted = (...folders: string[]) => folders.some((folder) => SCREEN_NAMES.some((name) => studio.wanted.test(`${folder}/${name}`)))
  if (isWanted('empty', 'other')) {
    await onServer(
      () => {},
      async (server) => {
        await takeOne(studio, server, 'first-run-no-history', '/')
        await settle(server)
        await takeScreens(studio, server, 'empty')
      },
    )
  }
  await onServer(
    (workspace) => {
      addRecorded(workspace)
      addAwkward(workspace)
      addLeaky(workspace)
    },
    async (server) => {
      await takeOne(studio, server, 'first-run', '/')
      await settle(server)
      await takeSandboxes(studio, server)
      await decide(server)
      await scan(server)
      const versions = await addFactory(server)
      await addExamples(server, await idOf(server, FIX))
      const sweep = await modelsFor(studio, server, versions.at(-1) ?? '')
      for (const state of ['full', 'loading', 'error'] as const) await takeScreens(studio, server, state)
      sweep()
      await takeOutside(studio, server)
      await takeOffline(studio, server)
    },
  )
  if (!isWanted('large', 'other')) return
  await onServer(
    (workspace) => addMany(workspace, MANY),
    async (server) => {
      await settle(server)
      await takeScreens(studio, server, 'large')
    },
    {
      early: async (server) => {
        await takeOne(studio, server, 'first-run-importing', '/')
        await takeOne(studio, server, 'jobs-running', '/jobs')
      },
    },
  )
}

/** Takes a sandbox read-only, taken over, and after it ended. */
async function takeSandboxes(studio: Studio, server: RunningServer): Promise<void> {
  const isOne = (name: string) =>
    /^(?:sandbox|rollouts|shell-task)/.test(name) &&
    ['full', 'loading', 'error', 'other'].some((state) => studio.wanted.test(`${state}/${name}`))
  if (!SCREEN_NAMES.some(isOne)) return
  const id = await addSandboxes(server)
  await takeOne(studio, server, 'sandbox', `/sandboxes/${id}`)
  await takeOne(studio, server, 'sandbox-taken', `/sandboxes/${id}`, takeTerminalOver)
  await server.api(`/api/sandboxes/${id}/stop`, { method: 'POST', body: {} })
  await takeOne(studio, server, 'sandbox-ended', `/sandboxes/${id}`)
  const set = await addRollouts(server)
  await takeOne(studio, server, 'rollouts-set', `/shell-tasks/rollouts/${set}`)
  await takeOne(studio, server, 'rollouts-attempts', `/shell-tasks/rollouts/${set}/0`)
  await takeOne(studio, server, 'shell-task', '/shell-tasks', (page) => page.getByRole('grid').getByRole('link').first().click())
}

/** Trains models if a wanted screenshot needs one. Returns the function that removes their files. */
async function modelsFor(studio: Studio, server: RunningServer, datasetId: string): Promise<() => void> {
  const isOne = (name: string) =>
    /^(?:models?|training|runs?)\b/.test(name) && ['full', 'loading', 'error'].some((state) => studio.wanted.test(`${state}/${name}`))
  if (!SCREEN_NAMES.some(isOne)) return () => {}
  if (python === null) {
    failures.push(`models and runs: ${parts.python.install}`)
    return () => {}
  }
  // runs before models: the screenshots show the newest models, which must come from the data set
  const runs = await addRuns(server, python)
  const sweepModels = await addModels(server, python, datasetId)
  await runs.queue()
  return () => {
    runs.sweep()
    sweepModels()
  }
}

/** Starts a server on a new workspace. `early` runs while the history is still being imported. */
async function onServer(
  fill: (workspace: Workspace) => void,
  work: (server: RunningServer) => Promise<void>,
  { early, args = [] }: { early?: (server: RunningServer) => Promise<void>; args?: string[] } = {},
): Promise<void> {
  const workspace = makeWorkspace(path.join(os.tmpdir(), 'dev'))
  try {
    fill(workspace)
    const server = await startServer(workspace, { args, ...(python !== null && { env: { BASHGYM_PYTHON: python } }) })
    try {
      await early?.(server)
      await takenIn(server)
      await work(server)
    } finally {
      await server.stop()
    }
  } finally {
    workspace.remove()
  }
}

/** Scans everything for secrets and personal data, and saves a decision for one type. */
async function scan(server: RunningServer): Promise<void> {
  const { id } = await server.api<{ id: string }>('/api/privacy/scan', { method: 'POST', body: {} })
  await jobDone(server, id)
  await server.api('/api/privacy/decisions', { method: 'POST', body: { on: { scope: 'type', type: 'ip_address' }, action: 'keep' } })
}

/** Marks the first run as done. */
async function settle(server: RunningServer): Promise<void> {
  await server.api('/api/settings', { method: 'PATCH', body: { onboarding: { done: true } } })
}

/** Adds user decisions: a manual tier and tags. */
async function decide(server: RunningServer): Promise<void> {
  const gold = await idOf(server, FIX_WITH_OLDER_CLIENT)
  await server.api(`/api/traces/${gold}/promote`, {
    method: 'POST',
    body: { tier: 'gold', reason: 'Found, fixed and committed in one go' },
  })
  await server.api(`/api/traces/${gold}/tags`, { method: 'PATCH', body: { addTags: ['showcase'] } })
  const own = await idOf(server, FIX)
  await server.api(`/api/traces/${own}/tags`, { method: 'PATCH', body: { addTags: ['bugfix', 'short'] } })
}
