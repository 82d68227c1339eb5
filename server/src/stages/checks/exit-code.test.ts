import { expect, test } from 'vitest'
import { silencedOf, silencedTests } from './exit-code.ts'

test.each([
  ['jest | cat', ['jest']],
  ['jest; echo ok', ['jest']],
  ['jest || true', ['jest']],
  ['jest & wait', ['jest']],
  ['! jest', ['jest']],
  ['(cd a && jest) | cat', ['jest']],
  ['bash -c "jest; true"', ['jest']],
  ['vitest run; pytest', ['vitest run']],
  ['node test.js; echo ok', ['node test.js']],
  ['npm run unit && echo ok', ['mocha']],
  ['run-p lint unit', ['mocha']],
  ['pytest\necho ok', ['pytest']],
  ['vitest run && pytest', []],
  ['jest || exit 1', []],
  ['! grep -r TODO src', []],
  ['jest; exit $?', []],
  ['set -o pipefail; jest | cat', []],
  ['set -e\npytest\necho ok', []],
  ['node build.js; node test.js', []],
  ['if jest; then echo ok; else exit 1; fi', []],
])('the tests whose failure the exit code of %j does not show are %j', (text, wanted) => {
  expect(silencedTests(text, { unit: 'mocha | tee log' })).toEqual(wanted)
})

test('scripts, recipes of make and files of a shell are read', async () => {
  const of = (runner: 'make' | 'npm' | 'verify.sh' | 'command', command: string, because: string, text: string) =>
    silencedOf({ runner, command, because, folder: '', reason: null }, { files: [], installed: new Set(), read: async (name) => (name === because ? text : null) }) // prettier-ignore
  expect(await of('make', 'make test', 'Makefile', 'all: test\n\ntest: all\n\t@echo on\n\t-pytest\n\tgo test ./... | tee log\n\tcargo test\n')).toEqual(['pytest', 'go test ./...']) // prettier-ignore
  expect(await of('npm', 'npm test', 'package.json', '{"scripts":{"test":"./all | cat"}}')).toEqual(['./all'])
  expect(await of('verify.sh', 'bash verify.sh', 'verify.sh', 'pytest\nnpm test\n')).toEqual(['pytest'])
  expect(await of('command', 'pytest; true', '', '')).toEqual(['pytest'])
})
