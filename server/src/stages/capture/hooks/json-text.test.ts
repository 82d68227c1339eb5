import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8, parseJsonText } from './json-text.ts'

/** Whether a text is accepted. Duplicate keys are the only difference: JSON.parse accepts them. */
function outcomeOf(parse: () => unknown): 'accepted' | 'duplicate' | 'refused' {
  try {
    parse()
    return 'accepted'
  } catch (error) {
    return (error as Error).message.includes('duplicate key') ? 'duplicate' : 'refused'
  }
}

describe('the strict JSON reader', () => {
  it('accepts exactly what JSON.parse accepts, except duplicate keys', () => {
    const nearJson = fc.stringMatching(/^[[\]{},:"\\u0-9a-f eE+.tn-]{0,14}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), nearJson), (text) => {
        const body = text.replace(/^\uFEFF/, '')
        const outcome = outcomeOf(() => parseJsonText(body))
        expect(outcome === 'duplicate' ? 'accepted' : outcome).toBe(outcomeOf(() => JSON.parse(body)))
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['a comment', '{\n  // why\n  "a": 1\n}', /^line 2: a comment/],
    ['a block comment', '{"a": 1 /* why */}', /^line 1: a comment/],
    ['a trailing comma in an object', '{\n  "a": 1,\n}', /^line 3: a comma before/],
    ['a trailing comma in a list', '{"a": [1,\n]}', /^line 2: a comma before/],
    ['a duplicate key deep inside', '{"a":\r\n[{"b": 1,\r\n"\\u0062": 2}]}', /^line 3: duplicate key "b" \(first on line 2\)/],
    ['an incomplete file', '{\n  "a": [1,\n  2\n\n', /^line 3: the file ends/],
    ['an incomplete string', '{\n  "a": "b', /^line 2: the file ends inside a string/],
    ['text after the end', '{}\n{}', /^line 2: more text/],
    ['an empty file', '', /^line 1: the file is empty/],
    ['a blank file', '\n \n', /^line 3: the file is empty/],
    ['single quotes', "{'a': 1}", /^line 1: "'" where a key in quotes/],
    ['a leading zero', '{"a": 01}', /^line 1: "1" where a comma/],
    ['very deep nesting', '['.repeat(100_000), /nested more than 1000 levels deep/],
  ])('refuses %s, naming the line', (_name, text, message) => {
    expect(() => parseJsonText(text)).toThrow(message)
  })

  it('names the line of bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{\n  "ü": 1,\n  "'), Buffer.from([0xe4]), Buffer.from('": 2\n}')])
    expect(() => decodeUtf8(bytes)).toThrow(/^line 3: bytes that are not UTF-8/)
  })
})
