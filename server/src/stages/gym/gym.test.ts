import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunRequest } from '#contracts/entities/run.ts'
import type { ServerMessage } from '#contracts/messages.ts'
import { TrainMethod, type TrainStrategy } from '#contracts/trainer.ts'
import { birthOf } from '#server/process/marks.ts'
import { writeTokenizer } from '#server/stages/factory/preview/testing-tokenizer.ts'
import { openGym, type TestGym } from './testing-gym.ts'

let gym: TestGym
beforeAll(async () => {
  gym = await openGym()
})
afterAll(() => gym.close())

const stepsOf = async (id: string, name = 'loss') =>
  (await gym.client.getRunMetrics({ params: { id }, query: { names: [name] } })).series[0]?.steps ?? []
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)
/** Messages of a type that name this run. */
const messagesOf = <T extends ServerMessage['type']>(type: T, id: string) =>
  gym.core.messages.filter(
    (message): message is Extract<ServerMessage, { type: T }> => message.type === type && JSON.stringify(message.payload).includes(id),
  )

it('trains to the end: every point is kept and told once, the log has what was printed', async () => {
  const run = await gym.client.startRun({ body: gym.request({ steps: 300 }, { name: 'first', tags: ['a'] }) })
  expect(run).toMatchObject({
    name: 'first',
    state: expect.stringMatching(/queued|preparing/) as string,
    tags: ['a'],
    rows: null,
    loss: null,
  })
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
  expect(await stepsOf(run.id)).toEqual(upTo(300))
  expect(messagesOf('training:progress', run.id).flatMap(({ payload }) => payload.points.map(({ step }) => step))).toEqual(upTo(300))
  const states = messagesOf('training:changed', run.id).map(({ payload }) => payload.run.state)
  expect([...new Set(states)]).toEqual(['queued', 'preparing', 'running', 'completed'])
  expect(messagesOf('training:complete', run.id)).toMatchObject([
    { payload: { runId: run.id, durationMs: 1000, run: { state: 'completed' } } },
  ])
  const { lines, total } = await gym.client.getRunLogs({ params: { id: run.id } })
  expect(lines.map(({ text }) => text)).toContain('a line on standard error')
  expect(lines.map(({ n }) => n)).toEqual(upTo(total))
  expect(messagesOf('training:log', run.id).flatMap(({ payload }) => payload.lines)).toEqual(
    lines.filter(({ stream }) => stream === 'event'),
  )
  expect(messagesOf('training:queue', run.id).map(({ payload }) => payload.order)).toContainEqual([run.id])
  expect((await gym.client.getRunLogs({ params: { id: run.id }, query: { q: 'standard' } })).lines).toMatchObject([{ stream: 'log' }])
  const modes = ['', 'config.json', 'training.log'].map((name) => fs.statSync(path.join(end.folder, name)).mode & 0o777)
  expect(modes).toEqual([0o700, 0o600, 0o600])
})

it('streams the bytes of the log from any of them on, up to the end of the run', async () => {
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
  gym.letGo(id)
  await gym.until(id, 'completed')
  const file = fs.readFileSync(path.join(gym.gym.run(id).folder, 'training.log'), 'utf8')
  expect(file).toContain('a line on standard error')
  expect(await read).toEqual([file, file.slice(3)])
  expect((await gym.client.getRunLogs({ params: { id } })).logBytes).toBe(Buffer.byteLength(file))
  await expect((async () => log!.open('a'.repeat(26), 0))()).rejects.toMatchObject({ code: 'run_not_found' })
  await expect((async () => log!.open(id, file.length + 1))()).rejects.toMatchObject({ code: 'invalid_request' })
})

it('gives the same run for the same key', async () => {
  const body = { ...gym.request({ steps: 2 }), idempotencyKey: 'the-same-key' }
  const { total } = await gym.client.listRuns()
  const [first, second] = await Promise.all([gym.client.startRun({ body }), gym.client.startRun({ body })])
  expect(second.id).toBe(first.id)
  expect((await gym.client.startRun({ body })).id).toBe(first.id)
  expect((await gym.client.listRuns()).total).toBe(total + 1)
  await gym.until(first.id, 'completed')
})

