import { expect, it } from 'vitest'
import { TrainSettings } from '#contracts/trainer.ts'
import { recommendLength } from './recommend.ts'

const SHAPE = { name: 'llama', hidden: 576, intermediate: 1536, layers: 30, heads: 9, keyValueHeads: 3, headDim: 64, vocabulary: 49_152 }
const lengthsOf = (longest: number, needed: number) => ({ longest, needed }) as Parameters<typeof recommendLength>[1] & object

function recommended(
  freeBytes: number | null,
  { longest = 20_000, needed = 3000, contextLength = null as number | null, ...settings } = {},
) {
  const device = { kind: 'cpu' as const, name: 'CPU', totalBytes: freeBytes, freeBytes, cores: 2 }
  const model = { architecture: SHAPE, parameters: 135e6, tensors: [], bytes: 540e6, contextLength }
  const place = {
    strategy: 'sft' as const,
    settings: TrainSettings.parse({ learningRate: 1e-4, ...settings }),
    model,
    teacher: null,
    device,
  }
  return recommendLength(place, lengthsOf(longest, needed))
}

it('recommends the largest useful length that fits, with a smaller micro-batch if necessary', () => {
  expect(recommended(400e9)).toEqual({ maxLength: 32_768, microBatch: null })
  const small = recommended(20e9)!
  expect(small.maxLength).toBeGreaterThanOrEqual(4096)
  expect(small.microBatch).toBe(1)
  expect(recommended(400e9, { longest: 5000 })?.maxLength).toBe(8192)
  expect(recommended(400e9, { longest: 900, needed: 900 })).toEqual({ maxLength: 2048, microBatch: null })
})

it('stays within the context length, and leaves nothing out if no length is known to fit', () => {
  expect(recommended(400e9, { contextLength: 8192 })?.maxLength).toBe(8192)
  expect(recommended(400e9, { contextLength: 1024 })?.maxLength).toBe(1024)
  expect(recommended(1e9)?.maxLength).toBe(4096)
  expect(recommended(null)?.maxLength).toBe(4096)
})
