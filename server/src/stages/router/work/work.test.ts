import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { ModStep } from '#contracts/entities/router.ts'
import { overrideWords } from '#contracts/router-words.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { openCore } from '#server/testing/core.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import type { AgentRuns } from '../../agents/index.ts'
import type { ChosenStudent } from '../student.ts'
import { reportOf } from './report.ts'
import { createSandboxWork } from './service.ts'

const PROJECT = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'sum.js': 'module.exports = (a, b) => a - b\n',
  'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js')(1, 2), 3))\n",
}
const answer = (text: string, command?: string): Reply => ({
  raw: JSON.stringify({
    choices: [
      {
        message: {
          content: text,
          tool_calls:
            command === undefined
              ? []
              : [{ id: 'x', type: 'function', function: { name: 'Bash', arguments: JSON.stringify({ command }) } }],
        },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  }),
})
const SOLVE = "printf 'module.exports = (a, b) => a + b\\n' > sum.js"

describe.skipIf(findBubblewrap() === null)('a task of the gym agent in a sandbox', () => {
  const root = useFolder()
  const server = useServer()
  let replies: Reply[] = []
  const stub = useStub(() => replies.shift() ?? answer('Done.'))
  let agents = 0
  const begin = async (...given: Reply[]) => {
    replies = given
    const router = { studentModel: 'tiny', studentAddress: stub.url, override: overrideWords('tiny') }
    await server.client.patchSettings({ body: { router } })
    const directory = fs.mkdtempSync(path.join(root, 'project-'))
    for (const [name, text] of Object.entries(PROJECT)) fs.writeFileSync(path.join(directory, name), text)
    const agentId = `a${(agents += 1)}`
    const messages: { role: string; content: unknown }[] = [{ role: 'user', content: 'Mend the sum.' }]
    const body = { model: 'gym-x', agentId, version: '2.1.329', task: 'Mend the sum.', directory, messages }
    const step = (signal?: AbortSignal) => server.client.answerStep({ body, ...(signal && { signal }) })
    const runs = async () => (await server.client.listTasks({ query: {} })).items.filter(({ request }) => request.directory === directory)
    return { directory, messages, step, runs }
  }

  it('is one run, whose report has the change, its checks and how to apply it; another task goes on from there', async () => {
    const { directory, messages, step, runs } = await begin(answer('', SOLVE), answer('The sum adds now.'))
    const { text, calls, failed } = await step()
    expect([calls, failed]).toEqual([[], false])
    expect((await step()).text).toBe(text) // the client may send a step twice
    const [run, ...more] = await runs()
    expect(more).toEqual([])
    expect(run).toMatchObject({ state: 'review', request: { agent: 'gym' } })
    expect(text.startsWith('> The sum adds now.\n\ntiny worked on a copy of ')).toBe(true)
    expect(text).toContain("The project's checks (npm test), run in a sandbox: passed after the change (1 of 1 passed)")
    expect(text).toContain(`\`bashgym tasks apply ${run!.id}\``)
    expect(text).toContain('-module.exports = (a, b) => a - b\n+module.exports = (a, b) => a + b\n')
    expect(fs.readFileSync(path.join(directory, 'sum.js'), 'utf8')).toBe(PROJECT['sum.js'])

    const additions = `echo more > more.txt; mkdir .claude; echo '{}' > .claude/settings.json; node -e "process.stdout.write('x\\n'.repeat(20000))" > long.txt`
    replies = [answer('', additions), answer('More is there.')]
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: 'Add more.txt.' })
    const next = await step()
    expect(next.text).toContain('More is there.')
    expect(next.text).toContain('It changed 4 files')
    expect(next.text).toContain('It changed .claude/settings.json, which Claude Code takes as its own settings')
    const file = /bytes\) is in (.*), and `bashgym tasks patch/.exec(next.text)![1]!
    expect(fs.readFileSync(file, 'utf8')).toContain('+++ b/long.txt')
    expect((await runs()).map(({ id }) => id)).toEqual([run!.id])
  })

  it('is paused when the client goes away: nothing of it runs, its change can be reviewed, and it can go on', async () => {
    const { step, runs } = await begin(answer('', SOLVE), answer('', 'sleep 600'))
    const gone = new AbortController()
    const waiting = step(gone.signal).catch(() => 'gone')
    const began = async () => {
      const [run] = await runs()
      if (run === undefined) return false
      const { items } = await server.client.listTaskEvents({ params: { id: run.id }, query: {} })
      return items.filter(({ kind }) => kind === 'tool').length === 2
    }
    await expect.poll(began, { timeout: 60_000 }).toBe(true)
    gone.abort()
    expect(await waiting).toBe('gone')
    await expect.poll(async () => (await runs())[0]!.change?.files ?? 0, { timeout: 60_000 }).toBeGreaterThan(0)
    const [paused] = await runs()
    expect(paused!.state).toBe('paused')
    const running = async () => (await server.client.listSandboxes({ query: { status: ['started', 'exited'] } })).items.length
    await expect.poll(running, { timeout: 60_000 }).toBe(0)
    replies = [answer('It was done.')]
    await server.client.resumeTask({ params: { id: paused!.id } })
    await expect.poll(async () => (await runs())[0]!.state, { timeout: 60_000 }).toBe('review')
    const lastMessages = stub.received.at(-1)!.body.messages.map(({ content }) => content)
    expect(lastMessages).toContain('(Bash completed with no output)')
    expect(lastMessages.at(-1)).toContain('You were interrupted')
  })
})

describe('a step of a task that takes longer than the client waits', () => {
  it('is answered in time with a harmless call, and the next one waits for the same run', async () => {
    const core = openCore()
    const task = { id: 't1', state: 'working', change: null, verification: null, error: null, detail: null, claim: 'success', tokens: {} }
    const messaged: string[] = []
    const runs = {
      create: async () => task,
      get: () => task,
      message: (_: string, text: string) => messaged.push(text),
      lastMessage: () => 'Done.',
    } as unknown as AgentRuns
    const sandboxWork = createSandboxWork(core, { runs, patchOf: () => Readable.from([]), waitMs: 1 })
    const student = { label: 'tiny', endpoint: { kind: 'model', modelId: 'm' }, model: undefined } as ChosenStudent
    const step = {
      model: 'gym-x',
      agentId: 'a',
      version: '2.1.329',
      task: 'Mend it.',
      directory: '/p',
      messages: [] as ModStep['messages'],
    }
    const { calls } = await sandboxWork.work(student, step, new AbortController().signal)
    expect(calls).toMatchObject([{ name: 'Glob' }])
    task.state = 'done'
    step.messages = [
      { role: 'user', content: 'Mend it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'g', name: 'Glob', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'g', content: 'No files found' }] },
    ]
    expect((await sandboxWork.work(student, step, new AbortController().signal)).text).toContain('It changed no file.')
    expect(messaged).toEqual([])
    sandboxWork.close()
    await core.close()
  })
})

describe('a report', () => {
  const task = {
    id: 't1',
    state: 'failed' as const,
    change: { files: 1, added: 1, removed: 0 },
    verification: null,
    error: { boundary: 'provider' as const, message: 'The model was away.', hint: 'Start it.' },
    detail: null,
    claim: null,
  }
  it('says why the agent stopped, and still has what it changed; no fence in the change ends it early', () => {
    const text = reportOf({ task, label: 'Tiny', directory: '/p', lastMessage: null, patch: { text: '+````\n+x', settings: [] } })
    expect(text).toContain('The gym agent stopped: The model was away. Start it.')
    expect(text).toContain("The project's checks were not run.")
    expect(text).toContain('`````diff\n+````\n+x\n`````')
  })
  it('names the file of a change that is too long to show', () => {
    const text = reportOf({
      task: { ...task, claim: 'success', error: null },
      label: 'T',
      directory: '/p',
      lastMessage: 'x\n\nT worked on nothing.',
      patch: { file: '/d/c.patch', bytes: 9, settings: ['.claude/settings.json'] },
    })
    expect(text).toContain('The patch (9 bytes) is in /d/c.patch, and `bashgym tasks patch t1` prints it.')
    expect(text).not.toContain('stopped')
    expect(text).toMatch(/^It changed \.claude\/settings\.json, which Claude Code takes as its own/m)
    expect(text).not.toMatch(/^T worked on nothing/m)
  })
})
