import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { RunRequest } from '#contracts/entities/run.ts'
import { type TrainerConfig, TrainSettings } from '#contracts/trainer.ts'
import { openGym } from './testing-gym.ts'

const rows = (split: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    prompt: [{ role: 'user', content: `Make ${at}` }],
    environment: { task_id: `${split}-${at}` },
  }))
const gym = await openGym({
  deps: {
    shellTasks: {
      rows: (split) => rows(split, split === 'toy' ? 12 : 5),
      limit: () => 16,
      environment: async () => ({ url: 'http://127.0.0.1:9', token: 'secret' }),
    },
  },
})
afterAll(() => gym.close())

const shellTasks = { split: 'toy', heldout: 'toy-heldout' }
const requestWith = (more: Partial<RunRequest> = {}): RunRequest => {
  const { file: _, ...request } = gym.request({ steps: 1 })
  return { ...request, strategy: 'grpo', shellTasks, settings: { maxLength: 512, maxCompletion: 256 }, ...more }
}

it('plans with the number of tasks and of episodes at once', async () => {
  const plan = await gym.client.planRun({ body: requestWith() })
  expect(plan).toMatchObject({ fileRows: 12, valRows: 5, episodesAtOnce: 16, settings: { rewards: [], batchSize: 8 } })
  expect(plan.notes.filter(({ level }) => level === 'refusal')).toEqual([])
})

it.each<[what: string, change: Partial<RunRequest>, message: RegExp, hint: RegExp]>([
  ['more episodes than sandboxes', { settings: { batchSize: 32 } }, /32 episodes at once, and 16 sandboxes/, /arena\.running to 32/],
  ['another strategy', { strategy: 'rlvr', settings: { rewards: [] } }, /trained only with grpo/, /Choose grpo/],
  ['rewards in addition to the environment', { settings: TrainSettings.pick({ rewards: true }).parse({ rewards: [{ kind: 'format' }] }) }, /reward comes from their environment/, /Remove/], // prettier-ignore
])('refuses %s before a start', async (_, change, message, hint) => {
  const body = requestWith({ ...change, settings: { ...requestWith().settings, ...change.settings } })
  await expect(gym.client.startRun({ body })).rejects.toMatchObject({
    code: 'run_refused',
    message: expect.stringMatching(message) as string,
    hint: expect.stringMatching(hint) as string,
  })
})

it('refuses rows together with shell tasks, and a held-out split that is also trained on', async () => {
  const refused = (change: Partial<RunRequest>) => expect(gym.client.planRun({ body: requestWith(change) })).rejects.toMatchObject({ code: 'invalid_request' }) // prettier-ignore
  await refused({ datasetId: 'd1' })
  await refused({ valFile: '/rows.jsonl' })
  await refused({ shellTasks: { split: 'toy', heldout: 'toy' } })
})

it('gives a run its tasks, and the address of their environment in a private file', async () => {
  const run = await gym.client.startRun({ body: requestWith() })
  await gym.until(run.id, 'completed')
  expect(run.datasetName).toBe('shell-tasks:toy')
  const config = JSON.parse(fs.readFileSync(path.join(run.folder, 'config.json'), 'utf8')) as TrainerConfig
  const { file, capacity } = config.environment!
  expect([path.dirname(file), capacity]).toEqual([run.folder, 16])
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({ url: 'http://127.0.0.1:9', token: 'secret' })
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  const lines = fs.readFileSync(config.data.val!, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows('toy-heldout', 5).map((row) => ({ ...row, tools: [] })))
  expect(path.dirname(config.data.train)).toBe(run.folder)
})
