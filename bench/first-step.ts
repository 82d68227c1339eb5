import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { report, type Row } from './support/report.ts'

/**
 * Time from the request to start a run to its first step, by stage. The timestamps come from the request, the run's row and
 * the trainer; importing the libraries is measured separately.
 * `BASHGYM_PYTHON=…/bin/python npm run bench -- first-step [--model FOLDER|FILE.gguf] [--rounds 3]`; without `--model` it creates a tiny model.
 */
const python = process.env['BASHGYM_PYTHON']
if (python === undefined) {
  console.error('Name a Python with the trainers’ packages: BASHGYM_PYTHON=…/bin/python npm run bench -- first-step')
  process.exit(2)
}
const option = (name: string): string | undefined => process.argv[process.argv.indexOf(name) + 1]
const has = (name: string) => process.argv.includes(name)
const rounds = has('--rounds') ? Number(option('--rounds')) : 3
const trainers = path.join(import.meta.dirname, '..', 'server', 'trainers')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-first-step-'))
const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONPATH: trainers, HF_HUB_OFFLINE: '1', OMP_WAIT_POLICY: 'PASSIVE', GOMP_SPINCOUNT: '0' } // prettier-ignore
const call = (...args: string[]) => {
  const { status, stderr } = spawnSync(python, args, { cwd: trainers, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

const STAGES = ['checked and queued', 'process, config and data', 'libraries and model', 'tokenised', 'first step'] as const
type Times = Record<(typeof STAGES)[number], number>
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const model = has('--model') ? path.resolve(option('--model')!) : path.join(folder, 'tiny')
if (!has('--model')) call('tests/make_model.py', model)
const file = path.join(folder, 'rows.jsonl')
const row = { messages: [{ role: 'user', content: 'Say red' }, { role: 'assistant', content: 'red red' }] } // prettier-ignore
fs.writeFileSync(file, `${JSON.stringify(row)}\n`.repeat(64))

const app = await createApp(loadConfig({ dataDir: path.join(folder, 'home') }, { HOME: folder, PATH: process.env['PATH'], BASHGYM_PYTHON: python, BASHGYM_LOG: 'silent' })) // prettier-ignore
await app.start({ watch: true })
const client = inProcessClient(app)
await client.getTrainingEnvironment() // the app checks this once; in real use the form has done it before the user starts a run

async function measure(): Promise<Times> {
  const stepped = new Promise<string>((resolve, reject) => {
    const stop = app.core.events.subscribe(({ type, payload }) => {
      if (type === 'training:failed') reject(new Error(payload.error.message))
      if (type !== 'training:progress' || payload.step < 1) return
      stop()
      resolve(payload.runId)
    })
  })
  const asked = Date.now()
  const settings = { maxSteps: 2, loggingSteps: 1, evalSteps: null, saveSteps: null, samples: 0, maxLength: 256, batchSize: 1, device: 'cpu' as const } // prettier-ignore
  const { id, folder: place } = await client.startRun({ body: { strategy: 'sft', baseModel: model, file, settings, overrideMemory: true } })
  await stepped
  const { startedAt } = await client.getRun({ params: { id } })
  const events = fs.readFileSync(path.join(place, 'events.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { at: string; type: string; phase?: string }) // prettier-ignore
  const at = (type: string, phase?: string) => Date.parse(events.find((event) => event.type === type && event.phase === phase)!.at)
  const marks = [asked, Date.parse(startedAt!), at('phase', 'loading'), at('phase', 'tokenising'), at('phase', 'warming'), at('progress')]
  const ended = new Promise<void>((resolve) => {
    const look = () => void client.getRun({ params: { id } }).then(({ state }) => state === 'completed' && (stop(), resolve()))
    const stop = app.core.events.subscribe(look)
    look()
  })
  await ended
  return Object.fromEntries(STAGES.map((stage, index) => [stage, marks[index + 1]! - marks[index]!])) as Times
}

const imports = () => {
  const from = performance.now()
  call('-c', 'import torch, transformers, trl, peft, datasets; from trl import SFTTrainer')
  return performance.now() - from
}
const load = os.loadavg()[0]!
const times: Times[] = []
const imported: number[] = []
for (let round = 0; round < rounds; round += 1) {
  times.push(await measure())
  imported.push(imports())
}
await app.close()
fs.rmSync(folder, { recursive: true, force: true })

const each = STAGES.map((stage) => ({ stage, ms: middle(times.map((one) => one[stage])) }))
const whole = middle(times.map((one) => STAGES.reduce((sum, stage) => sum + one[stage], 0)))
const sum = each.reduce((total, { ms }) => total + ms, 0)
const rows: Row[] = [
  { what: 'request to first step', figure: `${(whole / 1000).toFixed(1)} s, middle of ${rounds}, load ${load.toFixed(1)}`, limit: '–', met: null },
  ...each.map(({ stage, ms }): Row => ({ what: stage, figure: `${(ms / 1000).toFixed(2)} s, ${Math.round((100 * ms) / sum)} %`, limit: '–', met: null })),
  { what: 'importing the libraries, by itself', figure: `${(middle(imported) / 1000).toFixed(2)} s`, limit: '–', met: null },
] // prettier-ignore
report('first-step', rows, { model, rounds, load, times, imported })
