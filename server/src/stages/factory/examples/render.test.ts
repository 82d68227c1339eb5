import { describe, expect, it } from 'vitest'
import type { TranscriptItem } from '#contracts/entities/step.ts'
import { BlockReader, type Block } from './blocks.ts'
import { piecesOf } from './pieces.ts'
import { renderBlocks } from './render.ts'
import { mistakesOf } from './retries.ts'
import { splitBlocks } from './split.ts'
import { trimMiddle } from './trim.ts'
import { UsedTools } from '../tool-schemas/infer.ts'
import { knownTools } from '../tool-schemas/index.ts'

let count = 0
const textItem = (
  kind: 'prompt' | 'text' | 'thinking' | 'notice' | 'error' | 'compaction',
  text: string,
  label: string | null = null,
): TranscriptItem => ({
  kind,
  id: `t${++count}`,
  position: String(count),
  at: null,
  agent: 'main',
  label,
  text,
  truncated: false,
  model: null,
  messageId: null,
  asks: null,
  abandoned: false,
  byMod: false,
})
type Step = Extract<TranscriptItem, { kind: 'step' }>['step']
const step = (overrides: Partial<Step> = {}): TranscriptItem => {
  const id = `s${++count}`
  const plain: Step = {
    id, seq: count, at: null, endedAt: null, agent: 'main', parentStepId: null, tool: 'Bash', command: 'ls', input: { command: 'ls' },
    output: 'a.ts', outputBytes: 4, outputTruncated: false, success: true, exitCode: 0, isError: false, rejected: false, rejectedBy: null,
    answered: true, cwd: null, repo: null, durationMs: null, messageId: `m${count}`, promptId: null, file: null, patch: null, thinking: null, text: null,
    abandoned: false, byMod: false,
  } // prettier-ignore
  return { kind: 'step', id, position: String(count), step: { ...plain, ...overrides } }
}
function blocksOf(...items: TranscriptItem[]): Block[] {
  const reader = new BlockReader(1000)
  for (const item of items) reader.add(item)
  return reader.takeBlocks()
}
const render = (...items: TranscriptItem[]) => renderBlocks(blocksOf(...items), { thinking: true, system: null, opening: null })

describe('messages', () => {
  it('have a placeholder and a flag for a missing result', () => {
    const { messages, flags } = render(textItem('prompt', 'Go'), step({ answered: false, output: null, success: null }))
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_1', content: '[no result was recorded]' })
    expect([...flags]).toEqual(['calls_without_result'])
  })
  it('are flagged for interrupted and refused calls', () => {
    expect([...render(textItem('prompt', 'Go'), step({ rejectedBy: 'interrupt', rejected: true, success: null })).flags]).toEqual([
      'interrupted',
    ])
    expect([...render(textItem('prompt', 'Go'), step({ rejectedBy: 'user', rejected: true, success: null })).flags]).toEqual([
      'rejected_calls',
    ])
  })
  it('contain long outputs trimmed, with a mark and the counts', () => {
    const { messages, trims } = render(textItem('prompt', 'Go'), step({ output: 'x'.repeat(10_000_000) }))
    expect(trims).toEqual([{ message: 2, keptChars: 1000, cutChars: 9_999_000 }])
    expect(messages[2]!.content).toContain('[… 9999000 characters cut …]')
    expect(messages[2]!.content.length).toBeLessThan(1100)
  })
  it('are flagged for images', () => {
    expect([...render(textItem('prompt', '[image]'), step({ output: 'see\n[image]' })).flags]).toEqual(['image'])
  })
  it('omit what the client added for its model, but not text about it', () => {
    const reminder = '<system-reminder>\nBe careful.\n</system-reminder>'
    const { messages } = render(
      textItem('prompt', `Go\n\n${reminder}`),
      step({ output: `${reminder}\na.ts\n  1→const tag = "<system-reminder>x</system-reminder>"\n${reminder}` }),
      step({ tool: 'Task', output: 'Found it.\nagentId: a1b2 (use SendMessage to continue)' }),
      step({ output: '<system-reminder>never closed' }),
    )
    expect(messages.flatMap(({ role, content }) => (role === 'assistant' ? [] : [content]))).toEqual([
      'Go',
      '\na.ts\n  1→const tag = "<system-reminder>x</system-reminder>"',
      'Found it.',
      '<system-reminder>never closed',
    ])
  })
  it('never have the same role twice in a row', () => {
    const { messages } = render(
      textItem('prompt', 'a'),
      textItem('prompt', 'b'),
      textItem('text', 'x'),
      textItem('notice', 'n', 'meta'),
      textItem('text', 'y'),
      step(),
      textItem('text', 'z'),
    )
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'a\n\nb'],
      ['assistant', 'x\n\ny'],
      ['tool', 'a.ts'],
      ['assistant', 'z'],
    ])
  })
  it('keep calls of one response together, and those of two responses apart', () => {
    const { messages } = render(
      textItem('prompt', 'a'),
      step({ messageId: 'm' }),
      step({ messageId: 'm' }),
      step({ messageId: 'n' }),
      step({ messageId: null }),
      step({ messageId: null }),
    )
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? [message.tool_calls!.map(({ id }) => id)] : []))
    expect(calls).toEqual([['call_1', 'call_2'], ['call_3'], ['call_4'], ['call_5']])
  })
  it('wrap arguments that are not an object', () => {
    const [, message] = render(textItem('prompt', 'a'), step({ input: 'patch' })).messages
    expect(message).toMatchObject({ tool_calls: [{ function: { arguments: { input: 'patch' } } }] })
  })
})

