import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '#contracts/entities/run.ts'
import { READABLE, TOKENIZERS } from '#server/stages/gym/base-models/gguf-facts.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { tinyModel } from '../support/trainer.ts'
import { python, PYTHON } from './python.ts'
import { chatChunks, closeServer, nextMessage, temporaryFolder, writeRows } from './training-server.ts'

// A GGUF file made here is found in a folder of the settings, planned and really trained, and the result is exported.
const work = temporaryFolder('gguf')
const shelf = path.join(work, 'shelf')
const gguf = path.join(shelf, 'publisher', 'tiny-f16.gguf')
let server: TestServer

function tool(config: { command: string } & Record<string, unknown>): void {
  const file = path.join(work, `${config.command}.json`)
  fs.writeFileSync(file, JSON.stringify(config))
  python(['-m', 'bashgym_trainers', config.command, '--config', file], undefined, { HOME: work })
}

beforeAll(async () => {
  const whole = path.join(work, 'whole')
  tool({ command: 'merge', model: tinyModel(path.join(work, 'tiny'), PYTHON), output: whole })
  fs.mkdirSync(path.dirname(gguf), { recursive: true })
  tool({ command: 'gguf', model: whole, output: gguf, quantization: 'f16' })
  server = await startTestServer({ config: testConfig({ python: PYTHON }) })
}, 300_000)
afterAll(() => closeServer(server, work))

test('a GGUF file in a folder of the settings is planned and trained, and its adapter is merged', async () => {
  const { client } = server
  expect((await client.listBaseModels()).items).toEqual([])
  const { settings } = await client.patchSettings({ body: { training: { baseModels: [shelf] } } })
  expect(settings.training).toMatchObject({ baseModels: [shelf], python: '' })
  const { items } = await client.listBaseModels()
  expect(items).toMatchObject([{ id: gguf, name: 'tiny-f16.gguf', source: 'folder', format: 'gguf', quantization: null, architecture: 'qwen2', hasTemplate: true, contextLength: 1024, problem: null, fit: 'yes' }]) // prettier-ignore

  const file = path.join(work, 'rows.jsonl')
  const row = { messages: [{ role: 'user', content: 'Say red' }, { role: 'assistant', content: 'red red' }] } // prettier-ignore
  writeRows(file, [row], 8)
  const valFile = path.join(work, 'val.jsonl')
  writeRows(valFile, [row], 2)
  const body = {
    strategy: 'sft' as const,
    baseModel: gguf,
    file,
    valFile,
    settings: { maxSteps: 3, loggingSteps: 1, evalSteps: null, saveSteps: null, samples: 0, maxLength: 256, device: 'cpu' as const },
  }
  const plan = await client.planRun({ body })
  expect(plan.notes.filter(({ level }) => level === 'info')).toMatchObject([{ code: 'base_unpacked' }, { code: 'tokens_estimated' }])
  expect(plan.memory!.total).toBeGreaterThan(4e8)

  const ended = nextMessage(server, ({ type, payload }): Run | undefined => (type === 'training:complete' || type === 'training:failed' ? payload.run : undefined)) // prettier-ignore
  const { id } = await client.startRun({ body })
  const run = await ended
  expect({ state: run.state, error: run.error, step: run.step }).toEqual({ state: 'completed', error: null, step: 3 })
  const { series } = await client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })
  expect(series[0]!.steps).toEqual([1, 2, 3])
  const { lines } = await client.getRunLogs({ params: { id } })
  expect(lines.some(({ text }) => text === `loading ${gguf}`)).toBe(true)
  expect(plan.trainable).toBeGreaterThan(1000)
  const current = await client.getRun({ params: { id } })
  const planLine = fs.readFileSync(path.join(current.folder, 'events.jsonl'), 'utf8').split('\n').find((line) => line.includes('"plan"'))! // prettier-ignore
  expect(JSON.parse(planLine)).toMatchObject({ parameters: plan.parameters! + plan.trainable!, trainable: plan.trainable })

  const job = await server.app.core.jobs.wait((await client.exportModel({ params: { id }, body: { format: 'merged' } })).id)
  expect(job.error).toBeNull()
  expect(job.result).toMatchObject({ format: 'merged', made: 'float16', state: 'present', parity: { prompts: 1 } })
  expect((await client.getModel({ params: { id } })).operational.parameters).toBe(plan.parameters)

  // try the model and its base, which is the GGUF file itself
  for (const base of [false, true]) {
    const ready = nextMessage(server, ({ type, payload }) =>
      type === 'model:servings' ? payload.items.find(({ state }) => state !== 'starting') : undefined,
    )
    await client.startServing({ params: { id }, body: { base } })
    const serving = await ready
    expect(serving).toMatchObject({ state: 'ready', error: null })
    const answer = await client.chatWithModel({ params: { serving: serving.id }, body: { messages: [{ role: 'user', content: 'Say red' }], maxTokens: 8 } }) // prettier-ignore
    expect((await chatChunks(answer)).at(-1)).toMatchObject({ type: 'done', tokens: expect.any(Number) as number })
    await client.stopServing({ params: { serving: serving.id } })
  }
})

test('the list of readable types matches the pinned Transformers version', () => {
  const output = python(['-c', `import json
from transformers.modeling_gguf_pytorch_utils import GGUF_SUPPORTED_ARCHITECTURES
from transformers.integrations.gguf.gguf_config_mapping import GGUF_CONFIG_ARCHS
from transformers.integrations.gguf.gguf_tokenizer_mapping import GGUF_TOKENIZER_TYPES
print(json.dumps([sorted({*GGUF_SUPPORTED_ARCHITECTURES, *GGUF_CONFIG_ARCHS}), sorted(GGUF_TOKENIZER_TYPES)]))`]) // prettier-ignore
  const [architectures, tokenizers] = JSON.parse(output.trim().split('\n').at(-1)!) as [string[], string[]]
  // maps llama.cpp names to Transformers names; the filtered entries are no architectures or are encoder-decoder models
  const theirs = READABLE.map((name) => ({ qwen2moe: 'qwen2_moe', qwen3moe: 'qwen3_moe', 'gpt-oss': 'gpt_oss', 'minimax-m2': 'minimax_m2' })[name] ?? name) // prettier-ignore
  expect(architectures.filter((name) => !['general', 'tokenizer', 't5', 'umt5'].includes(name))).toEqual(theirs.toSorted())
  expect(tokenizers.filter((name) => name !== 't5')).toEqual(TOKENIZERS)
})
