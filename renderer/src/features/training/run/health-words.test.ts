import { expect, test } from 'vitest'
import { evidenceWord } from './health-words.ts'

test('names of evidence become words', () => {
  expect(['usedMb', 'usualSec', 'trainedTokens', 'accuracy'].map(evidenceWord)).toEqual([
    'used MB',
    'usual, in s',
    'trained tokens',
    'accuracy',
  ])
})
