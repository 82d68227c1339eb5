import { expect, it } from 'vitest'
import { readConfig } from './config.tsx'

it('returns only the fields in the text, as YAML or JSON', async () => {
  expect(await readConfig('strategy: dpo\nsettings: {epochs: 2}')).toEqual({ strategy: 'dpo', settings: { epochs: 2 } })
  expect(await readConfig('{"file": "/rows.jsonl"}')).toEqual({ file: '/rows.jsonl' })
})

it.each([
  ['[1, 2]', 'The text: This is not an object.'],
  ['null', 'The text: This is not an object.'],
  ['learning_rate: 5', 'The text: Unknown: learning_rate.'],
  ['settings: {learningRate: 1e99}', 'settings.learningRate: At most 10 is allowed.'],
  ['a: b: c', /line 1/],
])('rejects %s with the reason', (text, reason) => expect(readConfig(text)).rejects.toThrow(reason))
