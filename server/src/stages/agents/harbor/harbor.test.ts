import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Task, TaskRequest } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { BASE_IMAGE, testDocker } from '#server/testing/docker.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import { endOf } from '../testing-end.ts'
import { writeInto } from '../testing-repository.ts'

const OFFLINE = 'schema_version = "1.4"\n[environment]\nallow_internet = false\n'
const FILES = {
  'instruction.md': 'Write "hello" into said.txt.\n',
  'task.toml': OFFLINE,
  'tests/test.sh': '#!/bin/bash\ngrep -q hello said.txt\necho $((! $?)) > /logs/verifier/reward.txt\n',
}
const IN_DOCKER = { 'environment/Dockerfile': `FROM ${BASE_IMAGE}\nWORKDIR /app\nRUN echo there > begun.txt\n` }

const root = useFolder()
const server = useServer(() => ({ dockerHost: testDocker?.host ?? 'unix:///nowhere/docker.sock' }))
let script: Reply[] = []
const stub = useStub(() => script.shift() ?? { text: 'exit 0' })

function harbor(files: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(root, 'task-'))
  writeInto(folder, files)
  return folder
}
const requestFor = (files: Record<string, string>, more: Partial<TaskRequest> = {}) => {
  const endpoint = { kind: 'url', dialect: 'openai', baseUrl: stub.url } as const
  return { prompt: FILES['instruction.md'], harbor: harbor(files), agent: 'shell', endpoint, model: 'some', ...more } as const
}
const run = async (files: Record<string, string>, commands: string[]): Promise<Task> => {
  script = commands.map((text) => ({ text }))
  return endOf(server.client, await server.client.createTask({ body: requestFor(files) }))
}
const refusals = async (files: Record<string, string>, more: Partial<TaskRequest> = {}): Promise<string> => {
  const { refusals: all } = await server.client.planTask({ body: requestFor(files, more) })
  return all.map(({ message, hint }) => `${message} ${hint ?? ''}`).join('\n')
}
const snapshots = async () => (await server.client.listSandboxSnapshots({})).items

const ENGINES: [name: string, isMissing: boolean, files: Record<string, string>][] = [
  ['bubblewrap', findBubblewrap() === null, FILES],
  ['docker', testDocker === null, { ...FILES, ...IN_DOCKER }],
]
describe.each(ENGINES)('a task of Harbor under %s', (engine, isMissing, files) => {
  it.skipIf(isMissing)('runs its tests after the agent has ended, with its files but without its processes', async () => {
    const inspect = 'ls /tests 2>&1; id -u; ls; grep -c : /proc/net/dev'
    const cheat =
      "mkdir -p /logs/verifier /tests; echo 1 > /logs/verifier/reward.txt; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh"
    const leaveProcesses = '(trap "" TERM HUP; while :; do echo 1 > /logs/verifier/reward.txt; sleep 0.05; done) & setsid sleep 4242 &'
    const failed = await run(files, [inspect, `${cheat}; ${leaveProcesses}`, 'exit 0'])
    expect(failed).toMatchObject({
      state: 'failed',
      claim: 'success',
      error: { boundary: 'task', message: 'The reward is 0; a pass is 1.' },
      verification: { status: 'failed', runner: 'harbor', reward: 0, isolation: engine },
    })
    const { items } = await server.client.listTaskEvents({ params: { id: failed.id }, query: {} })
    expect(items.find(({ kind }) => kind === 'result')!.text).toMatch(
      engine === 'docker' ? /No such file[^]*\n0\nbegun\.txt\n1$/ : /No such file[^]*\n0\n1$/,
    )

    const solved = await run({ ...files, 'tests/test.sh': `test -e /opt/mark && ${FILES['tests/test.sh'].split('\n').slice(1).join('\n')}` }, ['echo hello > said.txt; mkdir -p /opt; touch /opt/mark', 'exit 0']) // prettier-ignore
    expect(solved).toMatchObject({
      state: 'review',
      error: null,
      verification: { status: 'passed', reward: 1 },
      change: { files: 1, added: 1, removed: 0 },
    })
    expect(await snapshots()).toEqual([])
    await expect(server.client.messageTask({ params: { id: solved.id }, body: { text: 'more' } })).rejects.toMatchObject({ code: 'task_refused' }) // prettier-ignore
  })

  it.skipIf(isMissing || engine === 'docker')('goes on after a pause, in the same machine', async () => {
    const before = stub.received.length
    script = ['echo hello > said.txt; mkdir -p /opt; touch /opt/mark', 'sleep 600', 'test -e /opt/mark || echo > said.txt'].map((text) => ({
      text,
    }))
    const { id } = await server.client.createTask({ body: requestFor(files) })
    await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(before + 2)
    expect((await server.client.pauseTask({ params: { id } })).state).toBe('paused')
    await server.client.resumeTask({ params: { id } })
    expect(await endOf(server.client, { id })).toMatchObject({ state: 'review', verification: { reward: 1 }, change: { files: 1 } })
    await expect(server.client.messageTask({ params: { id }, body: { text: 'more' } })).rejects.toMatchObject({ code: 'task_refused' })
  })

  it.skipIf(isMissing).each([
    ['no reward', 'true'],
    ['no end', 'sleep 100'],
    ['two rewards', 'echo 1 > /logs/verifier/reward.txt; echo \'{"reward": 0}\' > /logs/verifier/reward.json'],
  ])('gives no verdict when the tests have %s', async (_name, test) => {
    const task = await run({ ...files, 'task.toml': `${OFFLINE}[verifier]\ntimeout_sec = 2\n`, 'tests/test.sh': test }, ['exit 0'])
    expect(task).toMatchObject({ state: 'unverified', error: null, verification: { status: 'error', reward: null } })
  })
})

