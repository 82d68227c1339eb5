import { expect, test } from 'vitest'
import type { Artifact } from '#contracts/entities/model.ts'
import { commandsOf } from './commands.ts'

const artifact = (more: Partial<Artifact>): Artifact => ({
  id: 'a',
  format: 'gguf',
  quantization: 'q4_k_m',
  path: '/m/a.gguf',
  bytes: 1,
  sha256: null,
  createdAt: '2026-11-22T00:00:00Z',
  state: 'present',
  made: null,
  parity: null,
  notice: null,
  ...more,
})
const texts = (...artifacts: Partial<Artifact>[]) => commandsOf({ artifacts: artifacts.map(artifact) }).map(({ text }) => text)

test('each export that another program can load has a command; adapters and missing files have none', () => {
  expect(texts({}, { format: 'adapter', quantization: null }, { state: 'missing' })).toEqual([
    'llama-server -m /m/a.gguf --jinja --port 8081',
  ])
  expect(texts({ format: 'merged', quantization: null, path: '/m/merged' })).toEqual(['vllm serve /m/merged'])
})

test('the Ollama command runs a model that Ollama already has and otherwise creates it', () => {
  expect(texts({ format: 'ollama', made: 'ollama create bashgym/mine:q4_k_m -f /m/Modelfile' })).toEqual([
    'ollama create bashgym/mine:q4_k_m -f /m/Modelfile',
  ])
  expect(texts({ format: 'ollama', made: 'in Ollama as bashgym/mine:q4_k_m' })).toEqual(['ollama run bashgym/mine:q4_k_m'])
  expect(texts({ format: 'ollama', made: null })).toEqual([])
})