it('pauses and goes on with the same curve', async () => {
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
  const atWork = gym.gym.run(id)
  expect(atWork.trainSec).toBeCloseTo(paused.trainSec!, 3)
  expect(Date.parse(atWork.workingSince!)).toBeGreaterThan(Date.parse(paused.startedAt!) + paused.trainSec! * 1000)
  gym.letGo(id)
  await gym.until(id, 'completed')
  expect(gym.gym.run(id).workingSince).toBeNull()
  expect(await stepsOf(id)).toEqual(upTo(40))
  const { series } = await gym.client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })
  expect(series[0]!.seconds).toEqual(series[0]!.seconds.toSorted((a, b) => a - b))
  // the trainer said one second of its second half
  expect(gym.gym.run(id).trainSec).toBeCloseTo(paused.trainSec! + 1, 1)
})

it('cancels a trainer that does not listen, with its children, within a second and a half', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 9999, stepMs: 10, stubborn: true, saveEvery: 2 }) })
  await gym.untilStep(id, 3)
  const { folder } = gym.gym.run(id)
  const child = Number(fs.readFileSync(path.join(folder, 'child'), 'utf8'))
  expect(birthOf(child)).not.toBeNull()
  /** What the trainer has done by itself: a step takes it 10 ms or more, also where the machine is at work. */
  const taken = () => fs.readFileSync(path.join(folder, 'events.jsonl'), 'utf8').split('"type":"progress"').length - 1
  const before = taken()
  expect(await gym.client.cancelRun({ params: { id }, body: {} })).toMatchObject({ state: 'cancelled', canResume: false })
  expect(taken() - before).toBeLessThan(150)
  expect(birthOf(child)).toBeNull()
  expect((await gym.client.getRunCheckpoints({ params: { id } })).items.every(({ exists }) => !exists)).toBe(true)
})

it('ends early with what was learned so far', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 9999, stepMs: 5 }) })
  await gym.untilStep(id, 3)
  await gym.client.cancelRun({ params: { id }, body: { keepCheckpoint: true } })
  await gym.until(id, 'completed')
  expect((await gym.client.getRunCheckpoints({ params: { id } })).items).toMatchObject([{ exists: true }])
})

it('pauses a run whose trainer is only being started', async () => {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let calls = 0
  const other: TestGym = await openGym({
    deps: {
      async python() {
        calls += 1
        if (calls === 2) {
          asked.resolve() // the first time is before the run is put into the queue
          await go.promise
        }
        return { program: path.join(other.core.config.dataDir, 'trainer'), env: {} }
      },
    },
  })
  const { id } = await other.client.startRun({ body: other.request({ steps: 9999, stepMs: 5 }) })
  await asked.promise
  expect((await other.client.pauseRun({ params: { id } })).state).toBe('pausing')
  go.resolve()
  await other.until(id, 'paused', 'failed', 'cancelled')
  expect(other.gym.run(id)).toMatchObject({ state: 'paused', canResume: true, error: null })
  await other.close()
})

