import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Serving } from '#contracts/entities/model.ts'
import { ggufOf, tinyGguf } from '#server/stages/gym/base-models/testing-gguf.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { openModels, runId } from './testing-models.ts'
import type { InUse } from './serving/servings.ts'

// The model that works in Claude Code. What holds for every loaded model is in servings.test.ts.
let core: TestCore
let opened: ReturnType<typeof openModels>
const id = runId('a')
let settings: InUse

beforeEach(() => {
  core = openCore()
  settings = { modelId: id, context: 4096, threads: 2, idleMinutes: 30 }
  opened = openModels(core, { inUse: () => settings })
  opened.complete('a')
})
afterEach(async () => {
  vi.useRealTimers()
  await opened.close()
})

/** Resolves when the state of the model in use is another one. */
function nextState(wanted: Serving['state']): Promise<Serving> {
  return new Promise((resolve) => {
    const stop = core.events.subscribe(({ type, payload }) => {
      const one = type === 'model:servings' ? payload.items.find(({ modelId, state }) => modelId === id && state === wanted) : undefined
      if (!one) return
      stop()
      resolve(one)
    })
  })
}
const now = async (): Promise<Serving> => (await opened.client.listServings({})).items.find(({ modelId }) => modelId === id)!
const changed = () => opened.models.stage.settings![0]!.onChange()
const served = () => opened.tools.served.length

test('it is loaded with the context and threads of the settings, and says what it needs', async () => {
  const { release } = await opened.models.serve(id, { base: false })
  expect(opened.tools.servedWith.at(-1)).toMatchObject({ context: 4096, threads: 2 })
  expect((await now()).lastUsedAt).toBeNull()
  release()
  const serving = await now()
  expect(serving).toMatchObject({ inUse: true, state: 'ready', context: 4096, threads: 2, healthMs: 1, restarts: 0 })
  expect(serving.needBytes).toBeGreaterThan(0)
  expect(serving.lastUsedAt).not.toBeNull()
  expect(opened.models.contextOf(id)).toBe(4096)
})

test('a model that does not fit into the free memory is not started, and the reason has the figures', async () => {
  opened.tools.gguf = ggufOf(tinyGguf())
  opened.tools.freeMemory = 1000
  settings = { ...settings, context: 100_000 }
  await expect(opened.models.load(id)).rejects.toThrow(
    /it needs about .+ of weights, .+ for a context of 4,096 tokens, .+ for the words of a batch, 66 MB for the program\), and 1 MB are free/,
  )
  expect(served()).toBe(0)
  expect(await now()).toMatchObject({ state: 'failed', context: 4096 })
  opened.tools.freeMemory = 1e9
  await opened.models.load(id)
  expect(await now()).toMatchObject({ state: 'ready', context: 4096, error: null })
})

test('nobody asks it for as long as the settings say, so it is unloaded; the next request loads it again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const first = await opened.models.serve(id, { base: false })
  const second = await opened.models.serve(id, { base: false })
  first.release()
  await vi.advanceTimersByTimeAsync(31 * 60_000)
  expect(await now()).toMatchObject({ state: 'ready' }) // the second request is at work
  second.release()
  await vi.advanceTimersByTimeAsync(29 * 60_000)
  expect(await now()).toMatchObject({ state: 'ready' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await now()).toMatchObject({ state: 'idle', loadMs: 7, memoryBytes: null })
  expect(opened.tools.served[0]!.stopped).toBe(true)
  expect((await opened.client.getModel({ params: { id } })).operational.status).toBe('not_deployed')
  const again = await opened.models.serve(id, { base: false })
  expect(again.key).not.toBe(first.key)
  expect(await now()).toMatchObject({ state: 'ready' })
  again.release()
  settings = { ...settings, idleMinutes: 0 }
  changed()
  await opened.models.load(id)
  await vi.advanceTimersByTimeAsync(10 * 60 * 60_000)
  expect(await now()).toMatchObject({ state: 'ready' })
})

test('after a crash it is started again, but not for ever', async () => {
  await opened.models.load(id)
  for (const crash of [1, 2, 3]) {
    const restarted = nextState('ready')
    opened.tools.served.at(-1)!.crash('no memory')
    expect(await restarted).toMatchObject({ restarts: crash, error: 'The model server ended: no memory' })
  }
  const failed = nextState('failed')
  opened.tools.served.at(-1)!.crash('no memory')
  expect((await failed).error).toBe(
    'The model server ended: no memory. It crashed 4 times within ten minutes, so it is not started again by itself.',
  )
  expect(served()).toBe(4)
  await opened.models.load(id) // a request is a new try
  expect(await now()).toMatchObject({ state: 'ready' })
})

test('a server that does not answer its health check is ended and started again before the request', async () => {
  await opened.models.load(id)
  opened.tools.healthMs = null
  const restarted = nextState('starting').then(() => (opened.tools.healthMs = 3))
  const { release } = await opened.models.serve(id, { base: false })
  await restarted
  release()
  expect(opened.tools.served.map(({ stopped }) => stopped)).toEqual([true, false])
  expect(await now()).toMatchObject({ state: 'ready', restarts: 1, healthMs: 3, error: 'The model server did not answer its health check' })
})

test('another context loads it again at the next request, and a model that is no longer in use is only loaded where it is tried', async () => {
  const { release } = await opened.models.serve(id, { base: false })
  settings = { ...settings, context: 2048 }
  changed()
  expect(await now()).toMatchObject({ state: 'ready', context: 4096 }) // a request is at work
  const idle = nextState('idle')
  release()
  await idle
  await opened.models.load(id)
  expect(await now()).toMatchObject({ state: 'ready', context: 2048 })
  settings = { ...settings, modelId: runId('b') }
  changed()
  expect(await now()).toMatchObject({ inUse: false })
})
