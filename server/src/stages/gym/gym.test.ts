import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServerMessage } from '#contracts/messages.ts'
import { birthOf } from '#server/process/marks.ts'
import { openGym, type TestGym, upTo } from './testing-gym.ts'

let gym: TestGym
beforeAll(async () => {
  gym = await openGym()
})
afterAll(() => gym.close())

/** Messages of a type that name this run. */
const messagesOf = <T extends ServerMessage['type']>(type: T, id: string) =>
  gym.core.messages.filter(
    (message): message is Extract<ServerMessage, { type: T }> => message.type === type && JSON.stringify(message.payload).includes(id),
  )

it('trains to the end, stores and sends every point once, and logs what was printed', async () => {
  const run = await gym.client.startRun({ body: gym.request({ steps: 300 }, { name: 'first', tags: ['a'] }) })
  expect(run).toMatchObject({
    name: 'first',
    state: expect.stringMatching(/queued|preparing/) as string,
    tags: ['a'],
    rows: null,
    loss: null,
  })
  const followed = gym.client.getRunLogs({ params: { id: run.id }, query: { follow: 'true' } }) as unknown as Promise<Response>
  await gym.until(run.id, 'completed')
  const end = await gym.client.getRun({ params: { id: run.id } })
  expect(end).toMatchObject({
    step: 300,
    totalSteps: 300,
    loss: 10 / 300,
    rows: 4,
    device: 'cpu',
    trainSec: 1,
    peakRssMb: 100,
    canResume: false,
  })
  expect(end.spark.length).toBeLessThanOrEqual(40)
  expect(await gym.stepsOf(run.id)).toEqual(upTo(300))
  expect(messagesOf('training:progress', run.id).flatMap(({ payload }) => payload.points.map(({ step }) => step))).toEqual(upTo(300))
  const states = messagesOf('training:changed', run.id).map(({ payload }) => payload.run.state)
  expect([...new Set(states)]).toEqual(['queued', 'preparing', 'running', 'completed'])
  expect(messagesOf('training:complete', run.id)).toMatchObject([
    { payload: { runId: run.id, durationMs: 1000, run: { state: 'completed' } } },
  ])
  const { lines, total } = await gym.client.getRunLogs({ params: { id: run.id } })
  expect(lines.map(({ text }) => text)).toContain('a line on standard error')
  expect(lines.map(({ n }) => n)).toEqual(upTo(total))
  const streamed = (await (await followed).text()).trim().split('\n').map((line) => JSON.parse(line) as unknown) // prettier-ignore
  expect(streamed).toEqual(lines)
  expect(messagesOf('training:log', run.id).flatMap(({ payload }) => payload.lines)).toEqual(
    lines.filter(({ stream }) => stream === 'event'),
  )
  expect(messagesOf('training:queue', run.id).map(({ payload }) => payload.order)).toContainEqual([run.id])
  expect((await gym.client.getRunLogs({ params: { id: run.id }, query: { q: 'standard' } })).lines).toMatchObject([{ stream: 'log' }])
  const modes = ['', 'config.json', 'training.log'].map((name) => fs.statSync(path.join(end.folder, name)).mode & 0o777)
  expect(modes).toEqual([0o700, 0o600, 0o600])
})

it('streams the log from any byte to the end of the run', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 40, holdAt: [5] }) })
  await gym.untilStep(id, 5)
  const [log] = gym.gym.stage.streams!
  const [whole, rest] = await Promise.all([log!.open(id, 0), log!.open(id, 3)])
  const all = async (source: typeof whole) => {
    const { signal } = new AbortController()
    const chunks: Uint8Array[] = []
    for (let chunk = await source.read(7, signal); chunk; chunk = await source.read(7, signal)) chunks.push(chunk.bytes)
    await source.close()
    return Buffer.concat(chunks).toString()
  }
  const read = Promise.all([all(whole), all(rest)])
  gym.release(id)
  await gym.until(id, 'completed')
  const file = fs.readFileSync(path.join(gym.gym.run(id).folder, 'training.log'), 'utf8')
  expect(file).toContain('a line on standard error')
  expect(await read).toEqual([file, file.slice(3)])
  expect((await gym.client.getRunLogs({ params: { id } })).logBytes).toBe(Buffer.byteLength(file))
  await expect((async () => log!.open('a'.repeat(26), 0))()).rejects.toMatchObject({ code: 'run_not_found' })
  await expect((async () => log!.open(id, file.length + 1))()).rejects.toMatchObject({ code: 'invalid_request' })
})

it('returns the same run for the same idempotency key', async () => {
  const body = { ...gym.request({ steps: 2 }), idempotencyKey: 'the-same-key' }
  const { total } = await gym.client.listRuns()
  const [first, second] = await Promise.all([gym.client.startRun({ body }), gym.client.startRun({ body })])
  expect(second.id).toBe(first.id)
  expect((await gym.client.startRun({ body })).id).toBe(first.id)
  expect((await gym.client.listRuns()).total).toBe(total + 1)
  await gym.until(first.id, 'completed')
})

