import { TrainMethod } from '#contracts/trainer.ts'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { trainableOf } from '../plan/memory-input.ts'
import { factsOf } from './facts.ts'
import { findModels, requireModel } from './find.ts'
import { readGguf } from './gguf.ts'
import { ggufOf, modelFolder, NO_PLACES, tinyGguf, type TestGguf } from './testing-gguf.ts'

const { folder, write } = modelFolder()
const factsFrom = (name: string, gguf: TestGguf) => factsOf(write(`${name}.gguf`, ggufOf(gguf)))
const NUMBERS = 64 * 256 + 256 * 256 + 256 + 256 * 512 + 256

it('reads the header of a file with a long vocabulary', async () => {
  const many = Array.from({ length: 120_000 }, (_, at) => `a word of the vocabulary ${at}`) // several megabytes
  const file = write('long.gguf', ggufOf(tinyGguf({ 'tokenizer.ggml.tokens': many, 'general.file_type': 15 })))
  const { values, tensors, bytes } = await readGguf(file)
  expect(bytes).toBe(fs.statSync(file).size)
  expect(values.get('tokenizer.ggml.tokens')).toEqual({ length: 120_000 })
  expect(values.get('qwen2.rope.freq_base')).toBe(10000.5)
  expect(values.get('tokenizer.ggml.add_bos_token')).toBe(false)
  expect(tensors[3]).toEqual({ name: 'blk.0.ffn_down.weight', dtype: 'Q4_K', shape: [256, 512] })
})

it('reads size, shape, licence, context length and LoRA targets of a model', async () => {
  const facts = await factsFrom('whole', tinyGguf())
  expect(facts).toMatchObject({
    format: 'gguf',
    quantization: 'Q4_K',
    parameters: NUMBERS,
    contextLength: 4096,
    license: 'apache-2.0',
    template: { config: null },
    problem: null,
    architectureName: 'qwen2',
    architecture: { name: 'qwen2', hidden: 256, intermediate: 512, layers: 1, heads: 4, keyValueHeads: 2, headDim: 64, vocabulary: 64 },
  })
  const lora = (targets: 'all-linear' | string[]) => TrainMethod.parse({ kind: 'lora', rank: 2, alpha: 4, dropout: 0, targets })
  expect(trainableOf(lora('all-linear'), facts.tensors, NUMBERS)).toBe(2 * (256 + 256) + 2 * (256 + 512))
  expect(trainableOf(lora(['q_proj']), facts.tensors, NUMBERS)).toBe(2 * (256 + 256))
})

const without = (key: string) => {
  const { [key]: _, ...values } = tinyGguf().values
  return { ...tinyGguf(), values }
}
const TYPE = tinyGguf().tensors.map((tensor) => ({ ...tensor, type: 99 }))

it.each([
  ['another architecture', tinyGguf({ 'general.architecture': 'clip' }), /cannot read a GGUF of the architecture clip/],
  ['one part of several', tinyGguf({ 'split.count': 3 }), /one of 3 parts/],
  ['no tokenizer', without('tokenizer.ggml.model'), /Its tokenizer cannot be used: the file has none/],
  ['a tokenizer of another kind', tinyGguf({ 'tokenizer.ggml.model': 'rwkv' }), /its type is rwkv/],
  ['an unknown number type', { ...tinyGguf(), tensors: TYPE }, /ggml's type 99/],
  ['an unknown version', { ...tinyGguf(), version: 1 }, /GGUF of version 1/],
])('explains why a file cannot be trained: %s', async (name, gguf, sentence) => {
  expect((await factsFrom(name, gguf)).problem).toMatch(sentence)
})

it('reports an incomplete file wherever it ends, and a file that is not GGUF', async () => {
  const whole = ggufOf(tinyGguf())
  for (const length of [0, 3, 20, 30, 500, 2000, whole.length - 200_000, whole.length - 2000]) {
    const { problem, parameters } = await factsOf(write(`torn-${length}.gguf`, whole.subarray(0, Math.max(0, length))))
    expect([problem, parameters]).toEqual([expect.stringMatching(/download is incomplete|not a GGUF/), null])
  }
  expect((await factsOf(write('text.gguf', 'GGML is another format, and longer than a head'))).problem).toMatch(/not a GGUF file/)
  const lies = Buffer.from(whole)
  lies.writeBigUInt64LE(2n ** 60n, 8) // a count of tensors that no file could hold
  expect((await factsOf(write('lies.gguf', lies))).problem).toMatch(/download is incomplete/)
})

it("finds models in the user's folders, in the Hub cache and by their path", async () => {
  const gguf = ggufOf(tinyGguf())
  const shelf = path.join(folder, 'shelf')
  const one = write('shelf/publisher/one/one-Q4.gguf', gguf)
  write('shelf/two/config.json', '{}')
  write('shelf/two/inside/config.json', '{}') // below a model folder nothing is searched
  write('shelf/.hidden/three.gguf', gguf)
  write('shelf/a/b/c/d/deep.gguf', gguf)
  const cached = write('hub/models--org--small/snapshots/abc/small.gguf', gguf)
  write('hub/models--org--small/snapshots/abc/config.json', '{}') // GGUF repositories may contain the original config.json
  write('hub/models--org--small/refs/main', 'abc')
  const places = { ...NO_PLACES, hubCaches: [path.join(folder, 'hub')], shelves: [shelf, one, 'relative', '/nowhere'] }
  expect(findModels(places)).toEqual([
    { id: path.join(shelf, 'two'), path: path.join(shelf, 'two'), source: 'folder', revision: null },
    { id: one, path: one, source: 'folder', revision: null },
    { id: 'org/small/small.gguf', path: cached, source: 'hub-cache', revision: 'abc' },
  ])
  expect(requireModel('org/small/small.gguf', places).path).toBe(cached)
  expect(requireModel(cached, places)).toMatchObject({ id: cached, source: 'folder' })
  expect(() => requireModel(`${cached}.gguf`, places)).toThrow(/There is no file/)
})
