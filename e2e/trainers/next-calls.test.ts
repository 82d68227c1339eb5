import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '#contracts/entities/run.ts'
import type { TrainSettingsInput } from '#contracts/trainer.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { callRows } from '../support/call-rows.ts'
import { tinyModel } from '../support/trainer.ts'
import { PYTHON } from './python.ts'
import { bashgym, closeServer, runWhen, temporaryFolder, trainingConfig, writeRows } from './training-server.ts'

// A real trainer evaluates held-out calls with a tiny model, and the server stores the results.
const folder = temporaryFolder('next-calls')
const config = trainingConfig(folder)
const model = path.join(folder, 'model')
const file = (name: string, rows: readonly object[]) => writeRows(path.join(folder, name), rows)

let server: TestServer
beforeAll(async () => {
  tinyModel(model, PYTHON)
  server = await startTestServer({ config })
})
afterAll(() => closeServer(server, folder))

async function trained(name: string, valFile: string | undefined, settings: Partial<TrainSettingsInput>): Promise<Run> {
  const defaults = { method: { kind: 'full' }, learningRate: 5e-3, schedule: 'cosine', batchSize: 4, maxLength: 512, loggingSteps: 5, samples: 0, threads: 1, device: 'cpu' } as const // prettier-ignore
  const { id } = await server.client.startRun({
    body: { name, strategy: 'sft', baseModel: model, file: file('train.jsonl', callRows(12)), ...(valFile && { valFile }), settings: { ...defaults, ...settings } }, // prettier-ignore
  })
  return runWhen(server, id, ({ state }) => state === 'completed')
}
const show = async (id: string) => (await bashgym(server, ['runs', 'show', id])).lines.join('\n')

test('a run reports its held-out calls from the base model on, and its best step is chosen by them', async () => {
  const run = await trained('calls', file('val.jsonl', callRows(3)), { maxSteps: 120, evalSteps: 40, bestBy: 'next_call' })
  expect(run.nextCalls).toMatchObject({ answers: 6, withCalls: 3, leftOut: 0, reason: null, base: { eval_exact_call: 0 } })
  expect(run.metrics).toMatchObject({ eval_arg_f1: 1, eval_exact_call: 1, eval_tool_name: 1, eval_call_parse: 1 })
  const names = ['eval_arg_f1', 'eval_exact_call', 'eval_loss']
  const { series } = await server.client.getRunMetrics({ params: { id: run.id }, query: { names } })
  const [f1, exact, loss] = names.map((name) => series.find((one) => one.name === name)!)
  expect([f1!.steps, exact!.steps, loss!.steps]).toEqual([
    [0, 40, 80, 120],
    [0, 40, 80, 120],
    [40, 80, 120],
  ])
  const evaluations = loss!.steps.map((step, at) => ({ step, f1: f1!.last[at + 1]!, loss: loss!.last[at]! }))
  expect(run.bestStep).toBe(evaluations.toSorted((a, b) => b.f1 - a.f1 || a.loss - b.loss)[0]!.step)
  expect(await show(run.id)).toContain('held-out calls: argument F1 100.0 % (base 0.0 %), exact 100.0 % (base 0.0 %)')
})

test('a run without held-out rows reports that calls are not measured, and why', async () => {
  const run = await trained('none', undefined, { maxSteps: 2 })
  expect(run.nextCalls).toMatchObject({ answers: 0, base: null, reason: 'The run has no held-out rows.' })
  expect(run.warnings).toEqual([])
  expect(await show(run.id)).toContain('held-out calls: not measured. The run has no held-out rows.')
})
