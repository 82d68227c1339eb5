import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Installed } from '#contracts/entities/installed.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let claude: string
let project: string
beforeAll(async () => {
  server = await startTestServer()
  claude = server.config.claudeDir
  project = path.join(server.config.userHome, 'app')
})
afterAll(() => server.close())

const SECRET = 'Zq8fK2mWx7Lp9RtY'
const write = (file: string, content: string | object) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}
const skill = (more: string) => `---\nname: tidy\ndescription: Tidies up\n${more}\n---\nUse !\`git status\` first.\n`
const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b))
const of = ({ items }: Installed, kind: string) => items.filter((item) => item.kind === kind)
const named = (found: Installed, name: string) => found.items.find((item) => item.name === name)!

it('lists what is installed in every scope, with what it may do and without any secret', async () => {
  const plugin = path.join(claude, 'plugins', 'cache', 'helper')
  write(path.join(claude, 'skills', 'tidy', 'SKILL.md'), skill('allowed-tools: Bash(git:*), Read'))
  write(path.join(claude, 'agents', 'scout.md'), '---\nname: scout\ntools: [Read, Grep]\npermissionMode: plan\n---\nLook.')
  write(path.join(claude, 'settings.json'), {
    enabledPlugins: { 'helper@market': true },
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: `check.sh --api-key ${SECRET} -H "Authorization: Basic ${SECRET}" a b` }] },
      ],
    },
  })
  write(path.join(claude, '.claude.json'), {
    mcpServers: { tickets: { command: 'npx', args: ['tickets-mcp', `--token=${SECRET}`], env: { TICKETS_KEY: SECRET } } },
    projects: {
      [project]: {
        mcpServers: { db: { type: 'http', url: `https://me:${SECRET}@db.example/mcp?key=${SECRET}`, headers: { Authorization: SECRET } } },
      },
    },
  })
  const far = ['mcp-remote', 'https://far.example/sse', '--header', `Authorization: Bearer ${SECRET}`, `--header=X-Api-Key:${SECRET}`]
  write(path.join(project, '.mcp.json'), { mcpServers: { shared: { command: 'shared-mcp' }, far: { command: 'npx', args: far } } })
  write(path.join(project, '.claude', 'commands', 'ship', 'now.md'), 'Ship it.')
  write(path.join(claude, 'plugins', 'known_marketplaces.json'), { market: { source: { source: 'github', repo: 'acme/market' } } })
  write(path.join(claude, 'plugins', 'installed_plugins.json'), {
    plugins: { 'helper@market': [{ scope: 'user', installPath: plugin, installedAt: '2026-01-02T03:04:05.000Z' }] },
  })
  write(path.join(plugin, '.claude-plugin', 'plugin.json'), { name: 'helper', version: '1.2.0', description: 'Helps' })
  write(path.join(plugin, 'hooks', 'hooks.json'), { modules: ['./register.js'] })
  write(path.join(plugin, 'skills', 'plan', 'SKILL.md'), '---\nname: plan\n---\nPlan.')

  const found = await server.client.listInstalled()
  expect(found.problems).toEqual([])
  expect(found.items.map(({ kind, name, scope, plugin: by, may }) => [kind, name, scope, by, may]).toSorted(byText)).toEqual(
    [
      ['agent', 'scout', 'user', null, ['tools: Read, Grep', 'permission mode: plan']],
      ['command', 'ship:now', 'project', null, []],
      ['hook', 'PreToolUse Bash', 'user', null, ['runs: check.sh --api-key *** -H "Authorization: ***" a b']],
      ['mcp_server', 'db', 'local', null, ['calls: https://db.example/mcp', 'sends the headers: Authorization']],
      ['mcp_server', 'shared', 'project', null, ['runs: shared-mcp']],
      [
        'mcp_server',
        'far',
        'project',
        null,
        ['runs: npx mcp-remote https://far.example/sse --header Authorization: *** --header=X-Api-Key: ***'],
      ],
      ['mcp_server', 'tickets', 'user', null, ['runs: npx tickets-mcp --token=***', 'gets the variables: TICKETS_KEY']],
      ['mod', 'helper@market', 'user', null, ['version 1.2.0', 'code that runs in the client: ./register.js']],
      ['skill', 'plan', 'user', 'helper@market', []],
      ['skill', 'tidy', 'user', null, ['tools: Bash(git:*), Read', 'runs when used: git status']],
    ].toSorted(byText),
  )
  expect(of(found, 'mod')).toMatchObject([{ from: 'acme/market', enabled: true, installedAt: '2026-01-02T03:04:05.000Z', change: null }])
  expect(JSON.stringify(found)).not.toContain(SECRET)
  expect(JSON.stringify(server.app.core.db.prepare('SELECT * FROM installed_parts').all())).not.toContain(SECRET)
})

