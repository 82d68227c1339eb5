import { expect, test } from 'vitest'
import { notRunBy } from '../own-tests.ts'
import { cargoReport } from './cargo.ts'
import { goReport } from './go.ts'
import { jestReport } from './jest.ts'
import { junitReport, mochaReport } from './junit.ts'
import type { Report } from './report.ts'

const brief = (report: Report | null) => report?.tests.map(({ name, outcome, message }) => [name, outcome, message]) ?? null

// written by pytest 9.0, without times and host
const PYTEST = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="1" skipped="1" tests="3" time="0.031"><testcase classname="tests.test_a" name="test_ok" time="0.001" /><testcase classname="tests.test_a" name="test_bad" time="0.002"><failure message="assert 1 == 2">def test_bad():
&gt;       assert 1 == 2</failure></testcase><testcase classname="tests.test_a" name="test_no" time="0"><skipped type="pytest.skip" message="no">x</skipped></testcase></testsuite></testsuites>`
// written by Node 24
const NODE = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testsuite name="group" time="0.001" disabled="0" errors="0" tests="1" failures="1" skipped="0" hostname="x">
		<testcase name="in it" time="0.000700" classname="test" file="/p/a.test.js">
			<failure type="testCodeFailure" message="one&#10;two">body</failure>
		</testcase>
	</testsuite>
	<testcase name="alone" time="0.000300" classname="test" file="/p/a.test.js"/>
</testsuites>`

test('reads JUnit reports of several runners', () => {
  expect(brief(junitReport(PYTEST))).toEqual([
    ['tests.test_a > test_ok', 'passed', null],
    ['tests.test_a > test_bad', 'failed', 'assert 1 == 2\ndef test_bad():\n>       assert 1 == 2'],
    ['tests.test_a > test_no', 'skipped', null],
  ])
  expect(junitReport(NODE)?.tests.find(({ name }) => name === 'alone')).toMatchObject({ outcome: 'passed', durationMs: 0.3 })
  expect(brief(junitReport(NODE))).toContainEqual(['in it', 'failed', 'one\ntwo\nbody'])
})

test.each([PYTEST.slice(0, -20), PYTEST.slice(0, 300), '', 'not XML', '<html></html>'])(
  'an incomplete or invalid JUnit file is rejected: %#',
  (text) => expect(junitReport(text)).toBeNull(),
)

test('reads a jest report with files that could not be loaded, or failed outside their tests', () => {
  const one = (status: string, more: object) => ({ fullName: status, status, duration: 2, failureMessages: [], ...more })
  const text = JSON.stringify({
    numTotalTests: 3,
    testResults: [
      { name: '/p/a.test.js', status: 'failed', message: '', assertionResults: [one('passed', {}), one('failed', { failureMessages: ['no'] }), one('pending', {})] }, // prettier-ignore
      { name: '/p/b.test.js', status: 'failed', message: 'SyntaxError', assertionResults: [] },
      { name: '/p/c.test.js', status: 'failed', message: 'in afterAll', assertionResults: [one('passed', {})] },
    ],
  })
  expect(brief(jestReport(text))).toEqual([
    ['passed', 'passed', null],
    ['failed', 'failed', 'no'],
    ['pending', 'skipped', null],
    ['/p/b.test.js', 'error', 'SyntaxError'],
    ['passed', 'passed', null],
    ['/p/c.test.js', 'error', 'in afterAll'],
  ])
  expect(jestReport(text.slice(0, -2))).toBeNull()
})

