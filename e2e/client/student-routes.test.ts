/** Runs the real Claude Code through the proxy, whose student answers what is its own. */
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { RouteDecision } from '#contracts/entities/routing.ts'
import { overrideWords } from '#contracts/router-words.ts'
import { isByMod } from '#server/stages/traces/readers/claude-code/ingest.ts'
import type { RawRecord } from '#server/stages/traces/readers/claude-code/record.ts'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { readJsonl, type RunOptions, startStub, type Step, type StubRequest } from './driver/index.mjs'
import { aUser, clientOrSkip } from './installed.ts'
import { startStudent } from './scripted-student.ts'

const NEWEST = '2.1.329'
const clients = new Map(
  await Promise.all([NEWEST, '2.1.300', '2.1.270'].map(async (version) => [version, await clientOrSkip(version)] as const)),
)
const binOf = (version: string): string => {
  const client = clients.get(version)!
  return client.skip === false ? client.bin : ''
}
const isMissing = (version: string) => clients.get(version)!.skip !== false
const makes = (name: string) => ({ command: `node -e "require('fs').writeFileSync('${name}','x')"` })
const bash = (input: object) => ({ type: 'tool_use' as const, name: 'Bash', input: { description: 'Run', ...input } })
const agent = (input: object) => ({
  type: 'tool_use' as const,
  name: 'Agent',
  input: { description: 'Task', prompt: 'SCENARIO=sub Do it.', run_in_background: false, ...input },
})
const says = (text: string) => ({ type: 'text' as const, text })

/** A user whose requests go through the proxy, with an agent file under the name of the student. */
async function aUserWithProxy(version: string, steps: Step[], reply: Parameters<typeof startStudent>[0], router: object = {}) {
  const user = aUser(binOf(version))
  const student = await startStudent(reply)
  const sub = { about: '', prompt: '', steps: [[says('Claude did it.')]] }
  const stub = await startStub({ scenarios: { main: { about: '', prompt: '', steps }, sub } })
  const config = testConfig()
  const server = await startTestServer({ config: { ...config, providers: { ...config.providers, anthropicBaseUrl: stub.url } } })
  const chosen = { studentModel: 'tiny', studentAddress: student.url, override: overrideWords('tiny') }
  await server.client.patchSettings({ body: { router: { proxy: true, proxyPort: await freePort(), ...chosen, ...router } } })
  const { address } = (await server.client.getRouting({})).proxy
  const { name } = (await server.client.getRouter({})).student!
  const agents = path.join(user.cwd, '.claude', 'agents')
  fs.mkdirSync(agents, { recursive: true })
  fs.writeFileSync(path.join(agents, 'worker.md'), `---\nname: worker\ndescription: Works\ntools: Bash, Read\nmodel: ${name}\n---\nWork.\n`)
  return {
    ...user,
    name,
    student,
    stub,
    server,
    go: (options: Partial<RunOptions> = {}) => user.run({ stub: { ...stub, url: address! }, prompt: 'SCENARIO=main go', ...options }),
    decisions: async (): Promise<RouteDecision[]> => (await server.client.listRouteDecisions({ query: { limit: 100 } })).items,
    async close() {
      await server.close()
      await stub.close()
      await student.close()
      user.remove()
    },
  }
}

const isStep = ({ scenario }: StubRequest) => scenario === 'main'

