import { describe, expect, it } from 'vitest'
import type { DeriveOutput } from '../../derived.ts'
import { main, readAll, SESSION } from './testing.ts'

const labels = ({ entries }: DeriveOutput, kind: string) => entries.filter((row) => row.kind === kind).map(({ label }) => label)

describe('what a response is billed for', () => {
  const answer = (uuid: string, id: string, usage: object, more = {}) => ({
    sessionId: SESSION,
    version: '2.1.329',
    type: 'assistant',
    uuid,
    parentUuid: null,
    message: { id, role: 'assistant', model: 'claude-opus-4-6', stop_reason: 'end_turn', content: [{ type: 'text', text: 'x' }], usage },
    ...more,
  })

  it('has writes that last an hour, web searches, fast mode, and calls of other models inside', () => {
    const { trace, responses } = readAll([
      main(
        answer('a', 'msg_1', {
          input_tokens: 10,
          output_tokens: 5,
          cache_creation_input_tokens: 300,
          cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
          server_tool_use: { web_search_requests: 3 },
          iterations: [
            { type: 'message', input_tokens: 10, output_tokens: 5 },
            { type: 'advisor_message', model: 'claude-opus-5', input_tokens: 1000, output_tokens: 50 },
            { type: 'compaction', input_tokens: 70, output_tokens: 7 },
          ],
        }),
        answer('b', 'msg_2', { input_tokens: 1, output_tokens: 1, speed: 'fast' }),
      ),
    ])
    expect(responses).toHaveLength(4)
    expect(trace.tokensByModel).toMatchObject({
      'claude-opus-4-6': { input: 81, output: 13, cacheWrite: 300, cacheWrite1h: 200, webSearches: 3, fast: { input: 1, output: 1 } },
      'claude-opus-5': { input: 1000, output: 50 },
    })
  })

  it('is counted for each record if a gateway writes blank ids', () => {
    const usage = { input_tokens: 10, output_tokens: 2 }
    const blank = readAll([main(answer('a', '', usage), answer('b', '', usage), answer('c', ' ', usage), answer('d', '', usage))])
    expect(blank.trace.tokensByModel).toMatchObject({ 'claude-opus-4-6': { input: 40, output: 8 } })
    const call = (uuid: string, command: string) =>
      answer(uuid, '', usage, { message: { role: 'assistant', content: [{ type: 'tool_use', id: '', name: 'Bash', input: { command } }] } })
    expect(labels(readAll([main(call('a', 'ls'), call('b', 'pwd'))]), 'call')).toEqual(['ls', 'pwd'])
  })
})
