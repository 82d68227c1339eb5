import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Task, TaskRequest } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import { endOf } from './testing-end.ts'
import { makeRepository, writeInto } from './testing-repository.ts'

const PROJECT = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'sum.js': 'module.exports = (a, b) => a - b\n',
  'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js')(1, 2), 3))\n",
  '.gitignore': 'built\n',
}
/** A project with a test that passes, so that work can break it. */
const WORKING = { ...PROJECT, 'sum.js': 'module.exports = (a, b) => a + b\n' }
const BREAK = "printf 'module.exports = (a, b) => a * b\\n' > sum.js"
const SOLVE = "printf 'module.exports = (a, b) => a + b\\n' > sum.js"

/** The model's replies; a string is the text of an answer. */
type Script = readonly (Exclude<Reply, string> | string)[]

describe.skipIf(findBubblewrap() === null)('a run of the shell agent', () => {
  const root = useFolder()
  const server = useServer()
  /** The model's replies to each prompt, in order. */
  const scripts = new Map<string, Reply[]>()
  const countRequests = (prompt: string) =>
    stub.received.filter(({ body }) => body.messages.some(({ content }) => content === prompt)).length

  const stub = useStub(({ body }) => {
    const prompt = body.messages.findLast(({ content }) => scripts.has(content))?.content ?? ''
    return scripts.get(prompt)?.shift() ?? { text: 'exit 0' }
  })

  let prompts = 0
  const start = (script: Script, more: Partial<TaskRequest> = {}): Promise<Task> => {
    const prompt = `Mend the sum, ${(prompts += 1)}.`
    scripts.set(
      prompt,
      script.map((one) => (typeof one !== 'string' || one === 'cut' || one === 'hang' ? one : { text: one })),
    )
    const endpoint = { kind: 'url', dialect: 'openai', baseUrl: stub.url } as const
    return server.client.createTask({ body: { prompt, agent: 'shell', endpoint, model: 'some', ...more } })
  }
  const ended = (task: Pick<Task, 'id'>): Promise<Task> => endOf(server.client, task)
  const run = async (script: Script, more: Partial<TaskRequest> = {}) => ended(await start(script, more))
  const eventsOf = async ({ id }: Task) => (await server.client.listTaskEvents({ params: { id }, query: {} })).items

  it('works on a copy with uncommitted files and the history, and its checks decide', async () => {
    const directory = makeRepository(root, PROJECT)
    writeInto(directory, { 'new.txt': 'not committed\n', 'built/out.txt': 'ignored\n' })
    const before = fs.readdirSync(directory)
    const task = await run(
      [
        '# first I look around',
        'git log --format=%s; git status --short; ls',
        `mkdir built; touch built/x; ${SOLVE}; git add -A; git commit -qm done`,
        'exit 0',
      ],
      { directory },
    )
    expect(task).toMatchObject({
      state: 'review',
      error: null,
      claim: 'success',
      exitCode: 0,
      turns: 4,
      change: { files: 1, added: 1, removed: 1 },
      verification: { status: 'passed', passed: 1 },
      tokens: { input: 480, output: 120 },
      traceId: expect.any(String) as string,
    })
    const eventLines = (await eventsOf(task)).map(({ kind, text }) => `${kind}: ${text}`)
    expect(eventLines).toContain('thinking: # first I look around')
    expect(eventLines.find((one) => one.startsWith('result: start'))).toContain('?? new.txt')
    expect(eventLines.join('\n')).not.toContain('built/out.txt')
    expect(fs.readdirSync(directory)).toEqual(before)
    expect(fs.readFileSync(path.join(directory, 'sum.js'), 'utf8')).toBe(PROJECT['sum.js'])
    const trace = await server.client.getTrace({ params: { id: task.traceId! } })
    expect(trace).toMatchObject({ repo: path.basename(directory), counts: { toolCalls: 4 }, verification: 'passed' })
    const evaluated = await server.client.evaluateTrace({ body: { taskId: task.id } })
    expect(evaluated).toMatchObject({ goal_accuracy: 1, step_economy: 1, facts: { steps: 4, goal: { by: 'verification' } } })
    const overview = await server.client.getHome({})
    expect(overview).toMatchObject({
      cameIn: { total: 0, runs: 1 },
      byTier: { gold: 0, silver: 0 },
      days: [],
      inbox: { count: 0 },
    })
    const { stages } = await server.client.getLoop({})
    expect(stages[0]).toMatchObject({ id: 'captured', sessions: 0 })
  })

  it('fails when its checks fail despite its claim, and continues after a message', async () => {
    const directory = makeRepository(root, WORKING)
    const task = await run([`touch here; ${BREAK}`, 'exit 0'], { directory })
    expect(task).toMatchObject({
      state: 'failed',
      claim: 'success',
      error: { boundary: 'task' },
      verification: { status: 'failed', newFailures: ['adds'], before: { status: 'passed' } },
      change: { files: 2 },
    })
    const more = 'The sum is still wrong.'
    scripts.set(more, [{ text: 'ls' }, { text: SOLVE }, { text: 'exit 0' }])
    await server.client.messageTask({ params: { id: task.id }, body: { text: more } })
    expect(await ended(task)).toMatchObject({ state: 'review', error: null, change: { files: 1 }, turns: 5 })
    expect((await eventsOf(task)).find(({ kind, text }) => kind === 'result' && text.includes('here'))).toBeDefined()
    const once = await run(['touch here', 'exit 1'], { directory, caps: { turns: 3, tokens: null, costUsd: null, timeSec: 60 } })
    scripts.set('Go on.', [{ text: 'ls' }, { text: 'ls' }, { text: 'ls' }])
    await server.client.messageTask({ params: { id: once.id }, body: { text: 'Go on.' } })
    expect(await ended(once)).toMatchObject({ turns: 3, charged: { requests: 3 } })
    await expect(server.client.messageTask({ params: { id: once.id }, body: { text: 'Go on.' } })).rejects.toMatchObject({
      code: 'task_refused',
      message: expect.stringContaining('3 requests') as string,
    })
  })

  it('runs the set-up of the project, and reuses installed packages for the next run and the checks', async () => {
    const lock = '{"name":"a","lockfileVersion":3,"requires":true,"packages":{"":{"name":"a","dependencies":{"own":"file:own"}},"node_modules/own":{"resolved":"own","link":true},"own":{}}}' // prettier-ignore
    const files = {
      'package.json': '{"name":"a","scripts":{"test":"node --test"},"dependencies":{"own":"file:own"}}',
      'package-lock.json': lock,
      'own/package.json': '{"name":"own","version":"1.0.0","main":"main.js"}',
      'own/main.js': 'module.exports = 3\n',
      'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js'), require('own')))\n",
    }
    const directory = makeRepository(root, files)
    const plan = () => server.client.planTask({ body: { prompt: 'x', directory, agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url }, model: 'some' } }) // prettier-ignore
    expect(await plan()).toMatchObject({ setup: [{ command: 'npm ci', because: 'package-lock.json', cached: false }], checks: [{ runner: 'node' }], refusals: [], isolation: 'bubblewrap' }) // prettier-ignore
    for (const cached of [false, true]) {
      const task = await run(["echo 'module.exports = 3' > sum.js", 'exit 0'], { repositoryUrl: directory })
      expect(task).toMatchObject({ state: 'review', error: null, setup: [{ command: 'npm ci', cached }], change: { files: 1 } })
    }
    expect(await plan()).toMatchObject({ setup: [{ command: 'npm ci', cached: true }] })
    const failing = await run(['exit 0'], { directory, setup: ['echo no way out; exit 3'] })
    expect(failing).toMatchObject({ state: 'failed', error: { boundary: 'task', hint: expect.stringContaining('network') as string }, turns: 0 }) // prettier-ignore
  })

  it("has the installed packages of a workspace's packages too, also in the checks, and they are no change", async () => {
    const directory = makeRepository(root, {
      '.gitignore': 'node_modules\n',
      'package.json': '{"private":true,"workspaces":["packages/*"],"scripts":{"test":"node --test packages/*/*.test.js"}}',
      'packages/a/package.json': '{"name":"a","version":"1.0.0","dependencies":{"dep":"2"}}',
      'packages/a/a.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js'), require('dep')))\n",
    })
    writeInto(directory, { 'packages/a/node_modules/dep/index.js': 'module.exports = 2\n' })
    const task = await run(["cd packages/a && echo 'module.exports = '$(node -p 'require(\"dep\")') > sum.js", 'exit 0'], { directory })
    expect(task).toMatchObject({ state: 'review', error: null, verification: { status: 'passed', total: 1 }, change: { files: 1 } })
  })

  it('uses no packages of another repository, whose set-up wrote them, however alike the two are', async () => {
    // the commands and their lock files are the same: what is installed depends on other files
    const lock = '{"name":"a","lockfileVersion":3,"requires":true,"packages":{"":{"name":"a","hasInstallScript":true}}}'
    const files = (installed: number) => ({
      'package.json': '{"name":"a","scripts":{"test":"node --test","postinstall":"node own.js"}}',
      'package-lock.json': lock,
      'own.js': `const fs = require('node:fs'); fs.mkdirSync('node_modules/dep', { recursive: true }); fs.writeFileSync('node_modules/dep/index.js', 'module.exports = ${installed}')`,
      'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('dep'), 3))\n",
    })
    const hostile = makeRepository(root, files(3))
    const victim = makeRepository(root, files(4))
    const runs = [{ directory: hostile }, { directory: victim }, { repositoryUrl: victim }, { directory: hostile }]
    const found: unknown[] = []
    for (const more of runs) {
      const { verification, setup } = await run(['touch new', 'exit 0'], more)
      found.push([verification?.status, setup[0]?.cached])
    }
    expect(found).toEqual([
      ['passed', false],
      ['error', false],
      ['error', true],
      ['passed', true],
    ])
    writeInto(hostile, { 'own.js': files(4)['own.js'] }) // another set-up in the same folder
    expect(await run(['touch new', 'exit 0'], { directory: hostile })).toMatchObject({
      verification: { status: 'error' },
      setup: [{ cached: false }],
    })
  })

  it('is not failed by what failed before, nor verified by being applied', async () => {
    const old = { ...PROJECT, 'old.test.js': "require('node:test')('service answers', () => fetch('http://127.0.0.1:9/'))\n" }
    expect(await run([SOLVE, 'exit 0'], { directory: makeRepository(root, old) })).toMatchObject({
      state: 'review',
      error: null,
      verification: { status: 'passed', knownFailures: ['service answers'], newFailures: [], missing: [{ kind: 'service' }] },
    })
    const vitest = makeRepository(root, { ...PROJECT, 'package.json': '{"scripts":{"test":"vitest run"}}' })
    const body = { prompt: 'x', agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url }, model: 'some' } as const
    expect(await server.client.planTask({ body: { ...body, directory: vitest } })).toMatchObject({ checksLack: 'vitest', refusals: [] })
    expect(await server.client.planTask({ body: { ...body, directory: makeRepository(root, PROJECT) } })).toMatchObject({
      checksLack: null,
    })
    const lackIn = async (files: Record<string, string>) =>
      (await server.client.planTask({ body: { ...body, directory: makeRepository(root, files) } })).checksLack
    const inFolder = { 'p/package.json': '{"scripts":{"test":"vitest run"}}', 'p/node_modules/.bin/vitest': '' }
    expect(await lackIn(inFolder)).toBeNull()
    const venv = { 'test_a.py': 'import pytest\n', 'env/pyvenv.cfg': 'home = /usr/bin\n' }
    expect(await lackIn({ ...venv, 'env/lib/python3.11/site-packages/pip/x': '' })).toBe('pytest')
    expect(await lackIn({ ...venv, 'env/lib/python3.11/site-packages/pytest/x': '' })).toBeNull()
    const directory = makeRepository(root, { ...PROJECT, 'package.json': '{"scripts":{"test":"no-such-runner"}}' })
    const task = await run([SOLVE, 'exit 0'], { directory })
    const detail = expect.stringMatching(/^Not verified: .*no-such-runner/) as string
    expect(task).toMatchObject({ state: 'unverified', error: null, detail, verification: { status: 'error' } })
    await server.client.handBackTask({ params: { id: task.id }, body: { how: 'apply' } })
    expect(await server.client.getTask({ params: { id: task.id } })).toMatchObject({ state: 'unverified', handedBack: { how: 'apply' } })
  })

  it('is unverified without checks, also in an empty folder', async () => {
    expect(await run(['echo hello > a', 'exit 0'])).toMatchObject({
      state: 'unverified',
      change: { files: 1, added: 1 },
      verification: { status: 'none' },
    })
  })

  it('leaves no process when it is stopped', async () => {
    const mark = `sleep 31${process.pid}`
    const task = await start(
      [`echo kept > kept; setsid ${mark} & (trap '' TERM HUP INT; ${mark}) & nohup ${mark} >/dev/null 2>&1 & ${mark}`],
      { directory: makeRepository(root, PROJECT) },
    )
    const alive = () =>
      fs
        .readdirSync('/proc')
        .filter((pid) => /^\d+$/.test(pid))
        .filter((pid) => commandOf(pid).includes(mark)).length
    await expect.poll(alive, { timeout: 60_000 }).toBeGreaterThan(3)
    expect(await server.client.cancelTask({ params: { id: task.id } })).toMatchObject({ state: 'stopped', change: { files: 1 } })
    expect(alive()).toBe(0)
    await expect(server.client.cancelTask({ params: { id: task.id } })).rejects.toMatchObject({ code: 'task_not_running' })
    await expect(server.client.removeTask({ params: { id: task.id }, query: {} })).rejects.toMatchObject({ code: 'task_not_handed_back' })
    await server.client.removeTask({ params: { id: task.id }, query: { force: 'true' } })
    await expect(server.client.getTask({ params: { id: task.id } })).rejects.toMatchObject({ code: 'task_not_found' })
  })

  it.each<[string, Reply[], { message: RegExp }]>([
    ['401', [{ status: 401, json: { error: { message: 'no' } } }], { message: /key/ }],
    ['429 for good', Array.from({ length: 4 }, () => ({ status: 429, headers: { 'retry-after': '0' } })), { message: /slow down/ }],
    ['529 for good', Array.from({ length: 4 }, () => ({ status: 529, headers: { 'retry-after': '0' } })), { message: /failed to answer/ }],
    ['no JSON', Array.from({ length: 4 }, () => ({ raw: 'surprise' })), { message: /could not be read/ }],
  ])('reports that the endpoint failed: %s', async (_name, replies, { message }) => {
    const task = await run(replies, { directory: makeRepository(root, PROJECT) })
    expect(task).toMatchObject({
      state: 'failed',
      error: { boundary: 'provider', message: expect.stringMatching(message) as unknown },
      claim: null,
    })
  })

  it('continues after a broken reply, and ends at its limits', async () => {
    const directory = makeRepository(root, PROJECT)
    expect(
      await run(['cut' as Reply, SOLVE, 'exit 0'].map((one) => (one === 'cut' ? 'cut' : { text: one as string })) as Reply[], {
        directory,
      }),
    ).toMatchObject({ state: 'review' })
    const endless = Array.from({ length: 9 }, () => 'true')
    const caps = { turns: 2, tokens: null, costUsd: null, timeSec: 60 }
    expect(await run(endless, { directory, caps })).toMatchObject({ state: 'unverified', turns: 2, verification: { status: 'error', knownFailures: ['adds'] } }) // prettier-ignore
    const capped = await run(endless, { directory, caps: { ...caps, turns: 9, tokens: 1300 } })
    expect([capped.state, capped.turns > 1, capped.turns < 9]).toEqual(['unverified', true, true])
    expect(capped.charged!.input + capped.charged!.output).toBeLessThanOrEqual(1300)
    expect(await run(endless, { directory, caps: { ...caps, tokens: 200 } })).toMatchObject({ state: 'unverified', turns: 0 })
    expect(await run(['sleep 1000'], { directory, caps: { ...caps, timeSec: 1 } })).toMatchObject({
      state: 'failed',
      error: { boundary: 'task', message: expect.stringContaining('1 s') as string },
    })
    await expect(start([], { directory, caps: { ...caps, costUsd: 1 } })).rejects.toMatchObject({
      code: 'task_refused',
      message: expect.stringContaining('price') as string,
    })
    expect(countRequests('nothing of this')).toBe(0)
    const listed = { prompt: 'x', agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url }, model: 'claude-sonnet-4-5' } as const // prettier-ignore
    expect(await server.client.planTask({ body: listed }), 'the price of the provider is not that of an address').toMatchObject({ price: null }) // prettier-ignore
  })
})

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
