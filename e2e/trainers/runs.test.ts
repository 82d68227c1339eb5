import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run, RunRequest, RunState } from '#contracts/entities/run.ts'
import { TrainerEvent, TrainMethod } from '#contracts/trainer.ts'
import { processes } from '#server/process/marks.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { tinyModel } from '../support/trainer.ts'
import { holdingPython } from './holding.ts'
import { PYTHON, REAL_PYTHON } from './python.ts'
import { bashgym, closeServer, runWhen, settingArgs, temporaryFolder, trainingConfig, writeRows } from './training-server.ts'

// Real trainers on a tiny model, controlled by the real server.
const folder = temporaryFolder('runs')
const pausablePython = holdingPython(folder, REAL_PYTHON) // these runs are started as the product does
const config = trainingConfig(folder, { python: pausablePython.program })
const model = path.join(folder, 'model')
const data = path.join(folder, 'train.jsonl')
const STEPS = 40
const OPTIONS = { learningRate: 2e-3, maxSteps: STEPS, loggingSteps: 1, saveSteps: 10, maxLength: 256, threads: 1, device: 'cpu', evalSteps: null, samples: 0, schedule: 'constant' } as const // prettier-ignore
const body: RunRequest = {
  strategy: 'sft',
  baseModel: model,
  file: data,
  preset: 'balanced',
  settings: { ...OPTIONS, method: { kind: 'full' } },
  engine: 'local',
  overrideMemory: false,
  tags: [],
}

let server: TestServer
beforeAll(async () => {
  tinyModel(model, PYTHON)
  const words = ['red', 'green', 'blue', 'white']
  const rows = Array.from({ length: 16 }, (_, at) => ({
    messages: [
      { role: 'user', content: `Say ${words[at % 4]}` },
      { role: 'assistant', content: `${words[at % 4]} ${words[at % 4]}` },
    ],
  }))
  writeRows(data, rows)
  server = await startTestServer({ config })
})
afterAll(() => closeServer(server, folder))

const when = (id: string, holds: (run: Run) => boolean) => runWhen(server, id, holds)
const until = (id: string, state: RunState) => when(id, (run) => run.state === state)
const curve = async (id: string) => {
  const [series] = (await server.client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })).series
  return series!.steps.map((step, at) => [step, series!.last[at]!] as const)
}
const allSteps = Array.from({ length: STEPS }, (_, at) => at + 1)
let whole: (readonly [number, number])[] = []

test('trains from the command line, prints each event as a JSON line with the run id, and lowers the loss', async () => {
  const args = ['--dataset', data, '--strategy', 'sft', '--base-model', model, '--set', 'use_lora=false', ...settingArgs(OPTIONS)]
  const trained = await bashgym(server, ['train', ...args, '--watch'])
  expect(trained.code).toBe(0)
  const lines = trained.lines.map((line) => JSON.parse(line) as TrainerEvent & { runId: string })
  const id = lines[0]!.runId
  expect(lines.at(-1)).toMatchObject({ type: 'run', state: 'completed' })
  const events = lines.slice(0, -1).map((line) => {
    const { runId, ...event } = line
    expect(runId).toBe(id)
    return TrainerEvent.parse(event)
  })
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  whole = await curve(id)
  expect(whole.map(([step]) => step)).toEqual(allSteps)
  expect(whole.at(-1)![1]).toBeLessThan(0.7 * whole[0]![1])
  const run = await server.client.getRun({ params: { id } })
  expect(run).toMatchObject({ state: 'completed', device: 'cpu', rows: 16 })
  expect(fs.existsSync(path.join(run.folder, 'final', 'model.safetensors'))).toBe(true)
  const again = await server.client.planRun({ body })
  expect(again).toMatchObject({ tokensExact: true, steps: STEPS, seconds: { from: run.name } })
  expect(again.parameters).toBeGreaterThan(10_000)
  const plan = events.find((event) => event.type === 'plan')!
  expect([again.rows, again.tokens, again.trainedTokens, again.longest]).toEqual([plan.rows, plan.tokens, plan.trainedTokens, plan.longest])
})

test('trains on ShareGPT rows with library settings', async () => {
  const file = path.join(folder, 'sharegpt.jsonl')
  const row = (word: string) => ({ conversations: [{ from: 'human', value: `Say ${word}` }, { from: 'gpt', value: `${word} ${word}` }] }) // prettier-ignore
  writeRows(file, ['red', 'green', 'blue', 'white'].map(row))
  const settings: RunRequest['settings'] = {
    ...OPTIONS,
    learningRate: 2e-2,
    neftuneNoiseAlpha: 5,
    optim: 'adafactor',
    warmupRatio: 0.1,
    schedule: 'cosine_with_min_lr',
    method: TrainMethod.parse({ kind: 'lora', rank: 8, useDora: true, useRslora: true }),
  }
  const { id } = await server.client.startRun({ body: { ...body, file, settings } })
  await until(id, 'completed')
  const losses = await curve(id)
  expect(losses.at(-1)![1]).toBeLessThan(losses[0]![1])
  const run = await server.client.getRun({ params: { id } })
  const [copy] = fs.readFileSync(path.join(run.folder, 'train.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(copy!)).toMatchObject({
    messages: [
      { role: 'user', content: 'Say red' },
      { role: 'assistant', content: 'red red' },
    ],
  })
  const adapter = JSON.parse(fs.readFileSync(path.join(run.folder, 'final', 'adapter_config.json'), 'utf8')) as object
  expect(adapter).toMatchObject({ use_dora: true, use_rslora: true })
})

