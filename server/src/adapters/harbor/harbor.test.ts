import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { useFolder } from '#server/testing/folders.ts'
import { readHarborTask } from './read.ts'
import { writeHarborTask } from './write.ts'

const root = useFolder()
let folders = 0
function task(files: Record<string, string>): string {
  const folder = path.join(root, `task-${(folders += 1)}`)
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
  return folder
}
const WHOLE = { 'instruction.md': 'Do it.\n', 'tests/test.sh': 'true\n', 'tests/data/a.txt': 'a' }

it('reads the tasks that it writes, and a quoted check gives the reward', async () => {
  const directory = task({ 'a.txt': 'a', '.git/config': 'x' })
  const folder = path.join(root, 'made')
  const check = `test "$(echo 'it'\\''s')" = "it's"`
  await writeHarborTask(folder, {
    name: 'me/one',
    instruction: 'Do "it".',
    image: 'debian:12',
    directory,
    setup: ['echo a\necho b'],
    check,
  })
  expect(await readHarborTask(folder)).toMatchObject({
    name: 'me/one',
    version: '1.4',
    instruction: 'Do "it".\n',
    environment: { kind: 'dockerfile', value: 'FROM debian:12\nWORKDIR /app\nCOPY files/ .\nRUN ["/bin/bash","-c","echo a\\necho b"]\n' },
    workdir: '/app',
    network: { mode: 'public', hosts: [] },
    limits: { agentSec: 600, verifierSec: 600, memoryMb: null },
    check: 'tests/test.sh',
  })
  expect(fs.readdirSync(path.join(folder, 'environment/files'))).toEqual(['a.txt'])
  const script = fs.readFileSync(path.join(folder, 'tests/test.sh'), 'utf8').replaceAll('/logs', path.join(root, 'logs'))
  execFileSync('bash', ['-c', script])
  expect(fs.readFileSync(path.join(root, 'logs/verifier/reward.txt'), 'utf8')).toBe('1\n')
  await expect(writeHarborTask(folder, { name: 'n', instruction: 'i', image: 'x', directory: null, setup: [], check })).rejects.toThrow(
    'already exists',
  )
})

it('reads older spellings, and terminal-bench 1', async () => {
  const toml =
    'version = "1.0"\n[environment]\ndocker_image = "a/b:1"\nmemory = "2G"\nallow_internet = false\n[metadata]\ndifficulty = "easy"\n'
  expect(await readHarborTask(task({ ...WHOLE, 'task.toml': toml }))).toMatchObject({
    version: '1.0',
    environment: { kind: 'image', value: 'a/b:1' },
    network: { mode: 'no-network' },
    limits: { memoryMb: 2048 },
    tests: ['data/a.txt', 'test.sh'],
    solution: null,
    metadata: { difficulty: 'easy' },
  })
  const yaml = 'instruction: |-\n  Do it.\nmax_agent_timeout_sec: 360\ndifficulty: hard\n'
  expect(
    await readHarborTask(task({ 'task.yaml': yaml, 'run-tests.sh': 'true', 'solution.sh': 'true', Dockerfile: 'FROM x' })),
  ).toMatchObject({
    format: 'terminal-bench-1',
    instruction: 'Do it.',
    limits: { agentSec: 360, verifierSec: 600 },
    check: 'run-tests.sh',
    solution: 'solution.sh',
    metadata: { difficulty: 'hard' },
  })
})

it.each([
  [{ 'task.toml': 'schema_version = "1.4"\n[agent\n', ...WHOLE }, /task\.toml: line 2: /],
  [{ 'task.toml': '[agent]\ntimeout_sec = "long"\n', ...WHOLE }, /task\.toml: agent\.timeout_sec: /],
  [{ 'task.toml': 'schema_version = "2.0"\n', ...WHOLE }, /its version is 2\.0/],
  [{ 'task.toml': '', 'tests/test.sh': '' }, /instruction\.md: there is no such file/],
  [{ 'task.toml': '', 'instruction.md': 'x' }, /tests: it has no test\.sh/],
  [{ 'task.yaml': 'instruction: [a\nb: c\n', 'run-tests.sh': '' }, /task\.yaml: line \d+: /],
  [{ 'a.txt': '' }, /neither task\.toml nor task\.yaml/],
])('reports the file and the reason of an invalid task: %#', async (files, message) => {
  await expect(readHarborTask(task(files))).rejects.toThrow(message)
})
