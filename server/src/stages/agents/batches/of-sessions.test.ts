import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BatchResult } from '#contracts/entities/batch.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useFolder } from '#server/testing/folders.ts'
import { importSession, runAgainst, useServer, useStub } from '#server/testing/use.ts'
import { writeInto } from '../testing-repository.ts'

const WRONG = 'module.exports = (a, b) => a - b\n'
const AS_IT_BEGAN = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'sum.js': WRONG,
  'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js')(1, 2), 3))\n",
  '.gitattributes': 'sum.test.js export-ignore\n',
}
const LOOK_AND_SOLVE = "git log --format=%s; git status --short; ls -1; cat sum.js; printf 'module.exports = (a, b) => a + b\\n' > sum.js"

describe.skipIf(findBubblewrap() === null)('a batch of the tasks of sessions', () => {
  const root = useFolder()
  const gone = path.join(root, 'gone')
  let folder: string
  const server = useServer()
  const stub = useStub(({ body }) => {
    const turns = body.messages.filter(({ role }) => role === 'assistant').length
    return { text: turns > 0 ? 'exit 0' : LOOK_AND_SOLVE }
  })
  const shell = () => ({ agent: 'shell', model: 'some', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url } }) as const

  beforeAll(() => void (folder = repositoryWithALaterDay()))

  /** One commit from the day before the sessions, one from the day after, and work that was never committed. */
  function repositoryWithALaterDay(): string {
    const made = fs.mkdtempSync(path.join(root, 'r-'))
    const commit = (message: string, day: string) => {
      const env = { ...process.env, GIT_COMMITTER_DATE: `${day}T10:00:00Z`, GIT_AUTHOR_DATE: `${day}T10:00:00Z` }
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.invalid', '-C', made, ...args], { env })
      if (!fs.existsSync(path.join(made, '.git'))) git('init', '-q', '-b', 'main')
      git('add', '-A')
      git('commit', '-qm', message)
    }
    writeInto(made, AS_IT_BEGAN)
    commit('before', '2026-11-01')
    writeInto(made, { 'sum.js': 'mended since', 'later/new.js': 'new' })
    commit('after', '2026-11-03')
    writeInto(made, { 'sum.js': 'torn since' })
    return made
  }
  const session = async (cwd: string, ...prompts: string[]): Promise<string> => {
    const sessionId = randomUUID()
    const base = { isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.329', gitBranch: 'main' }
    let parentUuid: string | null = null
    const inChain = <Line extends object>(line: Line) => {
      const uuid = randomUUID()
      const chained = { ...base, ...line, parentUuid, uuid }
      parentUuid = uuid
      return chained
    }
    const lines = prompts.flatMap((content, n) => {
      const at = (second: number) => new Date(Date.UTC(2026, 10, 2, 10, n, second)).toISOString()
      const reply = { id: `m${n}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [{ type: 'text', text: 'done' }], usage: { input_tokens: 1, output_tokens: 1 } } // prettier-ignore
      return [
        inChain({ timestamp: at(0), type: 'user', message: { role: 'user', content } }),
        inChain({ timestamp: at(1), type: 'assistant', message: reply }),
      ]
    })
    return importSession(server, root, sessionId, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  it('repeats each first prompt on the commit before its session, and names sessions that cannot be repeated', async () => {
    const ids = [
      await session(folder, 'Mend the sum.\nPlease.', 'Thank you.'),
      await session(path.join(folder, 'later'), 'Mend it from here.'),
      await session(gone, 'Mend what is gone.'),
    ]
    const [first, below, lost] = ids as [string, string, string]
    const output = path.join(root, 'out')
    const { endpoint } = shell()
    const args = ['batch', '--query', 'day:2026-11-02', '--output', output, '--agent', 'shell', '--model', 'some', '--endpoint', endpoint.baseUrl] // prettier-ignore
    const start = async () => {
      const { code, out, note } = await runAgainst(server, args)
      return { code, printed: note + out }
    }
    const { code, printed } = await start()
    expect(printed).toContain(`${lost}: left out, ${gone} is not a git repository on this machine`)
    expect(printed).toContain('2 passed, 0 failed, 0 not verified, 0 without a result')
    expect(code).toBe(0)

    const text = fs.readFileSync(path.join(output, 'results.jsonl'), 'utf8')
    const results = text.trimEnd().split('\n').map((line) => JSON.parse(line) as BatchResult) // prettier-ignore
    expect(results.map(({ key, outcome }) => `${key} ${outcome}`).toSorted()).toEqual([`${first} passed`, `${below} passed`].toSorted())
    const before = execFileSync('git', ['-C', folder, 'rev-parse', 'main~1'], { encoding: 'utf8' }).trim()
    for (const [traceId, prompt] of [
      [first, 'Mend the sum.\nPlease.'],
      [below, 'Mend it from here.'],
    ] as const) {
      const { taskId } = results.find(({ key }) => key === traceId)!
      const task = await server.client.getTask({ params: { id: taskId! } })
      expect(task).toMatchObject({ request: { prompt, start: { traceId, commit: before } }, change: { files: 1, added: 1, removed: 1 } })
      const { items } = await server.client.listTaskEvents({ params: { id: taskId! }, query: {} })
      expect(items.find(({ kind }) => kind === 'result')?.text).toBe(`before\npackage.json\nsum.js\nsum.test.js\n${WRONG.trim()}`)
    }
    expect(fs.readFileSync(path.join(folder, 'sum.js'), 'utf8')).toBe('torn since')
    const [batch] = (await server.client.listBatches({ query: {} })).items
    expect(batch).toMatchObject({ tasks: 2, leftOut: 1, counts: { total: 2, passed: 2 } })

    const asked = stub.received.length
    expect(await start()).toMatchObject({ code: 0, printed: expect.stringContaining('1 session was left out.') as string })
    expect(stub.received.length).toBe(asked)
  })

  it('is refused when no session can be repeated, or with two kinds of tasks', async () => {
    const lost = await session(gone, 'Mend what is gone.')
    const asked = { traces: { ids: [lost] }, settings: shell() }
    await expect(server.client.createBatch({ body: asked })).rejects.toMatchObject({
      code: 'state_not_restorable',
      message: expect.stringContaining(gone) as string,
    })
    const both = { ...asked, tasks: [{ key: 'a', prompt: 'x' }] }
    await expect(server.client.createBatch({ body: both })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(server.contractViolations).toEqual([])
  })

  it('ignores a start commit in a request', async () => {
    const body = { prompt: 'x', directory: folder, start: { traceId: 'a'.repeat(26), commit: 'HEAD~1' }, ...shell() }
    const { id, request } = await server.client.createTask({ body })
    expect(request).not.toHaveProperty('start')
    await server.client.cancelTask({ params: { id } })
  })
})
