import fs from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawText } from '#contracts/entities/tool-call.ts'
import { buildTerminalToolCall } from './tool-call.ts'

interface Case {
  name: string
  text?: string
  build?: { open: string; times: number; middle: string; close: string; pad?: number; after?: string }
  raw?: RawText
  arguments: Record<string, string> | null
  format: string
  warnings?: number
}

const { cases } = JSON.parse(fs.readFileSync(new URL('./fixtures/tool-calls.json', import.meta.url), 'utf8')) as { cases: Case[] }

const textOf = ({ text, build }: Case) =>
  text ??
  `${build!.open.repeat(build!.times)}${build!.middle}${'x'.repeat(build!.pad ?? 0)}${build!.after ?? ''}${build!.close.repeat(build!.times)}`

describe('the call of the tool terminal in a message', () => {
  it.each(cases)('$name', (one) => {
    const call = buildTerminalToolCall(textOf(one), { raw: one.raw })
    expect({ arguments: call.arguments, format: call.format, warnings: call.warnings.length }).toEqual({
      arguments: one.arguments,
      format: one.format,
      warnings: one.warnings ?? 0,
    })
    expect(call.error === undefined).toBe(one.arguments !== null)
  })

  const shared = new URL('../../../../../python/bashgym/tests/calls.json', import.meta.url)
  const { command, families } = JSON.parse(fs.readFileSync(shared, 'utf8')) as { command: string; families: Record<string, string> }

  it.each(Object.entries(families))('is read as the template of %s writes it, also after thoughts and a word', (_, answer) => {
    const afterWords = answer.trim().startsWith('<') ? [`Let me see.\n${answer}`] : []
    for (const text of [answer, `<think>\nHow?\n</think>\n\n${answer}`, ...afterWords])
      expect(buildTerminalToolCall(text)).toMatchObject({ arguments: { command } })
  })

  it.each([
    'Perhaps <tool_call>?\n</think>\n\n',
    '<|channel|>analysis<|message|>How?<|end|><|start|>assistant',
    '<|channel|>commentary<|message|>i look<|end|><|start|>assistant',
  ])('is found behind %s', (before) => {
    const call = before.startsWith('<|')
      ? '<|channel|>commentary to=functions.terminal <|constrain|>json<|message|>{"command": "ls"}<|call|>'
      : '<tool_call>{"name": "terminal", "arguments": {"command": "ls"}}</tool_call>'
    expect(buildTerminalToolCall(`${before}${call}`)).toMatchObject({ arguments: { command: 'ls' }, format: 'tag' })
  })

  it('is read as exactly one key or an error from any text', () => {
    const pieces = [
      '{',
      '}',
      '"',
      ':',
      'command',
      'final_answer',
      'terminal(',
      ')',
      '<tool_call>',
      '</tool_call>',
      '```',
      'json',
      '\n',
      ' ',
      'ls',
    ]
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 30 }), (parts) => {
        const call = buildTerminalToolCall(parts.join(''))
        expect(Object.keys(call.arguments ?? {}).length + (call.error === undefined ? 0 : 1)).toBe(1)
      }),
    )
  })
})
