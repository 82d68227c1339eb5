import { expect, test } from 'vitest'
import { evidenceWord } from './health-words.ts'

test('figures of a judgement are named by words', () => {
  expect(['usedMb', 'usualSec', 'trainedTokens', 'accuracy'].map(evidenceWord)).toEqual([
    'used MB',
    'usual, in s',
    'trained tokens',
    'accuracy',
  ])
})
