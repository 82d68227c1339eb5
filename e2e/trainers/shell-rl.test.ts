import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunRequest } from '#contracts/entities/run.ts'
import { processes } from '#server/process/marks.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { systemOf } from '#server/stages/shell-rl/rollouts/perform.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { python, TRAINERS } from './python.ts'
import { CLUSTER_TIMEOUT_MS, hasRay, startCluster } from './ray-cluster.ts'
import { bashgym, closeServer, runWhen, settingArgs, temporaryFolder, trainingConfig, writeRows } from './training-server.ts'

// A small model learns a family of tasks in sandboxes of the real server.
const folder = temporaryFolder('shell-rl')
const PLACES = 32
const config = trainingConfig(folder, { sandboxes: { running: PLACES } })
const model = path.join(folder, 'model')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ config })
  const of = async (split: string) => (await server.client.listShellTasks({ query: { split: [split], limit: 100 } })).items
  const [learned, heldOut] = [await of('toy'), await of('toy-heldout')]
  const file = path.join(folder, 'tasks.jsonl')
  const rows = [...learned, ...heldOut].map(({ task, referenceSolution }) => ({
    prompt: [
      { role: 'system', content: systemOf('command') },
      { role: 'user', content: task },
    ],
    solution: referenceSolution,
  }))
  writeRows(file, rows)
  python([path.join(import.meta.dirname, 'make_shell_model.py'), file, model], '', { PYTHONPATH: `${TRAINERS}:${TRAINERS}/tests` })
}, 600_000)
afterAll(() => closeServer(server, folder))

const SETTINGS = {
  method: { kind: 'full' },
  learningRate: 5e-4,
  maxSteps: 16,
  batchSize: PLACES,
  generations: 8,
  maxLength: 512,
  maxCompletion: 96,
  maxTurns: 3,
  turnTokens: 32,
  heldoutTasks: 24,
  evalSteps: 8,
  loggingSteps: 1,
  saveSteps: null,
  samples: 2,
  schedule: 'constant',
  device: 'cpu',
  threads: 1,
} as const
const hasEngine = findBubblewrap() !== null
const sandboxes = async () => (await server.client.listSandboxes({ query: { limit: 100 } })).items

test.skipIf(!hasEngine)('a small model comes to solve tasks that it was not trained on', async () => {
  const { client } = server
  const tasks = ['--dataset', 'shell-tasks:toy', '--heldout', 'shell-tasks:toy-heldout']
  const how = ['--strategy', 'grpo', '--base-model', model, ...settingArgs(SETTINGS)]
  const { code, lines } = await bashgym(server, ['train', ...tasks, ...how, '--watch'])
  if (code !== 0) throw new Error(lines.at(-1))
  const { runId: id } = JSON.parse(lines[0]!) as { runId: string }
  const curve = async (name: string) => (await client.getRunMetrics({ params: { id }, query: { names: [name] } })).series[0]!
  const solved = await curve('heldout_success_rate')
  expect(solved.steps).toEqual([0, 8, 16])
  expect(solved.last[0]).toBeLessThan(0.35) // greedily it mostly lists the files
  expect(Math.max(...solved.last.map((share) => share ?? 0))).toBeGreaterThanOrEqual(0.7)
  expect((await curve('heldout_n')).last).toEqual([24, 24, 24])
  const { names } = await client.getRunMetrics({ params: { id }, query: { names: [] } })
  expect(names).toEqual(
    expect.arrayContaining(['reward', 'reward_std', 'zero_variance_share', 'success_rate', 'success_term', 'fail_penalty', 'exit_penalty']),
  )
  const { items } = await client.getRunSamples({ params: { id }, query: { source: 'rollout', limit: 8 } })
  // a sampled message may be cut off by chance, which is a failure with a reward; nothing may break
  expect(items.filter(({ episode, rewards }) => episode!.status === 'error' || typeof rewards['reward'] !== 'number')).toEqual([])
  await expect.poll(sandboxes).toEqual([]) // those of the last evaluation end after their connections have closed
})

