import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PrivacyPolicy } from './entities/privacy.ts'
import { patternFault } from './pattern.ts'

describe('patterns of own rules', () => {
  it.each([
    'EMP-\\d{6}',
    '[A-Z]{2,4}-[0-9]+',
    '(?:ACME|Globex)-\\d+',
    '(?<id>\\d{3})-(?=x)x',
    '\\p{Lu}+\\d',
    'a\\(b+\\)',
    '(?:ab?){2}',
    '[(+*]+x',
    String.raw`password\s*[:=]\s*\S+`,
    String.raw`[\w.+-]+@[\w-]+\.[\w.]+`,
    '.*secret',
  ])('%s may be used', (pattern) => expect(patternFault(pattern)).toBeNull())
  it.each([
    ['(', 'not a valid regular expression'],
    ['[a-', 'not a valid regular expression'],
    ['a*', 'empty text'],
    ['x|', 'empty text'],
    ['(a+)+b', '((a+)+)'],
    ['(?:[a-z]*x)*y', 'another repetition'],
    ['(a|aa)+b', 'a choice'],
    ['((a+)b)*c', 'another repetition'],
    ['(?:a+){2,5}b', 'another repetition'],
    ['(a)\\1', 'Backreferences'],
    ['(?<a>b)\\k<a>', 'Backreferences'],
    ['(?<=id: )\\d+', 'Lookbehind'],
    ['(?<!x)\\d+', 'Lookbehind'],
    ['x*x*x*x*y', 'too many ways'],
    ['.*foo.*bar', 'too many ways'],
    [`${'x?'.repeat(30)}y`, 'too many ways'],
    [`${'x{0,10}'.repeat(8)}y`, 'too many ways'],
    [`${'(?:a|a)'.repeat(30)}y`, 'too many ways'],
    ['(?:aa?)+y', 'too many ways'],
    ['(?:a{1,3})+y', 'too many ways'],
  ])('%s is refused in words', (pattern, words) => expect(patternFault(pattern)).toContain(words))

  it('never throws, and takes every plain word', () => {
    fc.assert(fc.property(fc.string({ maxLength: 40 }), (pattern) => void patternFault(pattern)))
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 ]{1,40}$/), (pattern) => {
        expect(patternFault(pattern)).toBeNull()
      }),
    )
  })

  it('what may be used is quick on a line that nearly matches', () => {
    const nearly = `${'a'.repeat(2000)}!`
    for (const pattern of ['a+b', '[a-z]+[0-9]+b', '(?:ab?){2}c']) {
      const begun = process.threadCpuUsage()
      new RegExp(pattern, 'gu').exec(nearly)
      expect(process.threadCpuUsage(begun).user / 1000).toBeLessThan(1000)
    }
  })
})

describe('an own rule', () => {
  const fault = (rule: object) => {
    const result = PrivacyPolicy.safeParse({ customRules: [{ name: 'badge', pattern: 'EMP-\\d{6}', type: 'secret', ...rule }] })
    return result.success ? null : { message: result.error.issues[0]!.message, at: result.error.issues[0]!.path.join('.') }
  }
  it('is taken when its texts say what it does', () => {
    expect(fault({ matches: ['my EMP-123456.'], mustNotMatch: ['EMP-12', 'emp-123456'] })).toBeNull()
  })
  it('is refused with its name and the text that goes against it', () => {
    expect(fault({ matches: ['EMP-123456', 'EMP-12'] })).toEqual({
      message: 'The rule "badge" should match "EMP-12", but does not.',
      at: 'customRules.0.matches.1',
    })
    expect(fault({ mustNotMatch: ['order EMP-1234567'] })).toEqual({
      message: 'The rule "badge" matches "order EMP-1234567", but must not.',
      at: 'customRules.0.mustNotMatch.0',
    })
  })
  it('is refused when its texts could take long', () => {
    const long = Array.from({ length: 20 }, () => `${'a'.repeat(499)}!`)
    expect(fault({ pattern: '.*secret', mustNotMatch: long })?.message).toContain('shorter or fewer examples')
  })
  it('is refused for its pattern before its texts are tried', () => {
    expect(fault({ pattern: '(a+)+$', matches: [`${'a'.repeat(40)}!`] })?.message).toContain('another repetition')
  })
})
