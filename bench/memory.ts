import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { TrainerEvent, TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import { factsOf } from '#server/stages/gym/base-models/facts.ts'
import { estimateMemory } from '#server/stages/gym/plan/memory.ts'
import { cacheDir } from '../scripts/lib/probe.mjs'
import { report, type Row } from './support/report.ts'

/**
 * Compares the memory estimate of a plan with the measured peak of the same run: real trainers on the CPU, models with
 * random weights. The constants of plan/memory.ts were fitted on some cases; the others check them.
 *
 *     npm run bench -- memory [--python PROGRAM] [--only PART OF A NAME] [--held]
 */
const { values } = parseArgs({
  options: { python: { type: 'string' }, only: { type: 'string' }, held: { type: 'boolean' } },
  allowPositionals: true,
})
const python = values.python ?? path.join(cacheDir, 'python', 'bin', 'python')
const root = path.join(import.meta.dirname, '..')
/** Allowed difference between a measured peak and its estimate. */
const TOLERANCE = 0.15

interface Shape {
  hidden_size: number
  intermediate_size: number
  num_hidden_layers: number
  num_attention_heads: number
  num_key_value_heads: number
  vocab_size: number
}
interface Case {
  name: string
  fitted: boolean
  shape: Shape
  strategy: TrainStrategy
  batch: number
  length: number
  lora: boolean
  /** Activations are recomputed instead of kept. */
  checkpointed?: boolean
}
const shape = (hidden: number, layers: number, vocabulary: number): Shape => ({
  hidden_size: hidden,
  intermediate_size: 3 * hidden,
  num_hidden_layers: layers,
  num_attention_heads: hidden / 64,
  num_key_value_heads: (hidden / 64) % 4 === 0 ? hidden / 256 : hidden / 128,
  vocab_size: vocabulary,
})
const fitted = (name: string, of: Shape, batch: number, length: number, lora: boolean, strategy: TrainStrategy = 'sft'): Case => ({ name, fitted: true, shape: of, batch, length, lora, strategy }) // prettier-ignore
const heldOut = (...args: Parameters<typeof fitted>): Case => ({ ...fitted(...args), fitted: false })
const CASES: Case[] = [
  heldOut('full, 384 × 6 layers, 3 × 512', shape(384, 6, 12_000), 3, 512, false),
  heldOut('LoRA, 384 × 6 layers, 3 × 512', shape(384, 6, 12_000), 3, 512, true),
  heldOut('LoRA, 640 × 10 layers, 2 × 768', shape(640, 10, 24_000), 2, 768, true),
  heldOut('full, 640 × 10 layers, 2 × 384', shape(640, 10, 24_000), 2, 384, false),
  heldOut('full, 896 × 6 layers, 1 × 512', shape(896, 6, 48_000), 1, 512, false),
  heldOut('LoRA, 896 × 6 layers, 6 × 256', shape(896, 6, 48_000), 6, 256, true),
  heldOut('LoRA, 512 × 8 layers, 1 × 2048', shape(512, 8, 32_000), 1, 2048, true),
  heldOut('DPO, LoRA, 384 × 4 layers, 2 × 384', shape(384, 4, 16_000), 2, 384, true, 'dpo'),
  heldOut('LoRA, 384 × 8 layers, vocabulary 152k, 2 × 1024', shape(384, 8, 151_936), 2, 1024, true),
  heldOut('full, 640 × 4 layers, vocabulary 49k, 2 × 768', shape(640, 4, 49_152), 2, 768, false),
  heldOut('LoRA, 256 × 6 layers, vocabulary 40k, 3 × 2048', shape(256, 6, 40_000), 3, 2048, true),
  heldOut('LoRA, 768 × 6 layers, 1 × 3072', shape(768, 6, 24_000), 1, 3072, true),
  heldOut('DPO, full, 384 × 4 layers, 1 × 512', shape(384, 4, 32_000), 1, 512, false, 'dpo'),
  { ...heldOut('checkpointing, LoRA, 512 × 8 layers, 1 × 2048', shape(512, 8, 32_000), 1, 2048, true), checkpointed: true },
  { ...heldOut('checkpointing, full, 384 × 12 layers, 2 × 1024', shape(384, 12, 12_000), 2, 1024, false), checkpointed: true },
  { ...heldOut('checkpointing, LoRA, 256 × 16 layers, 8 × 512', shape(256, 16, 8000), 8, 512, true), checkpointed: true },
  fitted('full, 256 × 4 layers, 4 × 512', shape(256, 4, 8000), 4, 512, false),
  fitted('LoRA, 256 × 4 layers, 4 × 512', shape(256, 4, 8000), 4, 512, true),
  fitted('full, 768 × 8 layers, 2 × 256', shape(768, 8, 8000), 2, 256, false),
  fitted('full, 768 × 8 layers, 4 × 512', shape(768, 8, 8000), 4, 512, false),
  fitted('LoRA, 768 × 8 layers, 4 × 1024', shape(768, 8, 8000), 4, 1024, true),
  fitted('LoRA, 512 × 4 layers, vocabulary 64k, 2 × 512', shape(512, 4, 64_000), 2, 512, true),
  fitted('full, 512 × 4 layers, vocabulary 64k, 4 × 256', shape(512, 4, 64_000), 4, 256, false),
  fitted('full, 512 × 12 layers, 1 × 1024', shape(512, 12, 16_000), 1, 1024, false),
  fitted('LoRA, 1024 × 6 layers, 2 × 512', shape(1024, 6, 32_000), 2, 512, true),
  fitted('LoRA, 256 × 16 layers, 8 × 512', shape(256, 16, 8000), 8, 512, true),
  fitted('DPO, LoRA, 512 × 6 layers, 2 × 512', shape(512, 6, 16_000), 2, 512, true, 'dpo'),
  fitted('LoRA, 512 × 8 layers, vocabulary 32k, 1 × 1024', shape(512, 8, 32_000), 1, 1024, true),
  fitted('full, 512 × 8 layers, vocabulary 32k, 1 × 2048', shape(512, 8, 32_000), 1, 2048, false),
  fitted('LoRA, 512 × 8 layers, vocabulary 4k, 1 × 4096', shape(512, 8, 4000), 1, 4096, true),
  fitted('LoRA, 512 × 1 layer, vocabulary 64k, 2 × 1024', shape(512, 1, 64_000), 2, 1024, true),
  fitted('LoRA, 512 × 2 layers, 4 × 2048', shape(512, 2, 16_000), 4, 2048, true),
  fitted('DPO, full, 512 × 6 layers, 2 × 512', shape(512, 6, 32_000), 2, 512, false, 'dpo'),
]

const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  PYTHONPATH: path.join(root, 'server', 'trainers'),
  PYTHONDONTWRITEBYTECODE: '1',
  HF_HUB_OFFLINE: '1',
  TOKENIZERS_PARALLELISM: 'false',
}
/** Maximum tokens of a row in addition to its words. */
const MARKS = 40
function run(args: string[]): void {
  const { status, stderr } = spawnSync(python, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr.slice(-3000)}`)
}

/** Rows of about the training length, so that every step has the full width; longer ones would be left out. */
function rowsOf({ strategy, length, batch }: Case): string {
  const words = (seed: number) =>
    Array.from({ length: length - MARKS }, (_, at) => ['list', 'the', 'files', 'run', 'tests', 'mend'][(at * 7 + seed) % 6]).join(' ')
  const row = (seed: number) => {
    const prompt = [{ role: 'user', content: 'Tell me' }]
    const reply = (text: string) => [{ role: 'assistant', content: text }]
    return strategy === 'dpo'
      ? { prompt, chosen: reply(words(seed)), rejected: reply(words(seed + 1)) }
      : { messages: [...prompt, ...reply(words(seed))] }
  }
  return Array.from({ length: batch * 3 }, (_, seed) => `${JSON.stringify(row(seed))}\n`).join('')
}

async function measure(one: Case, folder: string) {
  const model = path.join(folder, 'model')
  run([path.join(root, 'bench', 'support', 'shaped_model.py'), model, JSON.stringify(one.shape)])
  const data = path.join(folder, 'train.jsonl')
  fs.writeFileSync(data, rowsOf(one))
  const { strategy } = one
  const settings = TrainSettings.parse({
    method: one.lora ? { kind: 'lora' } : { kind: 'full' },
    learningRate: 1e-5,
    maxSteps: 3,
    batchSize: one.batch,
    maxLength: 2 * one.length,
    evalSteps: null,
    saveSteps: null,
    samples: 0,
    device: 'cpu',
    activationCheckpointing: one.checkpointed ? 'on' : 'off',
  })
  const output = path.join(folder, 'run')
  const config = path.join(folder, 'config.json')
  fs.writeFileSync(config, JSON.stringify({ ...settings, format: 1, runId: 'memory', strategy, model, data: { train: data }, output }))
  run(['-m', 'bashgym_trainers', 'train', '--config', config])
  const events = fs.readFileSync(path.join(output, 'events.jsonl'), 'utf8').trim().split('\n').map((line) => TrainerEvent.parse(JSON.parse(line))) // prettier-ignore
  const end = events.find((event) => event.type === 'complete')
  if (!end) throw new Error(`${one.name}: ${events.at(-1)?.type}`)
  const longest = events.find((event) => event.type === 'plan')?.longest ?? one.length
  const facts = await factsOf(model)
  const estimate = estimateMemory({ strategy, settings, model: facts, teacher: null, longest, device: 'cpu' })!
  return { measured: end.peakMb.rss * 1e6, estimate, parameters: facts.parameters! }
}

const rows: Row[] = []
const data: unknown[] = []
const chosen = CASES.filter((one) => one.name.includes(values.only ?? '') && !(values.held && one.fitted))
for (const one of chosen) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-memory-'))
  try {
    const { measured, estimate, parameters } = await measure(one, folder)
    const off = estimate.total / measured - 1
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
    rows.push({
      what: `${one.name} (${(parameters / 1e6).toFixed(1)} M)${one.fitted ? ', fitted' : ''}`,
      figure: `${mb(estimate.total)} estimated, ${mb(measured)} measured, ${(100 * off).toFixed(1)} %`,
      limit: '± 15 %',
      met: Math.abs(off) <= TOLERANCE,
    })
    data.push({ ...one, measured, estimate, parameters })
    console.error(rows.at(-1)!.what, rows.at(-1)!.figure)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
report('memory', rows, { cases: data })
