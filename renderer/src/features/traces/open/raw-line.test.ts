import { expect, it } from 'vitest'
import { rawHead } from './raw-line.ts'

it('reads type and time of a line, if it has them', () => {
  const at = '2026-11-21T04:43:57.000Z'
  expect(rawHead(JSON.stringify({ type: 'assistant', timestamp: at, message: { content: [{ type: 'tool_use' }] } }))).toMatchObject({
    type: 'assistant · tool_use',
    at,
  })
  expect(rawHead(JSON.stringify({ type: 'system', subtype: 'compact_boundary' }))).toMatchObject({
    type: 'system · compact_boundary',
    at: null,
  })
  expect(rawHead(JSON.stringify({ type: 'response_item', timestamp: at, payload: { type: 'message' } })).type).toBe(
    'response_item · message',
  )
  for (const malformed of ['', '{"type":"us', 'null', '[1]', '{"type":7,"timestamp":"soon"}'])
    expect(rawHead(malformed)).toEqual({ type: null, at: null, content: malformed })
})

it('shows what a line says before what every record has', () => {
  const contentOf = (fields: Record<string, unknown>) =>
    rawHead(JSON.stringify({ parentUuid: 'a', isSidechain: false, cwd: '/home/dev', sessionId: 's', version: '2.1.197', ...fields }))
      .content
  expect(contentOf({ type: 'user', message: { role: 'user', content: 'Fix the test' } })).toBe('Fix the test')
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }
  expect(contentOf({ type: 'assistant', message: { content: [{ type: 'text', text: 'I run it.' }, call] } })).toBe(
    'I run it. · Bash {"command":"npm test"}',
  )
  const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '3 passed' }] }
  expect(contentOf({ type: 'user', message: { content: [result] } })).toBe('3 passed')
  expect(contentOf({ type: 'response_item', payload: { type: 'message', content: [{ type: 'input_text', text: 'Hello' }] } })).toBe('Hello')
  expect(contentOf({ type: 'summary', summary: 'Test fixed', leafUuid: 'x' })).toBe('summary: Test fixed · leafUuid: x')
})