it('resumes once for two clicks, and not what was cancelled meanwhile', async () => {
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

it('names the runs that still need a model; a removal that a kill broke off is taken back or ended', async () => {
  await gym.client.patchQueue({ body: { paused: true } })
  const body = gym.request({ steps: 3 }, { name: 'next' })
  const { id, folder } = await gym.client.startRun({ body })
  expect(gym.gym.needing(path.dirname(body.baseModel))).toEqual(['next'])
  expect(gym.gym.needing(`${body.baseModel}-other`)).toEqual([])
  await gym.client.cancelRun({ params: { id }, body: {} })
  expect(gym.gym.needing(body.baseModel)).toEqual([])
  await gym.client.patchQueue({ body: { paused: false } })

  const { models } = gym.core.paths
  fs.renameSync(folder, path.join(models, `.removed-${id}`))
  fs.mkdirSync(path.join(models, '.removed-gone'))
  fs.mkdirSync(path.join(models, 'never-stored'))
  fs.writeFileSync(path.join(models, 'never-stored', 'config.json'), '{}')
  const { dataDir } = gym.core.config
  await gym.close({ keep: true })
  gym = await openGym({ dataDir })
  expect(fs.existsSync(path.join(folder, 'config.json'))).toBe(true)
  expect(['.removed-gone', 'never-stored'].filter((name) => fs.existsSync(path.join(models, name)))).toEqual([])
})

it('says that a trainer was killed, and goes on from its checkpoint without a point twice', async () => {
  const play = { steps: 30, end: 'kill', at: 17, saveEvery: 5, once: true } as const
  const { id } = await gym.client.startRun({ body: gym.request(play) })
  await gym.until(id, 'failed')
  const failed = await gym.client.getRun({ params: { id } })
  expect(failed).toMatchObject({
    canResume: true,
    step: 17,
    error: { code: 'killed', message: expect.stringContaining('SIGKILL') as string },
  })
  expect(failed.error!.logTail).toContain('a line on standard error')
  expect(messagesOf('training:failed', id)).toHaveLength(1)
  // the trainers cut off what they tore; the one that stands in does not
  const file = path.join(failed.folder, 'events.jsonl')
  const text = fs.readFileSync(file, 'utf8')
  fs.truncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  await gym.client.resumeRun({ params: { id } })
  await gym.until(id, 'completed')
  expect(await stepsOf(id)).toEqual(upTo(30))
  expect(gym.gym.run(id).error).toBeNull()
})

it('passes over a line that is no event, keeps a gap for what was not finite', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 8, garbageAt: 4, nanAt: 6 }) })
  await gym.until(id, 'completed')
  const [series] = (await gym.client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })).series
  expect(series).toMatchObject({ steps: upTo(8), notFinite: [6] })
  expect(series!.last.map((value) => value === null)).toEqual(upTo(8).map((step) => step === 6))
  expect(gym.gym.run(id).warnings).toMatchObject([{ code: 'events_unreadable' }])
})

it.each([
  ['failed', { code: 'row_invalid', message: 'Row 3 has no messages.', row: 3 }],
  ['exit', { code: 'ended', message: expect.stringContaining('exited with code 3') as string }],
] as const)('says why it failed: %s', async (end, error) => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 5, at: 2, end }) })
  await gym.until(id, 'failed')
  expect(gym.gym.run(id)).toMatchObject({ error, endedAt: expect.any(String) as string })
})

it('says why a trainer could not be started', async () => {
  const other = await openGym({ deps: { python: async () => ({ program: '/nowhere/python', env: {} }) } })
  const { id } = await other.client.startRun({ body: other.request({ steps: 1 }) })
  await other.until(id, 'failed')
  const { error } = other.gym.run(id)
  expect(error).toMatchObject({ code: 'training_unavailable', message: expect.stringContaining('could not be started') as string })
  await other.close()
})

it('works through a queue in its order; a failure stops it only where that is wanted', async () => {
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
  const goesOn = await gym.client.patchQueue({ body: { paused: false, continueAfterFailure: true } })
  expect(goesOn).toMatchObject({ paused: false, pausedBy: null })
  await gym.until(third, 'completed')
  const [a, b] = [first, third].map((id) => gym.gym.run(id))
  expect(Date.parse(b!.startedAt!)).toBeGreaterThanOrEqual(Date.parse(a!.endedAt!))
})