test.skipIf(!hasEngine)('a trainer that is killed in mid-episode leaves no sandbox, and its run says so', async () => {
  const { client } = server
  const body: RunRequest = {
    strategy: 'grpo',
    baseModel: model,
    shellTasks: { split: 'toy' },
    preset: 'balanced',
    settings: { ...SETTINGS, maxSteps: 1000, evalSteps: null },
    engine: 'local',
    overrideMemory: false,
    tags: [],
  }
  const { id, folder: place } = await client.startRun({ body })
  const { promise: busy, resolve } = Promise.withResolvers<void>()
  const stop = server.app.core.events.subscribe(({ type, payload }) => {
    if (type === 'sandbox:status' && (payload as { sandbox: { status: string } }).sandbox.status === 'started') resolve()
  })
  await busy
  stop()
  const trainer = [...processes()].find(({ argv }) => argv.includes(path.join(place, 'config.json')))
  process.kill(trainer!.pid, 'SIGKILL')
  await expect.poll(sandboxes).toEqual([])
  await expect.poll(async () => (await client.getRun({ params: { id } })).state).toBe('failed')
})

test.skipIf(!hasEngine)('two processes share the episodes of a step, and one of them measures held-out tasks', async () => {
  const { client } = server
  const tasks = ['--dataset', 'shell-tasks:toy', '--heldout', 'shell-tasks:toy-heldout']
  const settings = { ...SETTINGS, maxSteps: 2, evalSteps: 2, heldoutTasks: 4, batchSize: 16, processes: 2 }
  const { code, lines } = await bashgym(server, [
    'train',
    ...tasks,
    '--strategy',
    'grpo',
    '--base-model',
    model,
    ...settingArgs(settings),
    '--watch',
  ])
  if (code !== 0) throw new Error(lines.at(-1))
  const { runId: id } = JSON.parse(lines[0]!) as { runId: string }
  const { series } = await client.getRunMetrics({ params: { id }, query: { names: ['reward', 'heldout_n', 'zero_variance_share'] } })
  expect(Object.fromEntries(series.map(({ name, steps, last }) => [name, name === 'heldout_n' ? last : steps]))).toEqual({
    reward: [1, 2],
    zero_variance_share: [1, 2],
    heldout_n: [4, 4],
  })
  await expect.poll(sandboxes).toEqual([])
})

test.skipIf(!hasEngine || !hasRay)(
  'a worker of a Ray cluster learns in sandboxes of this server',
  { timeout: 2 * CLUSTER_TIMEOUT_MS },
  async () => {
    const { client } = server
    const place = fs.mkdtempSync(path.join(os.tmpdir(), 'bgray-'))
    const cluster = await startCluster(place)
    try {
      const { address, tokenFile } = cluster
      await client.patchSettings({ body: { training: { ray: { address, tokenFile, python: '', gpus: 0 } } } })
      const settings = { ...SETTINGS, maxSteps: 2, evalSteps: 2, heldoutTasks: 4, batchSize: 16 }
      const shellTasks = { split: 'toy', heldout: 'toy-heldout' }
      const body: RunRequest = { strategy: 'grpo', baseModel: model, shellTasks, preset: 'balanced', settings, engine: 'ray', overrideMemory: false, tags: [] } // prettier-ignore
      const { id } = await client.startRun({ body })
      const run = await runWhen(server, id, ({ state }) => state === 'completed')
      expect(run).toMatchObject({ state: 'completed', engine: 'ray', step: 2, error: null })
      const { series } = await client.getRunMetrics({ params: { id }, query: { names: ['reward', 'heldout_n'] } })
      expect(series.map(({ name, steps }) => [name, steps])).toEqual(expect.arrayContaining([['reward', [1, 2]], ['heldout_n', [0, 2]]])) // prettier-ignore
      await expect.poll(sandboxes).toEqual([])
    } finally {
      cluster.end()
      fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 })
    }
  },
)
