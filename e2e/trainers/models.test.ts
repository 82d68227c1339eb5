import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Artifact, Model, Serving } from '#contracts/entities/model.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { BASH_TOOL, LS_PROMPTS } from '../support/call-rows.ts'
import { tinyModel } from '../support/trainer.ts'
import { PYTHON } from './python.ts'
import { smolLm2 } from './small-models.ts'
import { chatChunks, closeServer, nextMessage, temporaryFolder, writeRows } from './training-server.ts'

// The whole path with real models: train → registry → merge → GGUF → parity → serve → chat.
const work = temporaryFolder('models')
let server: TestServer

const user = (content: string) => ({ role: 'user', content })
const call = (command: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'Bash', arguments: { command } } }],
})
const rows = (name: string, all: readonly object[], times = 1) => writeRows(path.join(work, name), all, times)

let small: string
beforeAll(async () => {
  small = smolLm2() // the first time this downloads and converts, which blocks the process, so it runs before the server starts
  server = await startTestServer({ config: testConfig({ python: PYTHON }) })
}, 900_000)
afterAll(() => closeServer(server, work))

async function trained(baseModel: string, files: { file: string; valFile: string }, settings: object): Promise<Model> {
  const common = { evalSteps: null, saveSteps: null, samples: 0, loggingSteps: 1, device: 'cpu' as const }
  const ended = nextMessage(server, ({ type, payload }) =>
    type === 'training:complete' || type === 'training:failed' ? payload.run : undefined,
  )
  const read = nextMessage(server, ({ type, payload }) =>
    type === 'model:changed' && payload.model.artifacts[0]?.sha256 ? payload.model : undefined,
  )
  const run = await server.client.startRun({
    body: { strategy: 'sft', baseModel, ...files, preset: 'quick', overrideMemory: true, settings: { ...common, ...settings } },
  })
  const { state, error, modelId } = await ended
  expect({ state, error }).toEqual({ state: 'completed', error: null })
  expect(modelId).toBe(run.id)
  return read
}

async function exported(
  id: string,
  body: { format: 'gguf' | 'merged'; quantization?: 'q8_0' | 'q4_k_m'; parity: boolean },
): Promise<Artifact> {
  const phases: string[] = []
  const stop = server.app.core.events.subscribe(({ type, payload }) => {
    if (type === 'job:progress') phases.push(payload.progress.phase)
  })
  const job = await server.app.core.jobs.wait((await server.client.exportModel({ params: { id }, body })).id)
  stop()
  expect(job.error).toBeNull()
  expect(phases.length).toBeGreaterThan(0)
  return job.result as Artifact
}

async function loaded(id: string, body: { base: boolean }): Promise<Serving> {
  const ended = nextMessage(server, ({ type, payload }) =>
    type === 'model:servings' ? payload.items.find((one) => one.state !== 'starting' && (one.modelId === null) === body.base) : undefined,
  )
  const { state } = await server.client.startServing({ params: { id }, body })
  expect(state).toBe('starting')
  const serving = await ended
  expect(serving).toMatchObject({ state: 'ready', error: null })
  return serving
}

/** The call as the chat template writes it. */
const WRITTEN = '<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call>'

async function chat(serving: Serving, question: string, tools: object[], grammar = false) {
  const body = { messages: [user(question)], tools: tools as Record<string, unknown>[], maxTokens: 60, grammar }
  const response = await server.client.chatWithModel({ params: { serving: serving.id }, body })
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  return chatChunks(response)
}

