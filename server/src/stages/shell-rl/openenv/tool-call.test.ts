import fs from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawText } from '#contracts/entities/tool-call.ts'
import { SHELL_WORDS } from './shell-words.ts'
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

  it('has the same list of shell words as the Python package', () => {
    const python = fs.readFileSync(new URL('../../../../../python/bashgym/bashgym/shell_words.py', import.meta.url), 'utf8')
    expect(new Set(/frozenset\(\s*"""([^]*?)"""/.exec(python)![1]!.trim().split(/\s+/))).toEqual(SHELL_WORDS)
  })
})
