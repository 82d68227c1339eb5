import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { endOf } from './stages/agents/testing-end.ts'
import { useFolder } from './testing/folders.ts'
import { type OwnServer, startOwnServer } from './testing/own-server.ts'

/** Programs that a repository can try to get started. */
const NAMES = ['git', 'node', 'npm', 'npx', 'python', 'python3', 'python3.12', 'pip', 'go', 'cargo', 'rustc', 'rustup', 'uv', 'claude', 'codex', 'opencode', 'ollama', 'llama-quantize', 'nvidia-smi', 'docker', 'xdg-open', 'bwrap', 'prlimit', 'ps', 'env', 'sh', 'bash', 'which'] // prettier-ignore
const HOOKS = ['pre-commit', 'post-commit', 'commit-msg', 'prepare-commit-msg', 'post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc', 'fsmonitor-watchman', 'post-rewrite'] // prettier-ignore

const root = useFolder()
/** Every planted program adds its name to this file, which no sandbox can reach. */
const ran = path.join(root, 'ran')
const repository = path.join(root, 'project')
const userPrograms = path.join(root, 'bin')

const write = (file: string, text: string, mode = 0o644) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text, { mode })
}
const inProject = (name: string) => path.join(repository, name)
const plant = (name: string) => write(inProject(name), `#!/bin/sh\necho "$0 $*" >> ${ran}\nexit 0\n`, 0o755)
const git = (...args: string[]) => execFileSync('/usr/bin/git', ['-C', repository, '-c', 'user.name=A', '-c', 'user.email=a@b.invalid', ...args], { env: { HOME: root } }) // prettier-ignore

/** A repository in which everything that could choose a program names a planted one. */
function plantAll(): void {
  const canary = inProject('tools/canary')
  plant('tools/canary')
  for (const name of NAMES) for (const folder of ['tools', 'bin', 'node_modules/.bin', '.']) plant(path.join(folder, name))
  for (const name of ['venv', '.venv']) {
    fs.mkdirSync(inProject(`${name}/bin`), { recursive: true })
    write(inProject(`${name}/pyvenv.cfg`), `home = ${inProject('tools')}\nversion = 3.12.1\n`)
    for (const program of ['python', 'python3', 'pip']) fs.symlinkSync(`../../../${path.basename(repository)}/tools/python3`, inProject(`${name}/bin/${program}`)) // prettier-ignore
  }
  write(inProject('.gitattributes'), '* diff=evil merge=evil\n*.json filter=evil\n')
  write(inProject('.npmrc'), `script-shell=${canary}\nnode-options=--require ${canary}\n`)
  write(inProject('package.json'), JSON.stringify({ name: 'a', scripts: { preinstall: canary, test: 'node --test' } }))
  write(inProject('package-lock.json'), '{"name":"a","lockfileVersion":3,"requires":true,"packages":{"":{"name":"a"}}}')
  write(inProject('a.test.js'), "require('node:test')('a', () => {})\n")
  write(inProject('test_a.py'), 'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n')
  write(inProject('rust-toolchain.toml'), `[toolchain]\npath = "${inProject('tools')}"\n`)
  write(inProject('go.mod'), 'module a\n\ngo 1.99\n\ntoolchain go1.99.9\n')
  write(inProject('Cargo.toml'), '[package]\nname = "a"\n')
  write(inProject('.cargo/config.toml'), `[build]\nrustc = "${canary}"\nrustc-wrapper = "${canary}"\n`)
  write(inProject('.python-version'), 'planted\n')
  write(inProject('.tool-versions'), 'python path:tools\nnodejs path:tools\n')
  write(inProject('mise.toml'), `[hooks]\nenter = "${canary}"\n`)
  write(inProject('.envrc'), `${canary}\n`)
  write(inProject('.gitmodules'), `[submodule "s"]\n\tpath = s\n\turl = ext::${canary}\n\tupdate = !${canary}\n`)
  // what a version manager of the user starts depends on the folder it is started in
  for (const name of ['python3', 'go', 'rustc', 'node', 'claude'])
    write(path.join(userPrograms, name), `#!/bin/sh\n[ "$PWD" = / ] || echo "$0 in $PWD" >> ${ran}\nexit 1\n`, 0o755)

  // newer than the index: whenever git writes the index, it compares these through their filter
  for (const name of ['package.json', 'package-lock.json']) fs.utimesSync(inProject(name), 2e9, 2e9)
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all', '--force')
  git('commit', '--quiet', '--message=first')
  for (const hook of HOOKS) for (const folder of ['.git/hooks', 'hooks']) plant(`${folder}/${hook}`)
  const settings: [string, string][] = [
    ['user.name', 'A'],
    ['user.email', 'a@b.invalid'],
    ['core.fsmonitor', canary],
    ['core.hooksPath', inProject('hooks')],
    ['core.sshCommand', canary],
    ['core.pager', canary],
    ['core.editor', canary],
    ['core.gitProxy', canary],
    ['core.alternateRefsCommand', canary],
    ['core.askPass', canary],
    ['credential.helper', `!${canary}`],
    ['diff.external', canary],
    ['diff.evil.textconv', canary],
    ['diff.evil.command', canary],
    ['merge.evil.driver', canary],
    ['filter.evil.clean', canary],
    ['filter.evil.smudge', canary],
    ['filter.evil.process', canary],
    ['filter.evil.required', 'true'],
    ['gpg.program', canary],
    ['commit.gpgSign', 'true'],
    ['log.showSignature', 'true'],
    ['alias.ls-files', `!${canary}`],
    ['uploadpack.packObjectsHook', canary],
    ['protocol.allow', 'always'],
    ['protocol.ext.allow', 'always'],
    ['remote.origin.url', `ext::${canary}`],
    ['remote.origin.uploadpack', canary],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.partialclonefilter', 'blob:none'],
    ['tar.tar.command', canary],
  ]
  for (const [name, value] of settings) git('config', name, value)
}

