import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CheckReport } from '#contracts/entities/check.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer } from '#server/testing/use.ts'

const PASSING = { 'a.test.js': "require('node:test')('fine', () => {})" }
const FAILING = { 'b.test.js': "require('node:test')('bad', () => { throw new Error('no') })" }
const node = (files: Record<string, string>) => ({ 'package.json': '{"scripts":{"test":"node --test"}}', ...files })
const python = (body: string) => ({ 'test_a.py': `import unittest\nclass T(unittest.TestCase):\n${body}\n` })
const make = (line: string) => ({ Makefile: `test:\n\t@${line}\n` })

const text = (part: string) => expect.stringContaining(part) as string

type Wanted = Partial<CheckReport>
/** Small projects, each with the expected result of its checks. */
const PROJECTS: [string, Record<string, string>, Wanted][] = [
  ['tests of Node that pass', node(PASSING), { status: 'passed', runner: 'node', passed: 1, total: 1, exitCode: 0 }],
  ['tests of Node, one of which fails', node({ ...PASSING, ...FAILING }), { status: 'failed', passed: 1, failed: 1, total: 2 }],
  ['tests of Node that are all skipped', node({ 'a.test.js': "require('node:test')('x', { skip: true }, () => {})" }), { status: 'none', skipped: 1 }],
  ['a runner that is killed', node({ 'a.test.js': "process.kill(process.ppid, 'SIGKILL')" }), { status: 'error' }],
  ['a file of tests that is killed', node({ ...PASSING, 'b.test.js': "process.kill(process.pid, 'SIGKILL')" }), { status: 'error', passed: 1 }],
  ['a script that is not there', { 'package.json': '{"scripts":{"test":"no-such-runner"}}' }, { status: 'error', runner: 'npm', exitCode: 127 }],
  ['unittest that passes', python('  def test_a(self): pass'), { status: 'passed', runner: 'unittest', passed: 1, total: 1 }],
  ['unittest that fails', python('  def test_a(self): self.fail()'), { status: 'failed', failed: 1 }],
  ['unittest with a file that cannot be read', { ...python('  def test_a(self): pass'), 'test_b.py': 'import unittest\nimport no_such' }, { status: 'error', passed: 1 }],
  ['unittest that raises, beside a file that cannot be read', { ...python('  def test_a(self): {}["a"]'), 'test_b.py': 'import unittest\nimport no_such' }, { status: 'failed', failed: 2 }],
  ['unittest that leaves early with 0', python('  def test_a(self):\n    import os; os._exit(0)'), { status: 'error', exitCode: 0 }],
  ['unittest without a test', python('  pass'), { status: 'none' }],
  ['make that passes', make('true'), { status: 'passed', runner: 'make', total: null }],
  ['make that fails', make('exit 3'), { status: 'failed', exitCode: 2 }],
  ['a verify script, with a link and a program of its own', { 'verify.sh': './own && cat link', own: '#!/bin/sh\nexit 0\n' }, { status: 'passed', runner: 'verify.sh' }],
  ['tests of Node in a folder', node({ 'test/a.js': PASSING['a.test.js'] }), { status: 'passed', runner: 'node', total: 1 }],
  ['tests of Node as ES modules', { 'package.json': '{"type":"module","scripts":{"test":"node --test"}}', 'a.test.js': "import test from 'node:test'\ntest('a', () => {})\ntest('b', () => {})" }, { status: 'passed', total: 2 }],
  ['tests of Node, one of which is still to be written', node({ 'a.test.js': "const t = require('node:test'); t('a', () => {}); t.todo('b')" }), { status: 'passed', passed: 1, skipped: 1 }],
  ['tests of Node in a file that cannot be read', node({ 'a.test.js': 'this is no script' }), { status: 'failed', failed: 1 }],
  ['tests of Node behind a build', { 'package.json': '{"scripts":{"test":"node build.js && node --test"}}', 'build.js': "require('fs').writeFileSync('a.test.js', \"require('node:test')('built', () => {})\")" }, { status: 'passed', total: 1 }],
  ['tests of Node behind a build that fails', { 'package.json': '{"scripts":{"test":"exit 3 && node --test"}}', ...PASSING }, { status: 'error', runner: 'node', exitCode: 3 }],
  ['no test of Node', { 'package.json': '{"scripts":{"test":"node --test"}}' }, { status: 'none', runner: 'node' }],
  ['a script that tells no tests and passes', { 'package.json': '{"scripts":{"test":"node check.js"}}', 'check.js': '' }, { status: 'passed', runner: 'npm', total: null }],
  ['a script that tells no tests and fails', { 'package.json': '{"scripts":{"test":"node check.js"}}', 'check.js': 'process.exit(2)' }, { status: 'failed', runner: 'npm', exitCode: 2 }],
  ['a script before the tests that fails', { 'package.json': '{"scripts":{"pretest":"exit 4","test":"node --test"}}', ...PASSING }, { status: 'error', exitCode: 4 }],
  ['Vitest that is not installed', { 'package.json': '{"scripts":{"test":"vitest run"}}' }, { status: 'error', runner: 'vitest', exitCode: 127, reason: text('vitest') }],
  ['Jest that is not installed', { 'package.json': '{"scripts":{"test":"jest"}}' }, { status: 'error', runner: 'jest', exitCode: 127, reason: text('jest') }],
  ['Mocha that is not installed', { 'package.json': '{"scripts":{"test":"mocha"}}' }, { status: 'error', runner: 'mocha', exitCode: 127, reason: text('mocha') }],
  ['the script that npm writes', { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, { status: 'none', runner: null }],
  ['unittest in a package', { 'tests/__init__.py': '', 'tests/test_a.py': python('  def test_a(self): pass')['test_a.py'] }, { status: 'passed', runner: 'unittest', total: 1 }],
  ['unittest in a folder that is no package', { 'tests/test_a.py': python('  def test_a(self): pass')['test_a.py'] }, { status: 'passed', runner: 'unittest', total: 1 }],
  ['unittest with a subtest that fails', python('  def test_a(self):\n    for n in (1, 2):\n      with self.subTest(n=n): self.assertEqual(n, 1)'), { status: 'failed', failed: 1 }],
  ['unittest with all skipped', python('  @unittest.skip("x")\n  def test_a(self): pass'), { status: 'none', skipped: 1 }],
  ['unittest whose set-up fails', python('  def setUp(self): raise ValueError()\n  def test_a(self): pass'), { status: 'error', failed: 1 }],
  ['unittest that was expected to fail, and did not', python('  @unittest.expectedFailure\n  def test_a(self): pass'), { status: 'failed', failed: 1 }],
  ['unittest that prints binary data', python('  def test_a(self):\n    import sys; sys.stdout.buffer.write(bytes(range(256)))'), { status: 'passed', total: 1 }],
  ['make with a target that needs another', { Makefile: 'test: built\n\t@test -f built\nbuilt:\n\t@touch built\n' }, { status: 'passed', runner: 'make' }],
  ['make with a rule that needs what is not there', { Makefile: 'test: gone.txt\n\t@true\n' }, { status: 'failed', runner: 'make', exitCode: 2 }],
  ['a verify script that fails', { 'verify.sh': 'exit 5' }, { status: 'failed', runner: 'verify.sh', exitCode: 5 }],
  ['a verify script among the tests', { 'tests/verify.sh': 'test -f README.md' }, { status: 'passed', runner: 'verify.sh' }],
  ['a verify script that needs what is not there', { 'verify.sh': 'no-such-program' }, { status: 'error', exitCode: 127, reason: text('no-such-program') }],
  ['tests of Node under names of their own, which leave before anything is reported', node({ 'help.js': "const t = require('node:test'); exports.check = (name, run) => t(name, run)", 'a.test.js': "const { check } = require('./help'); check('a', () => {}); check('b', () => process.exit(0))", 'b.test.mjs': "import { it as fine } from 'node:test'; fine('a', () => {}); fine('b', () => process.exit(0))" }), { status: 'error', passed: 0, failed: 2 }],
  ['tests of Node, the second of which leaves early', node({ 'a.test.js': "const t = require('node:test'); t('a', async () => { await new Promise(setImmediate) }); t('b', async () => { await new Promise(setImmediate); process.exit(0) })" }), { status: 'error', exitCode: 0 }],
  ['tests of Node that leave at once', node({ 'a.test.js': "const t = require('node:test'); t('a', () => {}); t('b', () => process.exit(0))" }), { status: 'error', exitCode: 0 }],
  ['tests of Node with failures outside the single tests', node({ 'a.test.js': "const { test, describe, after } = require('node:test'); describe('s', () => { after(() => { throw new Error('late') }); test('a', () => {}) }); test('own', async (t) => { await t.test('inner', () => {}); throw new Error('own') }); test('later', { todo: true }, () => { throw new Error('to do') })" }), { status: 'failed', passed: 2, failed: 2, skipped: 1 }],
  ['a test that runs the same script elsewhere', node({ 'a.test.js': "const t = require('node:test'); const fs = require('fs'); t('a', () => { fs.mkdirSync('/tmp/f/', { recursive: true }); fs.writeFileSync('/tmp/f/package.json', fs.readFileSync('package.json')); fs.writeFileSync('/tmp/f/b.test.js', \"require('node:test')('b', () => {})\"); const { NODE_TEST_CONTEXT: _, ...env } = process.env; const out = require('child_process').execFileSync('npm', ['test'], { cwd: '/tmp/f', encoding: 'utf8', env }); if (!/pass 1/.test(out)) throw new Error(out) })" }), { status: 'passed', total: 1 }],
  ['pytest that is left with exit code 0', { 'test_a.py': 'import pytest\ndef test_a(): pass\ndef test_b(): pytest.exit("stop", returncode=0)\ndef test_c(): assert 0\n' }, { status: 'error', exitCode: 0 }],
  ['make without anything to run', { Makefile: '.PHONY: test\nall:\n\techo all\ntest:\n' }, { status: 'none', runner: 'make' }],
  ['a Makefile that only speaks of tests', { Makefile: '# the test suite: see below\nall:\n\t@echo "run the test: now"\n.PHONY: all test\n' }, { status: 'none', runner: null }],
  ['a script with a reporter and options of its own', { 'package.json': '{"scripts":{"test":"npm run unit","unit":"NODE_OPTIONS=--no-warnings node --test --test-reporter=spec --test-reporter-destination=own.txt 2>&1 | tee log"}}', ...PASSING, ...FAILING }, { status: 'failed', runner: 'node', passed: 1, failed: 1 }],
  ['a test that needs options of a script for itself only', node({ 'a.test.js': "require('node:test')('x', () => require('node:assert').equal(process.env.NODE_OPTIONS, undefined))" }), { status: 'passed', total: 1 }],
  ['packages in folders, one of which fails', { 'package.json': '{"workspaces":["p/*"]}', 'p/a/package.json': '{"scripts":{"test":"node --test"}}', 'p/a/a.test.js': PASSING['a.test.js'], 'p/b/package.json': '{"scripts":{"test":"exit 3"}}' }, { status: 'failed', passed: 1, failed: 1, exitCode: 3, parts: [expect.objectContaining({ folder: 'p/a', status: 'passed', total: 1 }), expect.objectContaining({ folder: 'p/b', status: 'failed', total: null })] as never }],
  ['packages in folders, one of which is killed', { 'p/a/package.json': '{"scripts":{"test":"node --test"}}', 'p/a/a.test.js': PASSING['a.test.js'], 'p/b/package.json': '{"scripts":{"test":"kill -9 $$"}}' }, { status: 'error' }],
  ['unittest whose code spawns processes', { 'work.py': 'import multiprocessing\ndef twice(n): return n * 2\ndef run(): \n  with multiprocessing.get_context("spawn").Pool(1) as pool: return pool.map(twice, [1])\n', ...python('  def test_a(self):\n    import work; self.assertEqual(work.run(), [2])') }, { status: 'passed', total: 1 }],
  ['unittest that needs its host, its home, a name in git and a terminal', python('  def test_a(self):\n    import os, pathlib, pty, socket, subprocess, tempfile; subprocess.run("git init -q && git commit -q --allow-empty -m a", shell=True, check=True, cwd=tempfile.mkdtemp()); socket.gethostbyname(socket.gethostname()); (pathlib.Path.home() / "x").write_text("x"); self.assertTrue(os.isatty(pty.openpty()[1]))'), { status: 'passed', total: 1 }],
  ['a verify script that is killed', { 'verify.sh': 'kill -9 $$' }, { status: 'error', exitCode: 137, reason: text('killed') }],
  ['make whose program is killed', make('kill -9 $$$$'), { status: 'error', exitCode: 2 }],
  ['tests that no shell of the script can see', { 'package.json': '{"scripts":{"test":"node check.js | cat"}}', 'check.js': 'process.exit(1)' }, { status: 'error', reason: text('whatever its tests say') }],
  ['two runners of a script, the first of which it does not wait for', { 'package.json': '{"scripts":{"test":"node --test a.test.js & node --test"}}', ...PASSING }, { status: 'error', total: null, reason: text('whatever its tests say') }],
  ['a report that says what the script does not', { 'package.json': '{"scripts":{"test":"node --test || true"}}', ...FAILING }, { status: 'failed', failed: 1, exitCode: 0 }],
  ['a script before the tests, by its name', { 'package.json': '{"scripts":{"pretest":"exit 4","test":"node check.js"}}', 'check.js': '' }, { status: 'failed', exitCode: 4, reason: text('"pretest" ended with exit code 4') }],
  ['a script behind the tests, by its name', { 'package.json': '{"scripts":{"posttest":"exit 5","test":"node --test"}}', ...PASSING }, { status: 'error', reason: text('"posttest" ended with exit code 5') }],
  ['a script behind the tests that needs the network', { 'package.json': '{"scripts":{"posttest":"node audit.js","test":"node --test"}}', 'audit.js': "console.error('npm error reason: getaddrinfo EAI_AGAIN registry.npmjs.org'); process.exit(1)", ...PASSING }, { status: 'error', reason: text('registry.npmjs.org was not reached') }],
  ['a runner behind a pipe that is not installed', { 'package.json': '{"scripts":{"test":"jest | cat"}}' }, { status: 'error', exitCode: 0, reason: text('jest is not installed. Run `npm install`') }],
  ['a package that is declared and not installed', { 'package.json': '{"scripts":{"test":"node --test"},"dependencies":{"left-pad":"1"}}', 'a.test.js': "require('left-pad')" }, { status: 'error', reason: text('left-pad is not installed') }],
  ['a package that is not installed, beside a failure of the work', { 'package.json': '{"scripts":{"test":"node --test"},"dependencies":{"left-pad":"1"}}', 'a.test.js': "require('left-pad')", ...FAILING }, { status: 'failed' }],
  ['a service that does not answer', node({ 'a.test.js': "require('node:test')('db', async () => { await new Promise((ok, no) => require('net').connect(5432, '127.0.0.1').on('error', no)) })" }), { status: 'error', reason: text('Nothing answers at 127.0.0.1:5432') }],
  ['tests of Node with unusual names', node({ 'a.test.js': "const t = require('node:test'); for (const name of ['a\\n\"b\"<c>&\\u0000]]>', 'x'.repeat(100000), 'x'.repeat(100001)]) t(name, () => { if (name.length === 100001) throw new Error('<no>') })" }), { status: 'failed', passed: 2, failed: 1 }],
  ['tests that leave the first of their runs only', { 'test_a.py': 'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n', 'package.json': '{"scripts":{"test":"node --test"}}', 'a.test.js': "const fs = require('fs'); if (!fs.existsSync('ran')) { fs.writeFileSync('ran', ''); process.kill(process.ppid, 'SIGTERM') }" }, { status: 'error' }],
  ['unittest in files that discover does not take', { ...python('  def test_a(self): pass'), 'tests/checks.py': python('  def test_b(self): self.fail()')['test_a.py'], 'more/test_c.py': python('  def test_c(self): self.fail()')['test_a.py'] }, { status: 'passed', total: 1, others: [expect.objectContaining({ because: 'more/test_c.py' }), expect.objectContaining({ because: 'tests/checks.py', reason: text('not among the tests') })] as never }],
  ['tests of Node that the script does not take', { 'package.json': '{"scripts":{"test":"node --test a.test.js"}}', ...PASSING, 'e2e/b.test.js': '', 'e2e/c.test.js': '' }, { status: 'passed', total: 1, others: [expect.objectContaining({ because: 'e2e/b.test.js', command: 'node --test e2e/b.test.js', reason: text('1 more in its folder') })] as never }],
  ['a package that the tests of the project leave out, and one that they take', { 'package.json': '{"scripts":{"test":"node --test a.test.js p/a/*.test.js"}}', ...PASSING, 'p/a/package.json': '{"scripts":{"test":"exit 3"}}', 'p/a/x.test.js': PASSING['a.test.js'], 'p/b/package.json': '{"scripts":{"test":"node --test"}}', 'p/b/y.test.js': FAILING['b.test.js'] }, { status: 'failed', passed: 2, failed: 1, parts: [expect.objectContaining({ folder: '' }), expect.objectContaining({ folder: 'p/b' })] as never }],
  ['a test that needs a terminal, from which nothing is read', { 'verify.sh': 'set -e\ntty\necho x >/dev/tty\ntest -t 0\n! read line\ntest "$(script -qc "echo inner" /dev/null | tr -cd a-z)" = inner\n! test -t 1\n' }, { status: 'passed', exitCode: 0 }],
  ['unittest that needs a terminal', python('  def test_a(self):\n    import os, sys; self.assertTrue(os.isatty(0)); self.assertEqual(sys.stdin.read(), ""); open("/dev/tty", "w").close()'), { status: 'passed', total: 1 }],
  ['nothing', { 'README.md': 'hello' }, { status: 'none', runner: null, isolation: null }],
] // prettier-ignore

const PYTEST = { probe: 'python3 -c "import pytest"', reason: 'pytest' }
const GO = { 'go.mod': 'module a\n\ngo 1.20\n' }
const goTest = (body: string) => ({ ...GO, 'a_test.go': `package a\nimport "testing"\nfunc TestA(t *testing.T) { ${body} }\n` })
const CARGO = { 'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n' }
const cargo = (body: string) => ({ ...CARGO, 'src/lib.rs': `#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { ${body} }\n}\n` })
/** Runners that may not be installed: the expected result if the runner is installed, and the expected reason if it is not. */
const CHAINS: [string, Record<string, string>, Wanted, { probe: string; reason: string }][] = [
  ['pytest that passes', { 'pytest.ini': '[pytest]\n', 'test_a.py': 'def test_a(): pass' }, { status: 'passed', runner: 'pytest', total: 1 }, PYTEST],
  ['pytest that fails', { 'test_a.py': 'import pytest\ndef test_a(): assert 0' }, { status: 'failed', failed: 1 }, PYTEST],
  ['pytest with a file that cannot be loaded', { 'conftest.py': '', 'test_a.py': 'import no_such' }, { status: 'error' }, PYTEST],
  ['pytest without a test', { 'pytest.ini': '[pytest]\n' }, { status: 'none' }, PYTEST],
  ['Go that passes', goTest(''), { status: 'passed', runner: 'go', total: 1 }, { probe: 'command -v go', reason: 'go' }],
  ['Go that fails', goTest('t.Fatal()'), { status: 'failed', failed: 1 }, { probe: 'command -v go', reason: 'go' }],
  ['Go that prints without a line end', { ...GO, 'a_test.go': 'package a\nimport ("fmt"; "testing")\nfunc TestA(t *testing.T) { fmt.Print("x") }\nfunc TestB(t *testing.T) {}\n' }, { status: 'passed', total: 2 }, { probe: 'command -v go', reason: 'go' }],
  ['Go that leaves before its tests', { ...goTest('t.Fatal()'), 'main_test.go': 'package a\nimport ("os"; "testing")\nfunc TestMain(m *testing.M) { os.Exit(0) }\n' }, { status: 'error', exitCode: 0 }, { probe: 'command -v go', reason: 'go' }],
  ['Go that forgets what its tests say', { ...goTest('t.Fatal()'), 'main_test.go': 'package a\nimport ("os"; "testing")\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n' }, { status: 'error', exitCode: 0 }, { probe: 'command -v go', reason: 'go' }],
  ['Go that does not compile', goTest('x'), { status: 'error' }, { probe: 'command -v go', reason: 'go' }],
  ['Cargo that passes', cargo(''), { status: 'passed', runner: 'cargo', total: 1 }, { probe: 'command -v cargo', reason: 'cargo' }],
  ['Cargo that fails', cargo('panic!()'), { status: 'failed', failed: 1 }, { probe: 'command -v cargo', reason: 'cargo' }],
  ['Cargo that leaves out a file with tests', { ...cargo(''), 'Cargo.toml': `${CARGO['Cargo.toml']}autotests = false\n\n[[test]]\nname = "in"\npath = "tests/in.rs"\n`, 'tests/in.rs': '#[test]\nfn b() {}\n', 'tests/out.rs': '#[test]\nfn c() { panic!() }\n' }, { status: 'passed', total: 2, others: [expect.objectContaining({ because: 'tests/out.rs', command: 'cargo test --test out', reason: text('not among the tests') })] as never }, { probe: 'command -v cargo', reason: 'cargo' }],
  ['Cargo without a test', { ...CARGO, 'src/lib.rs': '' }, { status: 'none' }, { probe: 'command -v cargo', reason: 'cargo' }],
  ['Bats that passes', { 'a.bats': '@test "a" { true; }\n' }, { status: 'passed', runner: 'bats', total: 1 }, { probe: 'command -v bats', reason: 'bats' }],
  ['pytest with options of its cache', { 'pytest.ini': '[pytest]\naddopts = --failed-first\n', 'test_a.py': 'def test_a(cache): cache.set("a", 1)' }, { status: 'passed', total: 1 }, PYTEST],
  ['pytest that leaves the first of its runs only', { 'conftest.py': 'import os\nif not os.path.exists("ran"):\n  open("ran", "w").close()\n  os._exit(3)\n', 'test_a.py': 'def test_a(): pass\n' }, { status: 'error' }, PYTEST],
  ['pytest that looks in one folder only', { 'pytest.ini': '[pytest]\ntestpaths = tests\n', 'tests/test_a.py': 'def test_a(): pass\n', 'more/test_b.py': 'def test_b(): assert 0\n' }, { status: 'passed', total: 1, others: [expect.objectContaining({ because: 'more/test_b.py' })] as never }, PYTEST],
  ['pytest that leaves with an exit code of its own', { 'pytest.ini': '[pytest]\n', 'test_a.py': 'import pytest\ndef test_a(): pytest.exit("gone", returncode=3)' }, { status: 'error' }, PYTEST],
  ['Bats in two folders', { 'a/a.bats': '@test "a" { true; }\n', 'b/b.bats': '@test "b" { false; }\n' }, { status: 'failed', passed: 1, failed: 1 }, { probe: 'command -v bats', reason: 'bats' }],
  ['Bats in a folder that the script leaves out', { 'package.json': '{"scripts":{"test":"bats a"}}', 'a/a.bats': '@test "a" { true; }\n', 'b/b.bats': '@test "b" { false; }\n' }, { status: 'passed', total: 1, others: [expect.objectContaining({ command: 'bats a b' }), expect.objectContaining({ because: 'b/b.bats', command: 'bats b/b.bats' })] as never }, { probe: 'command -v bats', reason: 'bats' }],
  ['Bats that fails', { 'a.bats': '@test "a" { false; }\n' }, { status: 'failed', failed: 1 }, { probe: 'command -v bats', reason: 'bats' }],
] // prettier-ignore

describe.skipIf(findBubblewrap() === null)('the checks of a project', () => {
  const root = useFolder()
  const server = useServer()

  const project = (files: Record<string, string>): string => {
    const folder = fs.mkdtempSync(path.join(root, 'p-'))
    for (const [name, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      fs.writeFileSync(path.join(folder, name), content, { mode: name === 'own' ? 0o755 : 0o644 })
    }
    fs.symlinkSync('README.md', path.join(folder, 'link'))
    if (!('README.md' in files)) fs.writeFileSync(path.join(folder, 'README.md'), 'x')
    return folder
  }
  const check = async (directory: string, more: { command?: string; timeoutSec?: number } = {}): Promise<CheckReport> => {
    const { id } = await server.client.runChecks({ body: { directory, ...more } })
    const job = await server.app.core.jobs.wait(id)
    expect(job.error).toBeNull()
    return job.result as CheckReport
  }

  it.each(PROJECTS)('report the result for %s', async (_name, files, wanted) => {
    const folder = project(files)
    const before = fs.readdirSync(folder)
    expect(await check(folder)).toMatchObject(wanted)
    expect(fs.readdirSync(folder)).toEqual(before) // a copy was checked
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
  })

  const probed = new Map<string, boolean>()
  const isThere = async (probe: string): Promise<boolean> => {
    if (!probed.has(probe)) probed.set(probe, (await check(project({}), { command: probe })).status === 'passed')
    return probed.get(probe)!
  }
  it.each(CHAINS)('report the result for %s, or the missing program', async (_name, files, wanted, { probe, reason }) => {
    const missing = { status: 'error', reason: text(reason) }
    expect(await check(project(files))).toMatchObject((await isThere(probe)) ? wanted : missing)
  })

  it('run a given command, stop at the timeout, and reach neither the network nor this machine', async () => {
    const folder = project(node(PASSING))
    expect(await check(folder, { command: 'sleep 1000', timeoutSec: 1 })).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('1 s') as string,
      others: [{ runner: 'node' }],
    })
    const outside = path.join(root, 'outside')
    fs.writeFileSync(outside, 'kept')
    const command = `cat ${outside}; echo changed > ${outside}; ls ${root}; getent hosts localhost.invalid; exit 0`
    const { status, outputTail } = await check(folder, { command })
    expect(status).toBe('passed')
    expect(outputTail).not.toContain('kept')
    expect(fs.readFileSync(outside, 'utf8')).toBe('kept')
  })

  it('can be cancelled, and then leave no sandbox', async () => {
    const { id } = await server.client.runChecks({ body: { directory: project(make('echo begun; sleep 1000')) } })
    await expect.poll(async () => (await server.client.listSandboxes({ query: {} })).items[0]?.busy, { timeout: 30_000 }).toBe(true)
    await server.client.cancelJob({ params: { id }, body: {} })
    expect(await server.app.core.jobs.wait(id)).toMatchObject({ state: 'cancelled' })
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
  })

  it('refuse a path that is not the folder of a project', async () => {
    const refused = (directory: string) =>
      expect(server.client.runChecks({ body: { directory } })).rejects.toMatchObject({ code: 'invalid_request' })
    await refused(path.join(root, 'none'))
    await refused('/')
    fs.writeFileSync(path.join(root, 'file'), '')
    await refused(path.join(root, 'file'))
    await refused('relative')
    expect(server.contractViolations).toEqual([])
  })
})
