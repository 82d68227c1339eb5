import { describe, expect, it } from 'vitest'
import type { DeriveOutput } from '../../derived.ts'
import { fixtureSources, linesOf, main, newReader, readAll, SESSION, source, TRACE, type Fed } from './testing.ts'

const fixture = (name: string, session?: string): DeriveOutput => readAll(fixtureSources(name, session))
const calls = ({ entries }: DeriveOutput) => entries.filter(({ kind }) => kind === 'call')
const labels = ({ entries }: DeriveOutput, kind: string) => entries.filter((row) => row.kind === kind).map(({ label }) => label)

let tick = 0
const at = () => ({
  sessionId: SESSION,
  version: '2.1.329',
  cwd: '/p',
  timestamp: new Date(Date.UTC(2026, 10, 21, 4) + (tick += 1000)).toISOString(),
})
const user = (uuid: string, parentUuid: string | null, content: unknown, overrides: object = {}) => ({
  ...at(),
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
  ...overrides,
})
const assistant = (uuid: string, parentUuid: string | null, content: unknown[], more: Record<string, unknown> = {}) => ({
  ...at(),
  type: 'assistant',
  uuid,
  parentUuid,
  requestId: 'r1',
  message: { id: 'm1', model: 'claude-opus-5-5', content, stop_reason: 'tool_use', ...(more['message'] as object | undefined) },
  ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== 'message')),
})
const bash = (id: string, command = 'ls') => ({ type: 'tool_use', id, name: 'Bash', input: { command } })
const result = (id: string, content: unknown, is_error = false) => [{ type: 'tool_result', tool_use_id: id, content, is_error }]
const usage = (output_tokens: number) => ({ input_tokens: 100, output_tokens, cache_read_input_tokens: 10, cache_creation_input_tokens: 1 })

