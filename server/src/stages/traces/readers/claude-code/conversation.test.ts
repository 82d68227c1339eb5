import { describe, expect, it } from 'vitest'
import { main, readAll, SESSION, source, linesOf } from './testing.ts'

let tick = 0
const record = (type: string, uuid: string, parentUuid: string | null, fields: object) => ({
  sessionId: SESSION,
  version: '2.1.329',
  cwd: '/p',
  timestamp: new Date(Date.UTC(2026, 10, 21, 4) + (tick += 1000)).toISOString(),
  type,
  uuid,
  parentUuid,
  ...fields,
})
const user = (uuid: string, parent: string | null, content: unknown, fields: object = {}) =>
  record('user', uuid, parent, { message: { role: 'user', content }, ...fields })
const answer = (uuid: string, parent: string | null, content: unknown, message: object = {}, fields: object = {}) =>
  record('assistant', uuid, parent, {
    requestId: `r-${uuid}`,
    message: {
      id: `m-${uuid}`,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      ...message,
    },
    ...fields,
  })
const call = (id: string, input: object = { command: 'ls' }) => [{ type: 'tool_use', id, name: 'Bash', input }]
const result = (id: string, content: string, isError = false) => [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }]
const entriesOf = (...records: object[]) =>
  readAll([main(...records)]).entries.map(({ kind, label, asks, abandoned, byMod }) =>
    [kind, label, asks, abandoned && 'abandoned', byMod && 'mod'].filter(Boolean).join(' | '),
  )
const COMMAND = '<command-message>go</command-message>\n<command-name>/go</command-name>\n<command-args>fast</command-args>'

describe('what began a turn', () => {
  it('is a slash command that the model answered; a command of the client is a notice', () => {
    expect(
      entriesOf(
        user('a', null, '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>'),
        user('b', 'a', '<local-command-stdout>Set model</local-command-stdout>'),
        user('c', 'b', COMMAND),
        user('d', 'c', [{ type: 'text', text: 'Go fast, please.' }], { isMeta: true }),
        answer('e', 'd', 'Gone.'),
      ),
    ).toEqual(['notice | command: /model', 'notice | command output', 'prompt | /go fast', 'notice | meta | begins', 'text | Gone.'])
  })

  it('is the feedback of a hook after an answer; between the calls of a turn it came within the turn', () => {
    expect(
      entriesOf(
        user('a', null, 'Hi'),
        answer('b', 'a', call('t1')),
        user('c', 'b', result('t1', 'ok')),
        user('d', 'c', 'Base directory for this skill: /s', { isMeta: true }),
        answer('e', 'd', 'Done.'),
        record('attachment', 'f', 'e', { attachment: { type: 'hook_blocking_error', hookName: 'Stop', blockingError: 'lint fails' } }),
        answer('g', 'f', 'Mended.'),
      ),
    ).toEqual([
      'prompt | Hi',
      'call | ls',
      'notice | meta | within',
      'text | Done.',
      'notice | hook: blocking error Stop | begins',
      'text | Mended.',
    ])
  })

  it('is a scheduled prompt, and a command with its text in one record', () => {
    expect(entriesOf(user('a', null, 'Check the build', { promptSource: 'loop_wakeup' }), answer('b', 'a', 'Fine.'))).toEqual([
      'notice | scheduled: Check the build | begins',
      'text | Fine.',
    ])
    const content = [COMMAND, 'Go fast, please.'].map((text) => ({ type: 'text', text }))
    expect(readAll([main(user('a', null, content), answer('b', 'a', 'Gone.'))]).trace.firstPrompt).toBe('/go fast\n\nGo fast, please.')
  })

  it('gives a session without a typed prompt its title', () => {
    const { trace } = readAll([
      main(user('a', null, '<task-notification><summary>Nightly check</summary></task-notification>'), answer('b', 'a', 'Done.')),
    ])
    expect(trace).toMatchObject({ title: 'notification: Nightly check', counts: { prompts: 0 } })
  })
})

