import { expect, test } from 'vitest'
import { keyOf, type Question } from './grade.ts'

const question: Question = {
  rubric: { role: 'r', task: 't', anchors: { one: '1', three: '3', five: '5' } },
  material: { request: 'Sort.', answer: 'Done.' },
  repeat: 0,
}

test('a grade is known again for a model of the same files only; what an endpoint has behind its name is never known', () => {
  const of = (hashes: Record<string, string>) => keyOf(question, { id: 'grader', hashes })
  expect(of({ model: 'a' })).toBe(of({ model: 'a' }))
  expect(of({ model: 'a' })).not.toBe(of({ model: 'b' }))
  expect(of({})).toBeNull()
})
