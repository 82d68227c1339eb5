import { expect, test } from 'vitest'
import { messagesFor, sidesThatCalled, type Turn, WAITING, withAnswer, withChunk } from './conversation.ts'

const done = { type: 'done', tokens: 4, ms: 40, firstTokenMs: 10, tokensPerSec: 133 } as const
const textChunk = (text: string, tokens: number) =>
  ({ type: 'text', text, tokens, ms: tokens * 10, tokensPerSec: tokens > 1 ? 100 : null }) as const
const call = { type: 'tool_call', name: 'Bash', arguments: { command: 'ls' }, raw: '<tool_call>…' } as const
const turnWith = (id: string, text: string, sides: readonly string[], role: Turn['role'] = 'user'): Turn => ({
  id,
  role,
  text,
  answers: Object.fromEntries(sides.map((side) => [side, WAITING])),
})

test('chunks are joined to an answer whose figures cover the chunks received so far', () => {
  let answer = WAITING
  for (const chunk of [textChunk('I look ', 1), textChunk('around.', 2)]) answer = withChunk(answer, chunk)
  expect(answer).toMatchObject({ state: 'streaming', text: 'I look around.', tokens: 2, ms: 20, firstTokenMs: 10, tokensPerSec: 100 })
  answer = withChunk(withChunk(answer, call), done)
  expect(answer).toMatchObject({ state: 'done', calls: [{ name: 'Bash', arguments: { command: 'ls' } }], tokens: 4, tokensPerSec: 133 })
  expect(withChunk(WAITING, { type: 'error', code: 'internal', message: 'gone' })).toMatchObject({ state: 'failed', error: 'gone' })
})

test('each side continues from its own answers, and tool output goes only to the side that called the tool', () => {
  const sides = ['base', 'trained']
  let turns: Turn[] = [turnWith('1', 'list the files', sides)]
  turns = withAnswer(turns, '1', 'base', (answer) => withChunk(withChunk(answer, textChunk('I cannot.', 3)), done))
  expect(sidesThatCalled(turns, sides)).toEqual([])
  turns = withAnswer(turns, '1', 'trained', (answer) => withChunk(withChunk(answer, call), done))
  expect(sidesThatCalled(turns, sides)).toEqual(['trained'])

  turns = [...turns, turnWith('2', 'a.txt', ['trained'], 'tool')]
  expect(messagesFor('trained', turns, 'Be brief.')).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'list the files' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_0_0', type: 'function', function: { name: 'Bash', arguments: { command: 'ls' } } }],
    },
    { role: 'tool', content: 'a.txt', tool_call_id: 'call_0_0', name: 'Bash' },
  ])
  turns = withAnswer(turns, '2', 'trained', (answer) => withChunk(withChunk(answer, textChunk('One file.', 3)), done))
  turns = [...turns, turnWith('3', 'and now?', sides)]
  expect(messagesFor('base', turns, '')).toEqual([
    { role: 'user', content: 'list the files' },
    { role: 'assistant', content: 'I cannot.' },
    { role: 'user', content: 'and now?' },
  ])
  expect(messagesFor('trained', turns, '').map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
})

test('an answer that failed or was stopped before its first word is omitted with its question; an answer stopped later is kept', () => {
  const turns = [
    { ...turnWith('1', 'one', []), answers: { a: { ...WAITING, state: 'failed' as const, error: 'x' } } },
    { ...turnWith('2', 'two', []), answers: { a: { ...WAITING, state: 'stopped' as const, text: 'half' } } },
    { ...turnWith('4', 'four', []), answers: { a: { ...WAITING, state: 'stopped' as const } } },
    turnWith('3', 'three', ['a']),
  ]
  expect(messagesFor('a', turns, ' ')).toEqual([
    { role: 'user', content: 'two' },
    { role: 'assistant', content: 'half' },
    { role: 'user', content: 'three' },
  ])
})
