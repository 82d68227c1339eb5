import { expect, it } from 'vitest'
import type { BaseModel } from '#contracts/entities/base-model.ts'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { suggestModel } from './suggest.ts'

const model = (id: string, parameters: number, more: Partial<BaseModel> = {}): BaseModel => ({
  id,
  name: id,
  path: `/${id}`,
  source: 'hub-cache',
  revision: null,
  format: 'safetensors',
  quantization: null,
  architecture: null,
  parameters,
  bytes: 1,
  license: null,
  contextLength: null,
  hasTemplate: true,
  writesCalls: true,
  fit: 'yes',
  problem: null,
  ...more,
})
const device = (kind: ComputeDevice['kind']): ComputeDevice => ({ kind, name: kind, totalBytes: 1, freeBytes: 1, cores: 1 })
const suggest = (models: BaseModel[], more: { newest?: string; wanted?: string; kind?: ComputeDevice['kind'] } = {}) =>
  suggestModel(models, { newestBaseModel: more.newest ?? null, wanted: more.wanted ?? 'none', device: device(more.kind ?? 'cuda') })

const small = model('small', 1)
const large = model('large', 9)

it("prefers the newest run's model, then the default, then the largest that fits", () => {
  expect(suggest([small, large], { newest: 'small', wanted: 'large' })).toEqual({ id: 'small', why: 'newest-run' })
  expect(suggest([small, large], { newest: 'gone', wanted: 'small' })).toEqual({ id: 'small', why: 'default' })
  expect(suggest([small, large])).toEqual({ id: 'large', why: 'fits' })
  expect(suggest([small, { ...large, fit: 'tight' }])).toEqual({ id: 'small', why: 'fits' })
  expect(suggest([small, large], { kind: 'cpu' })).toEqual({ id: 'small', why: 'fits' })
})

it('suggests no model that cannot be trained or cannot write tool calls, no result of a run, and quantized models only last', () => {
  expect(suggest([model('broken', 1, { problem: 'no weights' }), model('huge', 99, { fit: 'no' })])).toBeNull()
  expect(suggest([model('packed', 9, { format: 'gguf' }), model('mine', 9, { source: 'own' }), small])?.id).toBe('small')
  const mine = model('mine', 9, { source: 'own' })
  expect([suggest([mine], { newest: 'mine' }), suggest([model('mute', 1, { writesCalls: false })], { wanted: 'mute' })]).toEqual([
    null,
    null,
  ])
})
