import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryRow, ResponseRow } from '../../derived.ts'
import type { Analyser, ParsedStep } from '../../types.ts'
import { bodyRecord } from './index.ts'
import { bytesOf, expectedOf, FILES, linesOf, mainSource, readBytes, readerOf } from './testing.ts'

const agents = Object.keys(FILES) as (keyof typeof FILES)[]
const everyStep: Analyser<ParsedStep, ParsedStep[]> = { name: 'steps', analyseStep: (step) => step, analyseTrace: (steps) => [...steps] }

/** The text at a row's position in the file. */
function textOf(agent: (typeof agents)[number], bytes: Buffer, row: EntryRow): string | undefined {
  const record: unknown = JSON.parse(bytes.toString('utf8', row.location.offset, row.location.offset + row.location.length))
  const { message } = bodyRecord(agent, record) as { message: { content: { text?: string }[] } }
  return message.content[row.location.block]?.text
}

describe.each(agents)('%s', (agent) => {
  const want = expectedOf(agent)
  const bytes = bytesOf(FILES[agent])
  const output = readBytes(agent, bytes)
  const { trace, entries, responses } = output

  it('has the counts and facts of expected.json', () => {
    expect(trace.counts).toEqual({
      prompts: want.prompts,
      abandonedTurns: 0,
      toolCalls: want.toolCalls,
      failedToolCalls: want.failedToolCalls,
      rejectedToolCalls: 0,
      subagents: 0,
      commits: 0,
    })
    expect(trace).toMatchObject({
      agent,
      sessionId: want.sessionId,
      models: [want.model],
      cwd: '/home/dev/project',
      repo: 'project',
      clientVersion: want.clientVersion ?? null,
      gitBranch: want.gitBranch ?? null,
      state: 'ended',
      turns: 1,
      problems: [],
    })
    expect(output.records).toBe(bytes.toString().trimEnd().split('\n').length)
    expect(output.steps).toBe(1)
  })

  it('counts each response once, cached tokens separately', () => {
    expect(responses).toHaveLength(want.responses)
    const sum = (kind: 'input' | 'output' | 'cacheRead' | 'cacheWrite') => responses.reduce((total, one) => total + one[kind]!, 0)
    expect({ input: sum('input'), cached: sum('cacheRead'), output: sum('output'), written: sum('cacheWrite') }).toEqual({
      input: want.tokens.input_without_cached,
      cached: want.tokens.cached,
      output: want.tokens.output,
      written: 0,
    })
  })

  it('shows each text once, and the call with its exit code as a failure', () => {
    const visible = entries.filter(({ kind }) => kind !== 'notice')
    expect(visible.map(({ kind }) => kind)).toEqual(['prompt', 'text', 'call', 'text'])
    const [prompt, first, call, last] = visible
    expect(trace.firstPrompt).toContain('Say hi.')
    expect(prompt!.label).toContain('Say hi.')
    expect(first!.label).toBe('Running.')
    expect(call).toMatchObject({ success: false, exitCode: want.exitCode, answered: true, label: want.command, cwd: '/home/dev/project' })
    expect(call!.id).toBe(`${trace.traceId}:${call!.toolUseId!}`)
    expect(textOf(agent, bytes, last!)).toBe(want.finalText)
    expect(call!.endedAt! >= call!.at!).toBe(true)
  })

  it('passes the step to analysers with its command and complete output', () => {
    const reader = readerOf(agent, [{ analyser: everyStep, options: undefined }])
    reader.feed(mainSource(), 0, bytes)
    const steps = reader.output(null).analyses['steps'] as ParsedStep[]
    expect(steps).toEqual([
      expect.objectContaining({ command: want.command, success: false, exitCode: 3, output: expect.stringContaining('hi\n') }),
    ])
  })

  it('has the same rows however the file is split, without duplicates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 30 }), fc.nat(3), (sizes, pause) => {
        const reader = readerOf(agent)
        const stored = new Map<string, EntryRow>()
        const tokens = new Map<string, ResponseRow>()
        let since: string | null = null
        const take = () => {
          const part = reader.output(since)
          since = part.version
          for (const id of part.removed) stored.delete(id)
          for (const row of part.entries) stored.set(row.id, row)
          for (const row of part.responses) tokens.set(row.key, row)
          return part
        }
        let offset = 0
        for (let step = 0; offset < bytes.length; step += 1) {
          const size = sizes[step % sizes.length]!
          reader.feed(mainSource(), offset, bytes.subarray(offset, offset + size))
          offset = Math.min(bytes.length, offset + size)
          if (pause > 0 && step % pause === 0) take()
        }
        const last = take()
        expect([...stored.values()].toSorted((a, b) => (a.ord < b.ord ? -1 : 1))).toEqual(entries)
        expect([...tokens.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(responses)
        expect(last.trace).toEqual(trace)
      }),
      { numRuns: 30 },
    )
  })

  it('waits for the rest of an incomplete last line, and reports a broken one', () => {
    const torn = readBytes(agent, bytes.subarray(0, bytes.length - 20))
    expect(torn.errors).toEqual([])
    const broken = readBytes(agent, Buffer.concat([bytes, Buffer.from('{"type":\n')]))
    expect(broken.trace.problems).toEqual([expect.objectContaining({ kind: 'unreadable', source: 'main-00000000' })])
    expect(broken.entries.length).toBe(entries.length)
  })
})

