/** Runs the real Claude Code as an agent in a sandbox. It calls the stub through the proxy and never sees the API key. */
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import { TaskCaps, TaskRequest } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { createClaudeCli } from '#server/adapters/agent-cli/index.ts'
import { createLlmProxy, type ProxyExchange, type ProxyUsage } from '#server/adapters/llm-proxy/index.ts'
import { createLedger } from '#server/adapters/llm/index.ts'
import { createBackends } from '#server/adapters/sandbox/backends.ts'
import { processes } from '#server/process/marks.ts'
import { createClaudeCode } from '#server/stages/agents/claude-code/index.ts'
import { openModelAccess } from '#server/stages/agents/model-access.ts'
import type { AgentEnd, AgentEvent, AgentFailed, AgentInput, AgentWork } from '#server/stages/agents/driver.ts'
import { packFolder } from '#server/stages/checks/pack.ts'
import { createSandboxes, type Sandboxes } from '#server/stages/sandboxes/service.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { makeWorkspace, type Scenario, scenarios, SECRETS, startStub, type Stub, type Workspace } from './driver/index.mjs'
import { clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')
const why = client.skip !== false ? client.skip : findBubblewrap() === null ? 'there is no bubblewrap' : null
const KEY = 'sk-ant-real-7f3b1c9d5e'
const WORKDIR = '/srv/project'

/** A copy of the client that a sandbox of another user can read. If the tests run as root, the client's own folder may not be readable. */
function shownClient(bin: string): { bin: string; remove(): void } {
  if (process.getuid?.() !== 0) return { bin, remove() {} }
  const folder = fs.mkdtempSync('/opt/client-')
  fs.chmodSync(folder, 0o755)
  const copy = path.join(folder, 'claude')
  try {
    fs.linkSync(bin, copy)
  } catch {
    fs.copyFileSync(bin, copy) // hard links do not work across disks
  }
  return { bin: copy, remove: () => fs.rmSync(folder, { recursive: true }) }
}

describe.skipIf(why !== null)(`Claude Code as an agent${why === null ? '' : ` (skipped: ${why})`}`, () => {
  let core: TestCore
  let sandboxes: Sandboxes
  let user: Workspace
  let program: ReturnType<typeof shownClient>
  const proxy = createLlmProxy()
  let stub: Stub | null = null
  beforeAll(() => {
    core = openCore()
    user = makeWorkspace()
    program = shownClient(client.skip === false ? client.bin : '')
    const { paths } = core
    sandboxes = createSandboxes(core, {
      backends: createBackends({ records: paths.boxes, snapshots: paths.snapshots, dataDir: core.config.dataDir, dockerHost: undefined }),
      limits: () => ({ running: 2, queue: 2 }),
      snapshotLimits: () => ({ most: 1, mostBytes: 1 }),
      evaluateCommand: async (command) => ({ command, verdict: 'allow', reason: null, rule: null, alternatives: [], span: null, decidedBy: null }) as never, // prettier-ignore
      requireRules() {},
      isNeeded: () => false,
    })
  })
  afterEach(async () => {
    await stub?.close()
    stub = null
  })
  afterAll(async () => {
    await proxy.close()
    await sandboxes.close()
    await core.close()
    program.remove()
    user.remove()
  })

  const driver = () =>
    createClaudeCode({
      sandboxes,
      claude: createClaudeCli({ claudeBin: program.bin, path: process.env['PATH'] ?? '', userHome: user.userHome }),
      userConfig: { folder: path.join(user.userHome, '.claude'), json: path.join(user.userHome, '.claude.json') },
      now: Date.now,
    })

  type Exchange = Omit<ProxyExchange, 'request' | 'answer'> & { request: string; answer: string }
  interface Run {
    id: string
    events: AgentEvent[]
    usage(): ProxyUsage
    /** Returns the recorded requests. It closes the model access, so the agent can send no more requests. */
    exchanges(): Promise<Exchange[]>
    put(input: AgentInput): void
    stop: AbortController
    done: Promise<AgentEnd>
    /** Reads a file in the sandbox. */
    file(name: string): Promise<string>
    remove(): Promise<void>
  }
  interface Setting {
    request?: object
    caps?: Partial<TaskCaps>
    scenarios?: Record<string, Scenario>
    resume?: string | null
    network?: SandboxSpec['network']
    /** Each response of the stub waits for this promise. */
    before?: () => Promise<void>
  }
  async function begin(scenario: string, setting: Setting = {}): Promise<Run> {
    const { request = {}, caps = {}, resume = null, network = 'none', scenarios: more = {}, before } = setting
    stub ??= await startStub({ scenarios: more, ...(before && { before }) })
    const stop = new AbortController()
    const folder = fs.mkdtempSync(path.join(core.config.dataDir, 'run-'))
    const agent = driver()
    const limits = { memoryMb: 2048, cpus: 2, pids: 512, diskMb: 2048, nofile: 4096, fileMb: 1024 }
    const { id } = await sandboxes.create(SandboxSpec.parse({ profile: 'strict', workdir: WORKDIR, tty: false, limits, network }))
    sandboxes.allowReading(
      id,
      agent.folders!().map((folder) => ({ place: folder, source: folder })),
    )
    const source = { dialect: 'anthropic', baseUrl: stub.url, key: async () => KEY, model: null, price: () => null } as const
    const onError = (error: Error) => {
      throw error
    }
    const { turns, tokens, costUsd } = TaskCaps.parse(caps)
    const ledger = createLedger({ caps: { requests: turns, totalTokens: tokens, costUsd } })
    const access = await openModelAccess(
      { proxy, sandboxes },
      {
        source,
        ledger,
        clear: null,
        sandboxId: id,
        folder,
        onUsage() {},
        onRemoved: (names) => expect(names, 'the client needs all else that it sends').toEqual(['metadata']),
        onError,
        signal: stop.signal,
      },
    )
    await sandboxes.start(id, { wait: true }, stop.signal)
    const packing = packFolder(user.cwd, '', stop.signal)
    await sandboxes.unpack(id, WORKDIR, packing.tar)

    const events: AgentEvent[] = []
    const inputs: AgentInput[] = []
    let wake = Promise.withResolvers<void>()
    const work: AgentWork = {
      request: TaskRequest.parse({ prompt: 'x', ...request }),
      prompt: `SCENARIO=${scenario} ${{ ...scenarios, ...more }[scenario]!.prompt}`,
      resume,
      sandboxId: id,
      workdir: WORKDIR,
      model: null,
      endpoint: access.endpoint,
      emit: (event) => void events.push(event),
      keep: () => undefined,
      inbox: (async function* () {
        for (;;) {
          yield* inputs.splice(0)
          await wake.promise
          wake = Promise.withResolvers<void>()
        }
      })(),
      ledger,
      redaction: null,
      signal: stop.signal,
    }
    return {
      id,
      events,
      usage: () => access.usage(),
      async exchanges() {
        await access.close()
        const lines = zlib.gunzipSync(fs.readFileSync(path.join(folder, 'requests.jsonl.gz'))).toString('utf8')
        return lines.trim().split('\n').map((line) => JSON.parse(line) as Exchange) // prettier-ignore
      },
      stop,
      put(input) {
        inputs.push(input)
        wake.resolve()
      },
      done: agent.run(work),
      file: async (name) => text(await sandboxes.read(id, path.join(WORKDIR, name))),
      async remove() {
        await access.close()
        await sandboxes.stop(id, true)
      },
    }
  }
  const steps = ({ events }: Run) => events.flatMap((event) => (event.type === 'step' ? [event.step] : []))
  const question = async ({ events, done }: Run) => {
    const asked = () => events.flatMap((event) => (event.type === 'asks' ? [event.question] : []))
    await Promise.race([vi.waitUntil(() => asked().length > 0, { timeout: 60_000 }), done])
    return asked().at(-1)!
  }
  const all = () => [...processes()]
  const clients = () => all().filter(({ argv }) => argv.includes(program.bin))
  /** Arguments and environment of every other process on this machine. */
  const everyProcess = () =>
    all()
      .filter(({ pid }) => pid !== process.pid)
      .map(({ pid, argv }) => {
        try {
          return `${argv.join(' ')}\n${fs.readFileSync(`/proc/${pid}/environ`, 'utf8')}`
        } catch {
          return argv.join(' ') // the process has ended or belongs to another user
        }
      })
      .join('\n')
  const everyFile = (folder: string) =>
    (fs.readdirSync(folder, { recursive: true }) as string[])
      .map((name) => path.join(folder, name))
      .filter((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile())
      .map((file) => fs.readFileSync(file, 'latin1'))
      .join('\n')

  it("works in its sandbox, and the user's key appears nowhere", async () => {
    let running = ''
    const run = await begin('fix-test', { before: async () => void (running ||= everyProcess()) })
    const end = await run.done
    expect(end).toMatchObject({ claim: 'success', exitCode: 0, message: expect.stringContaining('Fixed `add()`') as string })
    expect(await run.file('calc.mjs')).toContain('return a + b')
    expect(await run.file('CHANGES.md')).toContain('add() now adds')
    expect(fs.readFileSync(path.join(user.cwd, 'calc.mjs'), 'utf8')).toContain('return a - b')

    expect(steps(run).filter(({ kind }) => kind === 'tool').map(({ tool }) => tool)).toEqual(expect.arrayContaining(['Bash', 'Read', 'Edit', 'Write'])) // prettier-ignore
    expect(run.events.filter(({ type }) => type === 'turn')).toHaveLength(9)
    expect(run.usage()).toMatchObject({ requests: 9, output: 9 * 20 + 36 })
    const exchanges = await run.exchanges()
    expect(exchanges.map(({ session }) => session)).toEqual(Array.from({ length: 9 }, () => JSON.parse(end.resume!).session))
    expect(exchanges[0]).toMatchObject({ status: 200, end: 'whole', usage: { output: 20 }, request: expect.stringContaining('Please fix') as string }) // prettier-ignore
    expect(end.transcript[0]!.path).toMatch(/^projects\/-srv-project\/[\w-]+\.jsonl$/)
    expect(end.transcript[0]!.content.includes('Please fix the failing test.')).toBe(true)

    expect(running).toContain(program.bin)
    const inside = text((await sandboxes.spawn(run.id, { argv: ['grep', '-rs', 'sk-ant-real', '/home', '/srv', '/tmp', '/run', '/var', '/dev/shm'], terminal: null })).output) // prettier-ignore
    for (const [where, all] of Object.entries({
      running,
      inside: await inside,
      data: everyFile(core.config.dataDir),
      transcript: end.transcript.map(({ content }) => content.toString()).join(''),
      exchanges: JSON.stringify(exchanges),
      events: JSON.stringify([run.events, core.messages]),
    }))
      expect([where, all.includes(KEY)]).toEqual([where, false])
    expect(clients()).toEqual([])
    await run.remove()
  })

  it('asks before it uses a tool if permissions are set to ask, and follows the answer', async () => {
    const run = await begin('one-bash', { request: { permissions: 'ask' } })
    const asked = await question(run)
    expect(asked).toMatchObject({ kind: 'permission', tool: 'Bash', title: 'Bash: echo ran >> ran.txt; echo hi' })
    expect(asked.choices.map(({ value }) => value)).toEqual(['allow', 'always', 'deny'])
    await expect(run.file('ran.txt')).rejects.toMatchObject({ code: 'path_refused' })
    run.put({ type: 'answer', questionId: asked.id, value: 'allow', text: null })
    expect((await run.done).claim).toBe('success')
    expect(await run.file('ran.txt')).toBe('ran\n')
    expect(run.events.slice(-6).map(({ type }) => type)).toContain('answered')
    await run.remove()

    const refused = await begin('one-bash', { request: { permissions: 'ask' } })
    refused.put({ type: 'answer', questionId: (await question(refused)).id, value: 'deny', text: 'not now' })
    await refused.done
    expect(steps(refused).find(({ kind }) => kind === 'result')).toMatchObject({ isError: true, text: expect.stringContaining('not now') as string }) // prettier-ignore
    await expect(refused.file('ran.txt')).rejects.toMatchObject({ code: 'path_refused' })
    await refused.remove()
  })

  it('asks its questions one after the other', async () => {
    const options = (...labels: string[]) => labels.map((label) => ({ label, description: `${label} it is` }))
    const input = {
      questions: [
        { question: 'Which colour?', header: 'Colour', multiSelect: false, options: options('Red', 'Blue') },
        { question: 'Which size?', header: 'Size', multiSelect: false, options: options('Small', 'Large') },
      ],
    }
    const steps = [[{ type: 'tool_use' as const, name: 'AskUserQuestion', input }], [{ type: 'text' as const, text: 'Thanks.' }]]
    const run = await begin('ask', { scenarios: { ask: { about: 'two questions', prompt: 'Ask me.', steps } } })
    const first = await question(run)
    expect(first).toMatchObject({ kind: 'question', title: 'Which colour?', choices: [{ value: 'Red' }, { value: 'Blue' }] })
    run.put({ type: 'answer', questionId: first.id, value: 'Blue', text: null })
    await vi.waitUntil(async () => (await question(run)).title === 'Which size?', { timeout: 60_000 })
    run.put({ type: 'answer', questionId: (await question(run)).id, value: '', text: 'Medium, please' })
    expect((await run.done).message).toBe('Thanks.')
    const { request } = (await run.exchanges()).at(-1)!
    for (const answer of ['Blue', 'Medium, please']) expect([answer, request.includes(answer)]).toEqual([answer, true])
    await run.remove()
  })

  it('names its sub-agents, waits for background ones, and returns their transcripts', async () => {
    const run = await begin('subagent-background')
    const end = await run.done
    expect(end.message).toContain('Background agent reported')
    expect(steps(run).filter(({ agent }) => agent === 'Find add()').map(({ kind }) => kind)).toEqual(['tool', 'result', 'tool', 'result', 'message']) // prettier-ignore
    expect(run.events).toContainEqual({ type: 'waiting', detail: 'Waiting for Find add().', until: null })
    expect(end.transcript.filter(({ path: name }) => name.includes('/subagents/')).length).toBeGreaterThan(0)
    const exchanges = await run.exchanges()
    expect(new Set(exchanges.map(({ agent }) => agent)).size).toBe(2)
    expect(run.usage().requests).toBe(exchanges.length)
    await run.remove()
  })

  it('waits while its endpoint is overloaded and reports until when, also with a network allow list', async () => {
    const run = await begin('overloaded-once', { network: { allow: ['listed.example:443'] } })
    expect((await run.done).message).toBe('Served at the second try.')
    const waiting = run.events.find((event) => event.type === 'waiting')
    expect(waiting).toMatchObject({
      detail: expect.stringContaining('answered 529') as string,
      until: expect.stringMatching(/Z$/) as string,
    })
    await run.remove()
  })

  it('can be interrupted, continues with another message, and resumes later in another sandbox', async () => {
    const run = await begin('slow-bash')
    await vi.waitUntil(() => steps(run).some(({ kind }) => kind === 'tool'), { timeout: 60_000 })
    run.put({ type: 'interrupt' })
    expect(await question(run)).toMatchObject({ kind: 'question', choices: [{ value: 'finish', label: 'Finish' }] })
    run.put({ type: 'message', text: 'SCENARIO=hello Say hello.' })
    const end = await run.done
    expect(end).toMatchObject({ claim: 'success', message: 'Hello from the stub.' })
    await run.remove()
    const next = await begin('one-bash', { resume: end.resume })
    const more = await next.done
    expect(more.message).toBe('Done.')
    expect(more.transcript[0]!.content.includes('Hello from the stub.')).toBe(true)
    await next.remove()
  })

  it('ends at once with all its processes when it is stopped', async () => {
    const run = await begin('slow-bash')
    await vi.waitUntil(() => steps(run).some(({ kind }) => kind === 'tool') && clients().length > 0, { timeout: 60_000 })
    run.stop.abort(new Error('stop'))
    const end = await run.done
    expect(end).toMatchObject({ claim: 'failure', message: 'It was stopped before it finished.' })
    expect(end.transcript[0]!.content.includes('This takes a while.')).toBe(true)
    expect(clients()).toEqual([])
    await run.remove()
  })

  it('ends at a cap, names it, and sends no more requests', async () => {
    const run = await begin('long-session', { caps: { turns: 3 } })
    const failure = await run.done.then(() => null, (error: AgentFailed) => error) // prettier-ignore
    expect(failure).toMatchObject({ boundary: 'provider', message: expect.stringContaining('its cap of 3 requests') as string })
    expect(failure!.transcript[0]!.content.includes('Step 2.')).toBe(true)
    expect(stub!.requests).toHaveLength(3)
    expect((await run.exchanges()).filter(({ end }) => end === 'refused')).toHaveLength(1)
    await run.remove()
  })

  it("uses the user's instructions, skills and settings if asked to, but no hooks, keys or logins", async () => {
    const own = path.join(user.userHome, '.claude')
    fs.mkdirSync(path.join(own, 'skills', 'tidy'), { recursive: true })
    fs.writeFileSync(path.join(own, 'CLAUDE.md'), 'Always say please-and-thanks.')
    fs.writeFileSync(path.join(own, 'skills', 'tidy', 'SKILL.md'), '---\nname: tidy\ndescription: Tidy up\n---\nTidy.')
    fs.writeFileSync(path.join(own, '.credentials.json'), '{"token":"login-secret"}')
    fs.writeFileSync(path.join(own, 'settings.json'), JSON.stringify({ language: 'german', apiKeyHelper: 'echo helper-secret', env: { A: 'env-secret' }, hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch /tmp/hook-ran' }] }] } })) // prettier-ignore
    const token = SECRETS.github
    const mcpServers = { notes: { command: 'no-such-program', args: ['--quiet'], env: { K: 'env-secret' } }, keyed: { command: 'x', args: [token] }, remote: { url: 'https://mcp.example' } } // prettier-ignore
    fs.writeFileSync(path.join(user.userHome, '.claude.json'), JSON.stringify({ mcpServers, oauthAccount: 'login-secret' }))
    const run = await begin('one-bash', { request: { context: 'mine' } })
    await run.done
    const inputs = run.events.flatMap((event) => (event.type === 'input' ? [event.input] : []))
    expect(inputs.map(({ kind }) => kind)).toEqual(['instructions', 'skill', 'settings', 'MCP server', 'MCP server, left out', 'MCP server, left out']) // prettier-ignore
    for (const { sha256 } of inputs.slice(0, 4)) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    const [{ request }] = (await run.exchanges()) as [Exchange]
    for (const given of ['please-and-thanks', 'Tidy up']) expect([given, request.includes(given)]).toEqual([given, true])
    const inside = await sandboxes.spawn(run.id, { argv: ['bash', '-c', 'ls /tmp/hook-ran; grep -rlsE -- "-secret|ghp_" /home /tmp'], terminal: null }) // prettier-ignore
    expect(await text(inside.output)).toBe('')
    await run.remove()
  })
})
