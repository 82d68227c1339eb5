import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { overrideWords } from '#contracts/router-words.ts'
import { type Reply, startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { runAgainst } from '#server/testing/use.ts'

let teacher: Stub
let student: Stub
let server: Awaited<ReturnType<typeof startTestServer>>
let reply: Reply
const use = (router: object) => server.client.patchSettings({ body: { router } })

beforeAll(async () => {
  teacher = await startStub(() => ({ text: 'from the teacher' }))
  student = await startStub(() => reply)
  const config = testConfig()
  server = await startTestServer({ config: { ...config, providers: { ...config.providers, anthropicBaseUrl: teacher.url } } })
})
afterAll(async () => {
  await server.close()
  await teacher.close()
  await student.close()
})
beforeEach(() => {
  teacher.received.length = 0
  student.received.length = 0
  reply = { text: 'from the student' }
})

test('without a model that may be used the provider answers; without a provider the error says what is missing', async () => {
  const { client } = server
  await expect(client.generate({ body: { prompt: 'fix typo' } })).rejects.toMatchObject({
    code: 'provider_unavailable',
    message: expect.stringContaining('Anthropic needs a key') as string,
  })
  await client.setProviderKey({ params: { id: 'anthropic' }, body: { key: 'sk-ant-test-key' } })
  const answer = await client.generate({ body: { prompt: 'fix typo', system: 'Be brief.' } })
  expect(answer).toMatchObject({
    text: 'from the teacher',
    model: expect.stringContaining('claude') as string,
    usage: { input: expect.any(Number) as number },
    decision: { selectedModel: 'teacher', cause: 'strategy', fallback: false, taskComplexity: 0, status: 200, session: null },
  })
  expect(answer.decision.costUsd).toBeGreaterThan(0)
  expect(teacher.received[0]!.body).toMatchObject({ system: 'Be brief.', messages: [{ role: 'user', content: 'fix typo' }] })
  expect((await client.listRouteDecisions({ query: {} })).items.map(({ id }) => id)).toContain(answer.decision.id)
})

test('the student answers only as far as the proof or the words of the user go; what it cannot answer the provider does, counted', async () => {
  const { client } = server
  await use({ strategy: 'student_only', studentModel: 'tiny', studentAddress: student.url })
  expect((await client.generate({ body: { prompt: 'fix typo' } })).decision).toMatchObject({ selectedModel: 'teacher' })
  expect(student.received).toEqual([])

  await use({ override: overrideWords('tiny') })
  const { out } = await runAgainst(server, ['route', 'fix typo', '--generate'])
  expect(out).toMatch(/^from the student\n\ngym-tiny-\w+, student \(tiny\): The strategy sends everything to the student\.\n/)
  expect(teacher.received).toHaveLength(1)
  const [mine] = (await client.listRouteDecisions({ query: { by: 'student' } })).items
  // it runs on this machine, so what Claude would have cost is saved
  expect(mine).toMatchObject({ selectedModel: 'student', costUsd: 0, teacherUsd: expect.any(Number) as number, status: 200 })

  reply = { status: 503 }
  const lost = await client.generate({ body: { prompt: 'fix typo' } })
  expect(lost).toMatchObject({ text: 'from the teacher', decision: { selectedModel: 'teacher', fallback: true, teacherUsd: null } })
  expect(lost.decision.reason).toContain('The student did not answer')
  const stats = await client.getRouteStats({})
  expect(stats.student).toEqual({ answers: 1, failed: 0, fallbacks: 1 })
  // asked, and paid for at Claude all the same: nothing is saved by it
  expect(stats.saved).toEqual({ usd: mine!.teacherUsd, answers: 1, unpriced: 0 })

  const { out: kept } = await runAgainst(server, ['router', 'outcome', mine!.id!, 'right'])
  expect(kept).toBe(`Decision ${mine!.id}: right, reported\n`)
  const { out: list } = await runAgainst(server, ['router', 'decisions'])
  expect(list).toMatch(/tiny .*right, reported +The strategy sends everything to the student/)
  expect(list).toMatch(/claude\S* instead of tiny .*not measured +The student did not answer/)
  expect((await runAgainst(server, ['router', 'outcome', mine!.id!, 'maybe'])).code).toBe(2)
  expect(server.contractViolations).toEqual([])
})

test('a provider that fails is an error with its reason, and a decision with it', async () => {
  await use({ strategy: 'teacher_only' })
  await teacher.close()
  await expect(server.client.generate({ body: { prompt: 'fix typo' } })).rejects.toMatchObject({ code: 'teacher_failed' })
  const [last] = (await server.client.listRouteDecisions({ query: {} })).items
  expect(last).toMatchObject({
    model: expect.stringContaining('claude') as string,
    error: expect.stringContaining('could not be reached') as string,
    outcome: null,
  })
})
