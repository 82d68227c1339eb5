import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { redactText } from '#server/stages/privacy/redact.ts'
import { residualScan } from '#server/stages/privacy/residual.ts'
import { scan } from './index.ts'

/** Random base64 of a key, in lines of 64 characters. */
const BODY = [
  'PtYgjmUhBel31iEl2hpChYgCfrL1spNxnyVmihA/2O76UMFxFkM/R5Kjp1vRt+1f',
  'jORS/6ilI8ihN5KXSc7Tvo/hBKqFYY/kv5ZJr3J1TWDtkwtDDb+xHKas1VOqg6YY',
  'dJ8HyS5SUkCnD8zRA9a9SkpXz9w3QlY7Zkuvqdt7s8Stqcbnr3yBdGBLEPH1qhT6',
  'lHlsZfYcMMDktXP/tKsf2rcDkdfrUnW5gcF+Ha6ili8GjHEAD6/Wj9KfzjsQGMrb',
]
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', ...BODY, '-----END RSA PRIVATE KEY-----']
const PASSWORD = 'q7Xw!pLz92vT'

const TEXTS: Record<string, { lines: string[]; secrets: string[] }> = {
  'a private key': { lines: KEY, secrets: BODY },
  'an encrypted key': { lines: [KEY[0]!, 'Proc-Type: 4,ENCRYPTED', '', ...KEY.slice(1)], secrets: BODY },
  'a value on the next line': { lines: ['password:', `  ${PASSWORD}`], secrets: [PASSWORD] },
  'a value beside its name': { lines: ['env:', '  - name: DB_PASSWORD', `    value: ${PASSWORD}`], secrets: [PASSWORD] },
  'a table': { lines: ['user,password', `kim,${PASSWORD}`, 'lee,zebra-otter-41'], secrets: [PASSWORD, 'zebra-otter-41'] },
  'a continued line': { lines: ['DB_PASSWORD=\\', `  ${PASSWORD}`], secrets: [PASSWORD] },
}

const second = (at: number) => String(at % 60).padStart(2, '0')
const PREFIXES: Record<string, (at: number) => string> = {
  'Read with arrows': (at) => `${String(at + 1).padStart(6)}→`,
  'Read with tabs': (at) => `${at + 1}\t`,
  'cat -n': (at) => `${String(at + 97).padStart(6)}\t`,
  'less -N': (at) => `${String(at + 1).padStart(7)} `,
  bat: (at) => `${String(at + 1).padStart(4)} │ `,
  'a code frame': (at) => `${at === 1 ? '>' : ' '} ${String(at + 8).padStart(2)} | `,
  'grep -n': (at) => `${at + 8}:`,
  'grep -n with context': (at) => `${at + 8}${at === 1 ? ':' : '-'}`,
  'grep -rn': (at) => `deploy/app.yaml:${at + 8}:`,
  'grep -rn with context': (at) => (at === 0 ? 'deploy/app.yaml:8:' : `deploy/app.yaml-${at + 8}-`),
  'rg with columns': (at) => `deploy/app.yaml:${at + 8}:1:`,
  'grep on Windows': (at) => `C:\\repo\\id_rsa:${at + 8}:`,
  'git grep': (at) => `HEAD:deploy/app.yaml:${at + 8}:`,
  'grep -r': () => 'deploy/.env:',
  'git blame': (at) => `a1b2c3d4 (Kim Ode 2026-03-02 09:00:00 +0000 ${at + 8}) `,
  'git blame with files': (at) => `^1b2c3d4 deploy/app.yaml (Kim Ode  2026-03-02 09:00:00 +0000 ${String(at + 8).padStart(3)}) `,
  'added lines of a diff': (at) => `${at === 0 ? '@@ -0,0 +1,9 @@\n' : ''}+`,
  'a log': (at) => `2026-03-02 09:00:${second(at)},123 INFO [app.main] `,
  'a log with hyphens': (at) => `2026-03-02 09:00:${second(at)} - app.main - INFO - `,
  syslog: (at) => `Mar  2 09:00:${second(at)} web1 app[123]: `,
  'docker compose': () => 'web-1  | ',
  'docker compose with times': (at) => `web-1  | 2026-03-02T09:00:${second(at)}.123Z `,
  kubectl: () => '[pod/web-1/app] ',
  'GitHub Actions': (at) => `build\tRun tests\t2026-03-02T09:00:${second(at)}.1234567Z `,
  'a quotation': () => '> ',
}

