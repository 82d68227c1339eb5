import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import { configFacts, tensorsOfShape } from '#server/stages/gym/base-models/config-facts.ts'
import { parametersOfShape } from '#server/stages/gym/base-models/fit.ts'
import { estimateMemory } from '#server/stages/gym/plan/memory.ts'
import { cacheDir } from '../scripts/lib/probe.mjs'

/**
 * Compares the GPU memory estimate of a plan with real runs, and our tokens per second with a plain script of the library.
 * The models have random weights and the shape of Qwen2.5-1.5B. Nothing is downloaded.
 *
 *     npm run bench -- gpu [--size large] [--only PART OF A NAME] [--python PROGRAM] [--minutes 8]
 *     node bench/gpu.ts --size large --write cases.json      for a machine without Node:
 *     PYTHONPATH=server/trainers python bench/gpu.py --cases cases.json --out gpu.json
 */
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'tiny' },
    only: { type: 'string', default: '' },
    python: { type: 'string' },
    minutes: { type: 'string', default: '8' },
    write: { type: 'string' },
  },
  allowPositionals: true,
})

const SIZES = {
  large: { hidden: 1536, intermediate: 8960, layers: 28, heads: 12, keyValueHeads: 2, vocabulary: 151_936, length: 2048, answer: 128, device: 'cuda' }, // prettier-ignore
  tiny: { hidden: 192, intermediate: 768, layers: 4, heads: 6, keyValueHeads: 2, vocabulary: 4096, length: 256, answer: 16, device: 'cpu' },
} as const
const size = values.size === 'large' ? SIZES.large : SIZES.tiny
const { length, answer, device } = size
const config = {
  architectures: ['Qwen2ForCausalLM'],
  model_type: 'qwen2',
  hidden_size: size.hidden,
  intermediate_size: size.intermediate,
  num_hidden_layers: size.layers,
  num_attention_heads: size.heads,
  num_key_value_heads: size.keyValueHeads,
  vocab_size: size.vocabulary,
  tie_word_embeddings: true,
}

interface Case {
  name: string
  strategy: TrainStrategy
  /** full: every row has the maximum length; mixed: few rows do; turns: each row is several times as long and is split. */
  rows: 'full' | 'mixed' | 'turns'
  settings: Record<string, unknown>
  /** Also run the case as a plain script of the library. */
  plain?: boolean
}
const LORA = { method: { kind: 'lora' } }
const eight = { batchSize: 8, microBatch: 4, maxLength: length }
const CASES: Case[] = [
  { name: 'SFT, LoRA', strategy: 'sft', rows: 'full', settings: { ...eight, ...LORA }, plain: true },
  { name: 'SFT, QLoRA', strategy: 'sft', rows: 'full', settings: { ...eight, method: { kind: 'lora', quantized: true } }, plain: true },
  { name: 'DPO, LoRA', strategy: 'dpo', rows: 'full', settings: { ...eight, microBatch: 2, maxLength: length / 2, ...LORA }, plain: true },
  { name: 'GRPO, LoRA', strategy: 'grpo', rows: 'full', settings: { batchSize: 16, microBatch: 8, generations: 8, maxLength: length / 4, maxCompletion: answer, rewards: [{ kind: 'exact' }], ...LORA }, plain: true }, // prettier-ignore
  { name: 'SFT, full', strategy: 'sft', rows: 'full', settings: { ...eight, microBatch: 2, method: { kind: 'full' } }, plain: true },
  {
    name: 'SFT, full, bf16',
    strategy: 'sft',
    rows: 'full',
    settings: { ...eight, microBatch: 2, method: { kind: 'full', weights: 'bf16' } },
  },
  ...('activationCheckpointing' in TrainSettings.shape
    ? [{ name: 'SFT, LoRA, activations kept', strategy: 'sft', rows: 'full', settings: { ...eight, microBatch: 1, ...LORA, activationCheckpointing: 'off' } } as const] // prettier-ignore
    : []),
  { name: 'SFT, LoRA, mixed rows', strategy: 'sft', rows: 'mixed', settings: { ...eight, ...LORA } },
  { name: 'SFT, LoRA, mixed rows by length', strategy: 'sft', rows: 'mixed', settings: { ...eight, ...LORA, groupByLength: true } },
  { name: 'SFT, LoRA, mixed rows packed', strategy: 'sft', rows: 'mixed', settings: { ...eight, ...LORA, packing: true } },
  { name: 'SFT, LoRA, long rows split', strategy: 'sft', rows: 'turns', settings: { ...eight, ...LORA } },
  {
    name: 'DPO, full',
    strategy: 'dpo',
    rows: 'full',
    settings: { ...eight, microBatch: 1, maxLength: length / 2, method: { kind: 'full' } },
  },
]

function planned({ name, strategy, rows, settings: asked, plain = false }: Case) {
  const settings = TrainSettings.parse({ learningRate: 1e-5, evalSteps: null, saveSteps: null, samples: 0, schedule: 'constant', loggingSteps: 1, device, ...asked }) // prettier-ignore
  const longest = strategy === 'grpo' ? settings.maxLength - settings.maxCompletion : settings.maxLength
  const tensors = tensorsOfShape(config)!
  const model = { architecture: configFacts(config).architecture, parameters: parametersOfShape(config), tensors, bytes: 0 }
  return {
    name,
    strategy,
    rows,
    plain,
    settings,
    estimate: estimateMemory({ strategy, settings, model, teacher: null, longest, device }),
  }
}

const cases = { device, config, cases: CASES.map(planned) }
const file = values.write ?? path.join(os.tmpdir(), `bashgym-gpu-${process.pid}.json`)
fs.writeFileSync(file, JSON.stringify(cases, null, 1))
if (values.write === undefined) {
  const python = values.python ?? process.env['BASHGYM_PYTHON'] ?? path.join(cacheDir, 'python', 'bin', 'python')
  const root = path.join(import.meta.dirname, '..')
  const out = path.join(root, 'bench', 'results', 'gpu.json')
  fs.mkdirSync(path.dirname(out), { recursive: true })
  const argv = [path.join(root, 'bench', 'gpu.py'), '--cases', file, '--out', out, '--only', values.only, '--minutes', values.minutes]
  const { status } = spawnSync(python, argv, {
    env: { ...process.env, PYTHONPATH: path.join(root, 'server', 'trainers') },
    stdio: 'inherit',
  })
  fs.rmSync(file)
  process.exitCode = status ?? 1
}
