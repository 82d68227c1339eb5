import { expect, test } from 'vitest'
import { teacherWords } from './teacher-words.ts'

test('describes how many teacher answers are learned, how they were sampled, and why the others are not learned', () => {
  const all = { asked: 12, kept: 12, tooLong: 0, promptTooLong: 0, unwritten: 0, unreadable: 0, unknownTool: 0, empty: 0, sampling: { temperature: 0, maxTokens: 2048 } } // prettier-ignore
  expect(teacherWords(all)).toBe("12 of the teacher's 12 answers are used (greedy, at most 2048 tokens).")
  expect(teacherWords({ ...all, kept: 9, tooLong: 2, unknownTool: 1 })).toBe(
    "9 of the teacher's 12 answers are used (greedy, at most 2048 tokens); 2 did not end within 2048 tokens (raise teacherTokens), 1 call a tool that the row does not have.",
  )
})
