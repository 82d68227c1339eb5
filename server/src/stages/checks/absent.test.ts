import { expect, test } from 'vitest'
import { absenceSentence, absentIn, declaredOf } from './absent.ts'

const FILES: Record<string, string> = {
  'package.json': '{"dependencies":{"left-pad":"1"},"devDependencies":{"@a/b":"1"}}',
  'pyproject.toml': '[project]\nname = "own"\ndependencies = ["PyYAML>=6", "ruamel.yaml"]\n',
  'src/tools.py': '',
}
const declared = await declaredOf({ files: Object.keys(FILES), installed: new Set(), read: async (name) => FILES[name] ?? null })

// npx without a network, as after `posttest`
const NPX =
  'npm error code EAI_AGAIN\nnpm error errno EAI_AGAIN\nnpm error request to https://registry.npmjs.org/npm failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org'

test.each([
  ["Error: Cannot find module 'left-pad'", 'left-pad'],
  ["Cannot find package '@a/b' imported from /p/a.js", '@a/b'],
  ["ModuleNotFoundError: No module named 'yaml'", 'yaml'],
  ["ModuleNotFoundError: No module named 'pytest_mock'", 'pytest_mock'],
  ["Error: Cannot find module './sum.js'", null],
  ["Error: Cannot find module 'right-pad'", null],
  ["ModuleNotFoundError: No module named 'tools'", null],
  ["ModuleNotFoundError: No module named 'numpy'", null],
  ['connect ECONNREFUSED 127.0.0.1:5432', '127.0.0.1:5432'],
  ['connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused', 'localhost:5432'],
  ['dial tcp 127.0.0.1:6379: connect: connection refused', '127.0.0.1:6379'],
  ['go: a@v1: Get "https://proxy.golang.org/a": dial tcp: lookup proxy.golang.org: no such host', 'A module of Go'],
  ['error: failed to download `serde v1.0.0`', 'A crate'],
  [NPX, 'registry.npmjs.org'],
  ['> jest --coverage | cat\n\nsh: 1: jest: not found', 'jest'],
  ['sh: 1: make: not found', null],
  ['expected 1 to be 2', null],
])('what is absent by %j is %j', (message, wanted) => {
  expect(absentIn(message, declared)?.file ?? null).toBe(wanted)
})

test('a host on the internet is not said to be a service that could be started', () => {
  expect(absenceSentence(absentIn(NPX, declared)!)).toBe(
    'registry.npmjs.org was not reached: the sandbox has no network. Leave out what needs it.',
  )
  expect(absenceSentence(absentIn('connect ECONNREFUSED 127.0.0.1:5432', declared)!)).toMatch(
    /^Nothing answers at 127\.0\.0\.1:5432.*Start it/,
  )
})
