import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { applyDraft, draftOf, withoutMessage } from './edit.ts'
import { splitThinking, piecesOf } from './pieces.ts'

const call = (id: string, args: Record<string, unknown> = {}) => ({
  id,
  type: 'function' as const,
  function: { name: 'Bash', arguments: args },
})
const result = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, name: 'Bash', content: 'ok' })
const asks = (content: string, ...ids: string[]): ChatMessage => ({ role: 'assistant', content, tool_calls: ids.map((id) => call(id)) })

describe('editing a message', () => {
  it('changes text and arguments and nothing else', () => {
    const message: ChatMessage = { role: 'assistant', content: 'Now', tool_calls: [call('call_1', { command: 'ls' })] }
    expect(applyDraft(message, draftOf(message))).toEqual({ message })
    expect(applyDraft(message, { content: 'Then', args: ['{"command":"pwd"}'] })).toEqual({
      message: { ...message, content: 'Then', tool_calls: [call('call_1', { command: 'pwd' })] },
    })
  })

  it('describes errors in the arguments with their position', () => {
    const message = asks('', 'call_1', 'call_2')
    const wrong = applyDraft(message, { content: '', args: ['{\n  "command": ls\n}', '{}'] })
    expect(wrong).toMatchObject({ errors: [expect.stringMatching(/^This is not JSON: .*line 2, column 14/), null] })
    expect(applyDraft(message, { content: '', args: ['{}', '[1]'] })).toMatchObject({ errors: [null, expect.stringContaining('object')] })
  })

  it('removes a message together with its calls and results', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Go' },
      asks('Look', 'a', 'b'),
      result('a'),
      result('b'),
      asks('', 'c'),
      result('c'),
    ]
    expect(withoutMessage(messages, 1)).toEqual([messages[0], asks('', 'c'), result('c')])
    expect(withoutMessage(messages, 2)).toEqual([messages[0], asks('Look', 'b'), result('b'), messages[4], messages[5]])
    // a message without text is removed with its only call
    expect(withoutMessage(messages, 5)).toEqual(messages.slice(0, 4))
    expect(withoutMessage(messages, 0)).toEqual(messages.slice(1))
  })
})

describe('the text of a message', () => {
  it('equals its joined pieces', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.record({ type: fc.constant('email'), text: fc.string() })), (text, replacements) => {
        expect(
          piecesOf(text, replacements)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })

  it('marks replacements, the longest first, and cuts', () => {
    const pieces = piecesOf('mail ada@a.org.uk\n[… 120 characters cut …]\nend', [
      { type: 'url', text: 'a.org' },
      { type: 'email', text: 'ada@a.org.uk' },
    ])
    expect(pieces).toEqual([
      { kind: 'plain', text: 'mail ' },
      { kind: 'replaced', type: 'email', text: 'ada@a.org.uk' },
      { kind: 'plain', text: '\n' },
      { kind: 'cut', text: '[… 120 characters cut …]' },
      { kind: 'plain', text: '\nend' },
    ])
  })

  it('separates thinking from the answer', () => {
    expect(splitThinking('<think>\nfirst\n</think>\n\n<think>\nsecond\n</think>\n\nDone.')).toEqual({
      thinking: ['first', 'second'],
      answer: 'Done.',
    })
    expect(splitThinking('Plain')).toEqual({ thinking: [], answer: 'Plain' })
  })
})