describe('splitting', () => {
  it('prefers a boundary before a prompt, and loses nothing', () => {
    const items = Array.from({ length: 30 }, (_, index) => [
      ...(index === 13 ? [textItem('prompt', 'Next')] : []),
      step({ file: '/a' }),
    ]).flat()
    const blocks = blocksOf(textItem('prompt', 'First'), ...items)
    const parts = splitBlocks(blocks, 20)
    expect(parts.map((part) => part.length)).toEqual([13, 17])
    expect(parts.flat()).toEqual(blocks)
  })
  it('never leaves a part with too many turns', () => {
    for (const maxTurns of [1, 2, 7, 20]) {
      const parts = splitBlocks(blocksOf(...Array.from({ length: 53 }, () => step())), maxTurns)
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(maxTurns)
      expect(parts.flat().length).toBe(53)
    }
  })
})

describe('trimming', () => {
  it('keeps both ends, prefers line ends, and never splits a character', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')
    const { text, cutChars } = trimMiddle(lines, 500)
    expect(text).toMatch(/^line 0\n/)
    expect(text).toMatch(/line 499$/)
    expect(text).toMatch(/\nline \d+\n\n\[… \d+ characters cut …\]\nline \d+\n/)
    expect(lines.length - cutChars).toBeLessThanOrEqual(500)
    expect(trimMiddle('😀'.repeat(1000), 301).text.isWellFormed()).toBe(true)
    expect(trimMiddle('short', 200)).toEqual({ text: 'short', cutChars: 0 })
  })
})

describe('schemas of tools', () => {
  it('come from the nearest recorded client', () => {
    expect(knownTools('2.1.60').has('Task')).toBe(true)
    expect(Object.keys(knownTools('1.0.128').get('Bash')!.function.parameters['properties'] as object)).toContain('command')
    expect(knownTools('9.0.0').get('Bash')).toEqual(knownTools('2.1.329').get('Bash'))
    expect(knownTools('0.2.0').get('Bash')).toEqual(knownTools('1.0.128').get('Bash'))
  })
  it('are inferred from calls for unknown tools', () => {
    const usedTools = new UsedTools()
    usedTools.add('mcp__notes__lookup', { key: 'a', limit: 3 })
    usedTools.add('mcp__notes__lookup', { key: 'b', limit: null })
    usedTools.add('mcp__notes__lookup', { key: 'c' })
    expect(usedTools.schema('mcp__notes__lookup').function).toEqual({
      name: 'mcp__notes__lookup',
      description: 'Arguments inferred from 3 recorded calls.',
      parameters: { type: 'object', properties: { key: { type: 'string' }, limit: { type: ['integer', 'null'] } }, required: ['key'] },
    })
  })
})

