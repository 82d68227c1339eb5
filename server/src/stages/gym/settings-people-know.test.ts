import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Dataset } from '#contracts/entities/dataset.ts'
import type { RunRequest } from '#contracts/entities/run.ts'
import { type TrainerConfig, TrainSettings } from '#contracts/trainer.ts'
import { reportEnv } from './reports.ts'
import { openGym } from './testing-gym.ts'

const PACKAGES = new Map([
  ['tensorboard', '2.20.0'],
  ['wandb', '0.23.0'],
])
const gym = await openGym({
  deps: {
    packages: async () => ({ program: '/env/bin/python', packages: PACKAGES }),
    datasets: {
      get: (id) => ({ id, name: id, version: 1, kind: id === 'pairs' ? 'dpo' : 'sft', files: [], sources: [] }) as unknown as Dataset,
      folder: (id) => path.join(gym.core.config.dataDir, id),
      build: () => {
        throw new Error('no data sets here')
      },
    },
  },
})
afterAll(() => gym.close())

const fileOf = (name: string, rows: readonly object[]) => {
  const file = path.join(gym.core.config.dataDir, name)
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return file
}
const planOf = (more: Partial<RunRequest>) => gym.client.planRun({ body: gym.request({ steps: 1 }, more) })
const settings = (part: object) => part as Partial<TrainSettings>

it.each([
  [{ optim: 'adamw_8bit' }, 'The setting optim (adamw_8bit) needs a GPU with CUDA.', 'Choose another value.'],
  [{ optim: 'schedule_free_adamw' }, 'The setting optim (schedule_free_adamw) needs the package schedulefree, which is not installed.', 'Install it: /env/bin/python -m pip install schedulefree. Or choose another value.'],
  [{ backend: 'unsloth' }, 'The setting backend (unsloth) needs a GPU with CUDA.', 'Choose another value.'],
  [{ paddingFree: true }, 'The setting paddingFree needs a GPU with CUDA.', 'Turn it off.'],
  [{ reportTo: { mlflow: true } }, 'The setting reportTo.mlflow needs the package mlflow, which is not installed.', 'Install it: /env/bin/python -m pip install mlflow. Or turn it off.'],
  [{ reportTo: { wandb: true } }, 'The setting reportTo.wandb needs the variable WANDB_API_KEY in the environment that Bash Gym is started in.', 'Turn it off.'],
])('refuses before the start if the machine lacks something for %o', async (part, message, hint) => {
  const { notes } = await planOf({ settings: settings(part) })
  expect(notes.filter(({ level }) => level === 'refusal')).toMatchObject([{ message, hint }])
}) // prettier-ignore

it('accepts settings whose requirements are met', async () => {
  const { notes } = await planOf({ settings: settings({ reportTo: { tensorboard: true }, optim: 'adafactor' }) })
  expect(notes.filter(({ level }) => level === 'refusal')).toEqual([])
})

it('passes a reporter only its own variables, and only if it is switched on', () => {
  const given = {
    reporters: { WANDB_API_KEY: 'k', WANDB_LOG_MODEL: 'end', MLFLOW_TRACKING_URI: 'http://here' },
    network: { HTTPS_PROXY: 'http://proxy', PIP_INDEX_URL: 'http://index' },
  }
  const of = (part: object) => reportEnv(TrainSettings.parse({ learningRate: 1, reportTo: part }).reportTo, given)
  expect(of({})).toEqual({})
  expect(of({ tensorboard: true })).toEqual({})
  expect(of({ wandb: true })).toEqual({ HTTPS_PROXY: 'http://proxy', WANDB_DISABLED: 'false', WANDB_MODE: 'online', WANDB_API_KEY: 'k' })
  expect(of({ mlflow: true })).toEqual({ HTTPS_PROXY: 'http://proxy', MLFLOW_TRACKING_URI: 'http://here' })
})

