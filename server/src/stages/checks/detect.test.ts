import { expect, test } from 'vitest'
import { detect } from './detect.ts'
import { runnerOf } from './runners.ts'

const found = async (files: Record<string, string>) => {
  const { run, others } = await detect({
    files: Object.keys(files).toSorted(),
    installed: new Set(),
    read: async (name) => files[name] ?? null,
  })
  return [...run, ...others].map(({ runner, because }) => [runner, because])
}
const script = (text: string) => ({ 'package.json': JSON.stringify({ scripts: { test: text } }) })

test.each<[string, Record<string, string>, [string, string][]]>([
  ['verify.sh first', { 'verify.sh': '', 'pytest.ini': '' }, [['verify.sh', 'verify.sh'], ['pytest', 'pytest.ini']]], // prettier-ignore
  ['vitest in the last command of a script', script('tsc && vitest run'), [['vitest', 'package.json']]],
  ['a script that goes on behind its runner', script('vitest run && echo done'), [['npm', 'package.json']]],
  ['jest', script('jest --ci'), [['jest', 'package.json']]],
  ['mocha', script('mocha'), [['mocha', 'package.json']]],
  ['node', script('node --test test/'), [['node', 'package.json']]],
  ['another script', script('./run-all'), [['npm', 'package.json']]],
  ['what npm writes into a new package', script('echo "Error: no test specified" && exit 1'), []],
  ['a torn package.json', { 'package.json': '{' }, []],
  ['pytest by a section', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, [['pytest', 'pyproject.toml']]],
  ['pytest by the name of a file', { 'tests/test_a.py': 'def test_a(): pass' }, [['pytest', 'tests/test_a.py']]],
  ['unittest', { 'test_a.py': 'import unittest\n' }, [['unittest', 'test_a.py']]],
  ['both of them', { 'test_a.py': 'import unittest\n', 'test_b.py': 'import pytest\n' }, [['pytest', 'test_a.py']]],
  ['bats', { 'test/a.bats': '' }, [['bats', 'test/a.bats']]],
  ['go', { 'go.mod': '', 'a/a_test.go': '' }, [['go', 'go.mod']]],
  ['go without tests', { 'go.mod': '', 'a.go': '' }, []],
  ['cargo', { 'Cargo.toml': '' }, [['cargo', 'Cargo.toml']]],
  ['make', { Makefile: 'all:\n\tcc\nlint test: all\n\techo\n' }, [['make', 'Makefile']]],
  ['a variable of make', { Makefile: 'test := 1\ntests:\n' }, []],
  ['nothing', { 'README.md': '' }, []],
  [
    'a workflow of GitHub, behind what is known',
    {
      ...script('vitest run'),
      '.github/workflows/ci.yml':
        'jobs:\n  a:\n    steps:\n      - uses: x\n      - run: npm ci\n      - run: npm test\n      - name: all\n        run: |\n          npm run build\n          pytest -q \\\n            tests/unit\n      - run: pytest ${{ matrix.x }}\n',
    },
    [
      ['vitest', 'package.json'],
      ['pytest', '.github/workflows/ci.yml'],
    ],
  ],
  [
    'GitLab',
    { '.gitlab-ci.yml': 'test:\n  script:\n    - apt-get install x\n    - go test ./...\n    - "make check" # all\n' },
    [
      ['go', '.gitlab-ci.yml'],
      ['command', '.gitlab-ci.yml'],
    ],
  ],
  ['Travis', { '.travis.yml': 'script: bundle exec rspec\n' }, [['command', '.travis.yml']]],
  [
    'CircleCI',
    { '.circleci/config.yml': 'jobs:\n  a:\n    steps:\n      - run:\n          name: t\n          command: cargo test --all\n' },
    [['cargo', '.circleci/config.yml']],
  ],
  ['a file of CI without tests', { '.travis.yml': 'script: ./deploy.sh\n' }, []],
])('%s', async (_name, files, wanted) => expect(await found(files)).toEqual(wanted))

const parts = async (files: Record<string, string>) => {
  const { run, others } = await detect({
    files: Object.keys(files).toSorted(),
    installed: new Set(),
    read: async (name) => files[name] ?? null,
  })
  const words = (checks: typeof run) =>
    checks.map(({ command, folder, reason }) => `${folder}: ${command}${reason === null ? '' : ` (${reason})`}`)
  return { run: words(run), others: words(others) }
}
const inFolder = (folder: string, text: string) => ({ [`${folder}/package.json`]: script(text)['package.json'] })
const UNITTEST = 'import unittest\n'

