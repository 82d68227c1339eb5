import { expect, it } from 'vitest'
import { asksForCheck } from './safety-check.ts'

const AUTO = { 'user-agent': 'claude-cli/2.1.329 (external, cli)', 'anthropic-beta': 'claude-code-20250219,afk-mode-2026-01-31' }
const asks = (body: object, headers = AUTO) => asksForCheck(headers, Buffer.from(JSON.stringify(body)))
const tools = [{ name: 'Bash' }]

it('tells a session in auto mode that no longer asks for its check from one that does, and from all others', () => {
  expect(asks({ tools, safeguards: [] })).toBe(true)
  expect(asks({ tools })).toBe(false)
  expect(asks({ tools, messages: [{ role: 'user', content: 'the key "safeguards": []' }] }), 'in a text').toBe(false)
  expect(asks({ messages: [] }), 'a title').toBe(null)
  expect(asks({ tools }, { ...AUTO, 'anthropic-beta': 'claude-code-20250219' })).toBe(null)
  expect(asks({ tools }, { ...AUTO, 'user-agent': 'claude-cli/2.1.270 (external, cli)' }), 'never asks').toBe(null)
  expect(asks({ tools }, { ...AUTO, 'user-agent': 'claude-cli/2.2.0' })).toBe(false)
})
