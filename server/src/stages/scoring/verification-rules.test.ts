import { describe, expect, it } from 'vitest'
import { scoreSteps } from './score-file.ts'
import { aStep } from './testing.ts'

const OUTCOMES = { ok: true, bad: false, '?': null } as const
type Row = [command: string, outcome: keyof typeof OUTCOMES, output: string, expected: string]

/** Every check found, as "kind result"; "none" if there are none. */
function checksOf(command: string, outcome: keyof typeof OUTCOMES, output: string): string {
  const { evidence } = scoreSteps([aStep({ command, output, success: OUTCOMES[outcome] })])
  return evidence.map(({ kind, result }) => `${kind} ${result}`).join(', ') || 'none'
}
const table = (rows: Row[]) =>
  it.each(rows)('%s | %s | %j → %s', (command, outcome, output, expected) => {
    expect(checksOf(command, outcome, output)).toBe(expected)
  })
const kinds = (kind: string, commands: string[]) =>
  it.each(commands)(`%s is ${kind === 'none' ? 'no verification' : `a ${kind}`}`, (command) => {
    expect(checksOf(command, 'ok', '')).toBe(kind === 'none' ? 'none' : `${kind} passed`)
  })

describe('wrappers with their options and option values', () => {
  kinds('test', [
    'FOO=1 BAR="a b" pytest',
    'FOO=1 ./scripts/verify.sh',
    'env pytest',
    'env -u X A=b pytest -q',
    'env -i PATH=$PATH pytest',
    'env - A=1 pytest',
    'time pytest',
    'time -p pytest',
    '/usr/bin/time -v -o out pytest',
    'nohup pytest',
    'timeout 30 npm test',
    'timeout -k 5 30 npm test',
    'timeout --signal=KILL 5m pytest',
    'timeout -s TERM --foreground 60 go test ./...',
    'sudo make check',
    'sudo -u me make check',
    'sudo -E -u me -- pytest',
    'sudo -Eu me pytest',
    'sudo A=b pytest',
    'command pytest',
    'exec pytest',
    'exec -a name pytest',
    'xvfb-run -a -s "-screen 0 1024x768x24" npx playwright test',
    'xvfb-run npm run e2e',
    'npx jest',
    'npx --yes vitest@latest run',
    'npx -p typescript jest',
    'npx --no-install mocha',
    'npx -- jest',
    'bunx vitest',
    'bunx --bun vitest run',
    'uv run pytest',
    'uv run --with x pytest',
    'uv run --extra dev --python 3.12 pytest',
    'uv run python -m pytest',
    'uv run -m pytest',
    'uv --directory api run pytest',
    'poetry run pytest',
    'poetry -C api run pytest',
    'pipenv run pytest',
    'pdm run pytest',
    'hatch run pytest',
    'hatch run test:pytest -q',
    'rye run pytest',
    'npm exec jest',
    'npm exec -- jest --ci',
    'npm exec --package=jest -- jest',
    'pnpm exec vitest',
    'pnpm dlx jest',
    'pnpm -C web exec jest',
    'yarn exec jest',
    'yarn dlx jest',
    'bundle exec rspec',
    'bundle exec rake test',
    'python -m pytest',
    'python3 -m pytest -q',
    'python3.11 -m pytest',
    '.venv/bin/python -m unittest discover',
    'python -W error -m pytest',
    'python -Im pytest',
    'python -mpytest',
    'python -X dev -B -m pytest',
    'bash verify.sh',
    'bash -eux scripts/verify.sh',
    'sh ./verify.sh --all',
    'bash -eo pipefail ./verify.sh',
    'bash -- verify.sh',
    'sudo -u me env A=b timeout 5 npx jest',
    '"pytest" -q',
    String.raw`\pytest`,
    "p'y'test",
    'nohup timeout -k 5 30 poetry run python -m pytest',
    'cd "my dir" && pytest',
    'FOO=$(date) pytest',
    'pytest >out.log 2>&1',
    '2>/dev/null pytest',
  ])
})

