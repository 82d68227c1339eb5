import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { traceId } from './identity.ts'
import { type Bench, openBench, record, writeSession } from './testing.ts'

let bench: Bench
let spool: string
beforeEach(() => {
  bench = openBench()
  spool = bench.core.paths.spool
})
afterEach(() => bench.close())

const hook = (event: string, sessionId: string, more: Record<string, unknown> = {}) =>
  `${JSON.stringify({ hook_event_name: event, session_id: sessionId, cwd: '/home/dev/project', ...more })}\n`
/** A pid above the kernel's maximum. */
const GONE = 4_194_305
const put = (text: string | Buffer, name = `${GONE}.${Math.trunc(Math.random() * 1e6)}`) => {
  fs.mkdirSync(spool, { recursive: true })
  fs.writeFileSync(path.join(spool, name), text)
}
/** Puts a file into the spool, and waits until it and its transcripts are read. */
const take = async (...file: Parameters<typeof put>) => {
  put(...file)
  await bench.capture.readSpool()
  await bench.capture.drain()
}

describe('watching', () => {
  it('imports a new session and its growth', async () => {
    fs.mkdirSync(path.join(bench.projects, '-home-dev-project'), { recursive: true })
    await bench.capture.start({ watch: true })
    for (const { id } of bench.core.jobs.list({ limit: 10 }).items) await bench.core.jobs.wait(id)
    const { file, sessionId } = writeSession(bench.projects)
    expect(await bench.changed((change) => change.sessionId === sessionId)).toMatchObject({ isNew: true, jobId: null })
    fs.appendFileSync(file, record(sessionId, 'more'))
    await vi.waitUntil(() => bench.archived(sessionId).equals(fs.readFileSync(file)), { timeout: 30_000 })
    await bench.capture.drain()
    expect(bench.changes.filter((change) => change.sessionId === sessionId).map(({ isNew }) => isNew)).toEqual([true, false])
  })

  it('logs nothing when stopped while its thread is being prepared', async () => {
    const own = openBench()
    const warn = vi.spyOn(own.core.log, 'warn')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const started = own.capture.start({ watch: true })
    await started
    const run = vi.spyOn(own.core.workers, 'run')
    vi.runOnlyPendingTimers()
    vi.useRealTimers()
    expect(run).toHaveBeenCalledWith(expect.anything(), expect.anything(), expect.objectContaining({ lane: 'live' }))
    await own.close()
    expect(warn.mock.calls).toEqual([])
  })

  it('waits for the transcripts folder to be created, and for projects in it', async () => {
    await bench.capture.start({ watch: true })
    const { sessionId } = writeSession(bench.projects)
    await bench.changed((change) => change.sessionId === sessionId)
    const other = writeSession(bench.projects, { project: '-another' })
    await bench.changed((change) => change.sessionId === other.sessionId)
    expect((await bench.capture.status()).watching).toEqual([bench.projects])
  })

  it('skips circular links, at start and while watching', async () => {
    const project = path.join(bench.projects, '-home-dev-project')
    fs.mkdirSync(project, { recursive: true })
    for (const folder of [bench.projects, project]) fs.symlinkSync('before', path.join(folder, 'before'))
    await bench.capture.start({ watch: true })
    for (const folder of [bench.projects, project]) fs.symlinkSync('after', path.join(folder, 'after'))
    const { sessionId } = writeSession(bench.projects)
    expect(await bench.changed((change) => change.sessionId === sessionId)).toMatchObject({ isNew: true })
  })

  it('checks sessions elsewhere at start, for changes made while it was closed', async () => {
    await bench.capture.start({ watch: false })
    const { file, sessionId } = writeSession(path.join(bench.root, 'elsewhere'))
    const still = writeSession(path.join(bench.root, 'elsewhere'))
    const gone = writeSession(path.join(bench.root, 'elsewhere'))
    await bench.import([file, still.file, gone.file])
    fs.appendFileSync(file, record(sessionId, 'more'))
    const agent = path.join(file.slice(0, -'.jsonl'.length), 'subagents', 'agent-a1.jsonl')
    fs.mkdirSync(path.dirname(agent), { recursive: true })
    fs.writeFileSync(agent, record(sessionId, 'task', { agentId: 'a1' }))
    fs.rmSync(gone.file)
    await bench.capture.start({ watch: true })
    const [job] = bench.core.jobs.list({ limit: 1 }).items
    expect(await bench.finish(job!)).toMatchObject({ sessions: { new: 0, grown: 1, unchanged: 1, failed: 0 }, errors: [] })
    expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
    expect(bench.archived(sessionId, 'subagent').equals(fs.readFileSync(agent))).toBe(true)
  })

  it('follows a sub-agent that starts in an active session', async () => {
    const { file, sessionId } = writeSession(bench.projects)
    await bench.capture.start({ watch: true })
    fs.appendFileSync(file, record(sessionId, 'go'))
    await bench.changed((change) => change.reason === 'live' || !change.isNew || change.sessionId === sessionId)
    const folder = path.join(file.slice(0, -'.jsonl'.length), 'subagents')
    fs.mkdirSync(folder, { recursive: true })
    const agent = path.join(folder, 'agent-a1.jsonl')
    fs.writeFileSync(agent, record(sessionId, 'task', { agentId: 'a1' }))
    await vi.waitUntil(() => bench.archived(sessionId, 'subagent').equals(fs.readFileSync(agent)), { timeout: 30_000 })
    fs.appendFileSync(agent, record(sessionId, 'step', { agentId: 'a1' }))
    await expect.poll(() => bench.archived(sessionId, 'subagent').equals(fs.readFileSync(agent)), { timeout: 30_000 }).toBe(true)
  })

  it('publishes growth of one session at most four times a second', async () => {
    fs.mkdirSync(path.join(bench.projects, '-home-dev-project'), { recursive: true })
    await bench.capture.start({ watch: true })
    const { file, sessionId } = writeSession(bench.projects)
    const times: number[] = []
    const started = performance.now()
    while (performance.now() - started < 1000) {
      fs.appendFileSync(file, record(sessionId, 'x'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await bench.capture.drain()
    times.push(performance.now() - started)
    expect(bench.changes.length).toBeLessThanOrEqual(Math.ceil(times[0]! / 250) + 2)
    expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
  })

  it('waits silently for an incomplete first record, and imports the session when it is complete', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const file = path.join(bench.root, `${sessionId}.jsonl`)
    const first = record(sessionId, 'hello')
    const ring = () => take(hook('UserPromptSubmit', sessionId, { transcript_path: file }))
    fs.writeFileSync(file, first.slice(0, 20))
    await ring()
    expect(bench.changes).toEqual([])
    expect((await bench.capture.status()).problems).toEqual([])
    fs.appendFileSync(file, first.slice(20))
    await ring()
    expect(bench.changes).toMatchObject([{ sessionId, isNew: true }])
    expect(bench.archived(sessionId).toString()).toBe(first)
  })

  it('imports nothing while paused', async () => {
    await bench.close()
    let paused = true
    bench = openBench({ settings: () => ({ paused, excludedProjects: [] }) })
    spool = bench.core.paths.spool
    const { file, sessionId } = writeSession(bench.projects)
    await bench.capture.start({ watch: true })
    await take(hook('PostToolUse', sessionId, { transcript_path: file }))
    expect(bench.changes).toEqual([])
    expect((await bench.capture.status()).state).toBe('paused')
    expect(fs.readdirSync(spool)).toEqual([])
    paused = false
    bench.capture.settingsChanged()
    await bench.changed((change) => change.sessionId === sessionId)
  })
})

describe('spool', () => {
  it('follows a transcript anywhere, but only a regular file named after its session', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const file = path.join(bench.root, `${sessionId}.jsonl`)
    fs.writeFileSync(file, record(sessionId, 'hello'))
    const stranger = path.join(bench.root, 'secret.txt')
    fs.writeFileSync(stranger, 'secret')
    await take(hook('Stop', sessionId, { transcript_path: file }) + hook('Stop', randomUUID(), { transcript_path: stranger }))
    expect(bench.changes.map((change) => change.sessionId)).toEqual([sessionId])
    expect(bench.signals).toHaveLength(2)
    expect(fs.readdirSync(spool)).toEqual([])
  })

  it('does not follow a symbolic link named after the session', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const [target, beside] = ['target', 'beside'].map((name) => path.join(bench.root, name)) as [string, string]
    for (const folder of [target, beside]) fs.mkdirSync(folder)
    const file = path.join(target, `${sessionId}.jsonl`)
    fs.writeFileSync(file, record(sessionId, 'hello'))
    const link = path.join(beside, `${sessionId}.jsonl`)
    fs.symlinkSync(file, link)
    await take(hook('Stop', sessionId, { transcript_path: link }))
    expect(bench.changes).toEqual([])
    // Users may store folders elsewhere and link to them.
    fs.symlinkSync(target, path.join(bench.root, 'linked'))
    await take(hook('Stop', sessionId, { transcript_path: path.join(bench.root, 'linked', `${sessionId}.jsonl`) }))
    expect(bench.changes.map((change) => change.sessionId)).toEqual([sessionId])
  })

  it('stores only what transcripts lack', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    await take(
      hook('SessionStart', sessionId, { source: 'startup', model: 'm', env: { SECRET: 'k' } }) +
        hook('PostToolUse', sessionId, { tool_use_id: 't1', agent_id: 'a1', tool_input: { big: 1 }, tool_response: { stdout: 'ok' } }) +
        hook('PostToolUse', sessionId, { tool_use_id: 't2', tool_response: { stdout: 'in the transcript' }, duration_ms: 12 }) +
        hook('UserPromptSubmit', sessionId, { prompt: 'in the transcript too' }),
    )
    expect(bench.changes).toEqual([])
    const lines = bench
      .archived(sessionId, 'hooks')
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const at = expect.stringMatching(/Z$/) as string
    expect(lines).toEqual([
      { event: 'SessionStart', at, source: 'startup', model: 'm', cwd: '/home/dev/project' },
      { event: 'PostToolUse', at, tool_use_id: 't1', agent_id: 'a1', tool_response: { stdout: 'ok' } },
      { event: 'PostToolUse', at, tool_use_id: 't2', duration_ms: 12 },
    ])
    const { file } = writeSession(bench.projects, { sessionId })
    await take(hook('SessionEnd', sessionId, { reason: 'other', transcript_path: file }))
    expect(bench.changes).toMatchObject([{ sessionId, isNew: true }])
  })

  it('lists a session known only from hooks, and imports its transcript later', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    put(hook('SessionStart', sessionId, { source: 'startup' }))
    await bench.capture.readSpool()
    await bench.changed((change) => change.sessionId === sessionId)
    const { file } = writeSession(bench.projects, { sessionId })
    await take(hook('Stop', sessionId, { transcript_path: file }))
    expect(bench.changes).toMatchObject([{ sessionId }, { sessionId, isNew: true }])
  })

  it('knows the process of a client from its hooks, and when it has ended', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const client = spawn('sleep', ['60'])
    put(hook('SessionStart', sessionId, { source: 'startup' }), `${GONE}.${client.pid}`)
    await bench.capture.readSpool()
    expect(bench.capture.clientOf(sessionId)).toEqual({ isRunning: true })
    client.kill('SIGKILL')
    await once(client, 'exit')
    expect(bench.capture.clientOf(sessionId)).toMatchObject({ isRunning: false })
    put(hook('SessionEnd', sessionId, { reason: 'other' }), `${GONE}.${client.pid}`)
    await bench.capture.readSpool()
    expect(bench.capture.clientOf(sessionId), 'the end of a session needs no process').toBeNull()
    put(hook('Stop', sessionId), `${GONE}.${GONE}`)
    await bench.capture.readSpool()
    expect(bench.capture.clientOf(sessionId), 'a living client that we cannot see: it runs in a container').toBeNull()
  })

  it('forwards events as signals, and notifications to subscribers', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    put(
      hook('Notification', sessionId, { message: 'Claude needs your permission to use Bash', notification_type: 'permission_prompt' }) +
        hook('SessionEnd', sessionId, { reason: 'other' }),
    )
    await bench.capture.readSpool()
    expect(bench.signals).toMatchObject([
      { event: 'Notification', traceId: traceId('claude-code', sessionId), payload: { notificationType: 'permission_prompt' } },
      { event: 'SessionEnd', payload: { reason: 'other' } },
    ])
    expect(bench.core.messages.find(({ type }) => type === 'capture:notification')?.payload).toMatchObject({
      kind: 'permission',
      traceId: null,
    })
  })

  it('reports the end of a session after its rows are written, and later events after that', async () => {
    const deriving = Promise.withResolvers<void>()
    const own = openBench({
      onArchived: async () => {
        await deriving.promise
        own.signals.push({ traceId: '', sessionId: '', event: 'rows', at: 0, payload: {} })
        return { records: 1, steps: 0, errors: [] }
      },
    })
    try {
      await own.capture.start({ watch: false })
      const { file, sessionId } = writeSession(own.projects)
      const events = ['Stop', 'SessionEnd', 'SessionStart'].map((event) => hook(event, sessionId, { transcript_path: file }))
      fs.mkdirSync(own.core.paths.spool, { recursive: true })
      fs.writeFileSync(path.join(own.core.paths.spool, `${GONE}.1`), events.join(''))
      await own.capture.readSpool()
      const names = () => own.signals.map(({ event }) => event)
      expect(names()).toEqual(['Stop'])
      deriving.resolve()
      await own.capture.drain()
      expect(names()).toEqual(['Stop', 'rows', 'SessionEnd', 'SessionStart'])
    } finally {
      deriving.resolve()
      await own.close()
    }
  })

  it('reads what a running hook writes after its file was renamed', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const file = path.join(spool, `${process.pid}.1`)
    const writer = fs.openSync(file, 'a')
    const text = hook('Stop', sessionId)
    fs.writeSync(writer, text.slice(0, 20))
    await bench.capture.readSpool()
    expect(bench.signals).toEqual([])
    fs.writeSync(writer, text.slice(20))
    fs.closeSync(writer)
    await bench.capture.readSpool()
    expect(bench.signals).toMatchObject([{ sessionId, event: 'Stop' }])
  })

  it('checks every session after a doorbell without a payload', async () => {
    await bench.capture.start({ watch: false })
    const { sessionId } = writeSession(bench.projects)
    put('', 'doorbell')
    await bench.capture.readSpool()
    await bench.changed((change) => change.sessionId === sessionId)
    const other = writeSession(bench.projects)
    put('{}\n')
    await bench.capture.readSpool()
    await bench.changed((change) => change.sessionId === other.sessionId)
    expect(fs.readdirSync(spool)).toEqual([])
  })

  it('sets invalid lines aside and reports them; the valid lines are used', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    put(Buffer.concat([Buffer.from('{"torn": \n\n'), Buffer.from(hook('Stop', sessionId)), Buffer.from([0, 0xff, 10])]))
    await bench.capture.readSpool()
    expect(bench.signals).toMatchObject([{ sessionId }])
    expect(fs.readdirSync(spool)).toEqual([])
    const [kept] = fs.readdirSync(path.join(bench.core.config.dataDir, 'quarantine'))
    expect(fs.readFileSync(path.join(bench.core.config.dataDir, 'quarantine', kept!))).toEqual(
      Buffer.concat([Buffer.from('{"torn": \n'), Buffer.from([0, 0xff, 10])]),
    )
    expect((await bench.capture.status()).problems).toMatchObject([{ kind: 'spool' }])
  })

  it('loses none of 64 events written while the app was off', async () => {
    const sessionId = randomUUID()
    for (let index = 0; index < 64; index += 1)
      put(hook('PostToolUse', sessionId, { tool_use_id: `t${index}`, duration_ms: index }), `${GONE + index}.7`)
    await bench.capture.start({ watch: false })
    expect(bench.signals).toHaveLength(64)
    expect(bench.archived(sessionId, 'hooks').toString().trimEnd().split('\n')).toHaveLength(64)
  })

  it('checks a session again a second after its end, for late writes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await bench.capture.start({ watch: false })
      const sessionId = randomUUID()
      const file = path.join(bench.root, `${sessionId}.jsonl`)
      fs.writeFileSync(file, record(sessionId, 'hello'))
      await take(hook('SessionEnd', sessionId, { transcript_path: file }))
      fs.appendFileSync(file, record(sessionId, 'last words'))
      await vi.advanceTimersByTimeAsync(1000)
      await vi.advanceTimersByTimeAsync(300)
      await bench.capture.drain()
      expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})