describe('recorded runs of the client', () => {
  it.each(['2.0.76-subagent', '2.1.100-subagent'])('%s has one sub-agent, linked to its call, and does not count warm-ups', (name) => {
    const output = fixture(name)
    expect(output.trace.counts).toEqual({
      prompts: 1,
      abandonedTurns: 0,
      toolCalls: 3,
      failedToolCalls: 0,
      rejectedToolCalls: 0,
      subagents: 1,
      commits: 0,
    })
    const [task, grep, read] = calls(output)
    expect([task!.tool, grep!.tool, read!.tool]).toEqual(['Task', 'Bash', 'Read'])
    expect([grep!.parentStepId, read!.parentStepId]).toEqual([task!.id, task!.id])
    expect(output.responses).toHaveLength(5)
    expect(output.trace.tokensByModel).toMatchObject({
      [output.trace.models[0]!]: { input: 5004, output: 104, cacheRead: 40, cacheWrite: 1000 },
    })
    expect(output.records).toBe(name.startsWith('2.0') ? 12 : 15)
  })

  it("2.1.329-mod has only answers of a mod, although they have the name of the session's model", () => {
    const { entries, trace } = fixture('2.1.329-mod')
    expect(entries.map(({ kind, byMod, model }) => [kind, byMod, model])).toEqual([
      ['prompt', false, null],
      ['text', true, null],
      ['call', true, null],
      ['text', true, null],
    ])
    expect([trace.models, trace.tokensByModel]).toEqual([[], {}])
  })

  it("2.1.329-mod-torn has the broken call as one of the mod, and what Claude said after it as Claude's", () => {
    const { entries, responses } = fixture('2.1.329-mod-torn')
    const answers = entries.filter(({ kind }) => kind === 'call' || kind === 'text')
    expect(answers.map(({ kind, byMod, model }) => [kind, byMod, model])).toEqual([
      ['call', true, null],
      ['text', false, 'claude-opus-5-5'],
      ['text', false, 'claude-opus-5-5'],
    ])
    expect(responses.map(({ model }) => model)).toEqual(['claude-opus-5-5', 'claude-opus-5-5'])
  })

  it("2.1.329-mod-agent keeps the name of an agent's own model, and a refusal by auto mode is nobody's no", () => {
    const output = fixture('2.1.329-mod-agent')
    const answers = output.entries.filter(({ kind }) => kind === 'call' || kind === 'text')
    expect(answers.map(({ byMod, model, agent }) => [byMod, model, agent])).toEqual(
      answers.map(() => [true, 'gym-student', 'a9f027441fad9a9f7']),
    )
    expect(calls(output).map(({ tool, rejectedBy }) => [tool, rejectedBy])).toEqual([
      ['Bash', 'rule'],
      ['SubagentHandback', null],
    ])
    expect([output.trace.models, output.responses]).toEqual([[], []])
  })

  it.each(['2.1.260-subagent', '2.1.300-subagent'])('%s keeps its new kinds of records, which do not change the rows', (name) => {
    const sources = fixtureSources(name)
    const output = readAll(sources)
    expect(output.trace).toMatchObject({
      clientVersion: name.replace('-subagent', ''),
      counts: { prompts: 1, toolCalls: 3, failedToolCalls: 0, rejectedToolCalls: 0, subagents: 1, commits: 0 },
    })
    const [task, ...inner] = calls(output)
    expect([task!.tool, ...inner.map(({ tool }) => tool)]).toEqual(['Agent', 'Bash', 'Read'])
    expect(inner.map(({ parentStepId }) => parentStepId)).toEqual([task!.id, task!.id])
    expect(output.responses).toHaveLength(5)
    const lines = sources.filter(({ kind }) => kind !== 'meta').map(({ bytes }) => bytes.toString().trim().split('\n'))
    expect(output.records).toBe(lines.flat().length)
    expect(lines.flat().some((line) => /"type":"(atis-latch|cost-state)"/.test(line))).toBe(true)
    expect(output.errors).toEqual([])
  })

  it('a fork is a separate session whose copied entries have the same shared keys', () => {
    const original = fixture('2.1.329-fork', '7d3eee20')
    const fork = fixture('2.1.329-fork', 'a7dc05fc')
    expect([original.trace.counts.prompts, fork.trace.counts.prompts]).toEqual([2, 3])
    const shared = original.entries.map(({ sharedKey }) => sharedKey)
    expect(fork.entries.slice(0, shared.length).map(({ sharedKey }) => sharedKey)).toEqual(shared)
    const keys = new Set(fork.responses.map(({ key }) => key))
    expect(original.responses.every(({ key }) => keys.has(key))).toBe(true)
  })

  it('a compaction is shown, keeps the older steps and adds no sub-agent', () => {
    const output = fixture('2.1.329-compact')
    expect(output.trace.counts).toMatchObject({ prompts: 1, toolCalls: 1, subagents: 0 })
    expect(labels(output, 'compaction')).toEqual(['Conversation compacted', 'summary'])
    expect(labels(output, 'notice')).toEqual(['meta', 'command: /compact', 'command output'])
  })

  it('a killed session is interrupted with one unanswered call', () => {
    const output = fixture('2.1.329-kill')
    expect(output.trace).toMatchObject({ state: 'interrupted', counts: { toolCalls: 1, failedToolCalls: 0, rejectedToolCalls: 0 } })
    expect(calls(output)[0]).toMatchObject({ answered: false, success: null, endedAt: null })
  })

  it.each([
    ['esc', 'interrupt'],
    ['sigint', 'interrupt'],
    ['escprompt', 'user'],
    ['denied', 'rule'],
  ])('%s: the call is rejected by %s and neither succeeds nor fails', (name, rejectedBy) => {
    const output = fixture(`2.1.329-${name}`)
    expect(calls(output)[0]).toMatchObject({ rejectedBy, success: null, exitCode: null, answered: true })
    expect(output.trace.counts).toMatchObject({ prompts: 1, failedToolCalls: 0, rejectedToolCalls: 1 })
  })

  it('three parallel sub-agents are three separate trees', () => {
    const output = fixture('2.1.329-subagents-parallel')
    expect(output.trace.counts).toMatchObject({ toolCalls: 9, subagents: 3 })
    expect(calls(output).map(({ seq }) => seq)).toEqual([1, 1.00001, 1.00002, 2, 2.00001, 2.00002, 3, 3.00001, 3.00002])
    for (const { id, parentStepId } of output.trace.subagents) {
      const agentEntries = output.entries.filter(({ agent }) => agent === id)
      const parent = output.entries.find((row) => row.id === parentStepId)!
      expect(agentEntries.every(({ ord }) => ord.startsWith(parent.ord))).toBe(true)
    }
  })

  it('background work is one session; its notification is not a prompt', () => {
    const agent = fixture('2.1.329-subagent-background')
    expect(agent.trace.counts).toMatchObject({ prompts: 1, subagents: 1, toolCalls: 3 })
    expect(labels(agent, 'notice')).toContain('notification: Agent "Find add()" finished')
    const shell = fixture('2.1.329-background-bash')
    expect(shell.trace.counts.prompts).toBe(1)
    expect(calls(shell)[0]).toMatchObject({ success: true, exitCode: null })
  })

  it('a command stopped by its timeout fails with exit code 143', () => {
    expect(calls(fixture('2.1.329-bash-timeout'))[0]).toMatchObject({ success: false, exitCode: 143, rejectedBy: null })
  })

  it('an API error is an error entry, without cost or model', () => {
    const { trace, responses, entries } = fixture('2.1.329-api-error')
    expect(trace).toMatchObject({ models: [], tokensByModel: {} })
    expect(responses).toEqual([])
    expect(entries.map(({ kind, label }) => [kind, label])).toContainEqual(['error', 'API Error: 400 stub: bad request'])
  })

  it('MCP calls keep their names and errors', () => {
    expect(calls(fixture('2.1.329-mcp')).map(({ tool, success, exitCode }) => [tool, success, exitCode])).toEqual([
      ['mcp__notes__lookup', true, null],
      ['mcp__notes__lookup', false, null],
    ])
  })

  it('parallel calls of one response are in the order of their blocks, with their own outcomes', () => {
    expect(calls(fixture('2.1.329-parallel')).map(({ tool, exitCode }) => [tool, exitCode])).toEqual([
      ['Read', null],
      ['Read', null],
      ['Bash', 4],
      ['Bash', 0],
    ])
  })
})

