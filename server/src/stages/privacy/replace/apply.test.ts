import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding, PiiType } from '#contracts/entities/privacy.ts'
import { applyFindings } from './index.ts'

const finding = (type: PiiType, text: string, value: string, from = 0): Finding => {
  const start = text.indexOf(value, from)
  return { type, detector: 'test', start, end: start + value.length, confidence: 1, validated: true }
}
const replaceWith = (text: string) => () => text
const EMAIL = /[\w.]+@corp\.io/g
const scan = (text: string): Finding[] =>
  [...text.matchAll(EMAIL)].map((match) => ({
    type: 'email',
    detector: 'test',
    start: match.index,
    end: match.index + match[0].length,
    confidence: 1,
    validated: true,
  }))

describe('applyFindings', () => {
  it('changes nothing outside the findings', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.boolean())), (pieces) => {
        const texts = pieces.map(([text]) => text.replaceAll(EMAIL, ''))
        const text = texts.join('ada@corp.io')
        const applied = applyFindings(text, scan(text), replaceWith('[EMAIL]'))
        expect(applied.text).toBe(text.replaceAll(EMAIL, '[EMAIL]'))
      }),
    )
  })

  it('keeps a value if `decide` returns null', () => {
    const text = 'ada@corp.io bob@corp.io'
    const applied = applyFindings(text, scan(text), (_, value) => (value.startsWith('ada') ? null : '[EMAIL]'))
    expect(applied).toEqual({ text: 'ada@corp.io [EMAIL]', replaced: 1 })
  })

  it('keeps JSON valid at any depth of escaping', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 3 }), (around, levels) => {
        let text = JSON.stringify({ note: `${around}x`, by: 'ada"@corp.io' })
        for (let level = 1; level < levels; level += 1) text = JSON.stringify(text)
        let raw = 'ada"@corp.io'
        for (let level = 0; level < levels; level += 1) raw = JSON.stringify(raw).slice(1, -1)
        let decodedValue = ''
        const applied = applyFindings(text, [finding('email', text, raw, text.lastIndexOf('by'))], (_, value) => {
          decodedValue = value
          return 'say "no"\n'
        })
        expect(decodedValue).toBe('ada"@corp.io')
        let value: unknown = applied.text
        for (let level = 0; level < levels; level += 1) value = JSON.parse(value as string)
        expect(value).toEqual({ note: `${around}x`, by: 'say "no"\n' })
      }),
    )
  })

  it('quotes a label that replaces an unquoted number', () => {
    const text = '{"card": 4111111111111111, "n": 2}'
    const { text: after } = applyFindings(text, [finding('credit_card', text, '4111111111111111')], replaceWith('[CREDIT_CARD]'))
    expect(JSON.parse(after)).toEqual({ card: '[CREDIT_CARD]', n: 2 })
    const made = applyFindings(text, [finding('credit_card', text, '4111111111111111')], replaceWith('4000001234567899')).text
    expect(JSON.parse(made)).toEqual({ card: 4_000_001_234_567_899, n: 2 })
  })

  it('keeps URLs valid', () => {
    const query = 'https://corp.io/?user=ada%40corp.io&x=1'
    const after = applyFindings(query, [finding('email', query, 'ada%40corp.io')], (_, value) =>
      value === 'ada@corp.io' ? '[EMAIL]' : null,
    )
    expect(new URL(after.text).searchParams.get('user')).toBe('[EMAIL]')

    const host = 'curl https://build-7:8080/x'
    const labelled = applyFindings(host, [finding('hostname', host, 'build-7')], replaceWith('[HOSTNAME_1]')).text
    expect(new URL(labelled.slice(5)).href).toBe('https://redacted-hostname-1.invalid:8080/x')

    const login = 'https://ada:hunter22@corp.io/'
    const hidden = applyFindings(login, [finding('password', login, 'hunter22')], replaceWith('[PASSWORD]')).text
    expect(hidden).toBe('https://ada:[PASSWORD]@corp.io/')
    expect(new URL(hidden).host).toBe('corp.io')
  })

  it('decodes base64 and encodes the result', () => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const raw = Buffer.from('user=ada@corp.io;n=1').toString(encoding)
      const text = `data: ${raw}\n`
      const after = applyFindings(text, [finding('email', text, raw)], replaceWith('[EMAIL]'), scan).text
      expect(Buffer.from(after.slice(6), encoding).toString()).toBe('user=[EMAIL];n=1')
    }
  })

  it('joins values split by colour codes, and keeps the codes', () => {
    const text = 'by \u001B[1mada\u001B[0m@corp.io.'
    const raw = 'ada\u001B[0m@corp.io'
    const after = applyFindings(text, [finding('email', text, raw)], (_, value) => (value === 'ada@corp.io' ? '[EMAIL]' : null))
    expect(after.text).toBe('by \u001B[1m[EMAIL]\u001B[0m.')
  })
})