test.each<[string, Record<string, string>, { run: string[]; others: string[] }]>([
  ['each folder with tests of Bats', { 'a/x.bats': '', 'b/c/y.bats': '' }, { run: [': bats a b/c'], others: [] }],
  ['not the tests of a Bats that a project brings along', { 'test/bats/bin/bats': '', 'test/bats/test/own.bats': '', 'test/lib/bats-assert/test/x.bats': '', 'test/a.bats': '' }, { run: [': test/bats/bin/bats test'], others: [] }],
  ['each package, if the project has no script of its own', { 'package.json': '{}', ...inFolder('packages/a', 'jest'), ...inFolder('packages/b', 'make') }, { run: ['packages/a: npm test', 'packages/b: npm test'], others: [] }],
  ['nothing but the script of the project that says it runs them', { ...script('npm test --workspaces'), ...inFolder('a', 'jest') }, { run: [': npm test'], others: [] }],
  ['the script of the project, and packages that it does not say it runs', { ...script('mocha'), ...inFolder('a', 'mocha') }, { run: [': npm test', 'a: npm test'], others: [] }],
  ['packages that the script does not name', { 'package.json': JSON.stringify({ workspaces: ['p/*'], scripts: { test: 'npm run unit', unit: 'npm test -w p/a' } }), ...inFolder('p/a', 'jest'), ...inFolder('p/b', 'jest') }, { run: [': npm test', 'p/b: npm test'], others: [] }],
  ['packages that are not among the workspaces', { 'package.json': JSON.stringify({ workspaces: ['p/*'], scripts: { test: 'npm test -ws' } }), ...inFolder('p/a', 'jest'), ...inFolder('tool', 'jest') }, { run: [': npm test', 'tool: npm test'], others: [] }],
  ['packages that are filtered', { 'pnpm-workspace.yaml': 'packages:\n  - "p/*"\n', ...script('pnpm -r --filter "./p/*" --filter "!b" test'), ...inFolder('p/a', 'jest'), 'p/b/package.json': '{"name":"b","scripts":{"test":"jest"}}' }, { run: [': npm test', 'p/b: npm test'], others: [] }],
  ['no package whose packages are not installed', { ...script('./run-all'), 'web/package.json': '{"scripts":{"test":"jest"},"devDependencies":{"jest":"1"}}' }, { run: [': npm test'], others: ['web: npm test (its packages are not installed)'] }],
  ['crates that a workspace excludes', { 'Cargo.toml': '[workspace]\nmembers = ["a"]\nexclude = ["b", "./c/"]\n', 'a/Cargo.toml': '', 'b/Cargo.toml': '', 'c/d/Cargo.toml': '' }, { run: [': cargo test --workspace', 'b: cargo test', 'c/d: cargo test'], others: [] }],
  ['modules of Go at any depth', { 'go.mod': '', 'a_test.go': '', 'a/b/c/go.mod': '', 'a/b/c/x_test.go': '' }, { run: [': go test ./...', 'a/b/c: go test ./...'], others: [] }],
  ['projects in two languages', { 'api/pyproject.toml': '', 'api/tests/test_a.py': UNITTEST, ...inFolder('web', 'jest') }, { run: ['api: python3 -m unittest discover', 'web: npm test'], others: [] }],
  ['each module of Go', { 'go.mod': '', 'a_test.go': '', 'tool/go.mod': '', 'tool/x/b_test.go': '' }, { run: [': go test ./...', 'tool: go test ./...'], others: [] }],
  ['a module in a folder, without one above it', { 'cmd/server/go.mod': '', 'cmd/server/a_test.go': '' }, { run: ['cmd/server: go test ./...'], others: [] }],
  ['all crates of a workspace', { 'Cargo.toml': '[workspace]\n', 'a/Cargo.toml': '' }, { run: [': cargo test --workspace'], others: [] }],
  ['no project that is an input of tests, or an example', { 'tests/fixtures/a/package.json': script('jest')['package.json'], 'examples/b/go.mod': '', 'examples/b/a_test.go': '' }, { run: [], others: ['examples/b: go test ./... (a project of its own below "examples")'] }],
  ['a package in folders of folders', { ...inFolder('a/b/c', 'jest') }, { run: ['a/b/c: npm test'], others: [] }],
  ['pytest, if tests use only mocks of unittest', { 'tests/test_a.py': 'from unittest.mock import Mock\ndef test_a(): pass\n' }, { run: [': python3 -m pytest'], others: [] }],
  ['pytest, if there are tests that unittest does not find', { 'test_a.py': UNITTEST, 'test_b.py': 'def test_b(): pass\n' }, { run: [': python3 -m pytest'], others: [] }],
  ['a script that CI runs', { '.github/workflows/a.yml': 'jobs:\n  a:\n    steps:\n      - run: sh ci/all.sh\n      - run: sh ci/deploy.sh\n      - run: ./ci/check.sh\n', 'ci/all.sh': 'go test ./...\n', 'ci/deploy.sh': 'cp a b\n', 'ci/check.sh': 'diff a b\n' }, { run: [': sh ci/all.sh'], others: [': ./ci/check.sh'] }],
])('what is run: %s', async (_name, files, wanted) => expect(await parts(files)).toEqual(wanted)) // prettier-ignore

test('the runner of a given command is found by its first words; a list of commands is run unchanged', () => {
  expect(
    ['pytest -q', 'python3 -m pytest', 'go test ./...', 'cargo test', 'bats test', 'pytest; true', 'echo pytest'].map(runnerOf),
  ).toEqual(['pytest', 'pytest', 'go', 'cargo', 'bats', 'command', 'command'])
})