describe('prompts', () => {
  it.each([
    [
      '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>',
      'command: /model opus',
    ],
    ['<local-command-stdout>ok</local-command-stdout>', 'command output'],
    ['<bash-input>ls -la</bash-input>', 'shell: ls -la'],
    ['<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>', 'shell output'],
    ['[Request interrupted by user]', 'interrupt'],
    ['<task-notification>\n<task-id>b1</task-id>\n<summary>Tests finished</summary>\n</task-notification>', 'notification: Tests finished'],
  ])('%s is a notice, not a prompt', (text, label) => {
    for (const content of [text, [{ type: 'text', text }]]) {
      const output = readAll([main(user('a', null, content))])
      expect(output.trace.counts.prompts).toBe(0)
      expect(output.entries).toMatchObject([{ kind: 'notice', label }])
    }
  })

  it('meta records and compaction summaries are not prompts; text with an image is', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'x' } }
    const output = readAll([
      main(
        user('a', null, 'Caveat', { isMeta: true }),
        user('b', 'a', 'This session is being continued', { isCompactSummary: true }),
        user('c', 'b', [{ type: 'text', text: '<ide_opened_file>x</ide_opened_file>' }, { type: 'text', text: 'Look at this' }, image]),
        user('d', 'c', [image]),
        {
          ...at(),
          type: 'attachment',
          uuid: 'e',
          parentUuid: 'd',
          attachment: { type: 'queued_command', prompt: 'And this', commandMode: 'prompt' },
        },
      ),
    ])
    expect(labels(output, 'prompt')).toEqual(['Look at this', '[image]', 'And this'])
    expect(output.trace).toMatchObject({ title: 'Look at this', firstPrompt: 'Look at this', turns: 3 })
  })

  it("the user's title overrides the client's; a summary only counts if its leaf is in this session", () => {
    const prompt = user('a', null, 'Do it\nplease')
    const titleWith = (...more: object[]) => readAll([main(prompt, ...more)]).trace.title
    expect(titleWith()).toBe('Do it')
    expect(titleWith({ type: 'summary', summary: 'Another session', leafUuid: 'zz' })).toBe('Do it')
    expect(titleWith({ type: 'summary', summary: 'This session', leafUuid: 'a' })).toBe('This session')
    expect(titleWith({ type: 'ai-title', aiTitle: 'By the client' }, { type: 'summary', summary: 'x', leafUuid: 'a' })).toBe(
      'By the client',
    )
    expect(titleWith({ type: 'custom-title', customTitle: 'Mine' }, { type: 'ai-title', aiTitle: 'By the client' })).toBe('Mine')
  })
})

