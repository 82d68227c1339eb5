import { expect, test } from 'vitest'
import type { Model } from '#contracts/entities/model.ts'
import { estimatedSize, knownSize } from './export-sizes.ts'

const model = (id: string, artifacts: object[], baseModel = 'base', parameters: number | null = 10) =>
  ({ id, name: id, artifacts, lineage: { baseModel }, operational: { parameters } }) as unknown as Model
const gguf = (quantization: string, bytes: number) => ({ id: `gguf-${quantization}`, bytes })

test("a size comes from the model's own export, else from a model with the same base and parameters, else is unknown", () => {
  const mine = model('mine', [gguf('q8_0', 80)])
  const others = [
    mine,
    model('other-base', [gguf('q4_k_m', 1)], 'another'),
    model('other-size', [gguf('q4_k_m', 2)], 'base', 99),
    model('alike', [gguf('q4_k_m', 40)]),
  ]
  expect(knownSize(mine, others, 'q8_0')).toEqual({ bytes: 80, of: 'mine', isOwn: true })
  expect(knownSize(mine, others, 'q4_k_m')).toEqual({ bytes: 40, of: 'alike', isOwn: false })
  expect(knownSize(mine, others, 'f16')).toBeNull()
  expect(knownSize(mine, others, null)).toBeNull()
  expect(knownSize(model('merged', [{ id: 'merged', bytes: 160 }]), others, null)).toEqual({ bytes: 160, of: 'merged', isOwn: true })
  expect(knownSize(model('trained whole', [{ id: 'model', bytes: 320 }]), others, null)).toBeNull()
})

test('a size that no export has is estimated by the number of weights', () => {
  expect(estimatedSize(model('mine', [], 'base', 494e6), 'q8_0')).toBeCloseTo((494e6 * 8.5) / 8)
  expect(estimatedSize(model('mine', [], 'base', 494e6), null)).toBeCloseTo(494e6 * 2)
  expect(estimatedSize(model('mine', [], 'base', null), 'f16')).toBeNull()
})