describe('the chain', () => {
  it('leaves out what was rewound, and keeps parallel calls and what was compacted', () => {
    const entries = entriesOf(
      user('a', null, 'One'),
      answer('b', 'a', call('t1'), { id: 'm' }),
      answer('c', 'b', call('t2', { command: 'pwd' }), { id: 'm' }), // another request id, as some clients wrote
      user('d', 'b', result('t1', 'ok')),
      user('e', 'c', result('t2', 'ok')),
      answer('f', 'd', 'Both.'),
      user('g', 'f', 'Two'),
      answer('h', 'g', 'Two done.'),
      record('system', 'i', null, { subtype: 'compact_boundary', content: 'Compacted', logicalParentUuid: 'f' }),
      user('j', 'i', 'Summary', { isCompactSummary: true }),
      user('k', 'j', 'Three'),
    )
    expect(entries.filter((entry) => entry.includes('abandoned'))).toEqual(['prompt | Two | abandoned', 'text | Two done. | abandoned'])
    expect(readAll([main(user('a', null, 'One'), answer('b', 'a', 'x'), user('c', null, 'Two'))]).trace).toMatchObject({
      title: 'Two',
      counts: { prompts: 2, abandonedTurns: 1 },
    })
  })

  it('goes on after a lost record, and where a resumed session began again with a note', () => {
    expect(
      entriesOf(
        user('a', null, 'One'),
        answer('b', 'a', 'Done.'),
        user('d', 'lost', 'Two'),
        record('attachment', 'e', null, { attachment: { type: 'hook_success', hookName: 'SessionStart', content: 'x' } }),
        user('f', 'e', 'Three'),
      ).filter((entry) => entry.includes('abandoned')),
    ).toEqual([])
  })

  it('has a prompt once that was sent again, in the chain or beside it, and its command with its text', () => {
    const error = (uuid: string, parent: string) => answer(uuid, parent, 'API Error', { model: '<synthetic>' }, { isApiErrorMessage: true })
    const { trace } = readAll([
      main(user('a', null, 'Go'), error('b', 'a'), user('c', 'b', 'Go'), error('d', 'c'), user('e', null, 'Go'), answer('f', 'e', 'Gone.')),
    ])
    expect(trace.counts).toMatchObject({ prompts: 1, abandonedTurns: 0 })
    const expansion = (uuid: string, parent: string) => user(uuid, parent, 'Go fast, please.', { isMeta: true })
    expect(
      entriesOf(
        user('a', null, COMMAND),
        expansion('b', 'a'),
        error('c', 'b'),
        user('d', 'c', COMMAND),
        expansion('e', 'd'),
        answer('f', 'e', 'x'),
      ).filter((entry) => !entry.includes('abandoned')),
    ).toEqual(['prompt | /go fast', 'notice | meta | begins', 'error | API Error', 'text | x'])
  })

  it('leaves failed checks of a rewound turn out of what analysers sum up', () => {
    const seen: unknown[][] = []
    const analyser = {
      name: 'test',
      analyseStep: ({ output }: { output: string | null }) => output,
      analyseTrace: (facts: readonly unknown[], _options: unknown, calls: number) => seen.push([...facts, calls]),
    }
    const records = [
      user('a', null, 'One'),
      answer('b', 'a', call('t1')),
      user('c', 'b', result('t1', '2 failed', true)),
      user('d', null, 'Two'),
      answer('e', 'd', call('t2')),
      user('f', 'e', result('t2', '3 passed')),
    ]
    readAll([main(...records)], [{ analyser, options: null }])
    expect(seen).toEqual([['3 passed', 2]])
  })
})

it('responses of different requests are never one, whatever message id a gateway gives them', () => {
  const idsOf = (...requests: (string | null)[]) =>
    readAll([
      main(
        ...requests.map((requestId, index) =>
          answer(`a${index}`, index === 0 ? null : `a${index - 1}`, 'x', { id: 'same' }, { requestId }),
        ),
      ),
    ]).entries.map(({ messageId }) => messageId)
  expect(idsOf('r1', 'r1', 'r2')).toEqual(['same', 'same', 'same~r2'])
  expect(idsOf('r1', null)).toEqual(['same', 'same'])
  const blank = (uuid: string) => answer(uuid, null, 'x', { id: '' })
  expect(readAll([main(blank('a'), blank('b'))]).entries.map(({ messageId }) => messageId)).toEqual(['r-a', 'r-b'])
})