it.skipIf(isMissing(NEWEST))('in auto mode the agent of the student has no verdict, and Claude keeps its own', async () => {
  const user = await aUserWithProxy(
    NEWEST,
    [[agent({ subagent_type: 'worker' })], [bash(makes('claude.txt'))], [says('Done.')]],
    (_, answers) => (answers === 0 ? { calls: [{ name: 'Bash', input: makes('student.txt') }] } : { text: 'It was refused.' }),
  )
  try {
    const { exitCode, requests, transcripts } = await user.go({ args: ['--permission-mode', 'auto'] })
    expect(exitCode).toBe(0)
    expect(['student.txt', 'claude.txt'].map((file) => fs.existsSync(path.join(user.cwd, file)))).toEqual([false, true])
    expect(requests.filter(isStep).map(({ isChecked }) => isChecked)).toEqual([true, true, true])
    expect(requests.filter(({ agent: id }) => id !== undefined)).toEqual([])
    expect(fs.readFileSync(transcripts[0]!, 'utf8')).toContain('It was refused.')
    expect(user.student.requests).toHaveLength(2)
    const seen = JSON.stringify(user.student.requests)
    expect(seen).not.toMatch(/classifier_context|rule_roots|x-anthropic-billing-header|device_id/)
    // the safety check of the report is Claude's
    expect(requests.filter((request) => !isStep(request)).map(({ model }) => model)).toEqual(['claude-sonnet-5'])
    const causes = (await user.decisions()).map(({ cause, selectedModel }) => `${cause} ${selectedModel}`).toSorted()
    expect(causes).toEqual(['main teacher', 'main teacher', 'main teacher', 'named student', 'named student', 'safety teacher'])
  } finally {
    await user.close()
  }
})

it.skipIf(isMissing(NEWEST))("the client's own safety check goes to Claude, whatever model it is told to ask", async () => {
  const user = await aUserWithProxy(NEWEST, [[agent({ subagent_type: 'worker' })], [bash(makes('claude.txt'))], [says('Done.')]], () => ({
    text: 'The student did it.',
  }))
  try {
    const env = { CLAUDE_CODE_AUTO_MODE_SERVER: '0', ANTHROPIC_DEFAULT_SONNET_MODEL: user.name, CLAUDE_CODE_SUBAGENT_MODEL: user.name }
    const { requests } = await user.go({ args: ['--permission-mode', 'auto'], env })
    const judged = (await user.decisions()).filter(({ cause }) => cause === 'safety')
    expect(judged.length).toBeGreaterThan(0)
    expect(judged.map(({ selectedModel }) => selectedModel)).toEqual(judged.map(() => 'teacher'))
    expect(requests.filter(({ model }) => model === user.name)).toHaveLength(judged.length)
    expect(JSON.stringify(user.student.requests)).not.toContain('You are a security monitor')
  } finally {
    await user.close()
  }
})

it.skipIf(isMissing(NEWEST))('agents go where their model name says; forks, Explore and other names stay with Claude', async () => {
  const kinds = [
    { subagent_type: 'general-purpose' },
    { subagent_type: 'Explore' },
    { subagent_type: 'worker' },
    { subagent_type: 'general-purpose', model: 'haiku' },
    { subagent_type: 'fork' },
  ]
  const odd = ['call_x.y:z', 'dup', 'dup']
  const user = await aUserWithProxy(NEWEST, [...kinds.map((kind): Step => [agent(kind)]), [says('Done.')]], (_, answers) =>
    answers < 2
      ? { text: answers === 0 ? ' ' : '<think>hm</think>', calls: odd.map(() => ({ name: 'Bash', input: { command: 'echo hi' } })) }
      : { text: 'The student did it.' },
  )
  try {
    const { exitCode, requests } = await user.go({ env: { CLAUDE_CODE_SUBAGENT_MODEL: user.name } })
    expect(exitCode).toBe(0)
    expect(user.student.requests).toHaveLength(6)
    expect(requests.filter(({ model }) => model === user.name)).toEqual([])
    expect(requests.filter(({ agent: id }) => id !== undefined).map(({ model }) => model?.replace(/^claude-(\w+).*/, '$1'))).toEqual([
      'opus',
      'haiku',
      'opus',
    ])
    const last = user.student.requests.at(-1)!.messages as {
      role: string
      tool_calls?: { id: string }[]
      tool_call_id?: string
      content: string
    }[]
    const ids = last.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))
    expect(ids).toHaveLength(6)
    expect(new Set(ids).size).toBe(6)
    for (const id of ids) expect(id).toMatch(/^toolu_[A-Za-z0-9]{24}$/)
    const results = last.filter(({ role }) => role === 'tool')
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(ids)
    expect(new Set(results.map(({ content }) => content))).toEqual(new Set(['hi']))
    expect(JSON.stringify(last)).not.toContain('<think>')
    const rows = await user.decisions()
    expect(rows.filter(({ selectedModel }) => selectedModel === 'student')).toHaveLength(6)
    expect(rows.find(({ cause }) => cause === 'fork')).toMatchObject({ selectedModel: 'teacher' })
  } finally {
    await user.close()
  }
})

