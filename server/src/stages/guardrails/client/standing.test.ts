import { expect, it } from 'vitest'
import { outcomeOf } from './standing.ts'

const result = (text: string | null) => ({ asked: true, ran: false, result: text, ended: 'it ended with 0' })

it('takes only a refusal with a rule of ours as a proof', () => {
  const of = (text: string | null) => outcomeOf(result(text), '2.1.300').outcome
  expect(of('Bash Gym: It runs what it downloads. (rule download-to-shell)')).toBe('refused')
  expect(of('Bash Gym could not check this command.')).toBe('unclear')
  expect(of('No command may run in /Users/a/Library/Application Support/Bash Gym/guard.')).toBe('unclear')
  expect(of(null)).toBe('unclear')
})
