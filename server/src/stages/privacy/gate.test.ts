import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PrivacyPolicy, type Finding, type PiiType } from '#contracts/entities/privacy.ts'
import { TimeLimitError } from '#server/workers/time-limit.ts'
import { detect, type Scan } from './detector.ts'
import { openGate, type GateInput } from './gate.ts'
import { testGateInput, testKey } from './testing-gate.ts'
import { NO_DECISIONS, findingKey, policyHash, projectKey, resolveDecision, valueDigest } from './decisions.ts'

/** Two simple detectors: these tests are about the gate. */
const find: Scan = (text, options) => {
  const rules: [PiiType, RegExp, number][] = [
    ['email', /\b[\w.]{1,64}@[\w.]+\.\w+/g, 0.9],
    ['password', /(?<=password: )\S+/g, 0.9],
    ['api_key', /sk-ant-\w{20,}/g, 1],
    ['credit_card', /\b4\d{15}\b/g, 1],
    ['person', /\bAda\b/g, 0.3],
  ]
  const found = rules.flatMap(([type, form, confidence]): Finding[] =>
    options?.types && !options.types.includes(type)
      ? []
      : [...text.matchAll(form)]
          .filter(([value]) => !options?.allowed?.has(value) && !/@example\.(com|net|org)$/.test(value))
          .map((match) => ({
            type,
            detector: 'test',
            start: match.index,
            end: match.index + match[0].length,
            confidence,
            validated: false,
          })),
  )
  return found.toSorted((a, b) => a.start - b.start)
}

const input = (policy: Partial<PrivacyPolicy> = {}, more: Partial<GateInput> = {}) =>
  testGateInput({ defaultStrategy: 'redact', ...policy }, more)
const gate = (...of: Parameters<typeof input>) => openGate(input(...of), find)
const digestOf = (type: PiiType, value: string) => valueDigest(testKey, type, value)
const SECRET = `sk-ant-${'a1'.repeat(12)}`

describe('the gate', () => {
  it('clears texts, keys and numbers, and keeps the structure of the value', () => {
    const value = {
      role: 'assistant',
      content: 'ask ada@corp.io',
      tool_calls: [
        { id: 'c1', function: { name: 'Login', arguments: { password: 'hunter22', 'bob@corp.io': 1, card: 4_111_111_111_111_111 } } },
      ],
      n: 3,
      nothing: null,
    }
    const before = structuredClone(value)
    const open = gate()
    expect(open.clear(value)).toEqual({
      role: 'assistant',
      content: 'ask [EMAIL_1]',
      tool_calls: [
        { id: 'c1', function: { name: 'Login', arguments: { password: '[PASSWORD_1]', '[EMAIL_2]': 1, card: '[CREDIT_CARD_1]' } } },
      ],
      n: 3,
      nothing: null,
    })
    expect(value).toEqual(before)
    expect(open.report()).toMatchObject({
      policyHash: 'hash',
      records: 1,
      recordsWithFindings: 1,
      findingsByType: { email: 2, password: 1, credit_card: 1 },
      actions: { redact: 4 },
    })
  })

  it('numbers keys that became equal', () => {
    expect(gate().clear({ 'a@corp.io': 1, 'b@corp.io': 2 })).toEqual({ '[EMAIL_1]': 1, '[EMAIL_2]': 2 })
  })

  it('replaces unpaired surrogates, which UTF-8 cannot encode', () => {
    expect(gate().clear({ 'key \ud83d': ['\ude00 half', 'whole \u{1f600}'] })).toEqual({
      'key \u{FFFD}': ['\u{FFFD} half', 'whole \u{1f600}'],
    })
  })

  it('returns values without findings unchanged', () => {
    const clean = fc.jsonValue().filter((value) => find(JSON.stringify(value)).length === 0)
    fc.assert(
      fc.property(clean, (value) => {
        expect(JSON.stringify(gate().clear(value))).toBe(JSON.stringify(value))
      }),
    )
  })

  it('finds nothing new in a second pass', () => {
    const text = fc
      .array(fc.constantFrom('ada@corp.io', 'bob.b@mail.de', SECRET, ' and ', '\n', 'password: hunter22 '))
      .map((parts) => parts.join(' '))
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom('redact', 'mask', 'synthetic', 'hash', 'category' as const), (value, defaultStrategy) => {
        const once = gate({ defaultStrategy }).clear(value)
        const again = gate({ defaultStrategy })
        expect(again.clear(once)).toEqual(once)
        expect(again.report().findingsByType).toEqual({})
      }),
    )
  })

  it('redacts secrets under every policy, and with privacy off', () => {
    const value = `${SECRET} ada@corp.io`
    expect(gate({ types: [] }).clear(value)).toBe('[API_KEY_1] ada@corp.io')
    expect(gate({ defaultStrategy: 'synthetic', confidenceThreshold: 1 }).clear(value)).toBe('[API_KEY_1] ada@corp.io')
    expect(gate({}, { off: 'own machine' }).clear(value)).toBe('[API_KEY_1] ada@corp.io')
    const kept = {
      ...NO_DECISIONS,
      type: { api_key: { action: 'keep' as const, strategy: null } },
      project: { [projectKey('/p', 'api_key')]: { action: 'keep' as const, strategy: null } },
    }
    expect(gate({}, { decisions: kept }).clear(value, { project: '/p' })).toBe('[API_KEY_1] [EMAIL_1]')
  })

  it('keeps findings below the threshold, and counts them', () => {
    const open = gate()
    expect(open.clear('Ada')).toBe('Ada')
    expect(open.report()).toMatchObject({ belowThreshold: 1, recordsWithFindings: 0 })
    expect(gate({ confidenceThreshold: 0.2 }).clear('Ada')).toBe('[PERSON_1]')
  })

  it('applies the narrowest decision', () => {
    const choice = (action: 'keep' | 'redact' | 'replace', strategy: 'hash' | null = null) => ({ action, strategy })
    const digest = digestOf('email', 'ada@corp.io')
    const all = {
      type: { email: choice('keep') },
      project: { [projectKey('/p', 'email')]: choice('redact') },
      value: { [digest]: choice('replace', 'hash') },
      finding: { [findingKey('s1', 'email', digest)]: choice('keep') },
    }
    const clear = (decisions: Partial<typeof all>, context = { project: '/p', stepId: 's1' }) =>
      gate({ defaultStrategy: 'category' }, { decisions: { ...NO_DECISIONS, ...decisions } }).clear('ADA@corp.io', context)
    expect(clear({})).toBe('an e-mail address')
    expect(clear({ type: all.type })).toBe('ADA@corp.io')
    expect(clear({ type: all.type, project: all.project })).toBe('[EMAIL_1]')
    expect(clear({ type: all.type, project: all.project }, { project: '/q', stepId: 's1' })).toBe('ADA@corp.io')
    expect(clear({ project: all.project, value: all.value })).toMatch(/^email-[0-9a-f]{16}$/)
    expect(clear(all)).toBe('ADA@corp.io')
    expect(clear(all, { project: '/p', stepId: 's2' })).toMatch(/^email-/)
    expect(resolveDecision(NO_DECISIONS, { type: 'email', digest, stepId: '__proto__', project: 'constructor' })).toBeNull()
  })

  it('applies decisions by the entry of each part of a value', () => {
    const digest = digestOf('email', 'ada@corp.io')
    const decisions = { ...NO_DECISIONS, finding: { [findingKey('s2', 'email', digest)]: { action: 'keep' as const, strategy: null } } }
    const value = { messages: [{ content: 'ada@corp.io' }, { content: 'ada@corp.io' }] }
    const after = gate({}, { decisions }).clear(value, { stepOf: (path) => (path[1] === 1 ? 's2' : 's1') })
    expect(after).toEqual({ messages: [{ content: '[EMAIL_1]' }, { content: 'ada@corp.io' }] })
  })

  it('rejects values that are not JSON, naming the position', () => {
    expect(() => gate().clear({ a: [new Date()] })).toThrow('/a/0 is a Date')
    expect(() => gate().clear({ a: () => 1 })).toThrow('/a is a function')
    let deep: unknown = 'x'
    for (let level = 0; level < 600; level += 1) deep = [deep]
    expect(() => gate().clear(deep)).toThrow('nested deeper')
    const risky = JSON.parse('{"__proto__": "ada@corp.io"}') as unknown
    expect(JSON.stringify(gate().clear(risky))).toBe('{"__proto__":"[EMAIL_1]"}')
  })

  it('accepts a text of 10 MB', () => {
    const text = `${'x'.repeat(5_000_000)} ada@corp.io ${'y'.repeat(5_000_000)}`
    expect(gate().clear(text).length).toBe(text.length - 'ada@corp.io'.length + '[EMAIL_1]'.length)
  })
})

