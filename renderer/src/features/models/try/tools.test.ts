import { expect, test } from 'vitest'
import { samplePromptOf, readTools, SHELL, toolsOf } from './tools.ts'

test('valid typed tools are used unchanged; invalid ones are refused with the reason', () => {
  expect(readTools(JSON.stringify(SHELL))).toEqual({ tools: SHELL })
  expect(readTools('  ')).toEqual({ tools: [] })
  expect(readTools('[{')).toEqual({ problem: expect.stringContaining('not JSON') })
  expect(readTools('{"name":"Bash"}')).toEqual({ problem: expect.stringContaining('Enter a list of') })
  expect(readTools('[{"type":"function","function":{"parameters":{}}}]')).toEqual({ problem: expect.stringContaining('0.function.name') })
})

test('the prompt and tools are read from a row of every format', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'list' },
    { role: 'assistant', content: 'ok' },
  ]
  expect(samplePromptOf({ messages })).toEqual({ system: 'Be brief.', prompt: 'list' })
  expect(samplePromptOf({ prompt: messages.slice(1, 2), chosen: [] })).toEqual({ system: '', prompt: 'list' })
  expect(samplePromptOf({ text: 'x' })).toBeNull()
  expect(toolsOf({ tools: SHELL })).toEqual(SHELL)
  expect(toolsOf({ tools: JSON.stringify(SHELL) })).toEqual(SHELL)
  for (const tools of [undefined, [], 'x', [{ name: 'Bash' }]]) expect(toolsOf({ tools })).toBeNull()
})
