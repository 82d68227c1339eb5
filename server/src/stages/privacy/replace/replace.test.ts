import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PII_TYPES, ReplaceStrategy, SECRET_TYPES, type PiiType } from '#contracts/entities/privacy.ts'
import { canonical, createReplacer, mask } from './index.ts'

const key = createHash('sha256').update('a data set').digest()
const otherKey = createHash('sha256').update('another').digest()
/** One strategy for every type, including secrets. */
const replacer = (strategy: ReplaceStrategy, of = key) =>
  createReplacer(of, { defaultStrategy: strategy, strategies: Object.fromEntries(PII_TYPES.map((type) => [type, strategy])) })

const digits = (count: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${count - 1}}$`))
const word = fc.stringMatching(/^[A-Z][a-z]{4,8}$/)
/** Values as in transcripts, by type. */
const VALUES = {
  person: fc.oneof(
    fc.tuple(word, word).map((names) => names.join(' ')),
    fc.constantFrom('Łukasz Żak', 'Иван Петров', '王小明', 'van der Berg Anna', "Sinead O'Brien", 'JOHN SMITH'),
  ),
  email: fc
    .tuple(fc.stringMatching(/^[a-z]{3,8}(\.[a-z]{3,8})?$/), fc.stringMatching(/^[a-z]{4,9}\.(io|de|org)$/))
    .map(([a, b]) => `${a}@${b}`),
  phone: fc.oneof(
    fc.tuple(fc.constantFrom('212', '415', '650'), digits(3), fc.stringMatching(/^\d{4}$/)).map(([a, b, c]) => `(${a}) ${b}-${c}`),
    digits(9).map((rest) => `+49 ${rest.slice(0, 3)} ${rest.slice(3)}`),
    digits(9).map((rest) => `+48 ${rest}`),
    fc
      .stringMatching(/^[1-5]\d{8}$/)
      .map((rest) => `+33 ${rest[0]} ${rest.slice(1, 3)} ${rest.slice(3, 5)} ${rest.slice(5, 7)} ${rest.slice(7)}`),
  ),
  ssn: fc.tuple(fc.integer({ min: 101, max: 665 }), fc.integer({ min: 10, max: 99 }), digits(4)).map((parts) => parts.join('-')),
  passport: fc.stringMatching(/^[A-HK-W][1-9]\d{7}$/),
  driver_license: fc.stringMatching(/^[A-W][1-9]\d{6,10}$/),
  date_of_birth: fc.oneof(
    fc
      .tuple(fc.integer({ min: 1940, max: 2010 }), fc.integer({ min: 10, max: 12 }), fc.integer({ min: 10, max: 28 }))
      .map((parts) => parts.join('-')),
    fc.integer({ min: 1940, max: 2010 }).map((year) => `14 March ${year}`),
  ),
  credit_card: fc.stringMatching(/^4[1-9]\d{13}$/).map((start) => withLuhn(start).replaceAll(/(\d{4})(?=\d)/g, '$1 ')),
  bank_account: digits(10),
  iban: fc.stringMatching(/^[1-9]\d{17}$/).map((account) => withMod97('DE', account)),
  address: fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 9999 }), word).map(([number, name]) => `${number} ${name} Street`),
    fc.tuple(fc.integer({ min: 1, max: 99 }), word).map(([number, name]) => `${name}straße ${number}`),
  ),
  zip_code: fc.constantFrom('94110', '10115', 'SW1A 1AA', 'K1A 0B1', '1012 AB'),
  city: word,
  country: word,
  ip_address: fc.oneof(
    fc.ipV4().filter((ip) => !/^(192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89])\./.test(ip)),
    fc.ipV6().filter((ip) => /^[\da-f]{2,4}:[\da-f]/.test(ip) && !ip.includes('.') && !ip.startsWith('2001:')),
  ),
  mrn: fc.stringMatching(/^MR[1-9]\d{6}$/),
  health_plan: fc.stringMatching(/^[A-W]{3}[1-9]\d{8}$/),
  medical_condition: fc.constantFrom('asthma', 'type 2 diabetes', 'migraine'),
  username: fc.oneof(fc.stringMatching(/^[a-z]{4,9}\d{0,3}$/), fc.constantFrom('ada.lovelace', '/home/ada/src', 'C:\\Users\\Ada\\src')),
  hostname: fc.oneof(fc.stringMatching(/^[a-z]{4,9}$/), fc.stringMatching(/^[a-z]{4,9}\.corp\.acme\.io$/)),
  password: fc.stringMatching(/^[A-Za-z0-9!%_]{8,24}$/),
  api_key: fc.stringMatching(/^sk-ant-api03-[A-Za-z0-9]{40,60}$/),
  auth_token: fc.stringMatching(/^[A-Za-z0-9_-]{30,60}$/),
  url: fc.stringMatching(/^https:\/\/[a-z]{4,8}\.internal\/[a-z]{3,9}$/),
  private_key: fc.stringMatching(/^-----BEGIN PRIVATE KEY-----\n[A-Za-z0-9]{40}\n-----END PRIVATE KEY-----$/),
  connection_string: fc.stringMatching(/^postgres:\/\/[a-z]{4,8}:[a-z0-9]{8}@[a-z]{4,8}\.io\/[a-z]{4}$/),
  secret: fc.stringMatching(/^[A-Za-z0-9]{32}$/),
  date: fc.constantFrom('2024-05-17', '3 May 2024', '17/05/2024'),
} satisfies Record<PiiType, fc.Arbitrary<string>>

const anyValue = fc.constantFrom(...PII_TYPES).chain((type) => VALUES[type].map((value) => ({ type, value })))

function luhn(number: string): boolean {
  const sum = Array.from(number.replaceAll(/\D/g, ''))
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}
function withLuhn(start: string): string {
  for (let check = 0; check < 10; check += 1) if (luhn(`${start}${check}`)) return `${start}${check}`
  throw new Error('no check digit')
}
const mod97 = (iban: string) => {
  const text = iban.replaceAll(' ', '')
  return Number(BigInt(Array.from(text.slice(4) + text.slice(0, 4), (sign) => Number.parseInt(sign, 36)).join('')) % 97n)
}
function withMod97(country: string, account: string): string {
  for (let check = 2; check < 99; check += 1) {
    const iban = `${country}${String(check).padStart(2, '0')}${account}`
    if (mod97(iban) === 1) return iban
  }
  throw new Error('no check digits')
}

describe('replacement', () => {
  it.each(ReplaceStrategy.options)('%s: the original is removed, and a second pass changes nothing', (strategy) => {
    fc.assert(
      fc.property(anyValue, ({ type, value }) => {
        const replace = replacer(strategy)
        const once = replace(type, value)
        expect(once).not.toContain(value)
        expect(replace(type, once)).toBe(once)
        expect(replacer(strategy)(type, once)).toBe(once) // a new replacer keeps it too
      }),
      { numRuns: 600 },
    )
  })

  it.each(['synthetic', 'hash'] as const)('%s: equal values have the same replacement, different values different ones', (strategy) => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...PII_TYPES)
          .chain((type) => fc.tuple(fc.constant(type), fc.array(VALUES[type], { minLength: 20, maxLength: 60 }))),
        ([type, values]) => {
          const replace = replacer(strategy)
          const byCanonical = new Map(values.map((value) => [canonical(type, value), value]))
          const made = new Map([...byCanonical].map(([known, value]) => [known, replace(type, value)]))
          for (const value of values) expect(canonical(type, replace(type, value))).toBe(canonical(type, made.get(canonical(type, value))!))
          if (type === 'private_key' && strategy === 'synthetic') return // replaced by a label
          expect(new Set([...made].map(([, one]) => canonical(type, one))).size).toBe(byCanonical.size)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('depends only on the key', () => {
    fc.assert(
      fc.property(anyValue, ({ type, value }) => {
        expect(replacer('synthetic')(type, value)).toBe(replacer('synthetic')(type, value))
        expect(replacer('hash')(type, value)).not.toBe(replacer('hash', otherKey)(type, value))
      }),
    )
  })

  it('keeps many values distinct in small ranges', () => {
    const replace = replacer('synthetic')
    const addresses = Array.from({ length: 3000 }, (_, index) => `10.${index >> 8}.${index & 255}.7`)
    expect(new Set(addresses.map((ip) => replace('ip_address', ip))).size).toBe(3000)
    const codes = Array.from({ length: 500 }, (_, index) => String(10_000 + index))
    expect(new Set(codes.map((code) => replace('zip_code', code))).size).toBe(500)
    const names = Array.from({ length: 2000 }, (_, index) => String.fromCodePoint(0x4e_00 + index, 0x4e_01 + index))
    expect(new Set(names.map((name) => replace('person', name))).size).toBe(2000) // Han has 144 made-up words
  })

  it('is the same for different spellings of a value', () => {
    const replace = replacer('synthetic')
    const plain = (text: string) => text.replaceAll(/\D/g, '')
    expect(plain(replace('phone', '+1 415 867 5309'))).toBe(`1${plain(replace('phone', '(415) 867-5309'))}`)
    expect(replace('email', 'Ada@Corp.io')).toBe(replace('email', 'ada@corp.io'))
    expect(replace('credit_card', '4111 1111 1111 1111').replaceAll(' ', '')).toBe(replace('credit_card', '4111111111111111'))
    expect(replace('person', 'ADA LOVELACE')).toBe(replace('person', 'Ada Lovelace').toUpperCase())
    expect(replace('person', 'Ada Lovelace').startsWith(replace('person', 'Ada'))).toBe(true)
  })

  it('makes values with valid checksums from ranges without real values', () => {
    fc.assert(
      fc.property(VALUES.credit_card, VALUES.iban, VALUES.email, VALUES.ssn, (card, iban, email, ssn) => {
        const replace = replacer('synthetic')
        const madeCard = replace('credit_card', card)
        expect(luhn(madeCard)).toBe(true)
        expect(madeCard).toMatch(/^4000 00\d\d \d{4} \d{4}$/)
        const madeIban = replace('iban', iban)
        expect(mod97(madeIban)).toBe(1)
        expect(madeIban).toMatch(/^DE\d\d0000\d{14}$/)
        expect(replace('email', email)).toMatch(/^[a-z.\d]+@example\.(com|net|org)$/)
        expect(replace('ssn', ssn)).toMatch(/^9\d\d-\d\d-\d{4}$/)
      }),
    )
    const replace = replacer('synthetic')
    expect(replace('phone', '(415) 867-5309')).toMatch(/^\(\d{3}\) 555-01\d\d$/)
    expect(replace('phone', '+44 20 7123 4567')).toMatch(/^\+44 \d\d \d{4} \d{4}$/)
    expect(replace('ip_address', '8.8.8.8')).toMatch(/^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/)
    expect(replace('ip_address', '2a00:1450::1')).toMatch(/^2001:db8:/)
    expect(replace('date_of_birth', '1990-05-14')).toMatch(/^19[01]\d-\d\d-\d\d$/)
    expect(replace('username', '/home/ada/src')).toMatch(/^\/home\/[a-z]+\/src$/)
    expect(replace('username', 'C:\\Users\\Ada\\src')).toMatch(/^C:\\Users\\[A-Z][a-z]+\\src$/)
    expect(replace('person', 'Иван Петров')).toMatch(/^\p{Script=Cyrillic}+ \p{Script=Cyrillic}+$/u)
    expect(replace('api_key', `sk-ant-api03-${'a'.repeat(40)}`, 'synthetic')).toMatch(/^sk-ant-api03-[a-z]{33}EXAMPLE$/)
  })

  it('replaces by label, mask, category or hash', () => {
    expect(replacer('redact')('email', 'ada@corp.io')).toBe('[EMAIL_1]')
    expect(replacer('mask')('credit_card', '4111-1111-1111-1111')).toBe('****-****-****-1111')
    expect(replacer('mask')('email', 'ada@corp.io')).toBe('***@****.**')
    expect(replacer('category')('email', 'ada@corp.io')).toBe('an e-mail address')
    expect(replacer('hash')('email', 'ada@corp.io')).toMatch(/^email-[0-9a-f]{16}$/)
  })

  it('shows nothing of a secret, and redacts it regardless of the default', () => {
    for (const type of SECRET_TYPES) {
      for (const defaultStrategy of ReplaceStrategy.options)
        expect(createReplacer(key, { defaultStrategy, strategies: {} })(type, 'Zx81-Qrst-9917')).toBe(`[${type.toUpperCase()}_1]`)
      expect(mask(type, 'Zx81-Qrst-9917')).toBe('********')
      const own = createReplacer(key, { defaultStrategy: 'redact', strategies: { [type]: 'hash' } })
      expect(own(type, 'Zx81-Qrst-9917')).toMatch(/^[a-z-]+-[0-9a-f]{16}$/)
    }
  })
})