it.each([
  ['saved', 'cancelled', { state: 'cancelled' }],
  ['told', 'completed', { code: 'run_state', message: expect.stringMatching(/is completed, so it cannot be cancelled/) as string }],
] as const)('is either complete or cancelled when a cancel comes at its very end: its result is %s', async (lingers, state, answer) => {
  const { id, folder } = await gym.client.startRun({ body: gym.request({ steps: 3, lingers }) })
  const isThere = () => (lingers === 'saved' ? gym.gym.run(id).phase === 'saving' : gym.gym.run(id).trainSec === 1)
  await expect.poll(isThere, { timeout: 30_000 }).toBe(true)
  const outcome = await gym.client.cancelRun({ params: { id }, body: {} }).catch((error: unknown) => error)
  expect(outcome).toMatchObject(answer)
  expect(gym.gym.run(id).state).toBe(state)
  expect(fs.existsSync(path.join(folder, 'final'))).toBe(lingers === 'told')
})

it('leaves the queue when cancelled, and is deleted with its folder', async () => {
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

it('is followed on by the next start of the app, with no point missing', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 60, holdAt: 5 }) })
  await gym.untilStep(id, 5)
  const { dataDir } = gym.core.config
  await gym.close({ keep: true })
  gym = await openGym({ dataDir })
  expect(gym.gym.run(id).state).toBe('running')
  gym.letGo(id)
  await gym.until(id, 'completed')
  expect(await stepsOf(id)).toEqual(upTo(60))
})

it('takes a process that was born later for another one: the run has ended, and the process is left alone', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 3, at: 2, end: 'hang' }) })
  await gym.untilStep(id, 2)
  const { dataDir } = gym.core.config
  const { handle } = gym.core.db.prepare('SELECT handle FROM runs WHERE id = ?').get(id) as { handle: string }
  const { pid, born } = JSON.parse(handle) as { pid: number; born: string }
  await gym.close({ keep: true })
  const reopened = await openGym({ dataDir })
  reopened.core.db.prepare('UPDATE runs SET handle = ? WHERE id = ?').run(JSON.stringify({ pid, born: 'another boot:1' }), id)
  await reopened.close({ keep: true })
  gym = await openGym({ dataDir })
  await gym.until(id, 'failed')
  expect(gym.gym.run(id).error).toMatchObject({
    code: 'ended',
    message: expect.stringContaining('while Bash Gym was not running') as string,
  })
  expect(birthOf(pid)).toBe(born)
  process.kill(pid, 'SIGKILL')
})

it('says of a run whose folder was taken away that it has ended, and starts none without a folder', async () => {
  const { id, folder } = await gym.client.startRun({ body: gym.request({ steps: 9, at: 2, end: 'hang' }) })
  await gym.untilStep(id, 2)
  await gym.client.patchQueue({ body: { paused: true } })
  const next = await gym.client.startRun({ body: gym.request({ steps: 3 }) })
  const { dataDir } = gym.core.config
  const { handle } = gym.core.db.prepare('SELECT handle FROM runs WHERE id = ?').get(id) as { handle: string }
  await gym.close({ keep: true })
  process.kill((JSON.parse(handle) as { pid: number }).pid, 'SIGKILL')
  for (const one of [folder, next.folder]) fs.rmSync(one, { recursive: true })
  gym = await openGym({ dataDir })
  await gym.until(id, 'failed')
  await gym.client.patchQueue({ body: { paused: false } })
  await gym.until(next.id, 'failed')
  expect(gym.gym.run(next.id).error?.message).toBe(`The folder of this run is missing: ${next.folder}. Run it again.`)
})

it('finds a trainer whose handle was not stored: the app was killed right after it started one', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 60, holdAt: 2 }) })
  await gym.untilStep(id, 2)
  const { dataDir } = gym.core.config
  gym.core.db.prepare('UPDATE runs SET handle = NULL WHERE id = ?').run(id)
  await gym.close({ keep: true })
  gym = await openGym({ dataDir })
  gym.letGo(id)
  await gym.until(id, 'completed')
  expect(await stepsOf(id)).toEqual(upTo(60))
})