test('a paused and resumed run has exactly the same curve, and changed data is refused', async () => {
  pausablePython.holdAt(6)
  const { id } = await server.client.startRun({ body })
  await when(id, ({ step }) => step >= 5)
  await server.client.pauseRun({ params: { id } })
  await until(id, 'paused')
  pausablePython.letGo()
  const text = fs.readFileSync(data, 'utf8')
  fs.writeFileSync(data, `${text}${text}`)
  const refused = await server.client.resumeRun({ params: { id } }).catch((error: unknown) => error)
  fs.writeFileSync(data, text)
  expect(refused).toMatchObject({ code: 'run_changed', details: { changed: ['the data'] } })
  const inputs = path.join((await server.client.getRun({ params: { id } })).folder, 'inputs.json')
  const began = fs.readFileSync(inputs, 'utf8')
  fs.writeFileSync(inputs, began.replace(/"trl": "[^"]+"/, '"trl": "0.1.0"'))
  await expect(server.client.resumeRun({ params: { id } })).rejects.toMatchObject({ code: 'run_changed', message: expect.stringMatching(/^the library trl \(0\.1\.0 then, \d.* now\) changed since/) as string }) // prettier-ignore
  fs.writeFileSync(inputs, began)
  await server.client.resumeRun({ params: { id } })
  await until(id, 'completed')
  expect(await curve(id)).toEqual(whole)
})

test('a run of several processes is paused, resumed and cancelled as a whole, and leaves no process', async () => {
  const settings = { ...body.settings, maxSteps: 100_000, batchSize: 8, microBatch: 2, processes: 2 }
  const { id, folder: place } = await server.client.startRun({ body: { ...body, settings } })
  const ownProcesses = () => [...processes()].filter(({ argv }) => argv.includes(path.join(place, 'config.json')))
  await when(id, ({ step }) => step >= 1)
  expect(ownProcesses()).toHaveLength(4) // the trainer, accelerate's launcher and two that take steps
  await server.client.pauseRun({ params: { id } })
  const { step } = await until(id, 'paused')
  await server.client.resumeRun({ params: { id } })
  await when(id, (run) => run.step > step)
  await server.client.cancelRun({ params: { id } })
  await until(id, 'cancelled')
  await expect.poll(ownProcesses).toEqual([])
})

test('after the server and the trainer are killed, the run resumes and its curve has no gaps', async () => {
  await server.close()
  const request = path.join(folder, 'request.json')
  fs.writeFileSync(request, JSON.stringify(body))
  pausablePython.holdAt(13)
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'testing-server.ts'), config.dataDir, pausablePython.program, request],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let id = ''
  for await (const line of createInterface({ input: child.stdout })) {
    id = line.split(' ')[0]!
    if (Number(line.split(' ')[1]) >= 3) break
  }
  const closed = once(child, 'exit')
  child.kill('SIGKILL')
  await closed
  server = await startTestServer({ config })
  await when(id, ({ step }) => step >= 12)
  const { handle } = server.app.core.db.prepare('SELECT handle FROM runs WHERE id = ?').get(id) as { handle: string }
  process.kill((JSON.parse(handle) as { pid: number }).pid, 'SIGKILL')
  expect((await until(id, 'failed')).canResume).toBe(true)
  pausablePython.letGo()
  await server.client.resumeRun({ params: { id } })
  await until(id, 'completed')
  expect(await curve(id)).toEqual(whole)
})

test('a dry run leaves no files, a loading run can be cancelled, and a bad row is named', async () => {
  const job = await server.app.core.jobs.wait((await server.client.dryRun({ body })).id)
  expect(job).toMatchObject({
    state: 'completed',
    result: { stepSec: expect.any(Number) as number, longest: expect.any(Number) as number },
  })
  expect((job.result as { peakRssMb: number }).peakRssMb).toBeGreaterThan(100)
  expect(fs.readdirSync(path.join(config.dataDir, 'models')).filter((name) => name.startsWith('.'))).toEqual([])

  const { id } = await server.client.startRun({ body })
  await until(id, 'preparing')
  const from = performance.now()
  expect(await server.client.cancelRun({ params: { id }, body: {} })).toMatchObject({ state: 'cancelled' })
  expect(performance.now() - from).toBeLessThan(2000)

  const bad = path.join(folder, 'bad.jsonl')
  fs.writeFileSync(bad, `${fs.readFileSync(data, 'utf8')}{"messages": "none"}\n`)
  await expect(server.client.startRun({ body: { ...body, file: bad } })).rejects.toMatchObject({ code: 'run_refused', message: expect.stringContaining('Row 17: messages must be a list') as string }) // prettier-ignore
})