it('is refused with the reason when it needs something that runs do not have', async () => {
  expect(await refusals({ ...FILES, 'environment/docker-compose.yaml': 'services: {}' })).toContain('several containers')
  expect(await refusals({ ...FILES, 'task.toml': `${OFFLINE}gpus = 1\n[[steps]]\nname = "a"\n` })).toContain('a GPU; several steps')
  expect(await refusals({ ...FILES, 'task.toml': `${OFFLINE}[environment.env]\nKEY = "\${SOME_KEY}"\n` })).toContain('SOME_KEY')
  expect(await refusals(FILES, { agent: 'claude-code' })).toContain('Choose the shell agent')
  expect(await refusals(FILES, { directory: root, network: ['example.org:443'] })).toContain('directory, network')
  expect(await refusals({ 'task.toml': '' })).toContain('it has no test.sh')
})

it.skipIf(testDocker !== null)('is refused when it needs an image and there is no Docker', async () => {
  expect(await refusals({ ...FILES, ...IN_DOCKER })).toMatch(/only Docker can run[^]*no Docker Engine/)
})

it.skipIf(testDocker === null)('is refused when it needs a download, with the command to get or build the image', async () => {
  const from = (dockerfile: string) => refusals({ ...FILES, 'environment/Dockerfile': dockerfile })
  expect(await from('FROM not-there:1')).toContain('docker pull not-there:1')
  expect(await from(`ARG V=9\nFROM ${BASE_IMAGE} AS a\nFROM a\nCOPY --from=other/image /x /x`)).toContain('docker pull other/image')
  expect(await from(`FROM ${BASE_IMAGE}\nADD \\\n https://example.org/x /x`)).toContain('downloads')
  expect(await from(`FROM ${BASE_IMAGE}\nADD \\\n\nhttp://127.0.0.1:1/x /x`)).toContain('downloads')
  expect(await from(`FROM ${BASE_IMAGE}\nCOPY \\\n\n--from=127.0.0.1:1/evil:1 /a /b`)).toContain('docker pull 127.0.0.1:1/evil:1')
  expect(await from(`FROM ${BASE_IMAGE} AS a\nONBUILD ADD http://127.0.0.1:1/x /x\nFROM a`)).toContain('another build')
  expect(await from(`ARG V=bookworm\nFROM ${BASE_IMAGE.split(':')[0]}:\${V}`)).toBe('')
  const failed = await run({ ...FILES, 'environment/Dockerfile': `FROM ${BASE_IMAGE}\nRUN exit 7` }, [])
  expect(failed).toMatchObject({
    state: 'failed',
    turns: 0,
    error: { boundary: 'sandbox', hint: expect.stringMatching(/docker build -t bashgym-harbor:/) as string },
  })
})

const ATTACKS: [name: string, make: (folder: string, secret: string) => void, why: RegExp][] = [
  ['its instruction is a link', (folder, secret) => replace(folder, 'instruction.md', secret), /instruction\.md: it is a link/],
  ['its task.toml is a link', (folder, secret) => replace(folder, 'task.toml', secret), /task\.toml: it is a link/],
  ['its tests are a link', (folder) => replace(folder, 'tests', '/etc'), /tests: it is a link/],
  ['its test script is a link', (folder, secret) => replace(folder, 'tests/test.sh', secret), /tests: it has no test\.sh/],
  ['its solution is below a link', (folder) => fs.symlinkSync('/etc', path.join(folder, 'solution')), /it is a link or not a folder/],
  ['its Dockerfile is a link', (folder, secret) => linkIn(folder, 'environment/Dockerfile', secret), /Dockerfile: it is a link/],
  ['its environment is a link', (folder) => fs.symlinkSync('/etc', path.join(folder, 'environment')), /environment\S*: it is a link/],
  ['its instruction is a FIFO', (folder) => (fs.rmSync(path.join(folder, 'instruction.md')), execFileSync('mkfifo', [path.join(folder, 'instruction.md')])), /is not a regular file/],
  ['its instruction is huge', (folder) => fs.truncateSync(path.join(folder, 'instruction.md'), 10 * 1024 ** 3), /more than the \d+ that are read/],
  ['its instruction is a device', (folder) => replace(folder, 'instruction.md', '/dev/zero'), /instruction\.md: it is a link/],
] // prettier-ignore
const replace = (folder: string, name: string, target: string): void => {
  fs.rmSync(path.join(folder, name), { recursive: true })
  fs.symlinkSync(target, path.join(folder, name))
}
const linkIn = (folder: string, name: string, target: string): void => {
  fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
  fs.symlinkSync(target, path.join(folder, name))
}

it.each(ATTACKS)('a task of Harbor is refused, and nothing outside is read, if %s', async (_, make, why) => {
  const secret = path.join(root, 'id_rsa')
  fs.writeFileSync(secret, 'a secret outside')
  const request = requestFor(FILES)
  make(request.harbor, secret)
  const [{ refusals: all }] = await Promise.all([server.client.planTask({ body: request }), server.client.getHealth({})])
  const text = all.map(({ message }) => message).join('\n')
  expect(text).toMatch(why)
  expect(text).not.toContain('a secret')
})