describe('codex', () => {
  const call = (id: string, name: string, args: unknown) => ({
    type: 'response_item',
    payload: { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
  })
  const answer = (id: string, output: unknown) => ({
    type: 'response_item',
    payload: { type: 'function_call_output', call_id: id, output },
  })
  const outcomes = (...records: unknown[]) =>
    readBytes('codex', linesOf(...records))
      .entries.filter(({ kind }) => kind === 'call')
      .map(({ label, success, exitCode, rejectedBy }) => [label, success, exitCode, rejectedBy])

  it('reads commands as text or as the arguments of a shell, and the exit codes of older versions', () => {
    expect(
      outcomes(
        call('a', 'shell', { command: ['bash', '-lc', 'npm test'] }),
        answer('a', JSON.stringify({ output: 'ok', metadata: { exit_code: 0 } })),
        call('b', 'shell_command', { command: 'false' }),
        answer('b', 'Exit code: 1\nWall time: 0 seconds\nOutput:\nExit code: 0\n'),
        call('c', 'exec_command', { cmd: 'sleep 100' }),
        answer('c', 'Chunk ID: 1\nProcess running with session ID 7\nOutput:\n'),
        call('d', 'shell', { command: ['rm', '-r', 'x'] }),
        answer('d', 'exec command rejected by user'),
        call('e', 'exec_command', { cmd: 'date' }),
      ),
    ).toEqual([
      ['npm test', true, 0, null],
      ['false', false, 1, null],
      ['sleep 100', null, null, null],
      ['rm -r x', null, null, 'user'],
      ['date', null, null, null],
    ])
  })

  it('sums the running counts of versions that write no usage by response, each once', () => {
    const tokens = (total: number, input: number, cached: number, output: number) => ({
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: {
          total_token_usage: { total_tokens: total },
          last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
        },
      },
    })
    const { responses } = readBytes('codex', linesOf(tokens(110, 100, 60, 10), tokens(110, 100, 60, 10), tokens(230, 100, 90, 20)))
    expect(responses.map(({ input, cacheRead, output }) => [input, cacheRead, output])).toEqual([
      [40, 60, 10],
      [10, 90, 20],
    ])
  })

  it('counts only the new messages of a thread that repeats its parent', () => {
    const bytes = bytesOf(FILES.codex)
    const own = {
      type: 'response_item',
      payload: { type: 'message', id: 'own', role: 'assistant', content: [{ type: 'output_text', text: 'Mine.' }] },
    }
    const thread = { ...mainSource(), name: 'agent-t1', kind: 'subagent' as const }
    const reader = readerOf('codex')
    reader.feed(thread, 0, Buffer.concat([bytes, linesOf(own)]))
    reader.feed(mainSource(), 0, bytes)
    const { entries, responses } = reader.output(null)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
    expect(entries.filter(({ agent }) => agent === 't1').map(({ label }) => label)).toEqual(['Mine.'])
    expect(responses.map(({ agent }) => agent)).toEqual(['main', 'main'])
  })

  it('reads the file and the change from a patch', () => {
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n keep\n-old\n+new\n*** End Patch'
    const { entries, trace } = readBytes(
      'codex',
      linesOf(
        { type: 'session_meta', payload: { cwd: '/p' } },
        { type: 'response_item', payload: { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: patch } },
        {
          type: 'response_item',
          payload: { type: 'custom_tool_call_output', call_id: 'a', output: 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.' },
        },
      ),
    )
    expect(entries).toMatchObject([{ file: '/p/src/a.ts', edits: true, success: true }])
    expect(trace.files).toMatchObject([{ path: '/p/src/a.ts', edits: 1 }])
  })

  it('shows reasoning as thinking', () => {
    const reasoning = { type: 'response_item', payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first.' }] } }
    expect(readBytes('codex', linesOf(reasoning)).entries).toMatchObject([{ kind: 'thinking', label: 'Look first.' }])
  })
})

describe('gemini', () => {
  const head = { sessionId: 's', projectHash: 'p', startTime: '2026-11-21T04:00:00.000Z' }
  const user = (id: string, content: string) => ({ id, type: 'user', timestamp: '2026-11-21T04:00:01.000Z', content })
  const model = (id: string, content: string, more: object = {}) => ({
    id,
    type: 'gemini',
    timestamp: '2026-11-21T04:00:02.000Z',
    content,
    model: 'gemini-2.5-pro',
    ...more,
  })
  const labels = (...records: unknown[]) => readBytes('gemini', linesOf(head, ...records)).entries.map(({ label }) => label)

  it('applies a rewind, keeps what a compression drops, and uses the last version of a message', () => {
    expect(labels(user('a', 'one'), model('b', 'two'), user('c', 'three'), { $rewindTo: 'b' }, user('d', 'four'))).toEqual(['one', 'four'])
    expect(labels(user('a', 'one'), model('b', 'tw'), { $set: { messages: [model('b', 'two')] } }, user('c', 'three'))).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  it('reads thoughts, failures, refusals, and a program that prints an exit code', () => {
    const call = (id: string, status: string, output: string) => ({
      id,
      name: 'run_shell_command',
      args: { command: id },
      status,
      result: [{ functionResponse: { id, response: { output } } }],
    })
    const { entries, trace } = readBytes(
      'gemini',
      linesOf(
        head,
        { $set: { summary: 'Say hi' } },
        model('b', '', {
          thoughts: [{ subject: 'Plan', description: 'Look.' }],
          toolCalls: [
            call('a', 'success', 'Output: Exit Code: 3\nmore'),
            call('b', 'error', 'no such tool'),
            call('c', 'cancelled', ''),
            call('d', 'executing', ''),
          ],
        }),
      ),
    )
    expect(trace.title).toBe('Say hi')
    expect(entries[0]).toMatchObject({ kind: 'thinking', label: 'Plan' })
    expect(entries.slice(1).map(({ label, success, rejectedBy, answered }) => [label, success, rejectedBy, answered])).toEqual([
      ['a', true, null, true],
      ['b', false, null, true],
      ['c', null, 'user', true],
      ['d', null, null, false],
    ])
  })

  it('reads the one document of older versions', () => {
    const document = { ...head, messages: [user('a', 'one'), model('b', 'two')] }
    const bytes = Buffer.from(JSON.stringify(document, null, 2))
    const output = readBytes('gemini', bytes, mainSource('/home/dev/session-1.json'))
    expect(output.entries.map(({ kind, label }) => [kind, label])).toEqual([
      ['prompt', 'one'],
      ['text', 'two'],
    ])
    expect(textOf('gemini', bytes, output.entries[1]!)).toBe('two')
    expect(readBytes('gemini', bytes.subarray(0, 50), mainSource('/home/dev/session-1.json')).errors).toHaveLength(1)
  })
})

describe('opencode', () => {
  it('reads an export like the rows', () => {
    const rows = readBytes('opencode', bytesOf(FILES.opencode))
    const exported = readBytes('opencode', bytesOf('opencode/opencode-export.json'), mainSource('/home/dev/opencode-export.json'))
    const facts = (output: typeof rows) =>
      output.entries.map(({ id, ord, kind, label, success, exitCode }) => ({ id, ord, kind, label, success, exitCode }))
    expect(facts(exported)).toEqual(facts(rows))
    expect(exported.responses).toEqual(rows.responses)
    expect(exported.trace).toMatchObject({ title: 'Running.', clientVersion: '1.18.33', counts: rows.trace.counts })
  })

  it('uses the last version of a row, at its position', () => {
    const lines = bytesOf(FILES.opencode).toString().trimEnd().split('\n')
    const tool = lines.findIndex((line) => line.includes('toolu_'))
    const pending = lines[tool]!.replace(String.raw`\"status\":\"completed\"`, String.raw`\"status\":\"running\"`)
    const grown = [...lines.with(tool, pending), lines[tool]!].join('\n')
    const whole = readBytes('opencode', bytesOf(FILES.opencode))
    const output = readBytes('opencode', Buffer.from(`${grown}\n`))
    expect(output.entries.map(({ id, ord, success }) => [id, ord, success])).toEqual(
      whole.entries.map(({ id, ord, success }) => [id, ord, success]),
    )
    expect(output.trace.counts).toEqual(whole.trace.counts)
  })
})
