import path from 'node:path'
import { expect, it } from 'vitest'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { findModels, requireModel } from './find.ts'
import { listBaseModels } from './list.ts'
import { neededFiles } from './needed-files.ts'
import { recommendedModels } from './recommended.ts'
import { ggufOf, modelFolder, NO_PLACES, tinyGguf } from './testing-gguf.ts'

const { folder, write } = modelFolder()
const device = (freeBytes: number): ComputeDevice => ({ kind: 'cuda', name: 'test', totalBytes: freeBytes, freeBytes, cores: null })

it('finds models of Ollama and LM Studio by names that runs can use', async () => {
  const gguf = ggufOf(tinyGguf())
  const hash = 'a'.repeat(64)
  const manifest = (digest: string) =>
    JSON.stringify({
      layers: [
        { mediaType: 'application/vnd.ollama.image.license', digest: `sha256:${'b'.repeat(64)}` },
        { mediaType: 'application/vnd.ollama.image.model', digest },
      ],
    })
  const blob = write(`ollama/blobs/sha256-${hash}`, gguf)
  write('ollama/manifests/registry.ollama.ai/library/tiny/1b', manifest(`sha256:${hash}`))
  write('ollama/manifests/registry.ollama.ai/acme/tiny/latest', manifest(`sha256:${hash}`))
  write('ollama/manifests/registry.ollama.ai/library/half/latest', manifest(`sha256:${'c'.repeat(64)}`))
  write('ollama/manifests/registry.ollama.ai/library/bad/latest', manifest('sha256:../../../etc/passwd'))
  write('ollama/manifests/registry.ollama.ai/library/torn/latest', '{')
  const studio = write('studio/acme/tiny/tiny-Q4.gguf', gguf)
  const places = { ...NO_PLACES, ollama: path.join(folder, 'ollama'), lmStudio: [path.join(folder, 'studio'), '/nowhere'] }
  expect(findModels(places).map(({ id, path: place, source }) => [id, place, source])).toEqual([
    ['ollama/acme/tiny:latest', blob, 'ollama'],
    ['ollama/tiny:1b', blob, 'ollama'],
    [studio, studio, 'lm-studio'],
  ])
  expect(requireModel('ollama/tiny:1b', places).path).toBe(blob)
  const [first] = await listBaseModels(places, null, async () => null, 'ollama/tiny')
  expect(first).toMatchObject({ name: 'ollama/tiny:1b', format: 'gguf', quantization: 'Q4_K', license: 'apache-2.0', problem: null })
})

it('selects the weights once, without other precisions or code', () => {
  const chosen = (...names: string[]) =>
    neededFiles(names.map((name) => ({ path: name, bytes: 1, digest: { kind: 'git-sha1', hex: 'a'.repeat(40) } }))).map((file) => file.path)
  const shards = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors', 'model.safetensors.index.json']
  const small = [
    'config.json',
    'generation_config.json',
    'tokenizer.model',
    'merges.txt',
    'LICENSE.txt',
    'README.md',
    'chat_template.jinja',
  ]
  const others = ['model.fp16.safetensors', 'consolidated.safetensors', 'pytorch_model.bin', 'pytorch_model.bin.index.json', 'run.py', 'x.onnx', 'original/config.json', '.gitattributes'] // prettier-ignore
  expect(chosen(...shards, ...small, ...others)).toEqual([...shards, ...small])
  expect(chosen('model.safetensors', ...shards, ...small)).toEqual(['model.safetensors', ...small])
})

it('recommends models that fit first, and none that is already here', () => {
  const wanted = 'Qwen/Qwen2.5-Coder-1.5B-Instruct'
  const names = (freeBytes: number, isHere: (id: string) => boolean = () => false) =>
    recommendedModels(device(freeBytes), { wanted, isChosen: false }, isHere).map(({ id, fit }) => [id, fit])
  expect(names(24e9)[0]).toEqual([wanted, 'yes'])
  expect(names(24e9, (id) => id === wanted)[0]![0]).not.toBe(wanted)
  expect(names(1.5e9)[0]).toEqual(['HuggingFaceTB/SmolLM2-135M-Instruct', 'yes'])
  expect(recommendedModels(null, { wanted: 'acme/own', isChosen: true }, () => false).every(({ fit }) => fit === 'unknown')).toBe(true)
  expect(recommendedModels(null, { wanted: 'acme/own', isChosen: true }, () => false)[0]!.id).toBe('acme/own')
})
