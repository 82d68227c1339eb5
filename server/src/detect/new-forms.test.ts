import { describe, expect, it } from 'vitest'
import { redactText } from '#server/stages/privacy/redact.ts'

const redacted = (text: string) => redactText(text, 'redact').text
const RANDOM = 'dJ2tYfL4v3hN6x5kQ8B7aR1mW0pS9eG3zC5uT8iK2oX4'
const HEX = 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184'

describe('labelled values with dots', () => {
  const VALUES = ['hT7.kQ9w2Zx', 'kW3.vB9.zQ2x', 'aB3x.Yz7Q', 'xK.4mP9zQ7w']
  it.each([
    ['an environment file', (value: string) => `DB_PASSWORD=${value}`],
    ['YAML', (value: string) => `db:\n  password: ${value}`],
    ['properties', (value: string) => `spring.datasource.password=${value}`],
    ['an INI file', (value: string) => `password = ${value}`],
    ['an option', (value: string) => `deploy --password ${value} --yes`],
    ['a Dockerfile', (value: string) => `ENV DB_PASSWORD ${value}`],
    ['a sentence', (value: string) => `The password is ${value}`],
  ])('are found in %s', (_, inText) => expect(VALUES.filter((value) => redacted(inText(value)).includes(value))).toEqual([]))

  it.each([`API_TOKEN="Qm3Rw8Zp7LvT2nBc.Yt6Hg4Fd1Sa9Ke5J"`, `GLM_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0.k3Jd8Sx0QwErTyUi`])(
    'are found as a key: %s',
    (text) => expect(redacted(text)).toMatch(/_\d\]"?$/),
  )

  it.each([
    'password = config.oauth2Token',
    'DB_PASSWORD=config.db.password',
    'password: settings.DB_PASS2',
    'secret = k8s.io.v1beta1',
    'token: utils.e2eTokenFor1',
    'const token = auth.oauth2.getToken',
    'api_key=os.environ.OPENAI_KEY',
  ])('are not members of objects: %s', (text) => expect(redacted(text)).toBe(text))
})

describe('tokens without a label', () => {
  it.each([
    ['GitHub, as a JWT', `ghs_1234567_eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjM0NTY3In0.${RANDOM}`],
    ['Bedrock', `ABSK${RANDOM}${RANDOM}${RANDOM}=`],
    ['Cloudflare', `cfut_${RANDOM.slice(0, 40)}c1df8855`],
    ['Entra', `QXB8Q~i6aYWGhe1XSIvsi.7pi28sNpcAzSNIK3-L`],
    ['Context7', 'ctx7sk-cd250e82-7049-4b37-af83-f7dfe06ebf22'],
    ['dbt', `dbtc_ggTpW6AzsDx5nLHH_hmb5H_UVCSeyY5jb30fk6Ox.KYOjTtEfabut3cFEwwbV`],
    ['RunPod', `rpa_O0JEW9CHRB6HNWM48UVIOXAOTYA26OKBH7728I6Z1s2evo`],
    ['Gemini', `AQ.Ab8RN6${RANDOM}`],
    ['Cursor', `crsr_${HEX}`],
    ['an unknown prefix', `mytok_${RANDOM.slice(0, 32)}`],
    ['an unknown prefix with a hyphen', `zz-${RANDOM}`],
    ['two unknown prefixes', `acme_live_${RANDOM.slice(0, 34)}`],
    ['small letters', 'abc_k3j9x2m7q8w1z5v4b6n0t8r2y1p3s7d9'],
    ['base64 of URLs', 'xyz_aB3dE5fG-7hJ9kL1mN2pQ4rS6tU8v_W0xYzQ'],
  ])('of %s', (_, token) => {
    for (const text of [`export MY_CI_VALUE=${token}`, `run ${token} now`, `"${token}"`])
      expect(redacted(text)).not.toContain(token.slice(-16))
  })

  it.each([
    'toolu_01A09q90qw90lq917835lq9 call_9pw1qnYScqvGrCH58HWCvFH6 msg_01XFDUDYJgAACzvnptvVoYELaB3dE5fG7h',
    'chatcmpl-BxA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5',
    `sha512-GTd7FguoV8FWnFbB0JxXujr4qqaaABvvLOzAxzXMcU1vsHiQMaRiNTN9Ox98whGcTZc1UWb5fxzpF7STG7nVLe==`,
    `commit_${HEX.slice(0, 40)} build-${HEX}`,
    'test_ThisIsALongCamelCaseNameWithNumbers2And3Of4',
    '_ZN4core3fmt9Formatter15debug_lower_hex17h0123456789abcdefE',
    'web-7d9f8c6b5d-x2k4p index-BxYz1234Kd.js',
  ])('are no ids, hashes or names: %s', (text) => expect(redacted(text)).toBe(text))
})