describe('exit status', () => {
  table([
    ['pytest', 'ok', '', 'test passed'],
    ['pytest;', 'bad', '', 'test failed'],
    ["cat > a.py <<'EOF'\nimport x\nEOF\npytest", 'bad', '', 'test failed'],
    ['cd x &&\n  npm test', 'bad', '', 'test failed'],
    ['pytest; exit $?', 'bad', '', 'test failed'],
    ['{ pytest; } | tail', 'ok', '', 'test unclear'],
    ['! ! pytest', 'ok', '', 'test passed'],
    ['[ -f x ] && pytest', 'ok', '', 'test passed'],
    ['coproc pytest', 'ok', '', 'test unclear'],
    ['time (cd x && pytest)', 'bad', '', 'test failed'],
    ['pytest', 'bad', '', 'test failed'],
    ['pytest', 'bad', '5 passed', 'test failed'],
    ['pytest', 'ok', '2 failed', 'test passed'],
    ['cd x && pytest', 'ok', '', 'test passed'],
    ['cd x; pytest', 'bad', '', 'test failed'],
    ['cd x && (pytest -q)', 'ok', '', 'test passed'],
    ['{ cd x; pytest; }', 'bad', '', 'test failed'],
    ['(cd x && pytest) 2>&1', 'ok', '', 'test passed'],
    ['npm run build && npm test', 'ok', '', 'build passed, test passed'],
    ['npm run build && npm test', 'bad', '', 'build failed, test failed'],
    ['pytest && git commit -m x', 'ok', '', 'test passed'],
    ['ls || pytest', 'ok', '', 'test passed'],
    ['pytest; git status', 'ok', '', 'test unclear'],
    ['pytest; echo done', 'bad', '3 passed', 'test passed'],
    ['pytest\ngit status', 'ok', '', 'test unclear'],
    ['git status\npytest', 'ok', '', 'test passed'],
    ['pytest || true', 'ok', '', 'test unclear'],
    ['pytest || true', 'ok', '1 failed, 2 passed', 'test failed'],
    ['pytest || exit 1', 'bad', '', 'test failed'],
    ['make || true && pytest', 'ok', '', 'build unclear, test passed'],
    ['cd x && pytest || echo no', 'ok', '4 passed', 'test passed'],
    ['pytest &', 'ok', '', 'test unclear'],
    ['nohup pytest > out.log 2>&1 &', 'ok', '', 'test unclear'],
    ['pytest & wait', 'ok', '', 'test unclear'],
    ['! pytest', 'ok', '', 'test unclear'],
    ['! pytest', 'bad', '', 'test unclear'],
    ['pytest | tail -5', 'ok', '', 'test unclear'],
    ['pytest | tail -5', 'ok', '= 3 passed in 0.1s =', 'test passed'],
    ['pytest | tail -5', 'bad', '', 'test unclear'],
    ['pytest |& tee log', 'ok', '1 failed', 'test failed'],
    ['cat in | pytest', 'ok', '', 'test passed'],
    ['set -o pipefail; pytest | tail', 'ok', '', 'test passed'],
    ['set -euo pipefail\npytest | tee log', 'bad', '', 'test failed'],
    ['set -o pipefail && pytest | tail', 'bad', '', 'test failed'],
    ['set -o pipefail; set +o pipefail; pytest | tail', 'ok', '', 'test unclear'],
    ['(set -o pipefail); pytest | tail', 'ok', '', 'test unclear'],
    ['pytest | tail; set -o pipefail', 'ok', '', 'test unclear'],
    ['set -o pipefail; pytest | tail; ls', 'ok', '', 'test unclear'],
    ['if pytest; then echo yes; fi', 'ok', 'yes', 'test unclear'],
    ['if true; then pytest; fi', 'ok', '', 'test unclear'],
    ['for i in 1 2; do pytest; done', 'ok', '', 'test unclear'],
    ['for i in 1 2; do pytest; done', 'ok', '2 passed', 'test passed'],
    ['while ! pytest; do sleep 1; done', 'ok', '', 'test unclear'],
    ['until npm test; do :; done', 'ok', '', 'test unclear'],
    ['case $x in a) pytest;; esac', 'ok', '', 'test unclear'],
    ['f() { pytest; }; f', 'ok', '', 'test unclear'],
    ['f() { pytest; }', 'ok', '', 'test unclear'],
    ['echo "$(pytest)"', 'ok', '', 'test unclear'],
    ['x=$(pytest)', 'ok', '', 'test unclear'],
    ['echo `npm test`', 'ok', '1 passing', 'test passed'],
    ['diff <(pytest) a', 'ok', '', 'test unclear'],
    ['time pytest', 'bad', '', 'test failed'],
    ['pytest', '?', '', 'test unclear'],
    ['pytest', '?', '3 passed', 'test passed'],
    ['pytest', '?', '1 failed, 3 passed', 'test failed'],
    ['{ pytest || true; } && ls', 'ok', '', 'test unclear'],
    ['(pytest; ls) && ls', 'ok', '', 'test unclear'],
    ['cd x && pytest && cd ..', 'bad', '', 'test failed'],
  ])

  it('ignores the status of a background call', () => {
    const { evidence } = scoreSteps([
      aStep({ command: 'pytest', success: true, output: 'Command running', input: { run_in_background: true } }),
    ])
    expect(evidence[0]?.result).toBe('unclear')
  })

  it('ignores the status of a call that the client moved to the background', () => {
    expect(checksOf('pytest', 'ok', 'Command running in background with ID: b1')).toBe('test unclear')
  })

  it('finds no check in a rejected call', () => {
    expect(scoreSteps([aStep({ command: 'pytest', rejected: true })]).verification).toBe('none')
  })
})