it('loses no tag that two windows add or remove in the same instant', async () => {
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

it('keeps presets, tags, notes and stars', async () => {
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

it('says before a start what would not work, and refuses it with the same words', async () => {
  const write = (text: string) => {
    const file = path.join(gym.core.config.dataDir, `rows-${text.length}.jsonl`)
    fs.writeFileSync(file, text)
    return file
  }
  const fine = '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}\n'
  const noTargets = TrainMethod.parse({ kind: 'lora', targets: ['q_prj', 'wq'] })
  const cases = [
    [{ file: write('') }, /no rows to train on/],
    [{ file: write(`${fine}{"text":"x"}\n`) }, /Row 2: it has no messages, which sft needs; it has text/],
    [{ file: write(`${fine}not json\n`) }, /Row 2: it is not valid JSON/],
    [{ strategy: 'dpo' as const }, /Row 1: it has no prompt, which dpo needs/],
    [{ settings: { batchSize: 4, microBatch: 3 } }, /not a multiple of micro-batch size/],
    [{ settings: { device: 'cuda' as const } }, /No GPU was found/],
    [{ settings: { method: noTargets } }, /no module named q_prj or wq/],
  ] as const
  for (const [more, sentence] of cases) {
    const body = gym.request({ steps: 1 }, more)
    const plan = await gym.client.planRun({ body })
    expect(plan.notes.find(({ level }) => level === 'refusal')?.message).toMatch(sentence)
    await expect(gym.client.startRun({ body })).rejects.toMatchObject({
      code: 'run_refused',
      message: expect.stringMatching(sentence) as string,
    })
  }
  await expect(gym.client.planRun({ body: { ...gym.request({ steps: 1 }), baseModel: 'no/such' } })).rejects.toMatchObject({
    code: 'base_model_not_found',
  })
  await expect(gym.client.planRun({ body: gym.request({ steps: 1 }, { file: '/nowhere.jsonl' }) })).rejects.toMatchObject({
    code: 'path_refused',
  })
})

it('leaves out and counts the rows that the chat template cannot write, and refuses only where they are many', async () => {
  const body = gym.request({ steps: 1 })
  const template =
    "{% for m in messages %}{% if 'never' in m.content %}{{ raise_exception('said never') }}{% endif %}{% if m.role != 'system' %}{{ m.content }}{% endif %}{% endfor %}"
  writeTokenizer(body.baseModel, { chat_template: template })
  fs.writeFileSync(path.join(body.baseModel, 'chat_template.jinja'), template)
  const ask = (content: string) => [{ role: 'system', content: 'Be brief' }, { role: 'user', content }, { role: 'assistant', content: 'it' }] // prettier-ignore
  const file = path.join(gym.core.config.dataDir, 'system.jsonl')
  const notesOf = async (rows: ReturnType<typeof ask>[]) => {
    fs.writeFileSync(file, rows.map((messages) => `${JSON.stringify({ messages })}\n`).join(''))
    return (await gym.client.planRun({ body: { ...body, file } })).notes
  }
  const fine = Array.from({ length: 20 }, () => ask('Say it'))
  const few = await notesOf([...fine, ask('never')])
  expect(few).toContainEqual(expect.objectContaining({ level: 'warning', code: 'template_refused', row: 21, message: '1 of 21 rows cannot be written with this chat template. They are left out. 1 times: The chat template rejected the row: said never' })) // prettier-ignore
  expect(few).toContainEqual(expect.objectContaining({ level: 'info', code: 'system_moved', message: expect.stringMatching(/^20 of 21 rows have their system prompt/) as string })) // prettier-ignore
  const many = await notesOf([...fine, ask('never'), ask('never'), ask('never')])
  expect(many).toContainEqual(expect.objectContaining({ level: 'refusal', code: 'template_refused', message: expect.stringMatching(/^3 of 23 rows.* 3 times: .*Row 21: .*said never/) as string })) // prettier-ignore
})

it.each([
  [{ architectures: ['BertForMaskedLM'] }, /It is a BertForMaskedLM, which does not generate text/],
  [{ architectures: ['Qwen3Model'] }, /It is a Qwen3Model, which does not generate text/],
  [{ architectures: ['T5ForConditionalGeneration'], is_encoder_decoder: true }, /an encoder-decoder model/],
  [{ architectures: ['Qwen2ForCausalLM'] }, /^$/],
  [{ architectures: ['GPT2LMHeadModel'] }, /^$/],
  [{ architectures: ['Gemma3ForConditionalGeneration'] }, /^$/],
])('takes models that write text, and refuses others before a start: %o', async (config, sentence) => {
  const body = gym.request({ steps: 1 })
  const file = path.join(body.baseModel, 'config.json')
  fs.writeFileSync(file, JSON.stringify({ ...(JSON.parse(fs.readFileSync(file, 'utf8')) as object), ...config }))
  const { notes } = await gym.client.planRun({ body })
  expect(notes.find(({ code }) => code === 'base_model')?.message ?? '').toMatch(sentence)
})

const refusals = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../trainers/tests/refusals.json'), 'utf8')) as {
  name: string
  strategy: TrainStrategy
  message: string
  hint: string
  rows: object[]
  settings: RunRequest['settings']
}[]
it.each(refusals)('refuses in the words of the trainers: $strategy, $name', async ({ strategy, message, hint, rows, settings }) => {
  const file = path.join(gym.core.config.dataDir, 'refused.jsonl')
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const asked = gym.request({ steps: 1 }, { file, strategy, settings })
  const body = { ...asked, ...(strategy === 'distillation' && { teacher: asked.baseModel }) }
  const { notes } = await gym.client.planRun({ body })
  expect(notes.filter(({ level }) => level === 'refusal')).toMatchObject([{ message, hint, field: expect.any(String) as string }])
  await expect(gym.client.startRun({ body })).rejects.toMatchObject({ code: 'run_refused', message, hint })
})

it('counts the steps of a run that learns from its own answers as its trainer does: those that are full', async () => {
  const file = path.join(gym.core.config.dataDir, 'prompts.jsonl')
  fs.writeFileSync(file, `${JSON.stringify({ prompt: [{ role: 'user', content: 'Say it' }], answer: 'it' })}\n`.repeat(5))
  const stepsOfPlan = async (more: Partial<RunRequest>) => {
    const asked = gym.request({ steps: 1 }, { file, ...more })
    return (await gym.client.planRun({ body: { ...asked, teacher: asked.baseModel } })).stepsPerEpoch
  }
  const rewarded = { batchSize: 8, generations: 4, maxCompletion: 8, rewards: [{ kind: 'exact' as const, weight: 1 }] }
  expect(await stepsOfPlan({ strategy: 'grpo', settings: rewarded })).toBe(2)
  expect(await stepsOfPlan({ strategy: 'distillation', settings: { batchSize: 4, maxCompletion: 8 } })).toBe(1)
  expect(await stepsOfPlan({ strategy: 'distillation', settings: { batchSize: 4, distill: 'text' } })).toBe(2)
})

it('says of prompts without room for an answer that they are left out, not cut off', async () => {
  const file = path.join(gym.core.config.dataDir, 'long.jsonl')
  const ask = (words: number) => JSON.stringify({ prompt: [{ role: 'user', content: 'word '.repeat(words) }], answer: 'it' })
  fs.writeFileSync(file, `${ask(1)}\n${ask(1)}\n${ask(2000)}\n`)
  const settings = { batchSize: 8, generations: 4, maxLength: 512, maxCompletion: 480, rewards: [{ kind: 'exact' as const, weight: 1 }] }
  const { notes, leftOut, trainedTokens } = await gym.client.planRun({ body: gym.request({ steps: 1 }, { file, strategy: 'grpo', settings }) }) // prettier-ignore
  expect(leftOut).toBe(1)
  expect(trainedTokens).toBeNull() // the model writes them itself
  expect(notes.find(({ code }) => code === 'prompts_left_out')?.message).toBe('1 of 3 prompts are longer than 32 tokens (max length minus max answer length) and are excluded.') // prettier-ignore
})

it('does not blame prompts for settings that leave them no room', async () => {
  const body = gym.request({ steps: 1 })
  writeTokenizer(body.baseModel, { chat_template: '{{ messages[0].content }}' })
  fs.writeFileSync(path.join(body.baseModel, 'chat_template.jinja'), '{{ messages[0].content }}')
  const file = path.join(gym.core.config.dataDir, 'short.jsonl')
  fs.writeFileSync(file, `${JSON.stringify({ prompt: [{ role: 'user', content: 'Say it' }], answer: 'it' })}\n`.repeat(4))
  const settings = { batchSize: 8, generations: 4, maxLength: 128, maxCompletion: 512, rewards: [{ kind: 'exact' as const, weight: 1 }] }
  const { notes } = await gym.client.planRun({ body: { ...body, file, strategy: 'grpo', settings } })
  const refusals = notes.filter(({ level }) => level === 'refusal')
  expect(refusals).toMatchObject([{ message: expect.stringContaining('leaves no room for a prompt') as string }])
})

it('counts what carries loss up to where rows are cut off, and refuses rows that have none before it', async () => {
  const file = path.join(gym.core.config.dataDir, 'late.jsonl')
  const row = {
    messages: [
      { role: 'user', content: 'word '.repeat(500) },
      { role: 'assistant', content: 'it' },
    ],
  }
  fs.writeFileSync(file, `${JSON.stringify(row)}\n`.repeat(3))
  const planned = (maxLength: number) => gym.client.planRun({ body: gym.request({ steps: 1 }, { file, settings: { maxLength } }) })
  const { trainedTokens, notes } = await planned(64)
  expect(trainedTokens).toBe(0)
  expect(notes.find(({ code }) => code === 'no_trained_tokens')).toMatchObject({ level: 'refusal', message: 'No row has a trained token within 64 tokens.', field: 'maxLength' }) // prettier-ignore
  const whole = await planned(4096)
  expect(whole.trainedTokens).toBeGreaterThan(0)
  expect(whole.notes.map(({ code }) => code)).not.toContain('no_trained_tokens')
})

it('advises on each field once, with settings that do what it says', async () => {
  const file = path.join(gym.core.config.dataDir, 'advice.jsonl')
  const long = { messages: [{ role: 'user', content: 'word '.repeat(500) }, { role: 'assistant', content: 'it' }] } // prettier-ignore
  const short = { messages: [{ role: 'user', content: 'Say it' }, { role: 'assistant', content: 'it' }] } // prettier-ignore
  fs.writeFileSync(file, `${`${JSON.stringify(short)}\n`.repeat(60)}${JSON.stringify(long)}\n`)
  const settings = { maxLength: 64, learningRate: 0.5, epochs: 1, batchSize: 16 }
  const planned = (more: RunRequest['settings']) => gym.client.planRun({ body: gym.request({ steps: 1 }, { file, settings: { ...settings, maxSteps: null, ...more } }) }) // prettier-ignore
  const { notes } = await planned({})
  const advice = notes.flatMap(({ code, apply }) => (apply === null ? [] : [[code, apply] as const]))
  expect(Object.fromEntries(advice)).toEqual({
    answers_left_out: { maxLength: 2048 },
    high_rate: { learningRate: 0.0002 },
    few_steps: { batchSize: 2 },
  })
  const better = await planned(Object.assign({}, ...advice.map(([, apply]) => apply)) as RunRequest['settings'])
  expect(better.notes.filter(({ level }) => level !== 'info')).toEqual([])
  expect(better.leftOut).toBe(0)
})

it('does not hand on validation rows of which none fits, and says so', async () => {
  const row = (words: number) => `${JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(words) }, { role: 'assistant', content: 'it' }] })}\n` // prettier-ignore
  const [file, valFile] = ['fits.jsonl', 'fits-not.jsonl'].map((name) => path.join(gym.core.config.dataDir, name)) as [string, string]
  fs.writeFileSync(file, row(3).repeat(4))
  fs.writeFileSync(valFile, row(500))
  const plan = await gym.client.planRun({ body: gym.request({ steps: 1 }, { file, valFile, settings: { maxLength: 64 } }) })
  expect(plan).toMatchObject({ rows: 4, leftOut: 0, valRows: 0, config: { data: { val: null } } })
  expect(plan.notes.find(({ code }) => code === 'validation_left_out')).toMatchObject({ level: 'warning', apply: { maxLength: 2048 } })
})

it('advises no length that the model does not take', async () => {
  const file = path.join(gym.core.config.dataDir, 'too-long.jsonl')
  const row = { messages: [{ role: 'user', content: 'word '.repeat(500) }, { role: 'assistant', content: 'it' }] } // prettier-ignore
  fs.writeFileSync(file, `${JSON.stringify(row)}\n`)
  const body = gym.request({ steps: 1 }, { file, settings: { maxLength: 64 } })
  const config = path.join(body.baseModel, 'config.json')
  fs.writeFileSync(config, JSON.stringify({ ...(JSON.parse(fs.readFileSync(config, 'utf8')) as object), max_position_embeddings: 64 }))
  const { notes } = await gym.client.planRun({ body })
  expect(notes.find(({ code }) => code === 'no_trained_tokens')).toMatchObject({
    apply: null,
    hint: 'Choose a base model that supports more than 64 tokens to keep them.',
  })
})

it('does not start what the memory will not hold, unless that is wanted', async () => {
  const device = { kind: 'cpu' as const, name: 'small', totalBytes: 2e8, freeBytes: 1e8, cores: 1 }
  const small = await openGym({ deps: { devices: async () => ({ items: [device], problem: null }) } })
  const body = small.request({ steps: 1 })
  const { fits, notes } = await small.client.planRun({ body })
  expect([fits, notes[0]]).toMatchObject(['no', { level: 'refusal', code: 'memory' }])
  await expect(small.client.startRun({ body })).rejects.toMatchObject({ code: 'run_refused' })
  const { id } = await small.client.startRun({ body: { ...body, overrideMemory: true } })
  await small.until(id, 'completed')
  expect(small.gym.run(id).estimateBytes).toBeGreaterThan(1e8)
  await small.close()
})

it('says of a trainer that hangs that nothing is heard of it, until it is ended', async () => {
  let late = 0
  const other = await openGym({ now: () => Date.now() + late })
  const { id } = await other.client.startRun({ body: other.request({ steps: 9, at: 6, end: 'hang' }) })
  await other.untilStep(id, 6)
  expect(other.gym.run(id).health).toEqual([])
  const healthCodes = new Promise<string[]>((resolve) => {
    other.core.events.subscribe(({ type, payload }) => {
      if (type === 'training:changed' && payload.run.health.length > 0) resolve(payload.run.health.map(({ code }) => code))
    })
  })
  late = 61_000
  expect(await healthCodes).toEqual(['stalled'])
  expect(other.gym.run(id)).toMatchObject({ state: 'running', health: [{ step: 6, evidence: { allowedSec: 60 } }] })
  await other.client.patchQueue({ body: { paused: true } })
  const waiting = await other.client.startRun({ body: other.request({ steps: 1 }) })
  expect(other.gym.stage.figures!()).toEqual({
    runs: { total: 2, byState: { running: 1, queued: 1 } },
    queue: { waiting: 1, paused: true },
  })
  expect(other.gym.stage.checks!()).toEqual({ runs: 'stalled', queue: 'paused' })
  await other.client.cancelRun({ params: { id: waiting.id }, body: {} })
  expect(await other.client.cancelRun({ params: { id }, body: {} })).toMatchObject({ state: 'cancelled', health: [] })
  await other.close()
})