describe('names in paths', () => {
  it.each([
    'C:\\Users\\Mirelle Quaas\\src\\app',
    'C:/Users/Mirelle Quaas/src/app',
    'cd "C:\\Users\\Mirelle Quaas"',
    '"C:\\\\Users\\\\Mirelle Quaas\\\\src"',
    'cwd: C:\\Users\\Mirelle Quaas',
    'C:\\Users\\Mirelle van Quaas\\src',
    'C:\\Documents and Settings\\Mirelle Quaas\\Desktop',
    '/home/Mirelle Quaas/lib/x.png',
    '/Users/Mirelle\\ Quaas/x',
    '/mnt/c/Users/Mirelle Quaas/src',
    'file:///C:/Users/Mirelle%20Quaas/src',
    'ls ~/.claude/projects/C--Users-Mirelle-Quaas-src-app',
    'C--Users-Mirelle-Quaas-Documents-app',
  ])('of two words: %s', (text) => expect(redacted(text)).not.toMatch(/Mirelle|Quaas/))

  it.each([
    'C:\\Users\\TVRBAN~1\\AppData\\Local\\Temp',
    '/mnt/c/Users/TVRBAN~1.ACM/AppData',
    '\\\\wsl$\\Ubuntu\\home\\tvrbanek\\src',
    '\\\\wsl.localhost\\Ubuntu\\home\\tvrbanek',
    '"\\\\\\\\wsl$\\\\Ubuntu\\\\home\\\\tvrbanek\\\\src"',
    '//wsl$/Ubuntu/home/tvrbanek/src',
    'ls ~/.claude/projects/-Users-tvrbanek',
    '~/.claude/projects/-mnt-c-Users-tvrbanek-src/x.jsonl',
    'PS C:\\Users\\tvrbanek> dir\nPS C:\\Users\\tvrbanek> cd x',
  ])('of other forms: %s', (text) => expect(redacted(text)).not.toMatch(/tvrban/i))

  it.each([
    ['/home/ada and src/x', '/home/[USERNAME_1] and src/x'],
    ['cp /home/ada X/y', 'cp /home/[USERNAME_1] X/y'],
    ['GET /users/me/settings/profile .nav-home-icon -private-tmp-x', 'GET /users/me/settings/profile .nav-home-icon -private-tmp-x'],
  ])('end where the name ends: %s', (text, after) => expect(redacted(text)).toBe(after))
})

describe('results of tests', () => {
  it.each([
    'PASS  tests/x',
    ' PASS  src/button.test.ts (5.2 s)\n FAIL  src/form.test.ts',
    '   PASS  Tests\\Unit\\ExampleTest',
    'PASS: tests/foo_test.py::test_a',
    'PASS   apps/web/src/app.component.spec.ts',
    'PASS\tgithub.com/acme/app/pkg\t0.01s',
    'TOKEN  src/lexer/token.ts',
    'KEY     docs/keys.md',
  ])('are no passwords: %s', (text) => expect(redacted(text)).toBe(text))

  it('do not hide a password in columns', () => expect(redacted('PASSWORD    q7Xw!pLz92vT')).toBe('PASSWORD    [PASSWORD_1]'))
})

it.each(['"password": "Passwort",\n"forgotPassword": "Passwort vergessen?"', 'password: "Neues Passwort setzen?"'])(
  'a question on a form is no password: %s',
  (text) => expect(redacted(text)).toBe(text),
)