describe('usage', () => {
  it('counts a response once with its larger total, in any order of records', () => {
    const records = [
      assistant('a', null, [{ type: 'text', text: 'x' }], { message: { usage: usage(1) } }),
      assistant('b', 'a', [bash('t1')], { message: { usage: usage(50) } }),
    ]
    for (const order of [records, records.toReversed()]) {
      expect(readAll([main(...order)]).responses).toMatchObject([{ input: 100, output: 50, cacheRead: 10, cacheWrite: 1 }])
    }
  })

  it('a record without request id is the same response as its message', () => {
    const records = [
      assistant('a', null, [{ type: 'text', text: 'x' }], { message: { usage: usage(5) }, requestId: undefined }),
      assistant('b', 'a', [bash('t1')], { message: { usage: usage(5) } }),
    ]
    expect(readAll([main(...records)]).responses).toMatchObject([{ key: 'm1\0r1', output: 5 }])
    expect(readAll([main(records[0])]).responses).toMatchObject([{ key: 'm1\0', output: 5 }])
  })

  it('drops the copy of a message that a side conversation made under a new request id', () => {
    const own = assistant('a', null, [{ type: 'text', text: 'x' }], { message: { usage: usage(5) } })
    const copy = {
      ...assistant('b', null, [{ type: 'text', text: 'x' }], { message: { usage: usage(5) }, requestId: 'r2' }),
      isSidechain: true,
      agentId: 'side',
    }
    const files = [main(own), { ...source('agent-side', 'subagent'), bytes: linesOf(copy) }]
    for (const order of [files, files.toReversed()]) expect(readAll(order).responses).toMatchObject([{ key: 'm1\0r1', agent: 'main' }])
  })

  it('reports placeholders of old clients as unknown, and the final number of the last block as known', () => {
    const old = (stop_reason: string | null, output: number) =>
      assistant('a', null, [bash('t1')], { version: '1.0.128', message: { usage: usage(output), stop_reason } })
    expect(readAll([main(old(null, 1))]).trace.tokensByModel).toMatchObject({ 'claude-opus-5-5': { input: 100, output: null } })
    expect(readAll([main(old('tool_use', 44))]).trace.tokensByModel).toMatchObject({ 'claude-opus-5-5': { output: 44 } })
  })
})

