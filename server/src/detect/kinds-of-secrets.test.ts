import { expect, it } from 'vitest'
import { scan } from './index.ts'

const found = (text: string) => scan(text).map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`)

it.each([
  ['a pass-phrase of words in a setting', 'DB_PASSWORD="marble-otter-lantern-frost"', ['password: marble-otter-lantern-frost']],
  ['in JSON', '{"password":"marble-otter-lantern"}', ['password: marble-otter-lantern']],
  ['in an element', '<password>marble-otter-lantern</password>', ['password: marble-otter-lantern']],
  ['in SQL', "ALTER ROLE app PASSWORD 'marble-otter-lantern';", ['password: marble-otter-lantern']],
  ['in HCL', '  master_password = "marble-otter-lantern"', ['password: marble-otter-lantern']],
  [
    'netrc on three lines',
    'machine git.corp.io\n  login jroe\n  password silverotterlantern',
    ['username: jroe', 'password: silverotterlantern'],
  ],
  ['a password of random letters', 'PASSWORD=kWbTqZpLmXcVnRsD', ['password: kWbTqZpLmXcVnRsD']],
  ['a secret of random letters', 'JWT_SECRET=kjhwqepoizxmnbtyruvcls', ['secret: kjhwqepoizxmnbtyruvcls']],
  ['a key as an argument', "const client = new OpenAI('q8Zp3mXv7RtLw2KbYc9NdH5s')", ['api_key: q8Zp3mXv7RtLw2KbYc9NdH5s']],
  ['a key as the second argument', "twilio(accountSid, 'ed4e362c55558a1353d07b1cad72049e')", ['api_key: ed4e362c55558a1353d07b1cad72049e']],
  ['a pair in a sentence', 'Log in with mkoch / kWbTqZpLmX today', ['username: mkoch', 'password: kWbTqZpLmX']],
  ['a pass-phrase in a pair', 'The staging login is jroe / marble-otter-lantern.', ['username: jroe', 'password: marble-otter-lantern']],
  ['a header', 'PRIVATE-TOKEN: kjhwqepoizxmnbtyruvcls', ['secret: kjhwqepoizxmnbtyruvcls']],
  ['a pass-phrase in a header', 'X-Auth-Token: marble-otter-lantern', ['auth_token: marble-otter-lantern']],
])('finds %s', (_, text, values) => expect(found(text)).toEqual(values))

it.each([
  ['names of settings', '"password": "user-password-field", "secret": "reset-form-label", password: "must-not-be-empty"'],
  ['identifiers', 'const password = readPasswordFromUser\nconst token = createAccessToken(user)'],
  ['names given to clients', "new Stripe(config.key); new OpenAI('gpt-4o-mini-2024-07-18'); createClient('https://x.example.com')"],
  ['choices with a slash', 'Use React / Vue3 or try node / es2015 with login / logout buttons'],
  ['headers that are variables', 'headers["X-Api-Key"] = settings.apiKey\nAuthorization: Bearer ${token}'],
])('ignores %s', (_, text) => expect(found(text)).toEqual([]))