it.skipIf(isMissing(NEWEST))(
  'a job of one prompt goes where the strategy says; when the student dies, Claude goes on with a clean conversation',
  async () => {
    let isDead = false
    const user = await aUserWithProxy(
      NEWEST,
      [[says('unused')], [says('Claude goes on.')], [says('Claude goes on.')]],
      (_, answers) => {
        isDead = answers > 0
        return {
          text: '<think>hm</think>I look.',
          calls: [{ name: 'Bash', input: { command: 'echo from the student' } }],
          breaksOff: isDead,
        }
      },
      { strategy: 'student_only' },
    )
    try {
      const { exitCode, events, requests, transcripts } = await user.go({ args: ['--bare'] })
      expect(exitCode).toBe(0)
      expect(events.at(-1).result).toBe('Claude goes on.')
      expect(requests).toHaveLength(1)
      const raw = requests[0]!.raw!
      expect(raw).toContain('from the student')
      expect(raw).not.toMatch(/"type":"thinking"|<think>/)
      const answers = (readJsonl(transcripts[0]!) as RawRecord[]).filter(({ type }) => type === 'assistant')
      expect(answers.map(isByMod), 'a row of the archive is not credited to Claude').toEqual([true, true, false])
      expect(raw.match(/"(?:id|tool_use_id)":"toolu_[A-Za-z0-9]{24}"/g)).toHaveLength(2)
      expect((await user.decisions()).map(({ cause, selectedModel, fallback }) => [cause, selectedModel, fallback])).toEqual([
        ['strategy', 'teacher', true],
        ['strategy', 'student', false],
      ])
    } finally {
      await user.close()
    }
  },
)

it.skipIf(isMissing(NEWEST))('an agent ends with the reason when its model is away; Claude is told, and goes on', async () => {
  const user = await aUserWithProxy(NEWEST, [[agent({ subagent_type: 'worker' })], [says('Done.')]], () => ({ breaksOff: true }))
  try {
    const { exitCode, requests, transcripts } = await user.go()
    expect(exitCode).toBe(0)
    expect(requests.map(({ agent: id }) => id)).toEqual([undefined, undefined])
    expect(user.student.requests).toHaveLength(1)
    expect(fs.readFileSync(transcripts[0]!, 'utf8')).toMatch(/did not answer: The provider could not be reached/)
  } finally {
    await user.close()
  }
})

for (const version of ['2.1.300', '2.1.270'])
  it.skipIf(isMissing(version))(`Claude Code ${version} in auto mode is left to Claude`, async () => {
    const user = await aUserWithProxy(version, [[agent({ subagent_type: 'worker' })], [says('Done.')]], () => ({ text: 'no' }))
    try {
      const { requests } = await user.go({ args: ['--permission-mode', 'auto'] })
      expect(requests.filter(({ agent: id }) => id !== undefined).length).toBeGreaterThan(0)
      expect(user.student.requests).toEqual([])
      expect((await user.decisions()).filter(({ cause }) => cause === 'auto_mode').length).toBeGreaterThan(0)
    } finally {
      await user.close()
    }
  })

async function freePort(): Promise<number> {
  const server = http.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