describe('damaged and unusual lines', () => {
  it('reports the line that is not JSON, and continues', () => {
    const file = {
      ...main(),
      bytes: Buffer.concat([
        linesOf(user('a', null, 'one')),
        Buffer.from('{"type":"user",\n\0\0\0\0\n123\n\n'),
        linesOf(user('b', 'a', 'two')),
      ]),
    }
    const output = readAll([file])
    expect(output.trace.counts.prompts).toBe(2)
    expect(output.errors.map(({ line }) => line)).toEqual([2, 3, 4])
    expect(output.trace).toMatchObject({
      problemCount: 3,
      problems: [{ kind: 'unreadable', line: 2 }, { line: 3, message: expect.stringContaining('NUL') as string }, { line: 4 }],
    })
  })

  it('waits until an incomplete last line is complete', () => {
    const bytes = linesOf(user('a', null, 'one'), user('b', 'a', 'two'))
    const reader = newReader()
    const file = main()
    reader.feed(file, 0, bytes.subarray(0, bytes.length - 10))
    const before = reader.output(null)
    expect(before).toMatchObject({ records: 1, errors: [], trace: { counts: { prompts: 1 } } })
    reader.feed(file, bytes.length - 10, bytes.subarray(-10))
    expect(reader.output(before.version)).toMatchObject({ complete: false, records: 1, entries: [{ label: 'two' }] })
  })

  it('counts unknown types, unknown fields and records without a uuid as lines read', () => {
    const output = readAll([
      main(
        { type: 'brand-new', x: 1 },
        { ...user('a', null, 'one'), novel: { deep: [1] } },
        { type: 'user', message: { content: 'no uuid' } },
        { type: 'system', subtype: 'new_kind', uuid: 'c' },
      ),
    ])
    expect(output).toMatchObject({ records: 4, errors: [], trace: { counts: { prompts: 2 } } })
    expect(output.entries[1]!.id).toMatch(new RegExp(`^${TRACE}:[0-9a-f]{16}:3:0$`))
  })

  it('reads an empty file as an empty session', () => {
    expect(readAll([main()]).trace).toMatchObject({
      startedAt: null,
      endedAt: null,
      activeMs: null,
      title: null,
      cwd: null,
      state: 'ended',
    })
  })

  it('reads a line of 50 MB and invalid UTF-8', () => {
    const long = 'x'.repeat(50 * 1024 * 1024)
    const lossy = linesOf(user('c', 'b', 'caf?'))
      .toString()
      .replace('caf?', 'caf\u00ff')
    const bytes = Buffer.concat([
      linesOf(assistant('a', null, [bash('t1')]), user('b', 'a', result('t1', long))),
      Buffer.from(lossy, 'latin1'),
    ])
    const output = readAll([{ ...main(), bytes }])
    expect(calls(output)[0]).toMatchObject({ success: true, outputBytes: long.length })
    expect(labels(output, 'prompt')).toEqual(['caf\ufffd'])
  })

  it('does not show empty thinking that only carries a signature', () => {
    expect(readAll([main(assistant('a', null, [{ type: 'thinking', thinking: '', signature: 'abc' }]))]).entries).toEqual([])
  })
})

describe('order', () => {
  it('follows the chain if the clock was set back or two records share a millisecond', () => {
    const records = [user('a', null, '1'), user('b', 'a', '2'), user('c', 'b', '3')]
    const times = ['2026-11-21T05:00:00.000Z', '2026-11-21T04:00:00.000Z', '2026-11-21T04:00:00.000Z']
    expect(labels(readAll([main(...records.map((record, index) => ({ ...record, timestamp: times[index] })))]), 'prompt')).toEqual([
      '1',
      '2',
      '3',
    ])
  })

  it('never puts a record before its parent', () => {
    expect(labels(readAll([main(user('b', 'a', 'child'), user('a', null, 'parent'), user('c', 'b', 'last'))]), 'prompt')).toEqual([
      'parent',
      'child',
      'last',
    ])
  })

  it('keeps records with circular parents', () => {
    expect(readAll([main(user('a', 'b', '1'), user('b', 'a', '2'))]).trace.counts.prompts).toBe(2)
  })

  it('nests a sub-agent of a sub-agent under its call', () => {
    const task = (id: string, prompt: string) => ({
      type: 'tool_use',
      id,
      name: 'Agent',
      input: { prompt, description: prompt, subagent_type: 'Explore' },
    })
    const agent = (id: string, ...records: object[]): Fed => ({
      ...source(`agent-${id}`, 'subagent'),
      bytes: linesOf(...records.map((record) => ({ ...record, isSidechain: true, agentId: id }))),
    })
    const files = [
      main(assistant('a', null, [task('t1', 'outer')])),
      agent('one', user('b', null, 'outer'), assistant('c', 'b', [task('t2', 'inner')], { message: { id: 'm2' } })),
      agent('two', user('d', null, 'inner'), assistant('e', 'd', [bash('t3')], { message: { id: 'm3' } })),
    ]
    const output = readAll(files)
    expect(calls(output).map(({ seq, agent: name, parentStepId }) => [seq, name, parentStepId])).toEqual([
      [1, 'main', null],
      [1 + 1e-5, 'one', `${TRACE}:t1`],
      [1 + 1e-5 + 1e-10, 'two', `${TRACE}:t2`],
    ])
    expect(readAll(files.toReversed()).entries).toEqual(output.entries)
  })

  it('places a sub-agent without a known call after the entries before its start', () => {
    const unlinked = {
      ...source('agent-x', 'subagent'),
      bytes: linesOf({ ...user('z', null, 'who asked?'), isSidechain: true, agentId: 'x', timestamp: '2026-11-21T03:00:01.500Z' }),
    }
    const records = [0, 1, 2].map((index) => ({
      ...user(`p${index}`, index ? `p${index - 1}` : null, `${index}`),
      timestamp: `2026-11-21T03:00:0${index}.000Z`,
    }))
    const output = readAll([main(...records), unlinked])
    expect(output.entries.map(({ label }) => label)).toEqual(['0', '1', 'task: who asked?', '2'])
    expect(output.trace.counts).toMatchObject({ prompts: 3, subagents: 1 })
  })
})