describe('answers', () => {
  const text = (content: string, messageId: string, over: object = {}) =>
    ({ ...textItem('text', content), messageId, ...over }) as TranscriptItem
  const given = (content: string, asks: 'begins' | 'within') => ({ ...textItem('notice', content, 'meta'), asks }) as TranscriptItem
  const linesOf = (...items: TranscriptItem[]) => render(...items).messages.map(({ role, content }) => `${role}: ${content}`)

  it('of different responses are never one message; of one response they are', () => {
    expect(
      linesOf(textItem('prompt', 'Go'), text('One.', 'm1'), text('More.', 'm1'), given('Stop hook feedback', 'begins'), text('Two.', 'm2')),
    ).toEqual(['user: Go', 'assistant: One.\n\nMore.', 'user: Stop hook feedback', 'assistant: Two.'])
    const blocks = blocksOf(textItem('prompt', 'Go'), text('One.', 'm1'), step({ messageId: 'm2' }), text('Two.', 'm3'))
    expect(blocks.map(({ texts, calls, unasked }) => [texts, calls.length, unasked])).toEqual([
      [['One.'], 0, false],
      [[], 1, true],
      [['Two.'], 0, false],
    ])
  })

  it('that nothing recorded asked for end a piece, and so does a compaction', () => {
    const summary = { ...textItem('compaction', 'Summary', 'summary'), asks: 'begins' } as TranscriptItem
    const blocks = blocksOf(
      textItem('prompt', 'Go'),
      text('One.', 'm1'),
      text('Unasked.', 'm2'),
      textItem('prompt', 'On'),
      text('Two.', 'm3'),
      textItem('prompt', 'Long'),
      summary,
      text('Three.', 'm4'),
    )
    const { pieces, unasked } = piecesOf(blocks, 'claude-code')
    expect(pieces.map((piece) => piece.flatMap(({ prompts, texts }) => [...prompts.map((one) => one.text), ...texts]))).toEqual([
      ['Go', 'One.'],
      ['On', 'Two.', 'Long'],
      ['Summary', 'Three.'],
    ])
    expect(unasked).toBe(1)
    expect(piecesOf(blocks, 'gemini').unasked).toBe(0)
  })

  it('with parallel calls stay one message when the client wrote a text between the calls', () => {
    const [first, second] = [step({ messageId: 'm1' }), step({ messageId: 'm1' })]
    const { messages } = render(textItem('prompt', 'Go'), first, given('A note.', 'within'), second, text('Done.', 'm2'))
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user', 'assistant'])
  })

  it('of a mod are context only, and one that broke off is not there', () => {
    const byMod = { byMod: true }
    const { messages, flags } = render(
      textItem('prompt', 'Go'),
      step({ messageId: 'msg_hook_1', ...byMod }),
      text('Half', 'msg_hook_2', byMod),
      text('Claude.', 'm1'),
      textItem('prompt', 'On'),
      text('Mod.', 'msg_hook_3', byMod),
    )
    expect(messages.flatMap((one) => (one.role === 'assistant' ? [[one.content, one.weight]] : []))).toEqual([
      ['', 0],
      ['Claude.', undefined],
      ['Mod.', 0],
    ])
    expect([...flags]).toContain('answered_by_mod')
  })
})

describe('what is not learned', () => {
  it('includes an answer after a refused call, until somebody asks again', () => {
    const refused = step({ success: false, rejected: true, rejectedBy: 'user' })
    const items = [
      textItem('prompt', 'Go'), refused, textItem('text', 'Then I stop.'), textItem('prompt', 'Another way'), step(), textItem('text', 'Done.'),
    ] // prettier-ignore
    const blocks = blocksOf(...items)
    const weights = (options: { skipRefused: boolean; skipRetried: boolean }) =>
      renderBlocks(blocks, { thinking: true, system: null, opening: null, isMistake: mistakesOf(blocks, options) }).messages.flatMap(
        (message) => (message.role === 'assistant' ? [message.weight ?? 1] : []),
      )
    expect(weights({ skipRefused: true, skipRetried: true })).toEqual([0, 0, 1, 1])
    expect(weights({ skipRefused: false, skipRetried: true })).toEqual([1, 1, 1, 1])
  })
})
