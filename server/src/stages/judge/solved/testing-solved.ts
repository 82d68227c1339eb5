import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { env } from 'node:process'
import { writeInto } from '../../agents/testing-repository.ts'

type Files = Record<string, string>

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-C', folder, ...args], {
    encoding: 'utf8',
    env: { PATH: env['PATH'] ?? '', GIT_COMMITTER_DATE: '2026-11-01T10:00:00Z', GIT_AUTHOR_DATE: '2026-11-01T10:00:00Z' },
  }).trim()

/** A repository with one commit from before the sessions of these tests. */
export function repositoryOf(root: string, files: Files): string {
  const folder = fs.mkdtempSync(path.join(root, 'r-'))
  writeInto(folder, files)
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'first')
  return folder
}

export interface Call {
  tool: 'Bash' | 'Edit' | 'Write'
  input: Record<string, unknown>
  output?: string
  isError?: boolean
}

export const edit = (folder: string, file: string, from: string, to: string): Call => ({
  tool: 'Edit',
  input: { file_path: path.join(folder, file), old_string: from, new_string: to },
})
export const write = (folder: string, file: string, content: string): Call => ({
  tool: 'Write',
  input: { file_path: path.join(folder, file), content },
})
export const passedTests: Call = { tool: 'Bash', input: { command: 'npm test' }, output: '# tests 1\n# pass 1\n# fail 0\n' }

/** Writes the transcript of a session into a folder. Returns its id. */
export function writeWork(into: string, { cwd, prompt, calls }: { cwd: string; prompt: string; calls: Call[] }): string {
  const sessionId = randomUUID()
  const at = (second: number) => new Date(Date.UTC(2026, 10, 2, 10, 0, second)).toISOString()
  const base = { isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.329', gitBranch: 'main' }
  let parentUuid: string | null = null
  let records = 0
  const record = (more: object) => {
    const uuid = `${sessionId.slice(0, 24)}${String((records += 1)).padStart(12, '0')}`
    const line = { parentUuid, ...base, uuid, timestamp: at(records), ...more }
    parentUuid = uuid
    return line
  }
  const lines = [
    record({ type: 'user', message: { role: 'user', content: prompt } }),
    ...calls.flatMap(({ tool, input, output = 'done', isError = false }, n) => {
      const id = `toolu_${sessionId.slice(0, 8)}${n}`
      const message = {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-5-5',
        content: [{ type: 'tool_use', id, name: tool, input }],
        usage: { input_tokens: 1, output_tokens: 1 },
      }
      return [
        record({ type: 'assistant', message }),
        record({
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }] },
        }),
      ]
    }),
  ]
  fs.writeFileSync(path.join(into, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return sessionId
}

const PACKAGE = '{"scripts":{"test":"node --test"}}'
const nodeTest = (...tests: string[]) => `const test = require('node:test')\nconst assert = require('node:assert')\n${tests.join('\n')}\n`
const SUM_TEST = "test('adds', () => assert.equal(require('./sum.js').add(1, 2), 3))"
const TIMES_TEST = "test('multiplies', () => assert.equal(require('./sum.js').times(2, 3), 6))"
const STAYS_TEST = "test('is there', () => assert.ok(require('./sum.js')))"
const SPACE = Array.from({ length: 10 }, (_, line) => `// ${line}`).join('\n')
const source = (add: string, times: string) => `exports.add = (a, b) => ${add}\n${SPACE}\nexports.times = (a, b) => ${times}\n`

/** A project in which two functions are wrong, and the session that mended both and wrote their tests. */
export const TWO_FAULTS = {
  files: { 'package.json': PACKAGE, 'sum.js': source('a - b', 'a + b'), 'sum.test.js': nodeTest(STAYS_TEST) },
  solved: { 'sum.js': source('a + b', 'a * b') },
  calls: (folder: string): Call[] => [
    edit(folder, 'sum.js', 'a - b', 'a + b'),
    edit(folder, 'sum.js', 'times = (a, b) => a + b', 'times = (a, b) => a * b'),
    write(folder, 'sum.test.js', nodeTest(STAYS_TEST, SUM_TEST, TIMES_TEST)),
    passedTests,
  ],
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
/** A command that mends both functions. */
export const solveInShell = `printf %s ${quoted(TWO_FAULTS.solved['sum.js'])} > sum.js`

/** A session whose tests pass or fail by chance: forty of them, so that two runs never agree. */
export const FLAKY = {
  files: { 'package.json': PACKAGE, 'sum.js': source('a - b', 'a * b'), 'sum.test.js': nodeTest(STAYS_TEST) },
  calls: (folder: string): Call[] => [
    edit(folder, 'sum.js', 'a - b', 'a + b'),
    write(
      folder,
      'sum.test.js',
      nodeTest(
        SUM_TEST,
        ...Array.from({ length: 40 }, (_, n) => `test('chance ${n}', () => assert.ok(require('node:crypto').randomInt(2)))`),
      ),
    ),
    passedTests,
  ],
}

/** A session that only wrote a test. */
export const ONLY_TESTS = {
  files: { 'package.json': PACKAGE, 'sum.js': source('a + b', 'a * b'), 'sum.test.js': nodeTest(STAYS_TEST) },
  calls: (folder: string): Call[] => [write(folder, 'sum.test.js', nodeTest(STAYS_TEST, SUM_TEST)), passedTests],
}
