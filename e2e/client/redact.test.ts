/** Runs the real Claude Code on a repository with keys in it, and reads what reaches the model. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type Workspace } from '../support/server.ts'
import { makeProject, type Scenario, startStub, type Stub } from './driver/index.mjs'
import { clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')
const why = client.skip !== false ? client.skip : findBubblewrap() === null ? 'there is no bubblewrap' : null
const CHECKS = 'node calc.test.mjs'
// in pieces, so that no scanner takes this file for a leak
const TOKEN = ['ghp_', 'Zq8vN4tY2mK7wR5xL9cB3dF6hJ1sA0pQeUiO'].join('')
const PASSWORD = 'Zx81-Qrst-9917'
const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const SECRETS = [
  TOKEN,
  PASSWORD,
  ...PEM.split('\n')
    .slice(1, -2)
    .filter((line) => line.length >= 12),
]

const bash = (command: string) => ({ type: 'tool_use', name: 'Bash', input: { command, description: 'Run it' } })
const inProject = (make: (cwd: string) => object[]) => (context: { cwd: string }) => make(context.cwd)
const scenarios = {
  'read-keys': {
    about: 'reads keys in several ways, writes what it saw, and fixes the test',
    prompt: 'Please fix the failing test.',
    steps: [
      inProject((cwd) =>
        ['server.pem', '.env'].map((name) => ({ type: 'tool_use', name: 'Read', input: { file_path: `${cwd}/${name}` } })),
      ),
      [bash('cat server.pem; . ./.env; echo $DB_PASSWORD; tail -5 server.pem; git show HEAD:.env; grep -n . server.pem .env')],
      [
        bash(
          'echo "the key is [API_KEY_1]" > seen.txt; node -e \'console.log(JSON.stringify({ key: fs.readFileSync("server.pem", "utf8") }))\'',
        ),
      ],
      inProject((cwd) => [{ type: 'tool_use', name: 'Read', input: { file_path: `${cwd}/calc.mjs` } }]),
      inProject((cwd) => [
        { type: 'tool_use', name: 'Edit', input: { file_path: `${cwd}/calc.mjs`, old_string: 'a - b', new_string: 'a + b' } },
      ]),
      [{ type: 'text', text: 'Fixed.' }],
    ],
  },
} as unknown as Record<string, Scenario>

interface Result {
  taskId: string
  status: string
  diff: string
  redacted: Record<string, number>
}

describe.skipIf(why !== null)(`secrets and Claude Code${why === null ? '' : ` (skipped: ${why})`}`, () => {
  let workspace: Workspace
  let stub: Stub
  let project: string
  beforeEach(async () => {
    workspace = makeWorkspace()
    stub = await startStub({ scenarios })
    fs.writeFileSync(path.join(workspace.dir, '.gitconfig'), '[user]\n\tname = Dev\n\temail = dev@example.invalid\n')
    project = makeProject(workspace.dir, 'project')
    fs.writeFileSync(path.join(project, 'server.pem'), PEM)
    fs.writeFileSync(path.join(project, '.env'), `GITHUB_TOKEN=${TOKEN}\nDB_PASSWORD=${PASSWORD}\n`)
    execFileSync('git', ['-C', project, '-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid', 'add', '-A'])
    execFileSync('git', ['-C', project, '-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid', 'commit', '-qm', 'Keys'])
  })
  afterEach(async () => {
    await stub.close()
    workspace.remove()
  })

  const run = (...args: string[]) =>
    bashgym(
      workspace,
      ['task', `SCENARIO=read-keys Fix the failing test. GITHUB_TOKEN=${TOKEN}`, '--repo', project, '--verify', CHECKS, ...args, '--json'],
      {
        env: {
          ANTHROPIC_BASE_URL: stub.url,
          ANTHROPIC_API_KEY: 'sk-ant-api03-the-real-key-5d1f08c2',
          CLAUDE_BIN: client.skip === false ? client.bin : '',
        },
      },
    )
  const bodies = () => stub.requests.flatMap(({ raw }) => (raw === undefined ? [] : [raw]))

  it('none of them reaches the model in any turn, its placeholders stay the same, and the work is done', async () => {
    const ran = await run()
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('verifying')])
    const result = ran.json() as Result
    expect(result.status).toBe('review')
    expect(result.redacted).toEqual({ api_key: 1, password: 1, private_key: 1 })
    expect(bodies().length).toBeGreaterThan(5)
    expect(SECRETS.filter((secret) => bodies().some((body) => body.includes(secret)))).toEqual([])
    const last = bodies().findLast((body) => body.includes('[PRIVATE_KEY_1]'))!
    expect(last).toContain('GITHUB_TOKEN=[API_KEY_1]')
    expect(last).toContain('DB_PASSWORD=[PASSWORD_1]')
    expect(new Set(bodies().flatMap((body) => body.match(/\[(?:API_KEY|PASSWORD|PRIVATE_KEY|SECRET)_\d+\]/g) ?? []))).toEqual(
      new Set(['[API_KEY_1]', '[PASSWORD_1]', '[PRIVATE_KEY_1]']),
    )
    expect(result.diff).toContain('+  return a + b')
    expect(result.diff, 'a file that it writes with a placeholder contains the placeholder').toContain('+the key is [API_KEY_1]')
    expect(result.diff).not.toContain(TOKEN)
  })

  it('--no-redact sends them as they are, and the plan of both says so', async () => {
    expect((await run('--plan')).json()).toMatchObject({
      redaction: { isOn: true },
      privacy: expect.stringContaining('are replaced first'),
    })
    expect((await run('--no-redact', '--plan')).json()).toMatchObject({
      redaction: { isOn: false },
      privacy: expect.stringContaining('as they are'),
    })
    expect(stub.requests).toEqual([])
    const result = (await run('--no-redact')).json() as Result
    expect([result.status, result.redacted]).toEqual(['review', {}])
    for (const secret of [TOKEN, PASSWORD]) expect(bodies().some((body) => body.includes(secret))).toBe(true)
  })
})
