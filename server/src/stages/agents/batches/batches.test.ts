import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BatchReport, BatchResult } from '#contracts/entities/batch.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { Interrupted } from '#server/cli/command.ts'
import { useFolder } from '#server/testing/folders.ts'
import { runAgainst, useServer, useStub } from '#server/testing/use.ts'

const DOWN: Reply = { status: 401, json: { error: { message: 'no' } } }

describe.skipIf(findBubblewrap() === null)('a batch of tasks', () => {
  const root = useFolder()
  const server = useServer()
  /** The model's first reply to a prompt. Its second reply ends the shell. */
  let answer: (prompt: string) => Reply
  const asked = () => stub.received.length

  const stub = useStub(({ body }) => {
    const turns = body.messages.filter(({ role }) => role === 'assistant').length
    return turns > 0 ? { text: 'exit 0' } : answer(body.messages.map(({ content }) => content).join('\n'))
  })

  let folders = 0
  const tasksOf = (...tasks: object[]) => {
    const folder = path.join(root, String((folders += 1)))
    fs.mkdirSync(folder)
    const file = path.join(folder, 'tasks.jsonl')
    fs.writeFileSync(file, tasks.map((task) => `${JSON.stringify(task)}\n`).join(''))
    return { file, output: path.join(folder, 'out') }
  }
  async function batch({ file, output }: { file: string; output: string }, more: string[] = [], signal?: AbortSignal) {
    const args = ['batch', file, '--output', output, '--agent', 'shell', '--model', 'some', '--endpoint', stub.url, ...more]
    const ran = await runAgainst(server, args, signal)
    const read = (name: string) => fs.readFileSync(path.join(output, name), 'utf8')
    const lines = () =>
      read('results.jsonl')
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as BatchResult)
    return { ...ran, lines, report: () => JSON.parse(read('report.json')) as BatchReport }
  }

  it('makes every attempt once and writes a line for each, even if the same command is run twice', async () => {
    answer = (prompt) => ({ text: prompt.includes('good') ? 'touch made' : 'true' })
    const tasks = tasksOf({ id: 'g', prompt: 'good', verify: 'test -e made' }, { id: 'b', prompt: 'bad', verify: 'test -e made' })
    const { code, note, lines, report } = await batch(tasks, ['--attempts', '2'])
    expect([code, note]).toEqual([0, expect.stringContaining('g (1): passed')])
    const outcomes = lines().map(({ key, attempt, outcome, boundary }) => [key, attempt, outcome, boundary].join(' '))
    expect(outcomes.toSorted()).toEqual(['b 1 failed task', 'b 2 failed task', 'g 1 passed ', 'g 2 passed '])
    expect(lines().every(({ taskId }) => taskId !== null)).toBe(true)
    expect(report().total).toMatchObject({ attempts: 4, passed: 2, failed: 2, rate: 0.5 })
    const { items } = await server.client.listTraces({ query: { q: 'is:run' } })
    expect(new Set(items.map(({ id, taskId, title }) => [id, taskId, title].join()))).toEqual(
      new Set(lines().map((one) => [one.traceId, one.taskId, `Attempt ${one.attempt}, some: ${one.title}`].join())),
    )
    expect((await server.client.listTraces({ query: { q: '-is:run' } })).items).toEqual([])
    const before = asked()
    const again = await batch(tasks, ['--attempts', '2', '--json'])
    expect([again.code, asked(), again.lines().length]).toEqual([0, before, 4])
    expect(JSON.parse(again.out)).toMatchObject({ passed: 2, failed: 2, withoutResult: 0 })
  })

  it('shows the folders that it copies, and asks before it copies one that is hidden or elsewhere', async () => {
    answer = () => ({ text: 'true' })
    const tasks = tasksOf(
      { id: 'in', prompt: 'x', directory: 'project/inner' },
      { id: 'hidden', prompt: 'x', directory: 'project/link' },
      { id: 'out', prompt: 'x', directory: root },
    )
    const folder = path.dirname(tasks.file)
    for (const name of ['project/inner', '.ssh']) fs.mkdirSync(path.join(folder, name), { recursive: true })
    execFileSync('git', ['init', '-q', path.join(folder, 'project')])
    fs.symlinkSync('../.ssh', path.join(folder, 'project', 'link'))
    const listed = [
      `  ${root} (${tasks.file}:3) – not in ${folder}`,
      `  ${folder}/.ssh (${tasks.file}:2) – hidden`,
      `  ${folder}/project (${tasks.file}:1)`,
    ]
    const before = (await server.client.listTasks({ query: {} })).items.length
    const refused = await batch(tasks)
    expect([refused.code, refused.note]).toEqual([2, expect.stringContaining('--yes') as string])
    for (const line of listed) expect(refused.note).toContain(`${line}\n`)
    expect((await server.client.listTasks({ query: {} })).items).toHaveLength(before)
    const own = tasksOf({ id: 'own', prompt: 'x', directory: '.' })
    expect(await batch(own)).toMatchObject({ code: 0, note: expect.stringContaining(path.dirname(own.file)) as string })
    fs.rmSync(path.join(folder, 'project', 'link'))
    fs.writeFileSync(tasks.file, `${JSON.stringify({ id: 'hidden', prompt: 'x', directory: '.ssh' })}\n`)
    expect(await batch(tasks, ['--yes'])).toMatchObject({
      code: 0,
      note: expect.stringContaining(`.ssh (${tasks.file}:1) – hidden`) as string,
    })
  })

  it('repeats only the attempts that have no result because the endpoint failed', async () => {
    answer = (prompt) => (prompt.includes('second') ? DOWN : { text: 'touch made' })
    const tasks = tasksOf({ id: '1', prompt: 'first', verify: 'test -e made' }, { id: '2', prompt: 'second', verify: 'test -e made' })
    const first = await batch(tasks)
    expect(first.code).toBe(1)
    expect(first.lines().find(({ key }) => key === '2')).toMatchObject({ outcome: 'owed', boundary: 'provider' })
    answer = () => ({ text: 'touch made' })
    const before = asked()
    const second = await batch(tasks)
    expect([second.code, asked() - before]).toEqual([0, 2])
    expect(
      second
        .lines()
        .map(({ key, outcome }) => `${key} ${outcome}`)
        .toSorted(),
    ).toEqual(['1 passed', '2 owed', '2 passed'])
    expect(second.report().total).toMatchObject({ attempts: 2, passed: 2, owed: 0 })
  })

  it('is cancelled by Ctrl+C with nothing left running, and continues afterwards', async () => {
    answer = () => ({ text: 'sleep 1000' })
    const tasks = tasksOf({ id: '1', prompt: 'one' }, { id: '2', prompt: 'two' }, { id: '3', prompt: 'three' })
    const stop = new AbortController()
    const unfollow = server.app.core.events.subscribe(({ type, payload }) => {
      if (type === 'task:status' && (payload as { task: { state: string } }).task.state === 'working') stop.abort(new Interrupted('SIGINT'))
    })
    const cancelled = await batch(tasks, ['--concurrency', '1'], stop.signal)
    unfollow()
    expect(cancelled.code).toBe(130)
    const { items } = await server.client.listTasks({ query: { state: ['queued', 'preparing', 'working', 'verifying'] as never } })
    expect(items).toEqual([])
    expect((await server.client.listBatches({ query: {} })).items[0]).toMatchObject({
      state: 'cancelled',
      counts: { running: 0, waiting: 2, owed: 1 },
    })
    answer = () => ({ text: 'true' })
    const after = await batch(tasks, ['--concurrency', '1'])
    expect([after.code, after.lines().filter(({ outcome }) => outcome === 'unverified').length]).toEqual([0, 3])
  })

  it('publishes its start, each attempt and its end', async () => {
    answer = () => ({ text: 'true' })
    const batchEvents: string[] = []
    const unfollow = server.app.core.events.subscribe(({ type, payload }) => {
      if (type !== 'batch:status' && type !== 'batch:progress') return
      const { state, counts } = payload.batch
      batchEvents.push(`${type} ${state} ${counts.waiting} ${counts.running} ${counts.unverified} ${counts.owed}`)
    })
    const tasks = [
      { key: 'fine', prompt: 'Do as you like.' },
      { key: 'lost', prompt: 'Do as you like.', directory: path.join(root, 'nowhere') },
    ]
    const settings = { agent: 'shell', model: 'some', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url } } as const
    const { id } = await server.client.createBatch({ body: { tasks, settings, concurrency: 1 } })
    await expect.poll(async () => (await server.client.getBatch({ params: { id }, query: {} })).state, { timeout: 60_000 }).toBe('done')
    unfollow()
    expect(batchEvents).toEqual([
      'batch:status running 2 0 0 0',
      'batch:progress running 1 1 0 0',
      'batch:progress running 1 0 1 0',
      'batch:progress running 0 0 1 1',
      'batch:status done 0 0 1 1',
    ])
    expect(server.contractViolations).toEqual([])
  })

  it('prefers the chosen attempt only to attempts whose checks failed', async () => {
    const answers = ['touch made', 'echo I would rather not', 'true && echo there is nothing to do here', 'touch made; echo twice']
    answer = () => ({ text: answers.shift()! })
    const settings = { agent: 'shell', model: 'some', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url } } as const
    const tasks = [{ key: 'made', prompt: 'Make the file made.', verify: 'test -e made' }]
    const { id } = await server.client.createBatch({ body: { tasks, settings, attempts: 4, concurrency: 1 } })
    const params = { id }
    await expect.poll(async () => (await server.client.getBatch({ params, query: {} })).state, { timeout: 60_000 }).toBe('done')
    const { results } = await server.client.getBatchReport({ params })
    const inOrder = results.toSorted((a, b) => a.attempt - b.attempt)
    expect(inOrder.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'failed', 'passed'])
    const [best, ...others] = inOrder as [BatchResult, BatchResult, BatchResult, BatchResult]
    const choose = (taskId: string | null) => server.client.chooseWinner({ params, body: { key: 'made', taskId } })
    const pairs = async () => {
      const selection = { ids: inOrder.map(({ traceId }) => traceId!) }
      await server.app.core.jobs.wait((await server.client.findPairs({ body: { selection } })).id)
      const { items } = await server.client.listPairs({ query: {} })
      return items.map(({ chosen, rejected }) => `${chosen.traceId} over ${rejected.traceId}`).toSorted()
    }
    const without = await pairs()
    await expect(choose(others[0].taskId)).rejects.toMatchObject({ code: 'invalid_request' })
    const winner = { key: 'made', taskId: best.taskId, worse: [others[0].taskId, others[1].taskId] }
    const published: string[] = []
    const unfollow = server.app.core.events.subscribe(
      ({ type, payload }) => void (type === 'batch:progress' && published.push(payload.batch.id)),
    )
    expect(await choose(best.taskId)).toEqual({ winners: [winner] })
    unfollow()
    expect(published).toEqual([id])
    expect((await server.client.getBatchReport({ params })).winners).toEqual([winner])
    expect(await pairs()).toEqual([others[0], others[1]].map(({ traceId }) => `${best.traceId} over ${traceId}`).toSorted())
    expect(await choose(null)).toEqual({ winners: [] })
    expect(await pairs()).toEqual(without)
  })

  it('lists every invalid line before anything starts', async () => {
    const { file, output } = tasksOf({ id: 'a', prompt: 'x' }, { prompt: '' }, { id: 'a', prompt: 'y' }, { prompt: 'z', verfy: 'true' })
    fs.appendFileSync(file, '{"prompt": \n')
    const before = asked()
    const { code, note } = await batch({ file, output })
    expect([code, asked()]).toEqual([1, before])
    for (const problem of [
      'line 2: prompt',
      'line 3: the id "a" is already used in line 1',
      'line 4: Unrecognized key',
      'line 5: it is not valid JSON',
    ])
      expect(note).toContain(problem)
  })

  it('refuses a cost limit when no price is known', async () => {
    const { code, note } = await batch(tasksOf({ prompt: 'x' }), ['--max-cost', '1'])
    expect([code, note]).toEqual([1, expect.stringContaining('price')])
  })
})
