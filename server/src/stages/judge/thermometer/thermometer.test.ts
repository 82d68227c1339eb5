import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exam } from '#contracts/entities/exam.ts'
import type { ThermometerReading } from '#contracts/entities/thermometer.ts'
import type { Stub } from '#server/adapters/llm/testing-stub.ts'
import { newFolder, useFolder } from '#server/testing/folders.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { runAgainst } from '#server/testing/use.ts'
import {
  askedFor,
  done,
  ended,
  endpoint,
  importSessions,
  makeExam,
  scripted,
  sessionId,
  startScripted,
  writeSession,
} from '../exam/testing-exam.ts'

const DAY = 24 * 3600_000
const folder = useFolder()
const config = testConfig()
let now = Date.UTC(2026, 9, 1)
let server: TestServer
let stub: Stub
/** Sessions of which the model has lost every call. */
let lost: (session: number) => boolean = () => false
let isDown = false
let exam: Exam
let traces: string[]

const start = async () => {
  server = await startTestServer({ config: { ...config, remove: () => undefined } as typeof config, now: () => now })
}
const restart = async () => {
  await server.close()
  await start()
}
const readings = async (): Promise<ThermometerReading[]> => (await server.client.listThermometerReadings({ query: {} })).items
/** Waits until the newest reading has been taken, and returns it. */
const taken = async (count: number): Promise<ThermometerReading> => {
  await expect.poll(async () => (await readings()).length, { timeout: 20_000 }).toBe(count)
  await ended(server.client, (await readings())[0]!.run)
  return (await readings())[0]!
}
const request = (more: object = {}) => ({ exam: exam.id, model: endpoint(stub, 'better'), ...more })

beforeAll(async () => {
  stub = await startScripted((asked) => {
    const { session } = askedFor(asked)
    if (isDown) return { status: 400, json: { error: { message: 'No.' } } }
    return scripted(lost(session) ? { ...asked, body: { ...asked.body, model: 'none of its calls is right' } } : asked)
  })
  await start()
  traces = await importSessions(server.client, folder, 0, 24)
  exam = await makeExam(server.client, traces.slice(0, 22), { name: 'Mine', callsPerSession: 2 })
}, 120_000)
afterAll(async () => {
  await server.close()
  await stub.close()
  config.remove()
})

test('it is off by default, and a plan or a look sends nothing', async () => {
  expect(await server.client.getThermometer()).toEqual({ isOn: false, request: null, nextAt: null, problem: null })
  const plan = await server.client.planThermometer({ body: request({ every: 'month' }) })
  expect(plan).toMatchObject({
    items: 44,
    requests: 44,
    mostUsd: 0,
    mostPerMonth: 1,
    refusals: [],
    model: { label: expect.stringContaining('better') },
  })
  await expect(server.client.readThermometer()).rejects.toMatchObject({ code: 'thermometer_off' })
  const outside = await server.client.planThermometer({ body: request({ model: endpoint({ url: 'https://models.example' }, 'x') }) })
  expect(outside.refusals[0]!.message).toContain('cost limit')
  await expect(
    server.client.switchThermometerOn({ body: request({ model: endpoint({ url: 'https://models.example' }, 'x') }) }),
  ).rejects.toMatchObject({ code: 'exam_run_refused' })
  expect(await server.client.getThermometer()).toMatchObject({ isOn: false })
  expect(stub.received).toHaveLength(0)
})

test('switched on it takes one reading: the model alone, each item once; it has a level and nothing to compare with', async () => {
  const on = await server.client.switchThermometerOn({ body: request() })
  expect(on).toMatchObject({ isOn: true, nextAt: new Date(now + 7 * DAY).toISOString() })
  const first = await taken(1)
  expect(first).toMatchObject({ reason: 'on', change: null, client: '2.1.329', run: { state: 'completed', owed: 0, isReading: true } })
  expect(first.level!.low).toBeLessThan(first.level!.mean)
  expect(stub.received).toHaveLength(44)
  const params = { id: exam.id, run: first.run.id }
  await expect(server.client.decideExamRun({ params })).rejects.toMatchObject({ code: 'exam_run_refused' })
  await server.client.switchThermometerOn({ body: request({ every: 'month' }) })
  await server.client.switchThermometerOn({ body: request() })
  expect(stub.received).toHaveLength(44)
})

