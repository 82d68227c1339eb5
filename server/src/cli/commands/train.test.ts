import { expect, it } from 'vitest'
import type { MatrixRequest } from '#contracts/entities/run-matrix.ts'
import type { RunRequest } from '#contracts/entities/run.ts'
import { type CliDeps, runCli } from '../run.ts'

/** Runs a command line against a server that accepts every start; returns the requests and the output. */
async function run(...args: string[]) {
  const asked: RunRequest[] = []
  let matrix: MatrixRequest | undefined
  let out = ''
  let note = ''
  const startRun = ({ body }: { body: RunRequest }) => {
    asked.push(body)
    return Promise.resolve({ id: 'a'.repeat(26), name: 'one', state: 'queued' })
  }
  const startMatrix = ({ body }: { body: MatrixRequest }) => {
    matrix = body
    return Promise.resolve({ id: 'b'.repeat(26), runs: [] })
  }
  const listBaseModels = () => Promise.resolve({ suggested: { id: 'org/suggested' } })
  const connection = { client: { startRun, startMatrix, listBaseModels }, close: () => Promise.resolve() }
  const parts = { connect: () => Promise.resolve(connection), serve: {}, restore: {} } as unknown as CliDeps
  const streams = { out: (text: string) => void (out += text), note: (text: string) => void (note += text) }
  const code = await runCli(args[0] === '--train' ? args : ['train', ...args], parts, streams, new AbortController().signal)
  return { code, out, note, body: asked[0], matrix }
}
const NEEDED = ['--dataset', 'ds_1', '--strategy', 'sft', '--base-model', 'org/model']

it('also works as the flag --train', async () => {
  const { code, body } = await run('--train', ...NEEDED)
  expect([code, body?.datasetId]).toEqual([0, 'ds_1'])
})

it('takes the suggested base model if none is given', async () => {
  const { body, note } = await run('--train', '--dataset', 'ds_1', '--strategy', 'sft')
  expect([body?.baseModel, note]).toEqual(['org/suggested', 'Base model: org/suggested.\n'])
})

it('sends only the given options in the request', async () => {
  const { code, body, out } = await run(...NEEDED, '--json')
  expect([code, JSON.parse(out)]).toEqual([0, { id: 'a'.repeat(26), name: 'one', state: 'queued' }])
  expect(body).toEqual({ strategy: 'sft', baseModel: 'org/model', datasetId: 'ds_1', preset: 'balanced', settings: {}, engine: 'local', overrideMemory: false, tags: [] }) // prettier-ignore
  const flags = [
    '--learning-rate',
    '1.2e-05',
    '--epochs',
    '2',
    '--batch-size',
    '8',
    '--logging-steps',
    '1',
    '--max-steps',
    '40',
    '--seed',
    '7',
  ]
  const more = [
    '--set',
    'lora_r=8',
    'max_seq_length=512',
    'earlyStopping={"patience":2}',
    'schedule=linear',
    '--tag',
    'a',
    'b',
    '--preset',
    'quick',
  ]
  const full = await run(...NEEDED, ...flags, ...more)
  expect(full.body).toMatchObject({ preset: 'quick', tags: ['a', 'b'] })
  expect(full.body!.settings).toEqual({
    learningRate: 1.2e-5,
    epochs: 2,
    batchSize: 8,
    loggingSteps: 1,
    maxSteps: 40,
    seed: 7,
    method: expect.objectContaining({ kind: 'lora', rank: 8 }) as object,
    maxLength: 512,
    earlyStopping: { patience: 2 },
    schedule: 'linear',
  })
  expect((await run(...NEEDED, '--set', 'use_lora=false')).body!.settings).toEqual({ method: { kind: 'full' } })
  expect((await run('--dataset', 'rows.jsonl', ...NEEDED.slice(2))).body!.file).toMatch(/^\/.*rows\.jsonl$/)
})

it('trains on shell tasks, with a held-out split', async () => {
  const { body } = await run(
    '--dataset',
    'shell-tasks:toy',
    '--heldout',
    'shell-tasks:toy-heldout',
    '--strategy',
    'grpo',
    '--base-model',
    'm',
  )
  expect(body).toMatchObject({ strategy: 'grpo', shellTasks: { split: 'toy', heldout: 'toy-heldout' } })
  expect([body?.datasetId, body?.file]).toEqual([undefined, undefined])
})

