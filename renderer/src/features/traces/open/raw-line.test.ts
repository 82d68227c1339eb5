import { expect, it } from 'vitest'
import { rawHead } from './raw-line.ts'

it('reads type and time of a line, if it has them', () => {
  const at = '2026-11-21T04:43:57.000Z'
  expect(rawHead(JSON.stringify({ type: 'assistant', timestamp: at, message: { content: [{ type: 'tool_use' }] } }))).toEqual({
    type: 'assistant · tool_use',
    at,
  })
  expect(rawHead(JSON.stringify({ type: 'system', subtype: 'compact_boundary' }))).toEqual({ type: 'system · compact_boundary', at: null })
  expect(rawHead(JSON.stringify({ type: 'response_item', timestamp: at, payload: { type: 'message' } })).type).toBe(
    'response_item · message',
  )
  for (const malformed of ['', '{"type":"us', 'null', '[1]', '{"type":7,"timestamp":"soon"}'])
    expect(rawHead(malformed)).toEqual({ type: null, at: null })
})
