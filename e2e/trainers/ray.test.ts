import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunState } from '#contracts/entities/run.ts'
import { createRayEngine, type EngineJob } from '#server/adapters/engine/index.ts'
import { childEnv } from '#server/adapters/python/index.ts'
import { loadConfig } from '#server/config.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { holdingPython } from './holding.ts'
import { tinyModel } from '../support/trainer.ts'
import { PYTHON, REAL_PYTHON, TRAINERS } from './python.ts'
import { CLUSTER_TIMEOUT_MS, hasRay, type RayCluster, startCluster } from './ray-cluster.ts'
import { runWhen, writeRows } from './training-server.ts'

// Uses a real Ray cluster over HTTP with a token, and trains a tiny model with the real trainer.
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bgray-')) // a short path, because Ray creates sockets in it
const tokenFile = path.join(dataDir, 'token')
const signal = new AbortController().signal
const pausablePython = holdingPython(dataDir, REAL_PYTHON) // Ray starts and ends it
let cluster: RayCluster | undefined
let address = ''

const env = (): Record<string, string> => ({ ...childEnv(loadConfig({ dataDir })), PYTHONPATH: TRAINERS })
const engineAt = (place: Partial<{ address: string; tokenFile: string; python: string }> = {}) =>
  createRayEngine(() => ({ address, tokenFile, python: '', gpus: 0, ...place }), path.join(TRAINERS, 'bashgym_trainers', 'remote.py'))

/** Creates a run's folder with its config, as the gym does. */
function job(runId: string, more: object = {}): EngineJob {
  const folder = path.join(dataDir, runId)
  fs.mkdirSync(folder)
  const data = path.join(folder, 'train.jsonl')
  const row = { messages: [{ role: 'user', content: 'Say red' }, { role: 'assistant', content: 'red red' }], tools: [] } // prettier-ignore
  writeRows(data, [row], 16)
  const config = { format: 1, runId, strategy: 'sft', model: path.join(dataDir, 'model'), data: { train: data, val: null }, output: folder, method: { kind: 'full' }, learningRate: 2e-3, maxSteps: 30, batchSize: 4, maxLength: 512, loggingSteps: 1, evalSteps: null, saveSteps: null, samples: 0, schedule: 'constant', device: 'cpu', threads: 1, ...more } // prettier-ignore
  const file = path.join(folder, 'config.json')
  fs.writeFileSync(file, JSON.stringify(config))
  return { runId, argv: [pausablePython.program, '-m', 'bashgym_trainers', 'train', '--config', file], env: env(), folder, log: path.join(folder, 'training.log') } // prettier-ignore
}
type Event = { type: string; step?: number; how?: string; artifact?: string; metrics?: { loss?: number } }
const eventsOf = ({ folder }: EngineJob): Event[] => {
  const file = path.join(folder, 'events.jsonl')
  if (!fs.existsSync(file)) return []
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Event)
}
/** Resolves when an event of the run fits; fails if the run fails first. */
async function until(run: EngineJob, fits: (event: Event) => boolean): Promise<void> {
  const seen = () => eventsOf(run).find((event) => fits(event) || event.type === 'failed')
  await expect.poll(() => seen() !== undefined, { timeout: 120_000, interval: 50 }).toBe(true)
  expect(seen()).toSatisfy(fits)
}
const stateOf = (server: TestServer, id: string, state: RunState) => runWhen(server, id, (run) => run.state === state)
const stepOf = (server: TestServer, id: string, step: number) => runWhen(server, id, (run) => run.step >= step)
const curve = (run: EngineJob) => eventsOf(run).flatMap(({ type, step, metrics }) => (type === 'progress' && metrics?.loss !== undefined ? [[step, metrics.loss]] : [])) // prettier-ignore