it('says what changed since the user saw it, and not that only a secret is another one', async () => {
  write(path.join(claude, 'skills', 'tidy', 'more.sh'), 'rm -rf "$1"')
  write(path.join(claude, 'skills', 'late', 'SKILL.md'), '---\nname: late\n---\n')
  write(path.join(claude, '.claude.json'), {
    mcpServers: { tickets: { command: 'npx', args: ['tickets-mcp', '--token=other'], env: { TICKETS_KEY: 'other' } } },
  })
  const found = await server.client.listInstalled()
  expect(found.items.filter(({ change }) => change !== null).map(({ name, change }) => [name, change])).toEqual(
    expect.arrayContaining([
      ['tidy', 'changed'],
      ['late', 'new'],
    ]),
  )
  expect(named(found, 'tidy').changedAt).not.toBeNull()
  expect(named(found, 'tickets').change).toBeNull()
  const seen = await server.client.markInstalledSeen({ body: {} })
  expect(seen.items.every(({ change }) => change === null)).toBe(true)
})

it('counts how often sessions used a part', async () => {
  const id = '7b0f1f6e-6d2c-4a53-9a77-2f3c1f5e0b01'
  const call = (no: number, name: string, input: object) => ({ type: 'tool_use', id: `t${no}`, name, input })
  const line = (no: number, type: string, content: unknown) =>
    `${JSON.stringify({ type, uuid: `0000000${no}-0000-4000-8000-000000000000`, parentUuid: no === 0 ? null : `0000000${no - 1}-0000-4000-8000-000000000000`, sessionId: id, cwd: '/home/dev/p', timestamp: `2026-11-2${no}T10:00:00.000Z`, version: '2.1.0', isSidechain: false, message: type === 'user' ? { role: type, content } : { id: `m${no}`, role: type, model: 'claude', content, usage: { input_tokens: 1, output_tokens: 1 } } })}\n`
  const calls = [call(1, 'mcp__tickets__get', { id: 1 }), call(2, 'mcp__tickets__list', {}), call(3, 'Skill', { skill: 'tidy' })]
  write(path.join(claude, 'projects', '-home-dev-p', `${id}.jsonl`), line(0, 'user', 'go') + line(1, 'assistant', calls))
  await server.app.core.jobs.wait((await server.client.startImport({ body: {} })).id)
  const found = await server.client.listInstalled()
  expect(named(found, 'tickets').uses).toMatchObject({ calls: 2, sessions: 1 })
  expect(named(found, 'tidy').uses).toMatchObject({ calls: 1, sessions: 1 })
  expect(named(found, 'late').uses).toEqual({ calls: 0, sessions: 0, lastAt: null })
  expect(of(found, 'hook')[0]!.uses).toBeNull()
})

it('reads on where something is damaged, too large, a link in a circle or named to confuse', async () => {
  write(path.join(claude, 'settings.json'), '{"hooks": {')
  write(path.join(project, '.mcp.json'), `{"mcpServers": ${' '.repeat(5_000_000)}{}}`)
  write(path.join(claude, 'skills', '\u202eevil\n**', 'SKILL.md'), '---\nname: [a, b\n---\n')
  fs.symlinkSync('round', path.join(claude, 'skills', 'round'))
  fs.symlinkSync('/etc', path.join(claude, 'skills', 'tidy', 'outside'))
  fs.symlinkSync(claude, path.join(claude, 'agents', 'all'))
  write(
    path.join(claude, '.claude.json'),
    '{"mcpServers": {"__proto__": {"command": "a"}, "constructor": {"command": "b"}, "odd": 7}, "projects": {' +
      JSON.stringify(project) +
      ': {}}}',
  )
  const found = await server.client.listInstalled()
  const problems = Object.fromEntries(found.problems.map(({ file, message }) => [path.basename(file), message]))
  expect(problems).toEqual({
    'settings.json': 'It is not a JSON object, so nothing in it was read.',
    '.mcp.json': expect.stringMatching(/^It has 5\d+ bytes, more than the 4000000 that are read\.$/),
    round: 'Its links lead in a circle.',
  })
  expect(named(found, 'odd').problem).toBe('It names neither a program nor an address.')
  expect(named(found, '\u202eevil\n**').problem).toContain('not valid YAML')
  expect(of(found, 'mcp_server').map(({ name }) => name)).toEqual(expect.arrayContaining(['__proto__', 'constructor']))
  expect(named(found, 'tidy')).toBeDefined()
})

it('asks the client about a plugin only, and says so where it is not there', async () => {
  const found = await server.client.listInstalled()
  expect(await server.client.validateInstalled({ params: { id: of(found, 'skill')[0]!.id }, body: {} })).toMatchObject({ passed: null })
  expect(await server.client.validateInstalled({ params: { id: of(found, 'mod')[0]!.id }, body: {} })).toMatchObject({
    passed: null,
    text: expect.stringContaining('Claude Code'),
  })
  await expect(server.client.validateInstalled({ params: { id: 'x' }, body: {} })).rejects.toMatchObject({ code: 'not_found' })
})
