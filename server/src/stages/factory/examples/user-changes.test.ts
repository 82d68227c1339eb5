import { expect, test } from 'vitest'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { matchMessages, withUserChanges } from './user-changes.ts'
import type { BuiltExample } from './types.ts'

const call = (id: string): ChatMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'Bash', arguments: { command: id } } }],
})
const result = (id: string, content = `out ${id}`): ChatMessage => ({ role: 'tool', tool_call_id: id, name: 'Bash', content })
const textMessage = (role: 'user' | 'assistant', content: string): ChatMessage => ({ role, content })
const source = [textMessage('user', 'do it'), call('c1'), result('c1'), call('c2'), result('c2'), textMessage('assistant', 'done')]

test.for([
  ['unchanged', source, [0, 1, 2, 3, 4, 5]],
  ['one call removed', [source[0]!, call('c2'), result('c2'), source[5]!], [0, 3, 4, 5]],
  ['texts changed', [textMessage('user', 'do that'), call('c1'), result('c1', 'short'), call('c2'), result('c2'), textMessage('assistant', 'so')], [0, 1, 2, 3, 4, 5]], // prettier-ignore
  ['a message added', [source[0]!, textMessage('assistant', 'first I look'), ...source.slice(1)], [0, null, 1, 2, 3, 4, 5]],
  ['the end cut off', source.slice(0, 3), [0, 1, 2]],
] as const)('an edited message keeps its step: %s', ([, edited, places]) => {
  expect(matchMessages(edited, source)).toEqual(places)
})

test('an edited example has new counts and prompt; its original and trims stay those of the source', () => {
  const example = {
    id: 'e',
    prompt: 'do it',
    messages: source,
    stepIds: ['p', 's1', 's1', 's2', 's2', 't'],
    trims: [{ message: 4, keptChars: 5, cutChars: 100 }],
    turns: 3,
    steps: 2,
    tokens: { count: 999, exact: false, tokenizer: 'x' },
    flags: [],
    tools: [],
    sourceHash: 'h',
  } as unknown as BuiltExample // other fields are not read
  const messages = [textMessage('user', 'do that'), call('c2'), result('c2'), source[5]!]
  const changed = withUserChanges(example, { states: new Map(), edits: new Map([['e', { messages, sourceHash: 'h' }]]) })
  expect(changed).toMatchObject({
    prompt: 'do that',
    turns: 2,
    steps: 1,
    stepIds: ['p', 's2', 's2', 't'],
    trims: [{ message: 4, cutChars: 100 }],
    original: source,
    flags: ['edited'],
  })
  expect(changed.tokens.count).toBeLessThan(200)
})
