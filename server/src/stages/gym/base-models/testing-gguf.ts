import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import type { ModelPlaces } from './find.ts'

export const NO_PLACES: ModelPlaces = { hubCaches: [], ollama: '/nowhere', lmStudio: [], named: [], shelves: [], runs: '/nowhere' }

/** A temporary folder that is removed after the tests of this file. */
export function modelFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-base-models-'))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, content: Buffer | string) => {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    return file
  }
  return { folder, write }
}

/** A GGUF file for tests: a header like llama.cpp's, and zeros as weights. */
export interface TestGguf {
  values: Record<string, string | number | boolean | string[] | number[]>
  /** Shape outermost first, type by ggml's id (0 F32, 1 F16, 12 Q4_K …). */
  tensors: { name: string; shape: number[]; type: number; bytes: number }[]
  version?: number
}

const u32 = (value: number) => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
const u64 = (value: number) => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
const f32 = (value: number) => {
  const buffer = Buffer.alloc(4)
  buffer.writeFloatLE(value)
  return buffer
}
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])

function valued(value: TestGguf['values'][string]): Buffer {
  if (typeof value === 'string') return Buffer.concat([u32(8), text(value)])
  if (typeof value === 'boolean') return Buffer.concat([u32(7), Buffer.from([Number(value)])])
  if (typeof value === 'number') return Number.isInteger(value) ? Buffer.concat([u32(4), u32(value)]) : Buffer.concat([u32(6), f32(value)])
  const isText = typeof value[0] === 'string'
  const items = value.map((one) => (typeof one === 'string' ? text(one) : u32(one)))
  return Buffer.concat([u32(9), u32(isText ? 8 : 4), u64(value.length), ...items])
}

const ALIGNMENT = 32

export function ggufOf({ values, tensors, version = 3 }: TestGguf): Buffer {
  let offset = 0
  const table = tensors.map(({ name, shape, type, bytes }) => {
    const at = offset
    offset += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
    return Buffer.concat([text(name), u32(shape.length), ...shape.toReversed().map(u64), u32(type), u64(at)])
  })
  const entries = Object.entries(values).map(([key, value]) => Buffer.concat([text(key), valued(value)]))
  const head = Buffer.concat([Buffer.from('GGUF'), u32(version), u64(tensors.length), u64(entries.length), ...entries, ...table])
  return Buffer.concat([head, Buffer.alloc((ALIGNMENT - (head.length % ALIGNMENT)) % ALIGNMENT), Buffer.alloc(offset)])
}

/** A Qwen2 with one layer, hidden size 256 and vocabulary 64, in Q4_K except for its norms and biases. */
export const tinyGguf = (more: TestGguf['values'] = {}): TestGguf => ({
  values: {
    'general.architecture': 'qwen2',
    'general.license': 'apache-2.0',
    'qwen2.context_length': 4096,
    'qwen2.embedding_length': 256,
    'qwen2.feed_forward_length': 512,
    'qwen2.block_count': 1,
    'qwen2.attention.head_count': 4,
    'qwen2.attention.head_count_kv': 2,
    'qwen2.rope.freq_base': 10000.5,
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.tokens': Array.from({ length: 64 }, (_, at) => `word ${at}`),
    'tokenizer.ggml.token_type': Array.from({ length: 64 }, () => 1),
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.chat_template': '{{ messages }}',
    ...more,
  },
  tensors: [
    { name: 'token_embd.weight', shape: [64, 256], type: 12, bytes: 64 * 144 },
    { name: 'blk.0.attn_q.weight', shape: [256, 256], type: 12, bytes: 256 * 144 },
    { name: 'blk.0.attn_q.bias', shape: [256], type: 0, bytes: 1024 },
    { name: 'blk.0.ffn_down.weight', shape: [256, 512], type: 12, bytes: 512 * 144 },
    { name: 'output_norm.weight', shape: [256], type: 0, bytes: 1024 },
  ],
})
