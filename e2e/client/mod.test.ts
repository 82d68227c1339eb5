import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import type { Loop } from '#contracts/entities/loop.ts'
import type { RouteStats } from '#contracts/entities/routing.ts'
import type { TranscriptItem } from '#contracts/entities/step.ts'
import { soaking } from '#server/testing/soak.ts'
import { root } from '../support/server.ts'
import { startStub } from './driver/index.mjs'
import { clientOrSkip } from './installed.ts'
import { aUserWithMod, CANARY, linesOf, task, toolResults } from './mod-user.ts'
import { startStudent } from './scripted-student.ts'

const runProgram = promisify(execFile)
const NEWEST = '2.1.329'
const clients = await Promise.all([NEWEST, '2.1.300'].map(async (version) => ({ version, client: await clientOrSkip(version) })))
const binOf = (version: string): string => {
  const client = clients.find((one) => one.version === version)!.client
  return client.skip === false ? client.bin : ''
}
const newest = { bin: binOf(NEWEST), version: NEWEST }
const skipped = (version: string) => clients.find((one) => one.version === version)!.client.skip !== false
const makes = (name: string) => `node -e "require('fs').writeFileSync('${name}','x')"`

for (const { version } of clients) {
  it.skipIf(skipped(version))(`Claude Code ${version} accepts the mod, whose hooks and calls are these`, async () => {
    const userHome = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-mod-'))
    const settings = path.join(userHome, '.claude', 'settings.json')
    const folder = path.join(userHome, '.claude', 'skills', 'bashgym')
    const env = {
      PATH: process.env['PATH'],
      HOME: userHome,
      BASHGYM_HOME: path.join(userHome, 'data'),
      CLAUDE_BIN: binOf(version),
      DISABLE_TELEMETRY: '1',
    }
    const mod = async (action: string) =>
      JSON.parse(
        (
          await runProgram(
            process.execPath,
            [path.join(root, 'dist', 'server', 'bashgym.js'), 'mod', action, '--settings', settings, '--json'],
            {
              env,
            },
          )
        ).stdout,
      ) as object
    try {
      expect(await mod('install')).toMatchObject({ installed: true, changed: true, loads: true, overridableBy: [], folder })
      const validated = JSON.parse((await runProgram(binOf(version), ['plugin', 'validate', '--json', folder], { env })).stdout) as {
        success: boolean
        contents: { notes: string[] }[]
      }
      expect(validated.success).toBe(true)
      const notes = validated.contents.flatMap((one) => one.notes).join('\n')
      expect(/ hooks: (.*)/.exec(notes)?.[1]).toBe('session.start, agent.spawn, turn.step, tool.check')
      expect((/ calls: (.*)/.exec(notes)?.[1] ?? '').match(/\$[.\w]+/g)).toEqual(CALLS)
      fs.mkdirSync(path.join(folder, 'tests'))
      fs.writeFileSync(path.join(folder, 'tests', 'answers.test.ts'), OWN_TEST)
      await runProgram(binOf(version), ['plugin', 'test', folder], { env })
      fs.rmSync(path.join(folder, 'tests'), { recursive: true })
      expect(await mod('uninstall')).toMatchObject({ installed: false, changed: true })
      expect(fs.existsSync(path.dirname(folder))).toBe(false)
    } finally {
      fs.rmSync(userHome, { recursive: true, force: true })
    }
  })
}

const CALLS = [
  'agent.list',
  'agent.register',
  'fs.read',
  'process.spawn',
  'session.cwd',
  'session.id',
  'session.messages',
  'session.version',
].map((name) => `$.${name}`)

/** Run by the client itself: a step of the agent never reaches what is beneath our hook, and one of Claude's always does. */
const OWN_TEST = `
import { describe, expect, test } from 'claude-code/testing'
describe('register', () => {
  const beneath = (on, seen) => on('turn.step', async function* ($, e) { seen.push(e.model); yield { kind: 'stop', stopReason: 'end_turn', usage: null }; return { turnId: e.turnId, index: e.index, answer: '', toolUses: [] } })
  test('answers a step of the agent, also when nothing works', async ($, on) => {
    const seen = []
    beneath(on, seen)
    const kinds = []
    for await (const chunk of $.turn.step({ turnId: 't', index: 0, model: 'gym-x', messageCount: 1, agentId: 'a1' })) kinds.push(chunk.kind)
    expect(seen).toEqual([])
    expect(kinds).toEqual(['text', 'stop'])
  })
  test('has a decision of the engine or a stricter one, also when our rules cannot be asked', async ($, on) => {
    let engine = 'allow'
    on('tool.check', async () => ({ decision: engine }))
    const decisions = []
    for (const agentId of ['a1', undefined])
      for (engine of ['allow', 'ask', 'deny'])
        for (const tool of ['Bash', 'Read']) {
          const call = { tool, input: { command: 'ls' }, tool_use_id: agentId ? 'gym_1' : 'toolu_1', isReadOnly: true }
          decisions.push([engine, tool, (await $.tool.check(call)).decision].join(' '))
        }
    expect(decisions).toEqual([
      'allow Bash ask', 'allow Read allow', 'ask Bash ask', 'ask Read ask', 'deny Bash deny', 'deny Read deny',
      'allow Bash allow', 'allow Read allow', 'ask Bash ask', 'ask Read ask', 'deny Bash deny', 'deny Read deny',
    ])
  })
  test('passes the steps of Claude on', async ($, on) => {
    const seen = []
    beneath(on, seen)
    for await (const chunk of $.turn.step({ turnId: 't', index: 0, model: 'claude-opus-5-5', messageCount: 1 })) void chunk
    expect(seen).toEqual(['claude-opus-5-5'])
  })
})
`

