import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Serving } from '#contracts/entities/model.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { contractViolationsOf } from '#server/testing/server.ts'
import { openModels, runId } from './testing-models.ts'

let core: TestCore
let opened: ReturnType<typeof openModels>
let client: (typeof opened)['client']
const id = runId('a')

beforeEach(() => {
  core = openCore()
  opened = openModels(core)
  client = opened.client
  opened.complete('a')
})
afterEach(() => opened.close())

/** Resolves with the serving once it is in this state. */
function until(serving: string, state: Serving['state']): Promise<Serving> {
  const found = (items: readonly Serving[]) => items.find((one) => one.id === serving && one.state === state)
  return new Promise((resolve) => {
    const stop = core.events.subscribe(({ type, payload }) => {
      const one = type === 'model:servings' ? found(payload.items) : undefined
      if (!one) return
      stop()
      resolve(one)
    })
    void client.listServings({}).then(({ items }) => {
      const one = found(items)
      if (one) resolve(one)
      return one
    })
  })
}
async function load(body: { base?: boolean; artifact?: string } = {}, model = id): Promise<Serving> {
  const { id: serving } = await client.startServing({ params: { id: model }, body })
  return until(serving, 'ready')
}
async function chat(serving: string, grammar = true): Promise<unknown[]> {
  const body = { messages: [{ role: 'user', content: 'Hi' }], grammar }
  const text = await (await client.chatWithModel({ params: { serving }, body })).text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

test('a model without a GGUF is converted once, and loaded from the copy again', async () => {
  const first = await load()
  expect(first).toMatchObject({
    modelId: id,
    label: 'Model a',
    artifact: null,
    device: 'CPU of the test',
    loadMs: 7,
    memoryBytes: 1000,
    error: null,
  })
  expect(first.bytes).toBeGreaterThan(0)
  expect(opened.tools.received.map(({ command }) => command)).toEqual(['merge', 'gguf'])
  expect((await client.getModel({ params: { id } })).operational.status).toBe('serving')
  expect((await client.startServing({ params: { id }, body: {} })).id).toBe(first.id)
  await client.stopServing({ params: { serving: first.id } })
  expect(opened.tools.served[0]!.stopped).toBe(true)
  expect(await client.stopServing({ params: { serving: first.id } })).toEqual({ items: [] }) // a second window may also unload it
  expect((await client.getModel({ params: { id } })).operational.status).toBe('not_deployed')
  const again = await load()
  expect(opened.tools.received).toHaveLength(2)
  await client.stopServing({ params: { serving: again.id } })
  const { operational } = await client.getModel({ params: { id } })
  const freed = await client.deleteModel({ params: { id }, query: { name: 'Model a' } })
  expect(freed).toEqual({ freedBytes: operational.sizeBytes + again.bytes! })
  expect(fs.readdirSync(path.join(core.paths.models, '.trial'))).toEqual([])
})

test('base model and trained model can be loaded together, but no third model', async () => {
  const job = await client.exportModel({ params: { id }, body: { format: 'gguf', quantization: 'q8_0', parity: false } })
  await core.jobs.wait(job.id)
  const trained = await load()
  expect(trained).toMatchObject({ artifact: 'gguf-q8_0', label: 'Model a, q8_0' })
  const base = await load({ base: true })
  expect(base).toMatchObject({ modelId: null, label: 'Qwen/Qwen2.5-Coder-1.5B-Instruct' })
  opened.complete('b')
  await expect(client.startServing({ params: { id: runId('b') }, body: {} })).rejects.toMatchObject({
    code: 'too_many_servings',
    message: 'Model a, q8_0 and Qwen/Qwen2.5-Coder-1.5B-Instruct are already loaded.',
  })
  await expect(client.deleteModel({ params: { id }, query: { name: 'Model a' } })).rejects.toMatchObject({ code: 'model_in_use' })
  expect((await client.stopServing({ params: { serving: trained.id } })).items.map((one) => one.id)).toEqual([base.id])
})

test('an answer streams as lines, and its speed is stored with the model', async () => {
  const { id: serving } = await load()
  opened.tools.chunks = [
    { type: 'text', text: 'Let me see.', tokens: 3, ms: 60, tokensPerSec: 55 },
    { type: 'tool_call', name: 'Bash', arguments: { command: 'ls' }, raw: '{"command":"ls"}' },
    { type: 'done', tokens: 20, ms: 400, firstTokenMs: 50, tokensPerSec: 60 },
  ]
  expect(await chat(serving)).toEqual(opened.tools.chunks)
  opened.tools.chunks = [{ type: 'done', tokens: 20, ms: 900, firstTokenMs: 50, tokensPerSec: 30 }]
  await chat(serving)
  expect((await client.getModel({ params: { id } })).operational).toMatchObject({
    tokensPerSec: 30,
    latencyMsP50: 400,
    latencyMsP95: 900,
    measuredOn: 'CPU of the test',
  })
  expect(core.messages.flatMap(contractViolationsOf)).toEqual([])
})

test("without a grammar, the trainers' parser reads the answer before its end is sent", async () => {
  const { id: serving } = await load()
  const done = { type: 'done', tokens: 9, ms: 100, firstTokenMs: 50, tokensPerSec: 60 } as const
  const pieces = ['Look. ', '<tool_call>'].map((text) => ({ type: 'text', text, tokens: 3, ms: 60, tokensPerSec: 55 }) as const)
  opened.tools.chunks = [...pieces, done]
  opened.tools.calls = [{ name: 'Bash', arguments: { command: 'ls' } }]
  expect(await chat(serving, false)).toEqual([
    ...pieces,
    { type: 'read', text: 'Look. <tool_call>', raw: 'Look. <tool_call>' },
    { type: 'tool_call', name: 'Bash', arguments: { command: 'ls' }, raw: '{"command":"ls"}' },
    done,
  ])
  opened.tools.before = () => Promise.reject(new Error('no Python'))
  expect((await chat(serving, false)).at(-1)).toMatchObject({ type: 'error', message: expect.stringContaining('no Python') as string })
})

test('an answer ends with an error if its model is unloaded', async () => {
  const { id: serving } = await load()
  const chatBegun = Promise.withResolvers<void>()
  opened.tools.beforeChat = (signal) => {
    chatBegun.resolve()
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  opened.tools.chunks = []
  const answer = chat(serving)
  await chatBegun.promise
  await client.stopServing({ params: { serving } })
  expect(await answer).toEqual([
    { type: 'error', code: 'chat_failed', message: 'Model a was unloaded while it was answering. Load it again.' },
  ])
})

test('two clicks load a model once, and a loaded file cannot be deleted', async () => {
  const job = await client.exportModel({ params: { id }, body: { format: 'gguf', quantization: 'q8_0', parity: false } })
  await core.jobs.wait(job.id)
  const [first, second] = await Promise.all([0, 1].map(() => client.startServing({ params: { id }, body: {} })))
  expect(second!.id).toBe(first!.id)
  await expect(client.deleteArtifact({ params: { id, artifact: 'gguf-q8_0' } })).rejects.toMatchObject({
    code: 'model_in_use',
    message: 'gguf-q8_0 of Model a cannot be deleted: it is loaded in Try it.',
  })
  await client.stopServing({ params: { serving: first!.id } })
  expect((await client.deleteArtifact({ params: { id, artifact: 'gguf-q8_0' } })).artifacts).toHaveLength(1)
})

test('answers of a base model do not count for the trained model', async () => {
  const { id: serving } = await load({ base: true })
  await chat(serving)
  expect((await client.getModel({ params: { id } })).operational.measuredOn).toBeNull()
})

test('a model server that dies is reported as failed with the reason, and the model can be loaded again', async () => {
  const { id: serving } = await load()
  opened.tools.served[0]!.crash('it was ended by SIGKILL')
  expect(await until(serving, 'failed')).toMatchObject({ error: 'The model server ended: it was ended by SIGKILL' })
  expect((await client.getModel({ params: { id } })).operational.status).toBe('not_deployed')
  await expect(chat(serving)).rejects.toMatchObject({ code: 'not_found' })
  expect((await load()).id).not.toBe(serving)
  expect((await client.listServings({})).items).toHaveLength(1)

  // a failed serving does not count towards the limit
  const base = await load({ base: true })
  opened.tools.served.at(-1)!.crash('no memory')
  await until(base.id, 'failed')
  opened.complete('b')
  const other = await load({}, runId('b'))
  expect((await client.listServings({})).items.map((one) => one.id)).not.toContain(base.id)
  expect((await client.listServings({})).items.map((one) => one.id)).toContain(other.id)
})

test('stopping during the conversion leaves no half copy', async () => {
  const begun = opened.holdTools()
  const { id: serving } = await client.startServing({ params: { id }, body: {} })
  await begun
  expect((await client.stopServing({ params: { serving } })).items).toEqual([])
  expect(fs.readdirSync(path.join(core.paths.models, '.trial'))).toEqual([])
})

test('missing weights are not loaded, and the error names the model, the path and what to do', async () => {
  fs.rmSync(path.join(core.paths.models, id, 'final'), { recursive: true })
  await expect(client.startServing({ params: { id }, body: {} })).rejects.toMatchObject({
    code: 'export_unavailable',
    message: expect.stringMatching(/^The trained weights of Model a are missing: .*final\.$/) as string,
    hint: expect.stringContaining('Restore the original files') as string,
  })
})

test('closing the app ends every model server', async () => {
  await load()
  await load({ base: true })
  await opened.models.stage.close?.()
  expect(opened.tools.served.map(({ stopped }) => stopped)).toEqual([true, true])
})

test('nothing is loaded without Python, or from a missing export', async () => {
  await expect(client.startServing({ params: { id }, body: { artifact: 'gguf-q8_0' } })).rejects.toMatchObject({ code: 'not_found' })
  opened.tools.hasPython = false
  await expect(client.startServing({ params: { id }, body: {} })).rejects.toMatchObject({ code: 'training_unavailable' })
  expect((await client.listServings({})).items).toEqual([])
})
