import { expect, it } from 'vitest'
import { rawHead } from './raw-line.ts'

it('says what a line is and when it was written, if the line says so', () => {
  const at = '2026-11-21T04:43:57.000Z'
  expect(rawHead(JSON.stringify({ type: 'assistant', timestamp: at, message: { content: [{ type: 'tool_use' }] } }))).toEqual({
    type: 'assistant · tool_use',
    at,
  })
  expect(rawHead(JSON.stringify({ type: 'system', subtype: 'compact_boundary' }))).toEqual({ type: 'system · compact_boundary', at: null })
  expect(rawHead(JSON.stringify({ type: 'response_item', timestamp: at, payload: { type: 'message' } })).type).toBe(
    'response_item · message',
  )
  for (const torn of ['', '{"type":"us', 'null', '[1]', '{"type":7,"timestamp":"soon"}'])
    expect(rawHead(torn)).toEqual({ type: null, at: null })
})