it.skipIf(skipped(NEWEST))(
  'a model of the user answers the agent; Claude is asked nothing for it, and capture knows who answered',
  async () => {
    const student = await startStudent((_, answers) =>
      answers === 0
        ? { text: 'I look.', calls: [{ name: 'Bash', input: { command: 'grep -n add calc.mjs' } }] }
        : { text: '<think>Found.</think>add() is in line 1.' },
    )
    const user = await aUserWithMod(newest, student.url)
    try {
      // a model that the call names would be asked for at the provider
      const { reports, subagents, transcripts } = await user.delegate(['Find where add() is.'], { model: 'haiku' })
      expect(reports).toEqual([expect.stringContaining('add() is in line 1.')])
      const answers = linesOf(subagents).filter(({ type }) => type === 'assistant')
      expect(answers.map(({ answeredWithoutRequest, message }) => [answeredWithoutRequest, message?.model])).toEqual(
        answers.map(() => [true, user.name]),
      )
      expect(JSON.stringify(answers)).not.toContain('<think>')

      expect(student.requests).toHaveLength(2)
      const [first, second] = student.requests
      expect(first!.messages.map(({ role }) => role)).toEqual(['system', 'user'])
      expect(first!.messages[1]!.content).toBe('Find where add() is.')
      expect(first!.messages[0]!.content).toMatch(
        /^You are a coding agent\. You work in the project of the user[^]*Working directory: \/.*\nGit branch: main$/,
      )
      expect(second!.messages.at(-1)).toMatchObject({ role: 'tool', content: '1:export function add (a, b) {' })
      expect(JSON.stringify(student.requests)).not.toContain(CANARY)

      await user.server.api('/api/imports', { method: 'POST', body: { paths: [path.dirname(transcripts[0]!)] } })
      const id = await vi.waitFor(
        async () => {
          const { items } = await user.server.api<{ items: { id: string }[] }>('/api/traces')
          const page = await user.server.api<{ items: TranscriptItem[] }>(`/api/traces/${items[0]!.id}/transcript?limit=100`)
          const step = page.items.flatMap((item) => (item.kind === 'step' && item.step.tool === 'Bash' ? item.step : []))
          expect(step).toMatchObject([{ byMod: true, answeredBy: { modelId: `tiny ${student.url}`, certificate: null } }])
          return items[0]!.id
        },
        { timeout: 60_000 },
      )
      const { stages } = await user.server.api<Loop>('/api/loop')
      expect(stages.at(-1)).toMatchObject({ id: 'used', sessions: 1, things: { count: 2, noun: 'step' } })
      expect(await user.server.api<RouteStats>('/api/router/stats')).toMatchObject({ mod: { steps: 2, failed: 0, agents: 1, tokens: 300 } })
      const trace = await user.server.api<{ models: string[] }>(`/api/traces/${id}`)
      expect(JSON.stringify(trace.models)).not.toContain(user.name)
    } finally {
      await user.close()
      await student.close()
    }
  },
)

it.skipIf(skipped(NEWEST))(
  'in auto mode the agent hands its report over, unchecked commands are refused, and Claude stays in auto mode',
  async () => {
    const student = await startStudent((_, answers) =>
      answers === 0 ? { calls: [{ name: 'Bash', input: { command: makes('student.txt') } }] } : { text: 'It was refused.' },
    )
    const user = await aUserWithMod(newest, student.url)
    const stub = await startStub({
      scenarios: {
        auto: {
          about: '',
          prompt: '',
          steps: [
            [task('Make a file.')],
            [{ type: 'tool_use', name: 'Bash', input: { command: makes('claude.txt') } }],
            [{ type: 'text', text: 'Claude is done.' }],
          ],
        },
      },
    })
    try {
      const { requests, transcripts, exitCode } = await user.run({ stub, prompt: 'SCENARIO=auto go', args: ['--permission-mode', 'auto'] })
      expect(exitCode).toBe(0)
      expect(toolResults(transcripts)[0]).toContain("This agent's report was delivered to you")
      expect(fs.readFileSync(transcripts[0]!, 'utf8')).toContain('It was refused.')
      expect(student.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'tool'])
      expect(student.requests[1]!.messages.at(-1)!.content).toContain('Bash was not run')
      expect(JSON.stringify(student.requests)).not.toMatch(/SubagentHandback|handback-send/)
      expect(['student.txt', 'claude.txt'].map((name) => fs.existsSync(path.join(user.cwd, name)))).toEqual([false, true])
      const ofClaude = requests.filter(({ scenario }) => scenario === 'auto')
      expect(ofClaude.map(({ isChecked, agent }) => [isChecked, agent])).toEqual([1, 2, 3].map(() => [true, undefined]))
      expect(requests.filter(({ agent }) => agent !== undefined)).toEqual([])
      // the client has its provider check the report once
      expect(requests.filter(({ scenario }) => scenario !== 'auto').map(({ model }) => model)).toEqual(['claude-sonnet-5'])
    } finally {
      await stub.close()
      await user.close()
      await student.close()
    }
  },
)

