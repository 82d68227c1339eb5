import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Student } from '#contracts/entities/router.ts'
import { RouterSettings, RoutingStrategy } from '#contracts/settings/router.ts'
import { openCore } from '#server/testing/core.ts'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { runAgainst, useServer } from '#server/testing/use.ts'
import { addSessions, addVerdict } from '../../loop/testing-sessions.ts'
import { complexityOf } from './complexity.ts'
import { CLIENT_ENDED } from '#server/adapters/llm-proxy/index.ts'
import { createDecisions } from '../proxy/store.ts'
import { createDrift, isLook } from './drift.ts'
import { createRouting } from './service.ts'
import { choose, rateAfter, shareOf } from './strategy.ts'

const words = (n: number) => Array.from({ length: n }, () => 'word').join(' ')

test.each([
  ['fix typo', 0],
  [words(50), 0],
  [words(60), 0.1],
  [words(101), 0.2],
  [words(201), 0.3],
  ['optimize the async deploy, then test it', 0.5],
  ['Refactoring, REFACTOR, refactored', 0.1],
  ['undeployed redatabase', 0],
  ['authenticate stepwise', 0],
  ['refactor optimize debug async scale security, first', 0.6],
  [`${words(201)} refactor optimize debug async scale then`, 0.9],
  ['', 0],
])('the complexity of %j is %f', (prompt, expected) => expect(complexityOf(prompt)).toBe(expected))

const facts = { complexity: 0.3, proof: 0.75, threshold: 0.7, rate: 0.1, draw: 0.5 }

test.each([
  ['teacher_only', {}, 'teacher', null],
  ['student_only', {}, 'student', 0.75],
  ['confidence_based', {}, 'student', 0.75],
  ['confidence_based', { proof: 0.7 }, 'student', 0.7],
  ['confidence_based', { proof: 0.69 }, 'teacher', 0.69],
  ['confidence_based', { proof: null }, 'teacher', null],
  ['task_complexity', { complexity: 0.5 }, 'student', 0.5],
  ['task_complexity', { complexity: 0.6 }, 'teacher', 0.6],
  ['progressive', { draw: 0.09 }, 'student', 0.75],
  ['progressive', { draw: 0.1 }, 'teacher', 0.75],
  ['random_sample', { draw: 0.49 }, 'student', 0.75],
  ['random_sample', { draw: 0.5 }, 'teacher', 0.75],
] as const)('%s with %j chooses the %s', (strategy, changes, model, confidence) => {
  expect(choose(strategy, { ...facts, ...changes })).toMatchObject({ model, confidence })
})

test('progressive follows its reports in steps, within its bounds', () => {
  const bounds = { studentSampleRate: 0.1, maxStudentRate: 0.9 }
  const after = (...rates: number[]) => rates.reduce((rate, success) => rateAfter(rate, success, bounds), 0.1)
  expect(after(0.81)).toBe(0.15)
  expect(after(0.8)).toBe(0.1)
  expect(after(0.9, 0.5, 0.9)).toBe(0.2)
  expect(after(0.9, 0.9, 0.49)).toBe(0.15)
  expect(after(0.1)).toBe(0.1)
  expect(after(...Array.from({ length: 40 }, () => 1))).toBe(0.9)
  expect(rateAfter(0.5, 0.7, { studentSampleRate: 0.9, maxStudentRate: 0.2 })).toBe(0.2)
})

test.each(RoutingStrategy.options)('over many conversations %s gives the student the share it states', (strategy) => {
  const n = 100_000
  const draws = Array.from({ length: n }, (_, at) => at / n)
  const students = draws.filter((draw) => choose(strategy, { ...facts, draw }).model === 'student').length
  expect(students / n).toBeCloseTo(shareOf(strategy, facts) ?? 1, 4) // the complexity of these facts is low
})

describe('without a proof', () => {
  const server = useServer()

  test('no strategy sends anything to the student', async () => {
    const client = server.client
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...RoutingStrategy.options), fc.string({ maxLength: 300 }), async (strategy, prompt) => {
        await client.patchSettings({ body: { router: { strategy } } })
        const decision = await client.routePrompt({ body: { prompt } })
        expect(decision).toMatchObject({ selectedModel: 'teacher', strategy, student: null, id: null, latencyMs: null })
        expect(await client.getRouting({})).toMatchObject({ share: 0, student: null })
      }),
      { numRuns: 30 },
    )
    await client.patchSettings({ body: { router: { strategy: 'confidence_based' } } })
    const { out } = await runAgainst(server, ['route', 'fix typo'])
    expect(out).toBe(
      'teacher: No model is chosen in Settings → Model in Claude Code.\nstrategy confidence_based, complexity 0, confidence not measured\n',
    )
    expect((await runAgainst(server, ['router', 'resume'])).out).toContain('Share of the student: 0 %.')
    const report = client.reportRouteOutcomes({ body: { successRate: 1, samples: 20 } })
    await expect(report).rejects.toMatchObject({ code: 'model_not_found' })
  })
})