describe.each(Object.entries(PREFIXES))('%s', (_, prefix) => {
  it.each(Object.entries(TEXTS))('does not hide %s', (__, { lines, secrets }) => {
    const { text } = redactText(lines.map((line, at) => prefix(at) + line).join('\n'), 'redact')
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  it.each(Object.entries(TEXTS))('does not hide %s from the second scan', async (__, { lines }) => {
    const row = JSON.stringify({ content: lines.map((line, at) => prefix(at) + line).join('\n') })
    expect((await residualScan([row])).byType).toHaveProperty('secret')
  })
})

describe('ordinary code', () => {
  const folder = path.join(import.meta.dirname, '../../../labelled/code')
  it.each(['Read with arrows', 'Read with tabs', 'cat -n'])('has no more findings with line numbers: %s', (name) => {
    for (const file of fs.readdirSync(folder)) {
      const lines = fs.readFileSync(path.join(folder, file), 'utf8').split('\n')
      const text = lines.map((line, at) => PREFIXES[name]!(at) + line).join('\n')
      expect(scan(text).map(({ type, detector, start, end }) => `${file} ${type} (${detector}): ${text.slice(start, end)}`)).toEqual([])
    }
  })
})

describe('positions', () => {
  it('leave prefixes where they are, except inside a key', () => {
    const text = `     1→host: db\n     2→password:\n     3→  ${PASSWORD}\n     4→port: 1`
    expect(redactText(text, 'redact').text).toBe('     1→host: db\n     2→password:\n     3→  [PASSWORD_1]\n     4→port: 1')
    expect(redactText(KEY.map((line, at) => `${at + 1}\t${line}`).join('\n'), 'redact').text).toBe('1\t[PRIVATE_KEY_1]')
  })

  it('are those of the text when it is inside JSON', () => {
    const inner = `     1→password:\n     2→  ${PASSWORD}\n`
    expect(redactText(JSON.stringify({ content: inner }), 'redact').text).toBe(
      JSON.stringify({ content: inner.replace(PASSWORD, '[PASSWORD_1]') }),
    )
  })

  it('of numbered rows of a table keep their columns', () => {
    const table = `COPY public.users (id, name, password) FROM stdin;\n1\tkim\t${PASSWORD}\n2\tlee\tzebra-otter-41\n\\.`
    const { text } = redactText(table, 'redact')
    expect(text).not.toContain(PASSWORD)
    expect(text).toContain('\tkim\t')
  })
})

describe('a key of which a part is left', () => {
  it.each([
    ['its last lines', KEY.slice(2)],
    ['its last line', KEY.slice(-2)],
    ['its middle', BODY.slice(1)],
    ['both ends, shortened by a client', [...KEY.slice(0, 2), '... [12 lines truncated] ...', ...KEY.slice(-2)]],
    ['its middle, with line numbers', BODY.slice(1).map((line, at) => `    ${at + 12}→${line}`)],
    ['its last lines, in a log', KEY.slice(3).map((line, at) => `2026-03-02T09:00:0${at}Z INFO ${line}`)],
    ['its last lines, in a string', KEY.slice(3).map((line) => `"${line}\\n" +`)],
  ])('%s', (_, lines) => {
    const { text } = redactText(lines.join('\n'), 'redact')
    expect(BODY.filter((line) => text.includes(line))).toEqual([])
  })

  it.each([
    ['a certificate', ['-----BEGIN CERTIFICATE-----', ...BODY, '-----END CERTIFICATE-----']],
    ['the end of a certificate', [...BODY, '-----END CERTIFICATE-----']],
    ['a public key', ['-----BEGIN PUBLIC KEY-----', ...BODY.slice(2), '-----END PUBLIC KEY-----']],
    ['base64 in longer lines', BODY.map((line) => `${line}AbCdEfGhIjKl`)],
    [
      'hashes',
      [
        'd26ab4a829a95249f512c17b8ed411fa644d35dbd26ab4a829a95249f512c17b',
        '41d94e5efaf89fc43c5fa52f8b2b19b8f89a50f8a8e9bb8bdb5eba456bf92d5d',
      ],
    ],
  ])('is not %s', (_, lines) => expect(redactText(lines.join('\n'), 'redact').text).toBe(lines.join('\n')))
})
