import fs from 'node:fs'
import { expect, it, test } from 'vitest'
import { TrainMethod, TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import { configFacts, tensorsOfShape } from '../base-models/config-facts.ts'
import { parametersOfShape } from '../base-models/fit.ts'
import { estimateMemory, fitOf } from './memory.ts'
import { linearNumbers, trainableOf } from './memory-input.ts'
import { precisionOf } from './precision.ts'

const CASES = JSON.parse(
  fs.readFileSync(new URL('../../../../trainers/tests/precision.json', import.meta.url), 'utf8'),
) as { method: object; cuda: boolean; bf16: boolean; weights: string; compute: string }[] // prettier-ignore
test.each(CASES)('counts weights in the types of the trainers: $method, GPU $cuda, bf16 $bf16', (one) => {
  const { weights, compute } = precisionOf(TrainMethod.parse(one.method), one)
  expect({ weights, compute }).toEqual({ weights: one.weights, compute: one.compute })
})

const qwen = (hidden: number, intermediate: number, layers: number, heads: number, kv: number, vocabulary: number, tied: boolean) => ({
  architectures: ['Qwen2ForCausalLM'],
  model_type: 'qwen2',
  hidden_size: hidden,
  intermediate_size: intermediate,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: kv,
  vocab_size: vocabulary,
  tie_word_embeddings: tied,
})
const SMALL = qwen(1536, 8960, 28, 12, 2, 151_936, true)
const LARGE = qwen(3584, 18_944, 28, 28, 4, 152_064, false)

function gpu(config: Record<string, unknown>, strategy: TrainStrategy, change: object, more: { longest?: number; teacher?: number } = {}) {
  const tensors = tensorsOfShape(config)!
  const parameters = parametersOfShape(config)!
  return estimateMemory({
    strategy,
    settings: TrainSettings.parse({ learningRate: 1e-4, batchSize: 1, maxLength: 2048, ...change }),
    model: { architecture: configFacts(config).architecture, tensors, parameters, bytes: 0 },
    teacher: more.teacher === undefined ? null : { parameters: more.teacher },
    longest: more.longest ?? null,
    device: 'cuda',
  })!
}
const GB = 1e9
const free = (bytes: number) => ({ kind: 'cuda' as const, name: 'GPU', totalBytes: bytes, freeBytes: bytes, cores: null })
const FULL = { method: { kind: 'full' } }
const HALF = { method: { kind: 'full', weights: 'bf16' } }

it('does not quantize embeddings and the output head', () => {
  const tensors = tensorsOfShape(LARGE)!
  // counted by PyTorch on the meta device (server/trainers/tests/test_gpu.py)
  expect(linearNumbers(tensors)).toBe(6_525_288_448)
  expect(trainableOf(TrainMethod.parse({ kind: 'lora' }), tensors, 0)).toBe(40_370_176)
  expect(gpu(LARGE, 'sft', { method: { kind: 'lora', quantized: true } }).weights / GB).toBeCloseTo(5.64, 1)
  expect(gpu(LARGE, 'sft', {}).weights / GB).toBeCloseTo(15.2, 1)
})

it('counts sixteen bytes per fully trained weight in 32 bits, and about six with bf16 and an 8-bit optimiser', () => {
  const whole = gpu(SMALL, 'sft', FULL)
  expect(whole.total / GB).toBeGreaterThan(24.7)
  expect(fitOf(whole, free(24 * GB))).toBe('no')
  const large = gpu(LARGE, 'sft', FULL)
  expect(fitOf(large, free(80 * GB))).toBe('no')
  const half = gpu(LARGE, 'sft', HALF)
  expect((half.weights + half.gradients + half.optimizer + half.activations) / GB).toBeGreaterThan(46)
  expect(fitOf(half, free(80 * GB))).toBe('yes')
})

it('counts a reference only for full training, the teacher in 16 bits, and the keys and values of answers', () => {
  expect(gpu(SMALL, 'dpo', FULL).weights).toBe(2 * gpu(SMALL, 'sft', FULL).weights)
  expect(gpu(SMALL, 'dpo', {}).weights).toBe(gpu(SMALL, 'sft', {}).weights)
  const quantized = gpu(SMALL, 'distillation', { method: { kind: 'lora', quantized: true } }, { teacher: 7e9 })
  expect(quantized.teacher).toBe(14 * GB)
  const logits = (distill: string) => gpu(SMALL, 'distillation', { distill }, { teacher: 7e9 }).activations
  expect((logits('logits') - logits('text')) / GB).toBeGreaterThan(4)
  const answers = { batchSize: 64, microBatch: 1, generations: 8, maxLength: 4096, maxCompletion: 2048 }
  const written = gpu(SMALL, 'grpo', answers)
  const cache = 64 * 2 * 28 * 2 * 128 * 2 * 4096 // answers × both × layers × heads × size × bytes × tokens
  expect(written.cache! + written.activations).toBeGreaterThan(cache)
})