test.each([
  [0, 19, false],
  [19, 20, true],
  [20, 49, false],
  [0, 60, true],
  [200, 399, false],
  [399, 400, true],
])('results are looked at between %i and %i: %s', (before, n, expected) => expect(isLook(before, n)).toBe(expected))

test('verified sessions in which the student worked take its share back; a newer exam gives it again', async () => {
  const core = openCore()
  const limit = 0.7
  const drift = createDrift(core, () => limit)
  const heard: string[] = []
  core.events.subscribe(({ type }) => heard.push(type))
  const conversation = core.db.prepare(
    "INSERT INTO route_conversations (key, prefix, trace_id, model_id, choice, at) VALUES (?, '', ?, ?, '{}', ?)",
  )
  const add = (from: number, to: number, verification: string) => {
    const ids = Array.from({ length: to - from }, (_, no) => `t${from + no}`)
    addSessions(
      core.db,
      ids.map((id) => ({ id, tier: 'gold', verification })),
    )
    for (const id of ids) conversation.run(id, id, 'm', core.now())
  }
  add(0, 19, 'failed')
  drift.look('m', 'Mine')
  expect(drift.open('m')).toBe(null)
  add(19, 20, 'failed')
  drift.look('other', 'Other')
  drift.look('m', 'Mine')
  expect([drift.open('other'), drift.open('m')?.reason]).toEqual([null, expect.stringContaining('20 of the 20 verified sessions')])
  expect(heard).toContain('router:alarm')
  addVerdict(core.db, 'm', 'ship', core.now() + 1000)
  expect(drift.open('m')).toBe(null)
  drift.look('m', 'Mine')
  expect(drift.open('m')).toBe(null)
  await core.close()
})

test('requests that the user broke off say nothing about the student; those that it failed do', async () => {
  const core = openCore()
  const drift = createDrift(core, () => 0.7)
  const decisions = createDecisions(core, { prices: () => [], studentUsd: () => 0 })
  const student = { id: 'm', name: 'Mine', isProven: true }
  const add = (error: string) => {
    const passed = {
      at: core.now() + 1,
      path: '',
      session: 's',
      agent: null,
      model: 'gym-m',
      status: null,
      firstByteMs: null,
      ms: 1,
      usage: null,
      asksForCheck: null,
      error,
    }
    const choice = {
      to: 'student',
      cause: 'named',
      reason: '',
      strategy: 'student_only',
      student,
      confidence: null,
      complexity: null,
      isAsked: true,
      fallback: false,
    } as const
    decisions.add(passed, choice, null)
    drift.look('m', 'Mine')
  }
  for (let no = 0; no < 40; no += 1) add(CLIENT_ENDED)
  expect(drift.open('m')).toBe(null)
  for (let no = 0; no < 20; no += 1) add('It answered with nothing.')
  expect(drift.open('m')?.reason).toContain('20 of 20 requests got no usable answer')
  await core.close()
})