test('a model that lost sessions falls against its own last answers, and the items that changed are there; nobody is asked for those', async () => {
  lost = (session) => session < 12
  stub.received.length = 0
  await server.client.readThermometer()
  const fell = await taken(2)
  expect(stub.received).toHaveLength(44)
  expect(fell.reason).toBe('user')
  expect(fell.change).toMatchObject({ shows: 'fall', items: 44, sessions: 22, wins: 0 })
  const params = { id: exam.id, run: fell.run.id }
  const losses = (await server.client.listExamItems({ params, query: { only: 'losses', limit: '100' } })).items
  expect(losses).toHaveLength(fell.change!.losses)
  expect(losses[0]).toMatchObject({ difference: -1, base: { state: 'pass' }, model: { state: 'fail' } })
  lost = () => false
  await server.client.readThermometer()
  expect((await taken(3)).change).toMatchObject({ shows: 'rise', losses: 0, earlier: fell.run.id })
})

test('what an endpoint refused is owed, and repeated on the one side only', async () => {
  isDown = true
  await server.client.readThermometer()
  const failed = await taken(4)
  expect(failed.run).toMatchObject({ state: 'failed' })
  isDown = false
  stub.received.length = 0
  const params = { id: exam.id, run: failed.run.id }
  await ended(server.client, await server.client.repeatOwedExamItems({ params }))
  const repeated = await taken(4)
  expect(repeated).toMatchObject({ run: { state: 'completed', owed: 0 }, change: { items: 44, wins: 0, losses: 0, shows: 'nothing' } })
  expect(stub.received).toHaveLength(44)
})

test('with another exam only the items that both have are compared, and it says so', async () => {
  const other = await makeExam(server.client, traces.slice(10), { name: 'Other', callsPerSession: 2 })
  await server.client.switchThermometerOn({ body: request({ exam: other.id }) })
  const reading = await taken(5)
  expect(reading).toMatchObject({ reason: 'on', change: { items: 24, sessions: 12 }, run: { items: 28, owed: 0 } })
  expect(reading.notes).toContain('Compared on the 24 items that both have: this reading has 28, the one before 44.')
  await server.client.switchThermometerOn({ body: request() })
  await taken(6)
})

test('dates that were missed are one reading at the next start, and a clock that jumps does not start ten', async () => {
  now += 40 * DAY
  await restart()
  expect(await taken(7)).toMatchObject({ reason: 'date', run: { state: 'completed' } })
  await restart()
  now += 3650 * DAY
  await restart()
  expect(await taken(8)).toMatchObject({ reason: 'date' })
  now -= 3650 * DAY
  await restart()
  await expect.poll(async () => (await server.client.getThermometer()).nextAt).toBe(new Date(now + 7 * DAY).toISOString())
  now += 6 * DAY
  await restart()
  await server.client.switchThermometerOn({ body: request({ every: 'never' }) }) // waits for the look at the start
  expect(await readings()).toHaveLength(8)
})

test('a new version of the client in the sessions starts one reading', async () => {
  now = Date.UTC(2026, 9, 20)
  await restart()
  await server.client.switchThermometerOff()
  await server.client.switchThermometerOn({ body: request({ every: 'never' }) })
  await taken(9)
  now += 2 * DAY
  const more = newFolder()
  writeSession(more, 60)
  const file = path.join(more, `${sessionId(60)}.jsonl`)
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('2.1.329', '2.1.400'))
  await done(server.client, await server.client.startImport({ body: { paths: [more] } }))
  const reading = await taken(10)
  expect(reading).toMatchObject({ reason: 'client', client: '2.1.400' })
  expect(reading.notes).toContain('Claude Code was 2.1.329 before.')
})

test('switched off it takes none, whatever the date', async () => {
  await server.client.switchThermometerOff()
  now += 40 * DAY
  stub.received.length = 0
  await restart()
  await expect(server.client.readThermometer()).rejects.toMatchObject({ code: 'thermometer_off' })
  expect(await readings()).toHaveLength(10)
  expect(stub.received).toHaveLength(0)
  expect(server.contractViolations).toEqual([])
})

test('the command line shows, plans, switches on, reads and switches off', async () => {
  const cli = async (...args: string[]) => {
    const { code, out } = await runAgainst(server, ['thermometer', ...args, '--json'])
    return { code, document: JSON.parse(out) as { isOn: boolean; requests: number; run: { state: string }; items: unknown[] } }
  }
  const model = ['--exam', exam.id, '--model', `${stub.url}#better`, '--every', 'month']
  expect(await cli('on', ...model, '--plan')).toMatchObject({ code: 0, document: { requests: 44 } })
  expect(await cli()).toMatchObject({ code: 0, document: { isOn: false } })
  expect(await cli('on', ...model)).toMatchObject({ code: 0, document: { isOn: true } })
  await taken(11)
  expect(await cli('run')).toMatchObject({ code: 0, document: { run: { state: 'completed' } } })
  expect((await cli('list')).document.items).toHaveLength(12)
  expect(await cli('off')).toMatchObject({ code: 0, document: { isOn: false } })
})
