import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { canaries, canaryRows, countCanaries } from './canaries.ts'
import { residualScan } from './residual.ts'

const key = createHash('sha256').update('k').digest()

describe('the second scanner', () => {
  it('counts survivors by type', async () => {
    const texts = [
      '{"content": "mail ada@corp.io, card 4111 1111 1111 1111"}',
      `token ghp_${'aB3'.repeat(12)}`,
      'nothing here, 1234-5678, /home/node/app, ada@example.com',
      'DE89 3704 0044 0532 0130 00 and 123-45-6789 in /home/ada/src',
    ]
    const survivors = await residualScan(texts)
    expect(survivors.byType).toEqual({ email: 1, credit_card: 1, secret: 1, iban: 1, ssn: 1, username: 1 })
    expect(survivors.findings).toBe(6)
    expect(survivors.scanner).toContain('secretlint')
  })

  it('finds every address, even after a long word, another "@" or another address', async () => {
    const { byType } = await residualScan([`${'x'.repeat(90)}@corp.io @@ ada@corp.io,bob+x@mail.corp.io @name a@b ada@corp.iobob@corp.dev`])
    expect(byType).toEqual({ email: 4 })
  })

  it('lists what it does not search for', async () => {
    expect((await residualScan([])).notCovered).toContain('names of people')
  })

  it.each([
    ['a pass-phrase in quotes', 'DB_PASSWORD="marble-otter-lantern-frost"'],
    ['a pass-phrase in JSON', '{"password":"marble-otter-lantern-frost"}'],
    ['random letters without digits', 'db_password = "kWbTqZpLmXcVnRsD"'],
    ['a setting without quotes', 'FOO_SECRET=q8Zp3mXv7RtLw2Kb'],
    ['SQL', "ALTER ROLE app PASSWORD 'marble-otter-lantern';"],
    ['an element', '<dbPassword>marble-otter-lantern</dbPassword>'],
    ['netrc', 'machine git.corp.io\n  login jroe\n  password silverotterlantern'],
    ['a key as an argument', "new SomeClient('q8Zp3mXv7RtLw2KbYc9NdH5s')"],
    ['a pair in a sentence', 'Log in with mkoch / Zq8pLm3xVt today'],
    ['a header', '"X-Auth-Token": "q8Zp3mXv7RtLw2KbYc9NdH5s"'],
  ])('finds %s', async (_, text) => {
    expect((await residualScan([JSON.stringify({ content: text })])).byType).toEqual({ secret: 1 })
  })

  it('shares no module with the detectors', () => {
    const sources = ['residual.ts', 'residual-secrets.ts', 'residual-lines.ts'].map((file) =>
      fs.readFileSync(path.join(import.meta.dirname, file), 'utf8'),
    )
    for (const source of sources) expect(source).not.toMatch(/from '[^']*detect/)
  })

  it('ignores replacements', async () => {
    const { findings } = await residualScan([
      '[EMAIL] ****-****-****-1111 x@example.org redacted-hostname.invalid email-0123456789abcdef password: "[PASSWORD]"',
    ])
    expect(findings).toBe(0)
  })
})

describe('canaries', () => {
  it('are determined by the key, and found in texts', async () => {
    const planted = canaries(key, 5)
    expect(planted).toEqual(canaries(key, 5))
    expect(new Set(planted).size).toBe(5)
    expect(canaries(createHash('sha256').update('other').digest(), 5)).not.toEqual(planted)
    expect(countCanaries(`… ${planted[0]} … ${planted[3]}`, planted)).toBe(2)
    expect((await residualScan([`x ${planted[2]}`, 'y'], { canaries: planted })).canaries).toBe(1)
  })

  it('go into different rows, at most one each', () => {
    expect(new Set(canaryRows(key, 10, 1000)).size).toBe(10)
    expect(canaryRows(key, 10, 1000)).toEqual(canaryRows(key, 10, 1000))
    expect(canaryRows(key, 10, 3).toSorted((a, b) => a - b)).toEqual([0, 1, 2])
    expect(canaryRows(key, 10, 0)).toEqual([])
  })
})
