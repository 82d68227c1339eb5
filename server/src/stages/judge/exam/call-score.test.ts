import { expect, test } from 'vitest'
import { scoreCall } from './call-score.ts'

const bash = { name: 'Bash', arguments: { command: 'npm test', description: 'Run the tests' } }
const edit = { name: 'Edit', arguments: { file_path: '/a', old_string: 'x', new_string: 'y' } }
const soft = (recorded: typeof bash | typeof edit, given: Record<string, unknown>, name = recorded.name) =>
  Number(scoreCall(recorded, { name, arguments: given }).soft.toFixed(4))

test('the soft score has the worked values', () => {
  expect(soft(bash, bash.arguments)).toBe(1)
  expect(soft(bash, { ...bash.arguments, description: 'Other' })).toBe(0.7)
  expect(soft(bash, { command: 'npm test' })).toBe(0.8)
  expect(soft(bash, { ' Command ': 'npm test', DESCRIPTION: 'Run the tests' })).toBe(1)
  expect(soft(bash, bash.arguments, 'Read')).toBe(0)
  expect(scoreCall(bash, null)).toEqual({ exact: 0, toolName: 0, argF1: 0, soft: 0 })
  expect(soft(edit, { ...edit.arguments, new_string: 'z' })).toBe(0.8)
  expect(soft(edit, { ...edit.arguments, replace_all: true })).toBe(0.9143)
})

test('values are compared as what they are', () => {
  const score = (recorded: unknown, given: unknown) =>
    scoreCall({ name: 'T', arguments: { value: recorded } }, { name: 'T', arguments: { value: given } }).exact
  expect(score(1, JSON.parse('1.0'))).toBe(1)
  expect(score(1, '1')).toBe(0)
  expect(score(' text\n', 'text')).toBe(1)
  expect(score({ b: [1, 2], a: ' x ' }, { a: 'x', b: [1, 2] })).toBe(1)
  expect(score([1, 2], [2, 1])).toBe(0)
  expect(score({ 2: 'a', 1: 'b' }, { 1: 'b', 2: 'a' })).toBe(1)
  expect(scoreCall({ name: 'T', arguments: {} }, { name: 'T', arguments: {} })).toEqual({ exact: 1, toolName: 1, argF1: 1, soft: 1 })
})