it('accepts settings of the libraries as options and under their own names', async () => {
  const options = ['--warmup-ratio', '0.1', '--use-dora', 'true', '--report-to', 'tensorboard,mlflow', '--optim', 'adafactor', '--objective', 'gspo'] // prettier-ignore
  const named = [
    '--set',
    'neftune_noise_alpha=5',
    'lr_scheduler_type=cosine_with_min_lr',
    'gradient_checkpointing=true',
    'modules_to_save=lm_head',
    'use_rslora=true',
  ]
  const { body } = await run(...NEEDED, ...options, ...named)
  expect(body!.settings).toMatchObject({
    warmupRatio: 0.1,
    optim: 'adafactor',
    objective: 'gspo',
    reportTo: { tensorboard: true, mlflow: true, wandb: false },
    neftuneNoiseAlpha: 5,
    schedule: 'cosine_with_min_lr',
    activationCheckpointing: 'on',
    method: { kind: 'lora', useDora: true, useRslora: true, modulesToSave: ['lm_head'] },
  })
  expect((await run(...NEEDED, '--mix', 'ds_2', 'ds_3=0.25')).body!.mix).toEqual([{ datasetId: 'ds_2', weight: 1 }, { datasetId: 'ds_3', weight: 0.25 }]) // prettier-ignore
  const preferences = [
    '--dataset',
    'ds_1',
    '--strategy',
    'dpo',
    '--base-model',
    'm',
    '--set',
    'loss_type=sigmoid,sft',
    'loss_weights=1,0.2',
  ]
  expect((await run(...preferences)).body!.settings).toEqual({ dpoLossType: ['sigmoid', 'sft'], lossWeights: [1, 0.2] })
})

it('requests a run for every combination, with any name of a setting and with base models', async () => {
  const given = ['--dataset', 'ds_1', '--strategy', 'grpo', '--set', 'lora_alpha=32']
  const { code, body, matrix, out } = await run(...given, '--matrix', 'learning_rate=1e-5,3e-4', 'base-model=a/b,c/d', 'lora_r=8,16', '--matrix', 'loss_type=dapo,grpo') // prettier-ignore
  expect([code, body]).toEqual([0, undefined])
  expect(out).toContain(`bashgym runs matrix ${'b'.repeat(26)}`)
  expect(matrix).toMatchObject({ baseModel: 'a/b', settings: { method: { kind: 'lora', alpha: 32 } }, skipRefused: false })
  expect(matrix!.axes).toEqual({ learningRate: [1e-5, 3e-4], baseModel: ['a/b', 'c/d'], 'method.rank': [8, 16], grpoLossType: ['dapo', 'grpo'] }) // prettier-ignore
})

it.each([
  [['--strategy', 'sft', '--base-model', 'm'], /--dataset is missing/],
  [['--dataset', 'd', '--base-model', 'm'], /--strategy is missing/],
  [['--dataset', 'd', '--strategy', 'rl', '--base-model', 'm'], /--strategy must be one of sft/],
  [[...NEEDED, '--learning-rate', 'fast'], /--learning-rate must be a number, not "fast"/],
  [[...NEEDED, '--set', 'colour=red'], /Unknown setting "colour".*learningRate/],
  [[...NEEDED, '--set', 'seed'], /--set must be NAME=VALUE/],
  [[...NEEDED, '--epochs', '-1'], /settings\.epochs|--epochs/],
  [['--heldout', 'shell-tasks:toy', ...NEEDED], /--heldout needs --dataset shell-tasks:SPLIT/],
  [['--dataset', 'shell-tasks:toy', '--heldout', 'toy', ...NEEDED.slice(2)], /--heldout must be shell-tasks:SPLIT/],
  [['--from', 'tier:gold', ...NEEDED], /either --dataset or --from/],
  [[...NEEDED, '--matrix', 'colour=red'], /Unknown setting "colour"/],
  [[...NEEDED, '--matrix', 'seed'], /--matrix must be NAME=VALUE,VALUE/],
  [[...NEEDED, '--matrix', 'seed=1,1'], /This value is listed twice/],
  [[...NEEDED, '--matrix', 'seed=1,2', '--watch'], /--watch follows one run/],
  [[...NEEDED, 'more'], /Unexpected argument "more"/],
])('exits with 2 and a message: %j', async (args, sentence) => {
  const { code, out, note, body } = await run(...args)
  expect([code, out, body]).toEqual([2, '', undefined])
  expect(note).toMatch(sentence)
})

it('lists the settings in its help', async () => {
  const { code, out } = await run('--help')
  expect(code).toBe(0)
  for (const name of ['learningRate', 'maxLength', 'generations', 'keepCheckpoints']) expect(out).toContain(name)
})
