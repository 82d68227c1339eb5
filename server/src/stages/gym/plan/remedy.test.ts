import { expect, it } from 'vitest'
import { TrainSettings } from '#contracts/trainer.ts'
import { estimateMemory } from './memory.ts'
import type { MemoryInput } from './memory-input.ts'
import { remedyFor, remedyWords } from './remedy.ts'

const architecture = {
  name: 'qwen2',
  hidden: 2048,
  intermediate: 8192,
  layers: 24,
  heads: 16,
  keyValueHeads: 4,
  headDim: 128,
  vocabulary: 151_936,
}
const tensors = Array.from({ length: 24 }, (_, at) => ({
  name: `model.layers.${at}.self_attn.q_proj.weight`,
  dtype: 'BF16',
  shape: [2048, 2048],
}))
const input = (change: object): MemoryInput => ({
  strategy: 'sft',
  settings: TrainSettings.parse({ learningRate: 1e-4, batchSize: 4, maxLength: 2048, ...change }),
  model: { architecture, tensors, parameters: 1.7e9, bytes: 3.4e9 },
  teacher: null,
  longest: 9000,
  device: 'cpu',
})
const always = () => true
const total = (change: object) => estimateMemory(input(change))!.total

it('suggests the smallest sufficient change, with the memory that it needs', () => {
  const twoRows = remedyFor(input({}), total({ microBatch: 2 }) + 1, always)
  expect(twoRows).toEqual({ settings: { microBatch: 2 }, total: total({ microBatch: 2 }) })
  const short = remedyFor(input({}), total({ microBatch: 1, maxLength: 512 }) + 1, always)
  expect(short?.settings).toEqual({ microBatch: 1, maxLength: 512 })
  expect(remedyWords(short, (bytes) => `${Math.round(bytes / 1e9)} GB`)).toMatch(
    /^Set the micro-batch size to 1 and set the max length to 512\. That needs about \d+ GB\. Or start anyway\.$/,
  )
  const adapter = remedyFor(input({ method: { kind: 'full' } }), total({ microBatch: 1, maxLength: 256 }) + 1, always)
  expect(adapter?.settings).toMatchObject({ method: { kind: 'lora' }, microBatch: 1 })
})

it('suggests no refused settings, and nothing if the model alone is too large', () => {
  const pairs = remedyFor(input({}), total({ microBatch: 2, maxLength: 1024 }) + 1, ({ microBatch }) => (microBatch ?? 4) > 1)
  expect(pairs?.settings).toEqual({ microBatch: 2, maxLength: 1024 })
  expect(remedyFor(input({}), 5e9, always)).toBeNull()
  expect(remedyWords(null, String)).toMatch(/Choose a smaller model/)
})