test('reads a go report with a package that does not compile', () => {
  const lines = [
    { Action: 'run', Package: 'p/a', Test: 'TestA' },
    { Action: 'output', Package: 'p/a', Test: 'TestA', Output: '=== RUN   TestA\n' },
    { Action: 'output', Package: 'p/a', Test: 'TestA', Output: 'a_test.go:3: no\n' },
    { Action: 'output', Package: 'p/a', Test: 'TestA', Output: '--- FAIL: TestA (0.50s)\n' },
    { Action: 'fail', Package: 'p/a', Test: 'TestA', Elapsed: 0.5 },
    { Action: 'fail', Package: 'p/a', Elapsed: 0.6 },
    { Action: 'pass', Package: 'p/b', Test: 'TestB', Elapsed: 0 },
    { Action: 'output', Package: 'p/c', Output: 'undefined: x\n' },
    { Action: 'fail', Package: 'p/c', Elapsed: 0 },
  ].map((line) => JSON.stringify(line))
  expect(brief(goReport(['go: downloading', ...lines].join('\n')))).toEqual([
    ['p/a > TestA', 'failed', 'a_test.go:3: no'],
    ['p/b > TestB', 'passed', null],
    ['p/c', 'error', 'undefined: x'],
  ])
  expect(goReport('no go.mod')).toBeNull()
})

const CARGO = `running 3 tests
test tests::fine ... ok
test tests::bad ... FAILED
test tests::later ... ignored

failures:

---- tests::bad stdout ----

thread 'tests::bad' panicked at src/lib.rs:5:9:
assertion failed: false

failures:
    tests::bad

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
`

test('cargo: the report is rejected if its totals differ from its lines', () => {
  expect(brief(cargoReport(CARGO))).toEqual([
    ['tests::fine', 'passed', null],
    ['tests::bad', 'failed', "thread 'tests::bad' panicked at src/lib.rs:5:9:\nassertion failed: false"],
    ['tests::later', 'skipped', null],
  ])
  expect(cargoReport(CARGO.replace('test tests::fine ... ok\n', ''))).toBeNull()
  expect(cargoReport('error[E0425]: cannot find value')).toBeNull()
})

test('cargo: outcomes are found behind what tests print, and must match the totals', () => {
  const text = 'running 3 tests\ntest tests::a ... hello\nok\ntest tests::b ... progressok\ntest tests::c ... wordsFAILED\n\nfailures:\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured\n'
  expect(brief(cargoReport(text))).toEqual([
    ['tests::a', 'passed', null],
    ['tests::b', 'passed', null],
    ['tests::c', 'failed', null],
  ])
  expect(cargoReport(text.replace('2 passed; 1 failed', '3 passed; 0 failed'))).toBeNull()
}) // prettier-ignore

test('go: a result behind what a test printed counts, and a test without one is an error', () => {
  const line = (Action: string, Test: string | undefined, Output?: string) =>
    JSON.stringify({ Action, Package: 'p', ...(Test && { Test }), ...(Output && { Output }) })
  const text = [
    line('run', 'TestA'),
    line('output', 'TestA', 'progress...--- PASS: TestA (0.01s)\n'),
    line('run', 'TestB'),
    line('output', 'TestB', 'x--- PASS: TestB (0.00s)\n'),
    line('output', 'TestB', 'y--- FAIL: TestB (0.00s)\n'),
    line('run', 'TestC'),
    line('pass', undefined),
  ].join('\n')
  expect(goReport(text)?.tests.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['p > TestA', 'passed'],
    ['p > TestB', 'failed'],
    ['p > TestC', 'error'],
  ])
})

test('mocha: what newer versions do not take is listed by file, and older ones cannot say', () => {
  const report = (file: string) => mochaReport(`<testsuite name="Mocha Tests"><testcase classname="sums" name="a"${file}/></testsuite>`)!
  const check = { runner: 'mocha', command: 'npm test', because: 'package.json', folder: '', reason: null, tests: ['test/a.test.js', 'more/b.test.js'] } as const // prettier-ignore
  expect(notRunBy(check, report(' file="test/a.test.js"'))).toMatchObject([
    { because: 'more/b.test.js', command: 'npx mocha more/b.test.js' },
  ])
  expect(notRunBy(check, report(''))).toMatchObject([{ command: 'npm test', reason: expect.stringContaining('not known whether all 2 files') as string }]) // prettier-ignore
})