test('a model that an exam proved takes conversations; one that it did not only if the user said so', async () => {
  const core = openCore()
  let student: Student | null = null
  const settings = RouterSettings.parse({ strategy: 'progressive', studentSampleRate: 1, maxStudentRate: 1 })
  const proxy = async () => ({ isOn: false, address: null, upstream: '', problem: null, unchecked: [] })
  const routing = createRouting(core, { settings: () => settings, student: () => student, forced: null, proxy })
  const examined = (letter: string, verdict: string, right: number, more: Partial<Student>): void => {
    const modelId = letter.repeat(26)
    const items = Array.from({ length: 20 }, (_, no) => ({ id: String(no), base: 0, candidate: no < right ? 1 : 0.4 }))
    addVerdict(core.db, modelId, verdict, 1, { items, sessions: 20, forms: { metric: 'next_call.soft' } })
    student = {
      name: `gym-${letter}`,
      modelId,
      label: letter,
      receiver: '',
      certificate: null,
      evidenceSince: null,
      unprovenClient: null,
      isUsable: false,
      reason: 'Not proven.',
      override: '',
      ...more,
    }
  }
  examined('m', 'not_proven', 18, {})
  expect(routing.decide({ prompt: 'fix typo' })).toMatchObject({
    selectedModel: 'teacher',
    reason: 'Not proven.',
    student: { isProven: false },
  })
  expect(await routing.status()).toMatchObject({ share: 0, note: 'Not proven.', isOverridden: false })
  examined('n', 'not_proven', 18, { isUsable: true, reason: 'You chose to use it without proof.' })
  expect(routing.decide({ prompt: 'fix typo' })).toMatchObject({
    selectedModel: 'student',
    evidence: { kind: 'next_calls', passed: 18, items: 20, sessions: 20 },
  })
  expect(routing.decide({ prompt: 'fix typo', kind: 'solved_tasks' })).toMatchObject({ evidence: null, confidence: null })
  expect(await routing.status()).toMatchObject({ share: 1, isOverridden: true })
  examined('p', 'ship', 20, { isUsable: true, certificate: { examId: 'e', run: 'r' }, reason: 'Better.' })
  Object.assign(settings, { studentSampleRate: 0.1, maxStudentRate: 0.9 })
  expect(await routing.reportBatch({ successRate: 0.95, samples: 40 })).toMatchObject({
    rate: 0.15,
    share: 0.15,
    student: { isProven: true },
    reports: [{ successRate: 0.95, samples: 40, rate: 0.15 }],
  })
  student = { ...student!, evidenceSince: new Date(core.now() + 1000).toISOString() }
  expect(await routing.status(), 'all of it is older').toMatchObject({ rate: 0.1, reports: [], evidence: [] })
  student = { ...student, evidenceSince: null, unprovenClient: '2.1.330', override: 'use p without proof' }
  expect(await routing.status()).toMatchObject({ share: 0, note: expect.stringContaining('not proven for this client version') as unknown })
  expect(routing.decide({ prompt: 'fix typo' })).toMatchObject({ selectedModel: 'teacher' })
  student = { ...student, unprovenClient: null }
  Object.assign(settings, { strategy: 'confidence_based', confidenceThreshold: 0.9 })
  expect(routing.decide({ prompt: 'fix typo' })).toMatchObject({
    selectedModel: 'teacher',
    confidence: expect.closeTo(0.8389, 4) as number,
  })
  await core.close()
})

test('the proxy refuses to send a key over an open network or to itself, and follows its settings', async () => {
  const config = testConfig()
  const server = await startTestServer({
    config: { ...config, providers: { ...config.providers, anthropicBaseUrl: 'http://api.example' } },
  })
  try {
    const { client } = server
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const proxyPort = (taken.address() as AddressInfo).port
    await client.patchSettings({ body: { router: { proxy: true, proxyPort } } })
    const proxy = async () => (await client.getRouting({})).proxy
    expect(await proxy()).toMatchObject({ address: null, problem: expect.stringContaining('in use by another program') as unknown })
    taken.close()
    await client.patchSettings({ body: { router: { proxy: false } } })
    await client.patchSettings({ body: { router: { proxy: true } } })
    const { address } = await proxy()
    const reported = new Promise((resolve) => server.app.core.events.subscribe(({ type }) => type === 'router:decision' && resolve(type)))
    const answer = await fetch(`${address}/v1/messages`, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('is not encrypted, so your key is not sent there')])
    await reported
    await expect.poll(async () => (await client.listRouteDecisions({ query: {} })).items[0]?.error).toContain('is not encrypted')
    expect(await client.getRouteStats({})).toMatchObject({ requests: 1, failed: 1, sessions: 0, tokens: null, firstTokenMs: null })
    const step = { model: 'gym-x', agentId: 'a', version: '2.1.329', task: 'Count.', messages: [] }
    expect(await client.answerStep({ body: step })).toMatchObject({
      failed: true,
      text: expect.stringContaining('no model is chosen') as unknown,
    })
    expect((await client.getRouteStats({})).mod).toMatchObject({ steps: 0, failed: 1, agents: 1, tokens: null, latencyMs: null })
    expect(await client.getModelWork({ params: { id: 'm' } })).toMatchObject({ steps: 0, failed: 0, sessions: 0, lastAt: null })
    await client.patchSettings({ body: { router: { proxy: false } } })
    expect(await proxy()).toMatchObject({ address: null, isOn: false })
    await expect(fetch(address!)).rejects.toThrow('fetch failed')
    expect(server.contractViolations).toEqual([])
  } finally {
    await server.close()
  }
})