const CALL = { name: 'Bash', arguments: { command: 'ls' } }
const FOREIGN: [string, RunRequest['strategy'], object][] = [
  ['OpenAI, with arguments as text', 'sft', { messages: [{ role: 'user', content: 'List' }, { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } }] }, { role: 'tool', tool_call_id: 'c', content: 'a.py' }, { role: 'assistant', content: 'One file.' }] }],
  ['TRL, with calls without ids', 'sft', { system: 'Be brief.', messages: [{ role: 'user', content: 'List', name: null }, { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: CALL }] }, { role: 'tool', name: 'Bash', content: 'a.py' }, { role: 'assistant', content: 'One file.', tool_calls: null }] }],
  ['content parts, and a role of Gemma', 'sft', { messages: [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, { role: 'user', content: [{ type: 'text', text: 'Say ' }, { type: 'text', text: 'it' }] }, { role: 'model', content: [{ type: 'text', text: 'it' }] }] }],
  ['ShareGPT', 'sft', { system: 'Be brief.', conversations: [{ from: 'human', value: 'List' }, { from: 'function_call', value: JSON.stringify(CALL) }, { from: 'observation', value: 'a.py' }, { from: 'gpt', value: 'One file.' }] }],
  ['prompt and completion', 'sft', { prompt: 'Say it', completion: 'it' }],
  ['Alpaca', 'sft', { instruction: 'Say', input: 'it', output: 'it' }],
  ['TRL, preferences without a prompt', 'dpo', { chosen: [{ role: 'user', content: 'Say it' }, { role: 'assistant', content: 'it' }], rejected: [{ role: 'user', content: 'Say it' }, { role: 'assistant', content: 'no' }] }],
  ['TRL, preferences as text', 'dpo', { prompt: 'Say it', chosen: 'it', rejected: 'no' }],
  ['OpenAI, preferences', 'dpo', { input: { messages: [{ role: 'user', content: 'Say it' }] }, preferred_output: [{ role: 'assistant', content: 'it' }], non_preferred_output: [{ role: 'assistant', content: 'no' }] }],
] // prettier-ignore

interface Message {
  role: string
  content: string
  tool_calls?: { function: object }[]
}
/** Messages as short lines. */
const short = (messages: Message[] | undefined) =>
  messages?.map(({ role, content, tool_calls: calls }) => `${role}: ${content}${calls ? JSON.stringify(calls.map((call) => call.function)) : ''}`) // prettier-ignore
const LISTED = ['user: List', `assistant: ${JSON.stringify([CALL])}`, 'tool: a.py', 'assistant: One file.']
const PAIR = { prompt: ['user: Say it'], chosen: ['assistant: it'], rejected: ['assistant: no'] }
const OURS: Record<string, Partial<Record<string, string[]>>> = {
  'OpenAI, with arguments as text': { messages: LISTED },
  'TRL, with calls without ids': { messages: ['system: Be brief.', ...LISTED] },
  'content parts, and a role of Gemma': { messages: ['system: Be brief.', 'user: Say it', 'assistant: it'] },
  ShareGPT: { messages: ['system: Be brief.', ...LISTED] },
  'prompt and completion': { messages: ['user: Say it', 'assistant: it'] },
  Alpaca: { messages: ['user: Say\n\nit', 'assistant: it'] },
}

