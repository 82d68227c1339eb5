import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactText } from '#server/stages/privacy/redact.ts'
import { positives } from './blind/set.ts'
import { scan } from './index.ts'

const found = (text: string) => scan(text).map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`)

/** Fragments that trigger detectors, so that random texts reach them. */
const PIECES = [
  'password=',
  'Hunter2xyz!',
  '"email": "',
  'jane.roe@acme.com',
  '+49 151 23456789',
  'DE89 3704 0044 0532 0130 00',
  '4111 1111 1111 1111',
  'sk-ant-api03-',
  'A1b2C3d4E5f6G7h8I9j0',
  '-----BEGIN RSA PRIVATE KEY-----',
  '://',
  'postgres://app:s3cr3tPw@db.acme.com/x',
  '\\n',
  '\\u0040',
  '\u001B[31m',
  '\n',
  ' ',
  '@',
  'Hi Jane,',
  '/home/jroe/',
  'Hauptstraße 12',
  '%40',
  'name,email,phone\n',
  '|',
  "INSERT INTO t (name, email) VALUES ('",
  "')",
  '{',
  '"',
  'Cookie: sid=',
  'eyJhbGciOiJIUzI1NiJ9.',
  '2001:4860:',
  '::',
  '192.0.2.1',
  '81.2.69.142',
  'Authorization: Bearer ',
  'C:\\Users\\',
  '😀',
  '\uD800',
]
const texts = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12, unit: 'binary' })), { maxLength: 30 })
  .map((parts) => parts.join(''))

const SAMPLES = path.join(import.meta.dirname, '../../../samples')
/** Lines of transcripts: the samples, and records with the texts of the labelled sets. */
const transcripts = [
  ...fs
    .readdirSync(SAMPLES, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => fs.readFileSync(path.join(SAMPLES, file), 'utf8').split('\n')),
  ...['', 'wide-a-', 'wide-b-'].map((prefix) => positives(`${prefix}positives.txt`).map(({ text }) => JSON.stringify({ content: text }))),
]
const placesIn = (text: string, from: number) => scan(text).map(({ type, start, end }) => `${type} ${from + start} ${from + end}`)
const wholes = transcripts.map((lines) => placesIn(lines.join('\n'), 0))

describe('scan', () => {
  it('finds the same values in a transcript however its lines are grouped', () => {
    expect(wholes.flat().length).toBeGreaterThan(500)
    fc.assert(
      fc.property(
        fc.nat(transcripts.length - 1),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
        (which, sizes) => {
          const lines = transcripts[which]!
          const found: string[] = []
          let from = 0
          for (let line = 0, round = 0; line < lines.length; round += 1) {
            const size = sizes[round % sizes.length]!
            const text = lines.slice(line, line + size).join('\n')
            found.push(...placesIn(text, from))
            from += text.length + 1
            line += size
          }
          expect(found).toEqual(wholes[which])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('returns positions inside the text, sorted, without overlaps', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0
        for (const { start, end, confidence } of scan(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(confidence).toBeGreaterThan(0)
          expect(confidence).toBeLessThanOrEqual(1)
          last = end
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('changes nothing outside the findings', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { text: after, findings } = redactText(text, 'redact')
        let rest = after
        let at = 0
        for (const { start, end } of findings) {
          const kept = text.slice(at, start)
          expect(rest.startsWith(kept) || rest.includes(kept)).toBe(true)
          rest = rest.slice(rest.indexOf(kept) + kept.length)
          at = end
        }
        expect(rest.endsWith(text.slice(at))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('decodes escapes, colours, base64, percent signs and diffs, with positions in the original text', () => {
    expect(found(String.raw`{"a":"x\njane.roe\u0040acme.com\n"}`)).toEqual([String.raw`email: jane.roe\u0040acme.com`])
    expect(found(String.raw`{\"password\":\"Hunter2xyz!\"}`)).toEqual(['password: Hunter2xyz!'])
    expect(found('passw\u001B[1mord=hunt\u001B[0mer2xx')).toEqual(['password: hunt\u001B[0mer2xx'])
    const inBase64 = Buffer.from('{"mail":"jane.roe@acme.com"}').toString('base64')
    expect(found(`data: ${inBase64}.`)).toEqual([`email: ${inBase64}`])
    expect(found('GET /u?mail=jane.roe%40acme.com&x=1')).toEqual(['email: jane.roe%40acme.com'])
    expect(found('@@ -1 +1 @@\n-DB_PASSWORD=hunter2xx\n+DB_PASSWORD=Tr0ub4dor3')).toEqual(['password: hunter2xx', 'password: Tr0ub4dor3'])
  })

  it.each([
    'see https://github.com/acme/app and git@github.com:acme/app.git',
    'jane@example.com, someone@test, noreply@github.com, x@localhost',
    'bind 127.0.0.1 and 0.0.0.0, docs use 192.0.2.1, 198.51.100.7, 203.0.113.9 and 2001:db8::1, ::1',
    'PASSWORD=changeme TOKEN=<token> SECRET=xxx KEY=$API_KEY password: ${DB_PASSWORD}',
    'postgres://user:password@localhost:5432/db',
    'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    '/home/node/app /Users/Shared/x /home/user/.cache /home/runner/work',
    'commit 8da0734c1f0a8d1f3b2f1e4a5c6d7e8f90a1b2c3, id 490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe, v10.4.0-rc.1',
    'lodash@4.17.21 @types/node@24.19.2 @Component({}) 12345 5432 1700000000000',
    'const password = getPassword(); user.token = req.headers.authorization; password: string',
    '[EMAIL] [PASSWORD] password=[PASSWORD] token: [AUTH_TOKEN]',
  ])('finds nothing in %j', (text) => {
    expect(found(text)).toEqual([])
  })

  it('finds nothing new in redacted text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactText(text, 'redact').text
        expect(redactText(once, 'redact').text).toBe(once)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['backslashes', '\\'],
    ['at signs', 'a@'],
    ['digits', '1 '],
    ['quotes', '"'],
    ['labels', 'password '],
    ['equals', 'password='],
    ['colons', 'a:'],
    ['groups', '1:2:'],
    ['slashes', '://'],
    ['base64', 'QUFB'],
    ['dashes', '-----BEGIN PRIVATE KEY-----'],
    ['percent', '%41'],
    ['capitals', 'Jane '],
    ['brackets', '<a@'],
    ['escapes', '\u001B['],
    ['bars', '| name '],
    ['commas', 'name,'],
    ['inserts', 'insert into x (name) values ('],
    ['pairs', 'Server=a;Password='],
    ['eyJ', 'eyJhbGci.'],
    ['cookies', 'Cookie: a='],
    ['plus', '+1 '],
    ['dots', '1.1.'],
    ['words', 'a_b'],
    ['brackets of numbers', '(12'],
    ['my name is', 'my name is '],
  ])('takes linear time on a text of 100 kB of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length))
    const begun = process.threadCpuUsage()
    scan(text)
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1000).toBeLessThan(1500)
  })
})