describe('the policy hash', () => {
  const policy = PrivacyPolicy.parse({})
  it('ignores order, and changes with anything that affects the result', () => {
    const hash = policyHash(policy, NO_DECISIONS, '1')
    expect(policyHash({ ...policy, types: policy.types.toReversed() }, { type: {}, project: {}, value: {}, finding: {} }, '1')).toBe(hash)
    expect(policyHash({ ...policy, allowed: ['x'] }, NO_DECISIONS, '1')).not.toBe(hash)
    expect(policyHash(policy, { ...NO_DECISIONS, type: { email: { action: 'keep', strategy: null } } }, '1')).not.toBe(hash)
    expect(policyHash(policy, NO_DECISIONS, '2')).not.toBe(hash)
  })
})

describe('a text whose scan takes too long', () => {
  const slow: Scan = (text, options) => {
    if (text.includes('slow')) throw new TimeLimitError(5000)
    return find(text, options)
  }

  it('is replaced as a whole and counted, regardless of decisions and settings', () => {
    for (const more of [{}, { off: 'a reason' }]) {
      const open = openGate(input({}, more), slow)
      const row = { content: 'slow password: hunter22', other: `key ${SECRET}`, slow: 1 }
      expect(open.clear(row)).toEqual({ content: '[UNSCANNED]', other: 'key [API_KEY_1]', '[UNSCANNED]': 1 })
      expect(open.report()).toMatchObject({ unscanned: 2, recordsWithFindings: 1 })
      expect(openGate(input({}, more), find).clear('[UNSCANNED]')).toBe('[UNSCANNED]')
    }
  })

  it('is stopped in the middle of a regular expression', () => {
    expect(() => detect('curl '.repeat(100_000), {}, 50)).toThrow(TimeLimitError)
    // the time limit for a text of this length is not a whole number
    expect(detect('mail ada.lovelace@corp.io '.repeat(501), {}).length).toBe(501)
  })
})

describe('labels', () => {
  it('have one number per value, starting at 1 in every record', () => {
    const open = gate()
    expect(open.clear({ a: 'x@corp.io y@corp.io', b: ['Y@corp.io', `key ${SECRET}`] })).toEqual({
      a: '[EMAIL_1] [EMAIL_2]',
      b: ['[EMAIL_2]', 'key [API_KEY_1]'],
    })
    expect(open.clear('only y@corp.io')).toBe('only [EMAIL_1]')
  })

  it('do not reuse a number from an earlier pass', () => {
    expect(gate().clear({ a: 'x@corp.io', b: 'was [EMAIL_3]' })).toEqual({ a: '[EMAIL_4]', b: 'was [EMAIL_3]' })
  })
})