it('continues the curve and the training time after a pause', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 40, holdAt: [5, 6] }) })
  await gym.untilStep(id, 5)
  expect(await gym.client.pauseRun({ params: { id } })).toMatchObject({ state: 'pausing' })
  await gym.until(id, 'paused')
  const paused = await gym.client.getRun({ params: { id } })
  expect(paused).toMatchObject({ canResume: true, endedAt: null, trainSec: expect.any(Number) as number })
  expect(paused.trainSec).toBeGreaterThan(0)
  expect(paused.workingSince).toBeNull()
  expect(paused.step).toBeLessThan(40)
  await gym.client.resumeRun({ params: { id } })
  await gym.until(id, 'running')
  const resumed = gym.gym.run(id)
  expect(resumed.trainSec).toBeCloseTo(paused.trainSec!, 3)
  expect(Date.parse(resumed.workingSince!)).toBeGreaterThan(Date.parse(paused.startedAt!) + paused.trainSec! * 1000)
  gym.release(id)
  await gym.until(id, 'completed')
  expect(gym.gym.run(id).workingSince).toBeNull()
  expect(await gym.stepsOf(id)).toEqual(upTo(40))
  const { series } = await gym.client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })
  expect(series[0]!.seconds).toEqual(series[0]!.seconds.toSorted((a, b) => a - b))
  // after the resume, the fake trainer reports one second
  expect(gym.gym.run(id).trainSec).toBeCloseTo(paused.trainSec! + 1, 1)
})

it('cancels a trainer that ignores signals, and its children, within a second and a half', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 9999, stepMs: 10, stubborn: true, saveEvery: 2 }) })
  await gym.untilStep(id, 3)
  const { folder } = gym.gym.run(id)
  const child = Number(fs.readFileSync(path.join(folder, 'child'), 'utf8'))
  expect(birthOf(child)).not.toBeNull()
  /** Measures time in steps of the trainer, which take at least 10 ms each and longer on a busy machine. */
  const stepsTaken = () => fs.readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('"type":"progress"').length - 1
  const before = stepsTaken()
  expect(await gym.client.cancelRun({ params: { id }, body: {} })).toMatchObject({ state: 'cancelled', canResume: false })
  expect(stepsTaken() - before).toBeLessThan(150)
  expect(birthOf(child)).toBeNull()
  expect((await gym.client.getRunCheckpoints({ params: { id } })).items.every(({ exists }) => !exists)).toBe(true)
})

it('completes early with a checkpoint when a cancel keeps it', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 9999, stepMs: 5 }) })
  await gym.untilStep(id, 3)
  await gym.client.cancelRun({ params: { id }, body: { keepCheckpoint: true } })
  await gym.until(id, 'completed')
  expect((await gym.client.getRunCheckpoints({ params: { id } })).items).toMatchObject([{ exists: true }])
})

it('pauses a run while its trainer is starting', async () => {
  const startRequested = Promise.withResolvers<void>()
  const startAllowed = Promise.withResolvers<void>()
  let calls = 0
  const other: TestGym = await openGym({
    deps: {
      async python() {
        calls += 1
        if (calls === 2) {
          startRequested.resolve() // the first call is made before the run is queued
          await startAllowed.promise
        }
        return { program: path.join(other.core.config.dataDir, 'trainer'), env: {} }
      },
    },
  })
  const { id } = await other.client.startRun({ body: other.request({ steps: 9999, stepMs: 5 }) })
  await startRequested.promise
  expect((await other.client.pauseRun({ params: { id } })).state).toBe('pausing')
  startAllowed.resolve()
  await other.until(id, 'paused', 'failed', 'cancelled')
  expect(other.gym.run(id)).toMatchObject({ state: 'paused', canResume: true, error: null })
  await other.close()
})

it('resumes once for two clicks, and refuses a run that was cancelled meanwhile', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 9999, stepMs: 5 }) })
  const params = { id }
  await gym.untilStep(id, 2)
  await gym.client.pauseRun({ params })
  await gym.until(id, 'paused')
  await Promise.all([gym.client.resumeRun({ params }), gym.client.resumeRun({ params })])
  expect(gym.gym.run(id).state).toMatch(/preparing|running/)
  await gym.client.pauseRun({ params })
  await gym.until(id, 'paused')
  const late = gym.client.resumeRun({ params })
  await Promise.all([
    expect(late).rejects.toMatchObject({ code: 'run_state', message: expect.stringContaining('is cancelled') as string }),
    gym.client.cancelRun({ params, body: {} }),
  ])
  expect(gym.gym.run(id).state).toBe('cancelled')
})