describe('a success in which no test ran', () => {
  table([
    ['pytest', 'ok', 'no tests ran in 0.01s', 'test unclear'],
    ['jest', 'ok', 'No tests found, exiting with code 0', 'test unclear'],
    ['pytest', 'ok', 'no tests collected', 'test unclear'],
    ['pytest', 'ok', 'collected 0 items', 'test unclear'],
    ['python -m unittest', 'ok', 'Ran 0 tests in 0.000s\n\nOK', 'test unclear'],
    ['mocha', 'ok', '  0 passing (2ms)', 'test unclear'],
    ['mocha', 'ok', '  10 passing (2ms)', 'test passed'],
    ['cargo test', 'ok', 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed', 'test unclear'],
    ['cargo test', 'ok', 'running 3 tests\ntest result: ok. 3 passed; 0 failed\nrunning 0 tests\ntest result: ok. 0 passed', 'test passed'],
    ['pytest', 'ok', 'collected 10 items', 'test passed'],
    ['pytest', 'bad', 'collected 0 items / 1 error', 'test failed'],
  ])
})

describe('reports in output', () => {
  const cases: [output: string, result: string][] = [
    ['1 failed', 'failed'],
    ['0 failed', 'passed'],
    ['12 failing', 'failed'],
    ['0 failing', 'passed'],
    ['1 failure', 'failed'],
    ['2 failures', 'failed'],
    ['0 failures', 'passed'],
    ['3 errors', 'failed'],
    ['1 error', 'failed'],
    ['0 errors', 'passed'],
    ['10 errors', 'failed'],
    ['5 tests, 0 failures', 'passed'],
    ['Tests: 1 failed, 9 passed, 10 total', 'failed'],
    ['Tests:       12 passed, 12 total', 'passed'],
    ['Tests run: 4, Failures: 1, Errors: 0', 'failed'],
    ['Tests run: 4, Failures: 0, Errors: 0', 'passed'],
    ['Tests: 4 Failures: 0', 'passed'],
    ['errors:\n3 things', 'unclear'],
    ['Failed: 2', 'failed'],
    ['Found 3 errors: see above', 'failed'],
    ['Failed: 0', 'passed'],
    ['failures=1', 'failed'],
    ['FAILED (failures=0, errors=2)', 'failed'],
    ['errors = 3', 'failed'],
    ['FAIL src/a.test.ts', 'failed'],
    [' FAIL  src/a.test.ts', 'failed'],
    ['FAILED tests/a.py::b', 'failed'],
    ['--- FAIL: TestA (0.00s)', 'failed'],
    ['    --- FAIL: TestA/b', 'failed'],
    ['not ok 1 - x', 'failed'],
    ['ok 1 - x', 'passed'],
    ['ok  \texample.com/a\t0.01s', 'passed'],
    ['OK', 'passed'],
    ['looks ok', 'unclear'],
    ['okay', 'unclear'],
    ['it did FAIL', 'unclear'],
    ['# fail 0\n# pass 3', 'passed'],
    ['# pass 3\n# fail 1', 'failed'],
    ['ℹ pass 2\nℹ fail 0', 'passed'],
    ['ℹ fail 4', 'failed'],
    ['# pass 0', 'unclear'],
    ["src/a.ts(1,2): error TS2322: Type 'x'", 'failed'],
    ['error TSX', 'unclear'],
    ['test result: FAILED. 3 passed; 1 failed', 'failed'],
    ['test result: ok. 3 passed; 0 failed', 'passed'],
    ['BUILD FAILED in 2s', 'failed'],
    ['[INFO] BUILD FAILURE', 'failed'],
    ['BUILD SUCCESSFUL in 3s', 'passed'],
    ['[INFO] BUILD SUCCESS', 'passed'],
    ['Build succeeded.', 'passed'],
    ['All checks passed!', 'passed'],
    ['5 passed', 'passed'],
    ['0 passed', 'unclear'],
    ['3 passing', 'passed'],
    ['1,204 passed', 'passed'],
    ['v1.0 failed', 'unclear'],
    ['\u001B[31m1 failed\u001B[39m', 'failed'],
    ['\u001B[1m\u001B[31mFAIL\u001B[39m a.ts', 'failed'],
    ['3 tests failed', 'failed'],
    ['0 of 3 tests failed', 'passed'],
    ['2 of 3 tests failed', 'failed'],
    ['100% tests passed, 0 tests failed out of 12', 'passed'],
    ['✖ 2 problems (0 errors, 2 warnings)', 'passed'],
    ['Found 0 errors.', 'passed'],
    ['', 'unclear'],
    ['nothing here', 'unclear'],
    ['a\r\nFAIL b\r\n', 'failed'],
    ['1 failed\n5 passed', 'failed'],
  ]
  it.each(cases)('%j → %s', (output, result) => {
    expect(checksOf('vitest run; git status', 'ok', output)).toBe(`test ${result}`)
  })
})

describe('the state of a trace', () => {
  const state = (...rows: [command: string, outcome: keyof typeof OUTCOMES, output?: string][]) =>
    scoreSteps(rows.map(([command, outcome, output = '']) => aStep({ command, output, success: OUTCOMES[outcome] }))).verification
  it('comes from the last test', () => {
    expect(state(['pytest', 'bad'], ['pytest', 'ok'])).toBe('passed')
    expect(state(['pytest', 'ok'], ['npm test', 'bad'], ['npm run build', 'ok'])).toBe('failed')
    expect(state(['npm test', 'ok'], ['npm run build', 'bad'])).toBe('unclear')
    expect(state(['pytest', 'ok'], ['pytest', 'ok', 'no tests ran'])).toBe('unclear')
  })
  it('comes from the last build and lint if there is no test', () => {
    expect(state(['tsc', 'ok'], ['eslint .', 'bad'])).toBe('failed')
    expect(state(['eslint .', 'bad'], ['tsc', 'ok'], ['eslint .', 'ok'])).toBe('passed')
    expect(state(['tsc || true', 'ok'], ['eslint .', 'ok'])).toBe('unclear')
    expect(state(['tsc || true', 'ok'])).toBe('unclear')
    expect(state(['ls', 'ok'])).toBe('none')
  })
  it('counts the files edited after a check, each once, and marks the deciding check', () => {
    const edit = (file: string) => aStep({ tool: 'Edit', file, edits: true, success: true })
    const { evidence, filesEditedAfter } = scoreSteps([
      aStep({ command: 'tsc', success: true }),
      edit('/a'),
      aStep({ command: 'pytest', success: true }),
      edit('/a'),
      edit('/b'),
      edit('/a'),
    ])
    expect(evidence.map(({ kind, decides }) => [kind, decides])).toEqual([
      ['build', false],
      ['test', true],
    ])
    expect(filesEditedAfter).toBe(2)
  })
  it('finds the verification commands of the settings, only in their project', () => {
    const options = { verificationCommands: [{ project: '/work/api', command: 'scripts/gate.sh --all', kind: 'test' as const }] }
    const at = (cwd: string, command = './scripts/gate.sh --all x') =>
      scoreSteps([aStep({ command, cwd, success: true })], options).verification
    expect(at('/work/api/src', 'scripts/gate.sh --all x')).toBe('passed')
    expect(at('/work/api', 'timeout 5 ./scripts/gate.sh --all')).toBe('passed')
    expect(at('/work/apix')).toBe('none')
    expect(at('/work/api', 'scripts/gate.sh')).toBe('none')
  })
})