it.each(FOREIGN)('converts rows in the format %s', async (name, strategy, row) => {
  const file = fileOf(`${name.replaceAll(/\W/g, '-')}.jsonl`, [row, row])
  const { notes } = await planOf({ file, strategy })
  expect(notes.filter(({ level }) => level === 'refusal')).toEqual([])
  expect(notes).toContainEqual(
    expect.objectContaining({ code: 'rows_converted', message: expect.stringMatching(/^2 rows have another program's format/) as string }),
  )
  const run = await gym.client.startRun({ body: gym.request({ steps: 1 }, { file, strategy }) })
  await gym.until(run.id, 'completed')
  const { data } = JSON.parse(fs.readFileSync(path.join(run.folder, 'config.json'), 'utf8')) as TrainerConfig
  expect(data.train).toBe(path.join(run.folder, 'train.jsonl'))
  const written = fs.readFileSync(data.train, 'utf8').trim().split('\n')
  expect(written).toHaveLength(2)
  const { tools: _tools, ...columns } = JSON.parse(written[0]!) as Record<string, Message[]>
  expect(Object.fromEntries(Object.entries(columns).map(([column, messages]) => [column, short(messages)]))).toEqual(OURS[name] ?? PAIR)
})

it('plans and copies a file with one JSON array, and says which columns are not used', async () => {
  const row = { messages: [{ role: 'user', content: 'Say it' }, { role: 'assistant', content: 'it' }], weight: 2, text: 'x' } // prettier-ignore
  const file = path.join(gym.core.config.dataDir, 'list.jsonl')
  fs.writeFileSync(file, JSON.stringify([row, row], null, 2))
  const { rows, notes } = await planOf({ file, strategy: 'sft' })
  expect(rows).toBe(2)
  expect(notes.find(({ code }) => code === 'columns_read')?.message).toBe(
    'Column weight of 2 rows is not used. Column text of 2 rows is not used.',
  )
  const run = await gym.client.startRun({ body: gym.request({ steps: 1 }, { file, strategy: 'sft' }) })
  await gym.until(run.id, 'completed')
  expect(fs.readFileSync(path.join(run.folder, 'train.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2)
})

it('counts rows by their weight only if row weights are on', async () => {
  const row = (weight: number) => ({ weight, messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }, { role: 'user', content: 'c' }, { role: 'assistant', content: 'd' }] }) // prettier-ignore
  const file = fileOf('weights.jsonl', [row(2), row(0), row(0.5), row(0.5)])
  const rows = async (more: Partial<TrainSettings>) => (await planOf({ file, settings: more })).rows
  expect(await rows({})).toBe(4)
  expect(await rows({ rowWeights: true })).toBe(3)
  const wrong = await planOf({ file: fileOf('wrong.jsonl', [row(-1)]), settings: { rowWeights: true } })
  expect(wrong.notes.find(({ level }) => level === 'refusal')?.message).toBe('Row 1: weight must be a number from 0 to 1000.')
})

it('mixes data sets, and gives each row the weight of its data set', async () => {
  const chatRow = (content: string) => ({ messages: [{ role: 'user', content }, { role: 'assistant', content }] }) // prettier-ignore
  fs.mkdirSync(path.join(gym.core.config.dataDir, 'more'))
  fileOf(
    path.join('more', 'train.jsonl'),
    Array.from({ length: 8 }, (_, at) => chatRow(`more ${at}`)),
  )
  const mix = [{ datasetId: 'more', weight: 0.25 }]
  expect(await planOf({ mix })).toMatchObject({ fileRows: 4 + 2, rows: 4 + 2, notes: expect.arrayContaining([expect.objectContaining({ code: 'mixed' })]) as object }) // prettier-ignore
  const run = await gym.client.startRun({ body: gym.request({ steps: 1 }, { mix }) })
  await gym.until(run.id, 'completed')
  const config = JSON.parse(fs.readFileSync(path.join(run.folder, 'config.json'), 'utf8')) as TrainerConfig
  expect(config.rowWeights).toBe(true)
  const weights = fs.readFileSync(config.data.train, 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { weight: number }).weight) // prettier-ignore
  expect(weights).toEqual([1, 1, 1, 1, ...Array.from({ length: 8 }, () => 0.25)])
  await expect(planOf({ mix: [{ datasetId: 'pairs', weight: 1 }] })).rejects.toMatchObject({ message: expect.stringMatching(/pairs is of kind dpo/) as string }) // prettier-ignore
})