describe.skipIf(!hasRay)('a Ray cluster', () => {
  beforeAll(async () => {
    tinyModel(path.join(dataDir, 'model'), PYTHON)
    cluster = await startCluster(dataDir)
    address = cluster.address
  }, CLUSTER_TIMEOUT_MS)

  afterAll(() => {
    cluster?.end()
    fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })

  test('trains, pauses, continues with the same curve, and saves its result in the run folder', async () => {
    const engine = engineAt()
    const whole = job('whole')
    const parts = job('parts')
    pausablePython.holdAt(4) // holds both runs until one is paused
    const [first, second] = [await engine.start(whole), await engine.start(parts)]
    expect(await engine.find(parts)).toEqual(second)
    await until(parts, ({ type, step }) => type === 'progress' && step! >= 3)
    await engine.control(second, parts, 'pause')
    expect(await engine.attach(second, parts, signal)).toEqual({ code: 75, signal: null })
    pausablePython.letGo()
    expect(await engine.status(second)).toBe('ended')
    expect(await engine.find(parts)).toBeNull()
    const again = await engine.start(parts)
    expect(await engineAt().attach(again, parts, signal)).toEqual({ code: 0, signal: null }) // as after a restart of the app
    expect(await engine.attach(first, whole, signal)).toEqual({ code: 0, signal: null })
    expect(curve(whole)).toHaveLength(30)
    expect(curve(parts)).toEqual(curve(whole))
    const complete = eventsOf(parts).find(({ type }) => type === 'complete')
    expect(fs.existsSync(path.join(parts.folder, complete!.artifact!, 'model.safetensors'))).toBe(true)
    expect(fs.readFileSync(whole.log, 'utf8')).not.toMatch(/Traceback/)
  })

  test('kills a run with all its processes', async () => {
    const engine = engineAt()
    const long = job('long', { maxSteps: 100_000 })
    const handle = await engine.start(long)
    await until(long, ({ type }) => type === 'progress')
    await engine.kill(handle)
    expect(await engine.status(handle)).toBe('ended')
    expect(await engine.attach(handle, long, signal)).not.toEqual({ code: 0, signal: null })
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    expect(stdout).not.toContain(path.join(long.folder, 'config.json'))
  })

  test('the gym starts, pauses, resumes, registers and cancels runs on the cluster, and reports a cluster that is down', async () => {
    const config = testConfig({ dataDir: path.join(dataDir, 'gym'), python: pausablePython.program })
    let server = await startTestServer({ config })
    const { client } = server
    const file = path.join(dataDir, 'gym-rows.jsonl')
    const row = { messages: [{ role: 'user', content: 'Say red' }, { role: 'assistant', content: 'red red' }] } // prettier-ignore
    writeRows(file, [row], 16)
    const settings = { method: { kind: 'full' as const }, learningRate: 2e-3, maxSteps: 30, batchSize: 4, maxLength: 512, loggingSteps: 1, evalSteps: null, saveSteps: null, samples: 0, device: 'cpu' as const, threads: 1 } // prettier-ignore
    const body = { strategy: 'sft' as const, baseModel: path.join(dataDir, 'model'), file, engine: 'ray' as const, settings }
    const refusals = async () => (await client.planRun({ body })).notes.filter(({ level }) => level === 'refusal')
    expect(await refusals()).toMatchObject([{ code: 'engine', message: 'No Ray cluster is set up.' }])
    await expect(client.startRun({ body })).rejects.toMatchObject({ code: 'run_refused', message: 'No Ray cluster is set up.' })
    await client.patchSettings({ body: { training: { ray: { address, tokenFile, python: '', gpus: 0 } } } })
    expect(await client.planRun({ body })).toMatchObject({ fits: 'unknown', device: { kind: 'cpu', name: 'a CPU of the Ray cluster' } }) // prettier-ignore
    expect(await refusals()).toEqual([])

    pausablePython.holdAt(4)
    const { id } = await client.startRun({ body })
    await stepOf(server, id, 3)
    expect(await client.pauseRun({ params: { id } })).toMatchObject({ state: 'pausing', engine: 'ray' })
    await stateOf(server, id, 'paused')
    pausablePython.letGo()
    await client.resumeRun({ params: { id } })
    await stateOf(server, id, 'completed')
    const run = await client.getRun({ params: { id } })
    expect(run).toMatchObject({ step: 30, totalSteps: 30, device: 'cpu', modelId: id, error: null })
    const { series } = await client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })
    expect(series[0]!.steps).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
    expect(series[0]!.last.at(-1)).toBeLessThan(series[0]!.last[0]!)
    const model = await client.getModel({ params: { id } })
    expect(model).toMatchObject({ lineage: { runId: id }, artifacts: [{ format: 'merged', state: 'present' }] })
    expect(fs.existsSync(path.join(run.folder, 'final', 'model.safetensors'))).toBe(true)

    const long = await client.startRun({ body: { ...body, settings: { ...settings, maxSteps: 100_000 } } })
    await stepOf(server, long.id, 2)
    const { token } = server
    await server.close() // the app ends; the cluster continues, and the next app finds the run
    server = await startTestServer({ config })
    expect(server.token).toBe(token)
    const before = (await server.client.getRun({ params: { id: long.id } })).step
    await stepOf(server, long.id, before + 2)
    expect(await server.client.cancelRun({ params: { id: long.id }, body: {} })).toMatchObject({ state: 'cancelled' })

    await server.client.patchSettings({ body: { training: { ray: { address: 'http://127.0.0.1:9', tokenFile, python: '', gpus: 0 } } } })
    const lost = await server.client.startRun({ body })
    await stateOf(server, lost.id, 'failed')
    const { error } = await server.client.getRun({ params: { id: lost.id } })
    expect(error).toMatchObject({ code: 'training_unavailable', message: expect.stringMatching(/^The Ray cluster at http:\/\/127\.0\.0\.1:9 does not answer: .*ECONNREFUSED.*Settings → Training has the address/) as string }) // prettier-ignore
    expect(server.contractViolations).toEqual([])
    await server.close()
  })

  test('reports why a trainer did not start, and why the cluster refuses a request', async () => {
    const lost = job('lost')
    const blind = engineAt({ python: path.join(dataDir, 'no-such-python') })
    const exit = await blind.attach(await blind.start(lost), lost, signal)
    expect(exit.code).not.toBe(0)
    expect(fs.readFileSync(lost.log, 'utf8')).toMatch(/no-such-python.*not found/)
    const wrong = path.join(dataDir, 'wrong')
    fs.writeFileSync(wrong, 'another-token', { mode: 0o600 })
    await expect(engineAt({ tokenFile: wrong }).start(lost)).rejects.toMatchObject({ code: 'training_unavailable', message: expect.stringContaining('refuses the token') as string }) // prettier-ignore
    fs.chmodSync(wrong, 0o644)
    await expect(engineAt({ tokenFile: wrong }).start(lost)).rejects.toThrow(/Other users can read the token file/)
    await expect(engineAt({ address: 'http://127.0.0.1:9' }).start(lost)).rejects.toThrow(/does not answer/)
    await expect(engineAt({ address: '' }).start(lost)).rejects.toThrow('No Ray cluster is set up.')
    const problemAt = (place: string, usesSandboxes: boolean) => engineAt({ address: place }).problem({ usesSandboxes })?.message
    expect(problemAt('http://ray.example:8265', true)).toContain('cannot reach the sandboxes')
    expect([problemAt('http://ray.example:8265', false), problemAt(address, true)]).toEqual([undefined, undefined])
    expect(await engineAt({ address: 'http://127.0.0.1:9' }).status({ job: 'x' })).toBe('running') // an unreachable cluster does not mean that the run has ended
  })
})