describe('repository and branch', () => {
  it('counts a worktree for its repository and a subdirectory for its parent', () => {
    const inside = (cwd: string, id: string) => ({ ...assistant(id, null, [bash(`t${id}`)], { message: { id } }), cwd })
    const repo = (...cwds: string[]) => readAll([main(...cwds.map((cwd, index) => inside(cwd, `${index}`)))]).trace.repo
    expect(repo('/home/dev/My Projects/app_v1.2/.claude/worktrees/fix')).toBe('app_v1.2')
    expect(repo('/home/dev/shop', '/home/dev/shop/packages/ui', '/home/dev/shop/packages/ui', '/home/dev/other')).toBe('shop')
    expect(repo('/home/dev/größe')).toBe('größe')
  })

  it('does not take HEAD as a branch', () => {
    expect(readAll([main({ ...user('a', null, 'x'), gitBranch: 'HEAD' })]).trace.gitBranch).toBeNull()
  })
})

describe('hooks', () => {
  it('create no entries on their own, and no sub-agent for a stop without a type', () => {
    const hooks = {
      ...source('hooks', 'hooks', 'hooks'),
      bytes: linesOf({ hook_event_name: 'SubagentStop', agent_type: '', agent_id: 'ghost' }, { hook_event_name: 'SessionEnd' }),
    }
    const output = readAll([hooks])
    expect(output).toMatchObject({ entries: [], records: 0, trace: { counts: { subagents: 0 } } })
  })

  it('have the same facts when a crash duplicated their lines', () => {
    const commit = { hook_event_name: 'PostToolUse', tool_use_id: 't1', tool_response: { gitOperation: { commit: { sha: 'abc1234' } } } }
    const lines = [{ hook_event_name: 'SessionStart' }, commit, { hook_event_name: 'SessionEnd' }]
    const transcript = main(assistant('a', null, [bash('t1', 'git commit -qm x')]), user('b', 'a', result('t1', '')))
    const hooks = source('hooks', 'hooks', 'hooks')
    const once = readAll([transcript, { ...hooks, bytes: linesOf(...lines) }])
    const twice = readAll([transcript, { ...hooks, bytes: linesOf(...lines, ...lines) }])
    expect({ ...twice, version: '' }).toEqual({ ...once, version: '' })
  })

  it('supply the commit of a quiet call, which the transcript lacks', () => {
    const commit = { hook_event_name: 'PostToolUse', tool_use_id: 't1', tool_response: { gitOperation: { commit: { sha: 'abc1234' } } } }
    const files = [
      main(assistant('a', null, [bash('t1', 'git commit -qm x')]), user('b', 'a', result('t1', ''))),
      { ...source('hooks', 'hooks', 'hooks'), bytes: linesOf(commit) },
    ]
    expect(readAll(files).trace.counts.commits).toBe(1)
    expect(readAll(files.toReversed()).trace.counts.commits).toBe(1)
  })
})
