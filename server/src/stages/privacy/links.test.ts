import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PrivacyPolicy } from '#contracts/entities/privacy.ts'
import { openGate, type GateInput } from './gate.ts'
import { redactText } from './redact.ts'
import { residualScan } from './residual.ts'
import { NO_DECISIONS, valueDigest } from './decisions.ts'
import { testGateInput, testKey } from './testing-gate.ts'

const gate = (more: Partial<GateInput> = {}, policy: Partial<PrivacyPolicy> = { defaultStrategy: 'redact' }) =>
  openGate(testGateInput(policy, more))

describe('a link with a credential in it', () => {
  it.each([
    ['git clone https://ada:hunter22xy@corp.io/a/b.git now', 'git clone https://[USERNAME_1]:[PASSWORD_1]@corp.io/a/b.git now'],
    ['DB=postgres://app:Sup3rS3cretPw@db.nordhavn.dk:5432/main', 'DB=postgres://app:[PASSWORD_1]@db.nordhavn.dk:5432/main'],
    ['https://ada:p%40ss%2Fw0rd9@corp.io/a%20b?x=%C3%A9', 'https://[USERNAME_1]:[PASSWORD_1]@corp.io/a%20b?x=%C3%A9'],
    [
      'GET https://api.corp.io/v1/x%20y?n=1&access_token=Zx81Qrst9917abcd&x=%C3%A9#top',
      'GET https://api.corp.io/v1/x%20y?n=1&access_token=[AUTH_TOKEN_1]&x=%C3%A9#top',
    ],
    [
      'https://user.blob.core.windows.net/c/f?sv=2020&sig=abC1dEf2Ghi3jKl4mNo5pQr6%3D&se=2',
      'https://user.blob.core.windows.net/c/f?sv=2020&sig=[AUTH_TOKEN_1]&se=2',
    ],
    ['https://ghp_abcdefghijklmnopqrstuvwxyz0123456789:x-oauth-basic@github.com/a/b', 'https://[SECRET_1]:[PASSWORD_1]@github.com/a/b'],
    [
      'https://a.io/r?u=https%3A%2F%2Fada%3Ahunter22xy%40corp.io%2Fx&y=1',
      'https://a.io/r?u=https%3A%2F%2F%5BUSERNAME_1%5D%3A%5BPASSWORD_1%5D%40corp.io%2Fx&y=1',
    ],
    [
      'jdbc:sqlserver://a.corp.io:1433;databaseName=x;password=Zx81Qrst9917;encrypt=true',
      'jdbc:sqlserver://a.corp.io:1433;databaseName=x;password=[PASSWORD_1];encrypt=true',
    ],
    // other personal data in the link is replaced by its type
    ['https://ada:hunter22xy@corp.io/u?mail=bob.b@corp.io', 'https://[USERNAME_1]:[PASSWORD_1]@corp.io/u?mail=[EMAIL_1]'],
  ])('keeps scheme, host and path: %s', async (text, after) => {
    expect(gate().clear(text)).toBe(after)
    expect(gate().clear(after)).toBe(after)
    expect(redactText(text, 'redact').text).toBe(after)
    expect((await residualScan([JSON.stringify({ after })])).byType).toEqual({})
  })

  it.each([
    'https://hooks.slack.com/services/T012345/B0123456/abcdefghijklmnopqrstuvwx', // the path is the secret
    'postgres://u:p@ss/w0rd11@db.corp.io/db', // the end of the password is ambiguous
    'https://b.internal/x?token=Zx81Qrst9917abcd', // the host is internal
    'Server=db.corp.io;User Id=app;Password=Zx81Qrst9917;', // not a link
  ])('is replaced whole if its credential cannot be separated: %s', (text) => {
    expect(gate().clear(text)).toMatch(/^\[CONNECTION_STRING_1\];?$/)
  })

  it('shares the label of its password with other texts, and counts as one finding', () => {
    const open = gate()
    const after = open.clear({ url: 'https://app:p%2Bhunter22xy@corp.io/x', password: 'p+hunter22xy' })
    expect(after).toEqual({ url: 'https://app:[PASSWORD_1]@corp.io/x', password: '[PASSWORD_1]' })
    expect(open.report().findingsByType).toEqual({ connection_string: 1, password: 1 })
  })

  it('is kept by a decision, and replaced as a whole by other strategies', () => {
    const link = 'https://app:hunter22xy@corp.io/a%20b'
    const value = { [valueDigest(testKey, 'connection_string', link)]: { action: 'keep' as const, strategy: null } }
    expect(gate({ decisions: { ...NO_DECISIONS, value } }).clear(link)).toBe(link)
    const hashed = gate({}, { strategies: { connection_string: 'hash' } }).clear(link)
    expect(hashed).toMatch(/^connection-string-[0-9a-f]{16}$/)
  })

  it('shows no part of a credential with special characters', () => {
    // trailing punctuation is not part of the value
    const secret = (form: RegExp) => fc.stringMatching(form).filter((text) => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text))
    const inUser = secret(/^[A-Za-z0-9%!*@:/?#&;+~.-]{8,24}$/)
    const inQuery = secret(/^[A-Za-z0-9%!*@:/?;=+~.-]{8,24}$/)
    const inSettings = secret(/^[A-Za-z0-9%!*@:/=+~.-]{8,24}$/)
    const links = fc.oneof(
      inUser.map((value) => [value, `https://app:${value}@corp.io/x?y=1`] as const),
      inUser.map((value) => [value, `postgres://app:${value}@db.corp.io:5432/main`] as const),
      inQuery.map((value) => [value, `https://corp.io/x?a=1&access_token=${value}&y=1`] as const),
      inQuery.map((value) => [value, `https://corp.io/x#access_token=${value}`] as const),
      inSettings.map((value) => [value, `jdbc:postgresql://db.corp.io/main;password=${value};ssl=true`] as const),
    )
    fc.assert(
      fc.property(links, ([value, text]) => {
        const after: string = gate().clear(text)
        const whole = gate({}, { strategies: { connection_string: 'mask' } }).clear(text) as string
        // shows no more of the credential than replacing the whole finding does
        const pieces = Array.from({ length: value.length - 3 }, (_, at) => value.slice(at, at + 4)).filter((piece) => /\d/.test(piece))
        expect(pieces.filter((piece) => after.includes(piece) && !whole.includes(piece))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})