it('starts queued runs in order, and pauses after a failure unless continueAfterFailure is set', async () => {
  await gym.client.patchQueue({ body: { paused: true, continueAfterFailure: false } })
  const ids: string[] = []
  for (const play of [{ steps: 3 }, { steps: 3, at: 2, end: 'failed' as const }, { steps: 3 }])
    ids.push((await gym.client.startRun({ body: gym.request(play) })).id)
  const [first, second, third] = ids as [string, string, string]
  expect(ids.map((id) => gym.gym.run(id).queuePosition)).toEqual([1, 2, 3])
  await gym.client.patchQueue({ body: { order: [second, first, third] } })
  expect(ids.map((id) => gym.gym.run(id).queuePosition)).toEqual([2, 1, 3])
  await gym.client.patchQueue({ body: { paused: false } })
  await gym.until(second, 'failed')
  expect(await gym.client.getQueue()).toEqual({ paused: true, pausedBy: second, continueAfterFailure: false, order: [first, third] })
  expect(messagesOf('training:queue', second).at(-1)).toMatchObject({ payload: { pausedBy: second } })
  const continued = await gym.client.patchQueue({ body: { paused: false, continueAfterFailure: true } })
  expect(continued).toMatchObject({ paused: false, pausedBy: null })
  await gym.until(third, 'completed')
  const [a, b] = [first, third].map((id) => gym.gym.run(id))
  expect(Date.parse(b!.startedAt!)).toBeGreaterThanOrEqual(Date.parse(a!.endedAt!))
})

it.each([
  ['saved', 'cancelled', { state: 'cancelled' }],
  ['reported', 'completed', { code: 'run_state', message: expect.stringMatching(/is completed, so it cannot be cancelled/) as string }],
] as const)('ends completed or cancelled, never both, when its result is only %s at the cancel', async (waitsAfter, state, answer) => {
  const { id, folder } = await gym.client.startRun({ body: gym.request({ steps: 3, waitsAfter }) })
  const isThere = () => (waitsAfter === 'saved' ? gym.gym.run(id).phase === 'saving' : gym.gym.run(id).trainSec === 1)
  await expect.poll(isThere, { timeout: 30_000 }).toBe(true)
  const outcome = await gym.client.cancelRun({ params: { id }, body: {} }).catch((error: unknown) => error)
  expect(outcome).toMatchObject(answer)
  expect(gym.gym.run(id).state).toBe(state)
  expect(fs.existsSync(path.join(folder, 'final'))).toBe(waitsAfter === 'reported')
})

it('removes a cancelled run from the queue, and deletes it with its folder', async () => {
  await gym.client.patchQueue({ body: { paused: true } })
  const run = await gym.client.startRun({ body: gym.request({ steps: 3 }) })
  await expect(gym.client.deleteRun({ params: { id: run.id } })).rejects.toMatchObject({ code: 'run_state' })
  expect(await gym.client.cancelRun({ params: { id: run.id }, body: {} })).toMatchObject({ state: 'cancelled', queuePosition: null })
  expect((await gym.client.deleteRun({ params: { id: run.id } })).freedBytes).toBeGreaterThan(0)
  expect(fs.existsSync(run.folder)).toBe(false)
  await gym.client.patchQueue({ body: { paused: false } })
  await expect(gym.client.getRun({ params: { id: run.id } })).rejects.toMatchObject({ code: 'run_not_found' })
  expect(messagesOf('training:removed', run.id)).toMatchObject([{ payload: { id: run.id } }])
})

it('keeps all tag changes that are made at the same time', async () => {
  const run = await gym.client.startRun({ body: gym.request({ steps: 1 }, { tags: ['old', 'kept'] }) })
  const params = { id: run.id }
  await Promise.all([
    gym.client.patchRun({ params, body: { addTags: ['mine', 'kept'] } }),
    gym.client.patchRun({ params, body: { addTags: ['theirs'] } }),
    gym.client.patchRun({ params, body: { removeTags: ['old', 'never there'] } }),
  ])
  expect(gym.gym.run(run.id).tags).toEqual(['kept', 'mine', 'theirs'])
  const many = Array.from({ length: 48 }, (_, at) => `tag ${at}`)
  await expect(gym.client.patchRun({ params, body: { addTags: many } })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'That would be 51 tags; the maximum is 50.',
  })
  await expect(gym.client.patchRun({ params, body: { tags: [] } as object })).rejects.toMatchObject({ code: 'invalid_request' })
})

it('stores names, tags, notes, stars and presets', async () => {
  const run = await gym.client.startRun({ body: gym.request({ steps: 1 }) })
  await gym.until(run.id, 'completed')
  const params = { id: run.id }
  expect(await gym.client.patchRun({ params, body: { name: 'new name', addTags: ['only-here'], note: 'n', starred: true } })).toMatchObject(
    {
      name: 'new name',
      starred: true,
    },
  )
  const totals = await Promise.all(
    [{ q: 'only-here' }, { starred: 'true' }, { q: 'new name' }, { q: '%' }].map(
      async (query) => (await gym.client.listRuns({ query })).total,
    ),
  )
  expect(totals).toEqual([1, 1, 1, 0])
  await gym.client.savePreset({ body: { name: 'mine', request: { strategy: 'dpo' } } })
  expect(await gym.client.listPresets()).toEqual({
    items: [{ name: 'mine', request: expect.objectContaining({ strategy: 'dpo' }) as object }],
  })
  await gym.client.deletePreset({ params: { name: 'mine' } })
  await expect(gym.client.deletePreset({ params: { name: 'mine' } })).rejects.toMatchObject({ code: 'not_found' })
})