test('a tiny model learns a tool call, is exported, and makes the call while its base model does not', async () => {
  const data = LS_PROMPTS.map((question) => ({ messages: [user(question), call('ls')], tools: [BASH_TOOL] }))
  const files = { file: rows('calls.jsonl', data), valFile: rows('calls-val.jsonl', data.slice(0, 2)) }
  const settings = { method: { kind: 'full' }, learningRate: 5e-3, maxSteps: 60, batchSize: 4, maxLength: 512, warmupSteps: 5 }
  const model = await trained(tinyModel(path.join(work, 'tiny'), PYTHON), files, settings)
  expect(model.training.loss).toBeLessThan(0.5)
  expect(model).toMatchObject({
    operational: { parameters: 112_704 },
    lineage: { baseHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  })

  const artifact = await exported(model.id, { format: 'gguf', quantization: 'q8_0', parity: true })
  expect(artifact).toMatchObject({ state: 'present', made: 'converter', parity: { prompts: 2, withCalls: 2, sameCalls: 2 } })
  expect(artifact.parity!.items[0]).toMatchObject({ prompt: LS_PROMPTS[0], trained: WRITTEN, exported: WRITTEN, same: true })
  expect(artifact.parity).toMatchObject({ maxTokens: 1024, cut: 0, tokenizedOtherwise: 0 })
  expect(fs.readFileSync(path.join(path.dirname(artifact.path), '..', 'README.md'), 'utf8')).toMatch(/2 of 2 tool calls/)

  const mine = await loaded(model.id, { base: false })
  expect(mine.memoryBytes).toBeGreaterThan(10e6)
  const chunks = await chat(mine, LS_PROMPTS[1]!, [BASH_TOOL])
  expect(chunks.find(({ type }) => type === 'tool_call')).toMatchObject({ name: 'Bash', arguments: { command: 'ls' } })
  expect(chunks.at(-1)).toMatchObject({ type: 'done', tokens: expect.any(Number) as number, firstTokenMs: expect.any(Number) as number })
  expect(chunks.find(({ type }) => type === 'read')).toMatchObject({ text: '', raw: WRITTEN })
  const constrained = await chat(mine, LS_PROMPTS[1]!, [BASH_TOOL], true)
  expect(constrained.find(({ type }) => type === 'tool_call')).toMatchObject({ name: 'Bash', arguments: { command: 'ls' } })
  expect(constrained.some(({ type }) => type === 'read')).toBe(false)
  const base = await loaded(model.id, { base: true })
  expect((await chat(base, LS_PROMPTS[1]!, [BASH_TOOL])).some(({ type }) => type === 'tool_call')).toBe(false)
  const { operational } = await server.client.getModel({ params: { id: model.id } })
  expect(operational).toMatchObject({ status: 'serving', measuredOn: expect.stringMatching(/^CPU/) as string })
  expect(operational.tokensPerSec).toBeGreaterThan(1)

  for (const serving of [mine, base]) await server.client.stopServing({ params: { serving: serving.id } })
  const { freedBytes } = await server.client.deleteModel({ params: { id: model.id }, query: { name: model.name } })
  expect(freedBytes).toBeGreaterThan(artifact.bytes)
  expect((await server.client.deleteRun({ params: { id: model.lineage.runId } })).freedBytes).toBeGreaterThan(0)
})

test('SmolLM2 is trained for a few steps, merged, quantized in two ways, compared and served', async () => {
  const question = 'What is the capital of France?'
  const short = (answer: string) => ({ messages: [user(question), { role: 'assistant', content: answer }] })
  const files = {
    file: rows('facts.jsonl', [short('Paris.')], 4),
    valFile: rows('facts-val.jsonl', [short('Paris.')]),
  }
  const settings = { method: { kind: 'lora', rank: 8 }, learningRate: 1e-3, maxSteps: 4, batchSize: 1, maxLength: 64 }
  const model = await trained(small, files, settings)
  expect(model.artifacts[0]).toMatchObject({ format: 'adapter', state: 'present' })
  expect(model.operational.parameters).toBe(134_515_008)

  const merged = await exported(model.id, { format: 'merged', parity: false })
  expect(merged).toMatchObject({ id: 'merged', made: 'float16' })
  const q8 = await exported(model.id, { format: 'gguf', quantization: 'q8_0', parity: true })
  expect(q8.parity).toMatchObject({ prompts: 1, sameText: 1, withCalls: 0, sameCalls: 0 })
  const q4 = await exported(model.id, { format: 'gguf', quantization: 'q4_k_m', parity: false })
  expect(q4.made).toBe('ggml in xllamacpp')
  expect([merged.bytes > 260e6, q8.bytes < 150e6, q4.bytes < 110e6]).toEqual([true, true, true])

  const serving = await loaded(model.id, { base: false })
  expect(serving.artifact).toBe('gguf-q8_0')
  const chunks = await chat(serving, question, [])
  expect(chunks.flatMap((chunk) => (chunk.type === 'text' ? chunk.text : [])).join('')).toMatch(/Paris/)
  await server.client.stopServing({ params: { serving: serving.id } })
})
