import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '#contracts/entities/job.ts'
import type { ShellGeneration } from '#contracts/entities/shell-generation.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { type Reply, startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

const answer = ({ task, setup, check }: { task: string; setup: string; check: string }) =>
  `# Step 1\nx\n\n## Description\n${task}\n\n## Set-up commands\n\`\`\`bash\n${setup}\n\`\`\`\n\n## Success condition\n\`\`\`bash\n${check}\n\`\`\`\n`
const count = (name: string) => ({
  task: `Put the number of ${name} that /srv/${name} lists into /srv/out-${name}.`,
  setup: `mkdir -p /srv\nseq 3 44 > /srv/${name}`,
  check: `[ "$(wc -l < /srv/${name})" -gt 40 ] && [ "$(cat /srv/out-${name})" = "$(wc -l < /srv/${name})" ]`,
})
const solution = (name: string): string[] => [`# count\nwc -l < /srv/${name} > /srv/out-${name}`, 'exit']

describe.skipIf(findBubblewrap() === null)('new shell tasks from a model', () => {
  let server: TestServer
  let stub: Stub
  /** Answers of the writer in order; commands of the solver by a word of the task. */
  let answers: Reply[] = []
  let solves: Record<string, readonly string[] | 'hang'> = {}
  let written = 0
  const { remove, ...config } = testConfig() // the folder outlives a server
  const open = async () => {
    server = await startTestServer({ config: { ...config, sandboxes: { running: 4, queue: 100 } } })
    await importHeldOut()
  }
  beforeAll(async () => {
    stub = await startStub(({ body }) => {
      const texts = body.messages.map(({ content }) => content)
      if (texts.some((text) => text.startsWith('You write tasks'))) return answers[Math.min(written++, answers.length - 1)]!
      const task = body.messages.find(({ role }) => role === 'user')!.content
      const script = Object.entries(solves).find(([word]) => task.includes(word))?.[1] ?? ['exit']
      return script === 'hang' ? 'hang' : { text: script[body.messages.filter(({ role }) => role === 'assistant').length] ?? 'exit' }
    })
    await open()
  })
  afterAll(async () => {
    await server.close()
    remove()
    await stub.close()
  })
  const importHeldOut = async () => {
    const row = { task: count('herons').task, success_condition: 'test -e /srv/x' }
    await ended(await server.client.importShellTasks({ body: { text: JSON.stringify(row), split: 'exam-heldout' } }))
  }
  const ended = async ({ id }: Job): Promise<Job> => {
    await server.app.core.jobs.wait(id)
    return server.client.getJob({ params: { id } })
  }
  const bodyOf = (more: object = {}) => ({
    endpoint: { kind: 'url' as const, baseUrl: stub.url, model: 'scripted' },
    targets: { '1': 1 },
    rollouts: 2,
    concurrency: 1,
    ...more,
  })
  const generated = async (more: object = {}): Promise<ShellGeneration> => {
    written = 0
    const { state, result, error } = await ended(await server.client.generateShellTasks({ body: bodyOf(more) }))
    expect([state, error]).toEqual(['completed', null])
    return result as ShellGeneration
  }

  it('shows the requests and their cost before anything is sent', async () => {
    const before = stub.received.length
    const plan = await server.client.planShellGeneration({ body: bodyOf({ targets: { '1': 2, '4': 1 } }) })
    expect(plan).toMatchObject({ wanted: 3, costUsd: null, refusals: [], model: 'scripted' })
    expect(plan.prompts.map(({ difficulty }) => difficulty)).toEqual([1, 4])
    expect(plan.prompts[0]!.prompt).toContain('# Task B')
    expect(stub.received).toHaveLength(before)
    const refused = await server.client.planShellGeneration({ body: bodyOf({ split: 'test', budget: { usd: 1 }, targets: {} }) })
    expect(refused.refusals).toHaveLength(3)
  })

  it('stores new tasks that are valid and solved, and reports why the others were rejected', async () => {
    const trivial = { task: 'Make the file /srv/mark.', setup: 'mkdir -p /srv', check: 'test -e /srv/mark' }
    answers = ['none of it', answer(count('herons')), answer(trivial), answer(count('swans')), answer(count('geese'))].map((text) => ({
      text,
    }))
    solves = { swans: ['exit 1'], geese: solution('geese') }
    const found = await generated({ tries: 1 })
    expect(found).toMatchObject({ state: 'completed', kept: { '1': 1 }, made: 5, message: null })
    expect(Object.fromEntries(found.rejected.map(({ reason, count: n }) => [reason, n]))).toEqual({
      'unreadable answer': 1,
      'repeats another task': 1,
      'not_trivial: fail': 1,
      'solvable: fail': 1,
    })
    expect(found.spent.tokens).toBeGreaterThan(0)
    const { items } = await server.client.listShellTasks({ query: { split: 'generated' } })
    expect(items).toMatchObject([{ source: 'generated', difficulty: 1, validation: { status: 'valid' } }])
    expect(items[0]!.referenceSolution).toContain('wc -l < /srv/geese')
    const sent = stub.received.find(({ raw }) => raw.includes('You write tasks'))!
    const plan = await server.client.planShellGeneration({ body: bodyOf() })
    expect(sent.body.messages.at(-1)!.content).toBe(plan.prompts[0]!.prompt)
  })

  it('sends no request that its budget may not cover', async () => {
    answers = [{ text: answer(count('robins')) }]
    solves = { robins: solution('robins') }
    const found = await generated({ budget: { tokens: 4000 }, split: 'small' })
    expect([found.state, found.kept['1'], found.spent.tokens <= 4000]).toEqual(['budget', 0, true])
  })

  it('keeps a candidate whose tries its budget does not cover for later, instead of rejecting it', async () => {
    answers = [{ text: answer(count('wrens')), usage: { input: 6500, output: 3000 } }]
    solves = { wrens: solution('wrens') }
    const found = await generated({ budget: { tokens: 10_000 }, split: 'later-on' })
    expect([found.state, found.made, found.rejected, found.spent.tokens]).toEqual(['budget', 1, [], 9500])
  })

  it('continues after a restart of the server without repeating answered requests', async () => {
    answers = [{ text: answer(count('finches')) }]
    solves = { finches: 'hang' }
    written = 0
    const requestsBefore = stub.received.length
    const job = await server.client.generateShellTasks({ body: bodyOf({ split: 'later' }) })
    await expect
      .poll(() => stub.received.slice(requestsBefore).filter(({ raw }) => raw.includes('You work at')).length, { timeout: 20_000 })
      .toBeGreaterThan(0)
    const { id } = (await server.client.listShellGenerations({})).items[0]!
    await server.close()
    await open()
    expect((await server.client.getShellGeneration({ params: { id } })).state).toBe('interrupted')
    solves = { finches: solution('finches') }
    const { result } = await ended(await server.client.resumeShellGeneration({ params: { id }, body: {} }))
    expect(result).toMatchObject({ id, state: 'completed', kept: { '1': 1 } })
    expect([written, job.subject]).toEqual([1, id])
  })

  it('counts the features of tasks', async () => {
    const { tasks, difficulty, nearRate } = await server.client.getShellDiversity({ query: { split: 'starter' } })
    expect([tasks >= 200, Object.keys(difficulty), nearRate]).toEqual([true, expect.arrayContaining(['1', '2', '3', '4']), 0])
  })
})
