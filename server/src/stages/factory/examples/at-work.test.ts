import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { wireSamples } from '#server/stages/traces/testing-samples.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { contextBefore } from '../calls/context.ts'
import { contextAtWork } from './at-work.ts'
import { makeExamples } from './make.ts'

const samples = path.resolve(import.meta.dirname, '../../../../../samples/claude-code')
const LIMIT = 6000
let core: TestCore
let app: ReturnType<typeof wireSamples>
beforeAll(async () => {
  core = openCore()
  app = wireSamples(core)
  await app.importFolder()
})
afterAll(async () => {
  await app.close()
  await core.close()
})

interface Message {
  role: string
  content: unknown[]
}

/** What the client sends to its API in this session: its records, with the words that it adds for its model. */
function sentMessages(sessionId: string, place: { cwd: string; branch: string }): Message[] {
  const file = fs.globSync('**/*.jsonl', { cwd: samples }).find((name) => name.includes(sessionId))!
  const messages: Message[] = []
  let answer: string | undefined
  for (const line of fs.readFileSync(path.join(samples, file), 'utf8').split('\n').filter(Boolean)) {
    const { type, isSidechain, message } = JSON.parse(line) as {
      type: string
      isSidechain?: boolean
      message?: { id?: string; role: string; content: unknown }
    }
    if ((type !== 'user' && type !== 'assistant') || isSidechain || !message) continue
    const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content as unknown[])
    const last = messages.at(-1)
    if (last?.role === message.role && (message.role === 'user' || answer === message.id)) last.content.push(...content)
    else messages.push({ role: message.role, content: [...content] })
    answer = message.id
  }
  const reminders = [
    `<system-reminder>\n# Environment\nYou have been invoked in the following environment: \n - Primary working directory: ${place.cwd}\n</system-reminder>`,
    `<system-reminder>\nContents of CLAUDE.md:\n\nCANARY of CLAUDE.md, jo@example.com\n\nCurrent branch: ${place.branch}\n</system-reminder>\n`,
  ]
  messages[0]!.content.unshift(...reminders.map((text) => ({ type: 'text', text })))
  return messages
}

it('a model at work reads the same bytes before each answer as in training and in its exam, and no CLAUDE.md', () => {
  let compared = 0
  const traces = core.db.prepare<[], { id: string }>('SELECT id FROM traces ORDER BY id').all()
  for (const { id } of traces) {
    const db = readOnlyOfThread(core.paths.database)
    const made = makeExamples(db, { archive: core.paths.archive, traceId: id, options: ExampleOptions.parse({}) })!
    const { trace, examples } = made
    const [row] = examples
    const sent = sentMessages(trace.sessionId, { cwd: trace.cwd!, branch: trace.gitBranch! })
    const answers = sent.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
    const rows = row!.messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
    expect(answers).toHaveLength(rows.length)
    for (const [n, at] of rows.entries()) {
      const trained = contextBefore(row!, at, LIMIT)
      const atWork = contextAtWork({ clientVersion: trace.clientVersion!, task: null, messages: sent.slice(0, answers[n]) }, LIMIT)
      const bytes = (context: typeof atWork) =>
        JSON.stringify({ ...context, messages: context!.messages.map((message) => ({ ...message, weight: undefined })) })
      expect(bytes(atWork)).toBe(bytes(trained))
      expect(bytes(atWork)).not.toContain('CANARY')
      compared += 1
    }
  }
  expect(compared).toBe(44)
})

it('puts a task back that the client left out, and says when nothing fits', () => {
  const messages = [{ role: 'user', content: '<system-reminder>\n - Primary working directory: /p\n</system-reminder>' }]
  const conversation = { clientVersion: '2.1.329', task: 'Count the files.', messages }
  expect(contextAtWork(conversation, LIMIT)!.messages).toMatchObject([
    { role: 'system', content: expect.stringMatching(/Working directory: \/p$/) as string },
    { role: 'user', content: 'Count the files.' },
  ])
  expect(contextAtWork({ ...conversation, task: 'word '.repeat(10_000) }, LIMIT)).toBe(null)
})
