import { describe, expect, it } from 'vitest'
import type { CustomRule } from '#contracts/entities/privacy.ts'
import { scan, type ScanOptions } from './index.ts'

const found = (text: string, options: ScanOptions) =>
  scan(text, options).map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`)
const rule = (pattern: string): CustomRule => ({ name: 'own', pattern, type: 'mrn', matches: [], mustNotMatch: [] })

describe('names of this machine and its user', () => {
  const names = { people: ['Ada van Lovelace', 'Müller-Lüdenscheidt'], usernames: ['sandra.vogel'], hostnames: ['ritas-macbook-air'] }
  it.each([
    ['fixed by ada van lovelace.', ['person: ada van lovelace']],
    ['branch ada_van_lovelace', []],
    ['ada.van.lovelace/fix', ['person: ada.van.lovelace']],
    ['Ada van\nLovelace', ['person: Ada van\nLovelace']],
    ['Ada van Lovelaces', []],
    ['Ada the language', []],
    ['ask sandra.vogel, on ritas-macbook-air', ['username: sandra.vogel', 'hostname: ritas-macbook-air']],
    ['an Müller-Lüdenscheidt!', ['person: Müller-Lüdenscheidt']],
  ])('are found as whole words: %j', (text, expected) => expect(found(text, { names })).toEqual(expected))
})

describe('custom rules', () => {
  it('report their matches', () =>
    expect(found('see EMP-12345 and EMP-1', { customRules: [rule(String.raw`EMP-\d{5}`)] })).toEqual(['mrn: EMP-12345']))

  it('report matches in lines of any length', () => {
    const text = `${'x'.repeat(4000)} EMP-12345 ${'y'.repeat(5000)} EMP-54321`
    expect(found(text, { customRules: [rule(String.raw`EMP-\d{5}`)] })).toEqual(['mrn: EMP-12345', 'mrn: EMP-54321'])
  })

  it.each(['(a+)+$', '(a|a)*b', '(', String.raw`(a)\1`, '', 'a*'])('are skipped if they are invalid or may take forever: %s', (pattern) =>
    expect(found(`${'a'.repeat(5000)}!`, { customRules: [rule(pattern)] })).toEqual([]),
  )

  it('take linear time even with several open repetitions', () => {
    const took = (size: number) => {
      const begun = process.threadCpuUsage()
      scan('a'.repeat(size), { customRules: [rule('a+a+b'), rule('a+b+c+d')] })
      const { user, system } = process.threadCpuUsage(begun)
      return user + system
    }
    took(500)
    const [small, large] = [took(2000), took(8000)]
    expect(large).toBeLessThan(8 * Math.max(small, 10_000))
  })
})