/** Commands of the agent, the tools that the user allowed, and what the agent gets. */
const COMMANDS: [command: string, allowed: string[], expected: string][] = [
  ['ls calc.mjs', ['Bash', 'Agent'], 'RESULT calc.mjs'],
  ['rm -rf ~', ['Bash', 'Agent'], 'would delete a system or home folder'],
  [makes('a.txt'), ['Agent'], 'approv'],
]

it.skipIf(skipped(NEWEST))('a decision about a command of the agent is never weaker than without the mod', async () => {
  let command = ''
  const student = await startStudent((request, answers) =>
    answers === 0 ? { calls: [{ name: 'Bash', input: { command } }] } : { text: `RESULT ${request.messages.at(-1)!.content}` },
  )
  const user = await aUserWithMod(newest, student.url)
  try {
    const results: [string, boolean][] = []
    for (const [given, allowedTools, expected] of COMMANDS) {
      command = given
      const { reports } = await user.delegate(['Run it.'], {}, { allowedTools })
      results.push([given, reports[0]!.includes(expected)])
    }
    expect(results).toEqual(COMMANDS.map(([given]) => [given, true]))
  } finally {
    await user.close()
    await student.close()
  }
})

/** What goes wrong, and what the report says then. */
const FAULTS: Record<string, { reply: Parameters<typeof startStudent>[0]; says: string }> = {
  'TASK-DEAD': { reply: () => ({ text: 'never', breaksOff: true }), says: 'could not be' },
  'TASK-TORN': {
    reply: () => ({ calls: [{ name: 'Bash', input: '{"command":"echo torn > torn.txt"' }] }),
    says: 'tool call that cannot be read',
  },
  'TASK-NAME': { reply: () => ({ calls: [{ name: 'Ba sh\n', input: {} }] }), says: 'tool call that cannot be read' },
  'TASK-EMPTY': { reply: () => ({ text: '<think>hm</think>' }), says: 'answered with nothing' },
  'TASK-ENDLESS': { reply: () => ({ text: 'again '.repeat(1000), finish: 'length' }), says: 'cut off at' },
  // a tool that the agent does not have, which would start an agent of Claude
  'TASK-AGENT': {
    reply: ({ messages }, answers) =>
      answers === 0
        ? { calls: [{ name: 'Agent', input: { description: 'Task', prompt: 'Go on.', subagent_type: 'general-purpose' } }] }
        : { text: messages.at(-1)!.content },
    says: 'No such tool available: Agent',
  },
  'TASK-SLOW': { reply: () => ({ text: 'Slow, but here.', afterMs: soaking(12_000, 200_000) }), says: 'Slow, but here.' },
}

it.skipIf(skipped(NEWEST))(
  'whatever is wrong with the model, the agent ends with the reason and Claude is asked nothing',
  async () => {
    const student = await startStudent((request, answers) =>
      FAULTS[request.messages[1]!.content.slice(0, 20).trim()]!.reply(request, answers),
    )
    const user = await aUserWithMod(newest, student.url)
    try {
      const tooLong = `TASK-LONG ${'word '.repeat(20_000)}`
      const { reports, subagents } = await user.delegate([...Object.keys(FAULTS), tooLong], {}, { timeoutMs: soaking(120_000, 400_000) })
      const expected = [...Object.values(FAULTS).map(({ says }) => says), 'longer than the 6000 tokens']
      expect(reports).toEqual(expected.map((text) => expect.stringContaining(text) as string))
      expect(JSON.stringify(linesOf(subagents))).not.toContain('__unparsedToolInput')
      expect(student.requests).toHaveLength(Object.keys(FAULTS).length + 1)

      // without mods there is no such agent: nothing is asked in its place
      for (const [args, says] of [
        [['--settings', '{"disableAllHooks":true}'], "Agent type 'bashgym:gym' not found"],
        [['--bare'], 'No such tool available: Agent'],
      ] as const) {
        const off = await user.delegate(['TASK-SLOW'], {}, { args: [...args] })
        expect(off.reports).toEqual([expect.stringContaining(says)])
      }

      await user.server.stop()
      const closed = await user.delegate(['TASK-SLOW'])
      expect(closed.reports).toEqual([expect.stringContaining('No server is running')])
      expect(student.requests).toHaveLength(Object.keys(FAULTS).length + 1)
    } finally {
      await user.close()
      await student.close()
    }
  },
  soaking(120_000, 600_000),
)