describe.skipIf(findBubblewrap() === null)('a repository full of planted programs', () => {
  let server: OwnServer
  let stub: Awaited<ReturnType<typeof startStub>>
  beforeAll(async () => {
    plantAll()
    stub = await startStub(({ body }) => ({ text: body.messages.length < 3 ? 'echo new > new.txt; echo changed > a.test.js' : 'exit 0' }))
    // as `npx` in the repository would start it, with the current folder on the PATH as well
    const searched = ['.', '', 'bin', 'node_modules/.bin', inProject('node_modules/.bin'), inProject('bin'), inProject('tools'), userPrograms, '/usr/local/bin', '/usr/bin', '/bin'] // prettier-ignore
    server = await startOwnServer(root, ['/usr/bin/env', '-C', repository, `PATH=${searched.join(':')}`])
  }, 60_000)
  afterAll(async () => {
    await server?.end()
    await stub?.close()
  })
  const ended = async ({ id }: { id: string }) => {
    await expect.poll(async () => (await server.client.getJob({ params: { id } })).state, { timeout: 60_000 }).not.toMatch(/running|queued/)
    return server.client.getJob({ params: { id } })
  }
  const endpoint = () => ({ kind: 'url', dialect: 'openai', baseUrl: stub.url }) as const
  const request = () => ({ prompt: 'Do it', agent: 'shell', endpoint: endpoint(), model: 'some' }) as const
  const whatRan = () => (fs.existsSync(ran) ? fs.readFileSync(ran, 'utf8') : '')

  it('runs nothing when its checks are looked for and run, with each runner', { timeout: 240_000 }, async () => {
    await server.client.findChecks({ body: { directory: repository } })
    for (const command of [undefined, 'pytest', 'go test ./...', 'cargo test', 'true; python3 -V', 'bats .'])
      await ended(await server.client.runChecks({ body: { directory: repository, ...(command && { command }), timeoutSec: 30 } }))
    expect(whatRan()).toBe('')
  })

  it('runs nothing when programs of this machine are looked for', { timeout: 60_000 }, async () => {
    await server.client.getDoctor({})
    await server.client.getHealth({})
    await server.client.getTrainingEnvironment({ query: {} })
    await server.client.planTask({ body: { ...request(), agent: 'claude-code', directory: repository } })
    await server.client.planTask({ body: { ...request(), agent: 'codex', directory: repository } })
    await server.client.planTask({ body: { ...request(), agent: 'opencode', directory: repository } })
    expect(whatRan()).toBe('')
  })

  it('runs nothing when an agent works on it and its change is handed back and undone', { timeout: 240_000 }, async () => {
    for (const how of ['apply', 'commit', 'branch'] as const) {
      const task = await endOf(server.client, await server.client.createTask({ body: { ...request(), directory: repository, setup: [] } }))
      expect(task.change).toMatchObject({ files: 2 })
      await server.client.getTaskChange({ params: { id: task.id } })
      const { handedBack } = await server.client.handBackTask({ params: { id: task.id }, body: { how, ...(how === 'branch' && { branch: 'work' }) } }) // prettier-ignore
      expect(handedBack).not.toBeNull()
      await server.client.undoHandBack({ params: { id: task.id } })
    }
    await endOf(server.client, await server.client.createTask({ body: { ...request(), repositoryUrl: repository } }))
    expect(whatRan()).toBe('')
  })

  it('runs nothing when the state of a session in it is restored, and what is missing is not fetched', { timeout: 120_000 }, async () => {
    const sessionId = randomUUID()
    const at = new Date(Date.now() + 60_000).toISOString()
    const line = { type: 'user', parentUuid: null, uuid: randomUUID(), isSidechain: false, userType: 'external', cwd: repository, sessionId, version: '2.1.329', gitBranch: 'main', timestamp: at, message: { role: 'user', content: 'Do it' } } // prettier-ignore
    const file = path.join(root, `${sessionId}.jsonl`)
    write(file, `${JSON.stringify(line)}\n`)
    await ended(await server.client.startImport({ body: { paths: [file] } }))
    const { items } = await server.client.listTraces({ query: {} })
    const { id } = items.find((trace) => trace.sessionId === sessionId)!
    const whole = await ended(await server.client.checkTrace({ params: { id }, body: { timeoutSec: 30 } }))
    expect(whole).toMatchObject({ state: 'completed', error: null })
    expect(whatRan()).toBe('')
    const blob = git('rev-parse', 'HEAD:go.mod').toString().trim()
    fs.rmSync(inProject(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`))
    expect((await ended(await server.client.checkTrace({ params: { id }, body: { timeoutSec: 30 } }))).error?.code).toBe(
      'state_not_restorable',
    )
    await endOf(server.client, await server.client.createTask({ body: { ...request(), repositoryUrl: repository } }))
    expect(whatRan()).toBe('')
  })
})