describe('one record written twice', () => {
  it('is one record, with other metadata, the keys in another order, or its text as a block', () => {
    const first = user('a', null, 'List files.')
    const [b, c] = [answer('b', 'a', call('t1', { command: 'ls', description: 'x' })), user('c', 'b', result('t1', 'a.txt'))]
    const copies = [
      { ...first, forkedFrom: { sessionId: 'x', messageUuid: 'a' } },
      { ...first, timestamp: '2026-11-22T04:00:00.000Z', message: { content: [{ text: 'List files.', type: 'text' }], role: 'user' } },
      Object.fromEntries(Object.entries(answer('b', 'a', call('t1', { description: 'x', command: 'ls' }))).toReversed()),
      { ...c, toolUseResult: undefined },
    ]
    const { entries, trace } = readAll([main(first, ...copies, b, c)])
    expect(entries.map(({ kind }) => kind)).toEqual(['prompt', 'call'])
    expect(trace).toMatchObject({ problemCount: 0, counts: { prompts: 1, toolCalls: 1 } })
  })

  it('is one record under another id, if it names its original', () => {
    const copyOf = (messageUuid: string, record: object) => ({ ...record, forkedFrom: { sessionId: 'x', messageUuid } })
    const { trace } = readAll([
      main(
        user('a', null, 'Hi'),
        answer('b', 'a', 'Hello.', { id: 'm' }),
        copyOf('a', user('a2', null, 'Hi')),
        copyOf('b', answer('b2', 'a2', 'Hello.', { id: 'm' })),
        user('c', 'b2', 'Go on'),
      ),
    ])
    expect(trace.counts).toMatchObject({ prompts: 2, abandonedTurns: 0 })
  })

  it('is two when it says something else', () => {
    expect(readAll([main(user('a', null, 'One'), user('a', null, 'Two'))]).trace).toMatchObject({ problemCount: 1, counts: { prompts: 2 } })
  })

  it('has the place of the newer file, and the larger numbers of a copy', () => {
    const partial = answer('b', 'a', 'Hi', { usage: { input_tokens: 10, output_tokens: 1 } })
    const whole = answer('b', 'a', 'Hi', { usage: { input_tokens: 10, output_tokens: 40 } })
    const old = { ...source('main-00000000', 'main'), bytes: linesOf(user('a', null, 'Hello'), partial) }
    const newer = { ...source('main-00000000', 'main', undefined, 1), bytes: linesOf(user('a', null, 'Hello'), whole) }
    const { entries, responses } = readAll([old, newer])
    expect(entries.map(({ location }) => location.generation)).toEqual([1, 1])
    expect(responses).toMatchObject([{ output: 40 }])
  })
})

describe('who answered', () => {
  it('is a mod where the client says so or the id does, whatever model it names; nothing was billed', () => {
    const usage = { input_tokens: 5, output_tokens: 5 }
    const { entries, trace } = readAll([
      main(
        user('a', null, 'Go'),
        answer('b', 'a', 'Mod.', { id: 'msg_hook_1', usage }, { answeredWithoutRequest: true }),
        answer('c', 'b', call('t1', { __unparsedToolInput: '{"comm' }), { id: 'msg_hook_2', usage }),
        user('d', 'c', result('t1', 'InputValidationError', true)),
        answer('e', 'd', 'Claude.', { usage }),
      ),
    ])
    expect(entries.map(({ byMod, model }) => [byMod, model])).toEqual([
      [false, null],
      [true, null],
      [true, null],
      [false, 'claude-opus-5-5'],
    ])
    expect(trace.tokensByModel).toEqual({ 'claude-opus-5-5': { input: 5, output: 5, cacheRead: 0, cacheWrite: 0 } })
  })

  it.each(['automode-unavailable', 'automode-blocked', 'automode-cancelled'])('%s is no refusal by the user', (toolDenialKind) => {
    const refused = user('c', 'b', result('t1', "The user doesn't want to proceed with this tool use", true), {
      toolDenialKind,
      toolDenialBeforeRun: true,
      toolUseResult: 'User rejected tool use',
      permissionDecision: { decision: 'reject', source: 'user_temporary' },
    })
    const { entries } = readAll([main(user('a', null, 'Go'), answer('b', 'a', call('t1')), refused)])
    expect(entries.at(-1)!.rejectedBy).toBe('rule')
  })
})
