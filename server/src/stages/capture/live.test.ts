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
/** A pid above the kernel's maximum, so that no process has it. */
const UNUSED_PID = 4_194_305
const writeSpoolFile = (text: string | Buffer, name = `${UNUSED_PID}.${Math.trunc(Math.random() * 1e6)}`) => {
  fs.mkdirSync(spool, { recursive: true })
  fs.writeFileSync(path.join(spool, name), text)
}
/** Writes a file into the spool, and waits until it and its transcripts are read. */
const deliver = async (...file: Parameters<typeof writeSpoolFile>) => {
  writeSpoolFile(...file)
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

  it('logs nothing if it is stopped while the live thread starts', async () => {
    const otherBench = openBench()
    const warn = vi.spyOn(otherBench.core.log, 'warn')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await otherBench.capture.start({ watch: true })
    const run = vi.spyOn(otherBench.core.workers, 'run')
    vi.runOnlyPendingTimers()
    vi.useRealTimers()
    expect(run).toHaveBeenCalledWith(expect.anything(), expect.anything(), expect.objectContaining({ lane: 'live' }))
    await otherBench.close()
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

  it('imports changes that were made to sessions outside the known folders while it was closed', async () => {
    await bench.capture.start({ watch: false })
    const { file, sessionId } = writeSession(path.join(bench.root, 'elsewhere'))
    const unchanged = writeSession(path.join(bench.root, 'elsewhere'))
    const deleted = writeSession(path.join(bench.root, 'elsewhere'))
    await bench.import([file, unchanged.file, deleted.file])
    fs.appendFileSync(file, record(sessionId, 'more'))
    const agent = path.join(file.slice(0, -'.jsonl'.length), 'subagents', 'agent-a1.jsonl')
    fs.mkdirSync(path.dirname(agent), { recursive: true })
    fs.writeFileSync(agent, record(sessionId, 'task', { agentId: 'a1' }))
    fs.rmSync(deleted.file)
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
    const startedAt = performance.now()
    while (performance.now() - startedAt < 1000) {
      fs.appendFileSync(file, record(sessionId, 'x'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await bench.capture.drain()
    expect(bench.changes.length).toBeLessThanOrEqual(Math.ceil((performance.now() - startedAt) / 250) + 2)
    expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
  })

  it('reports no problem for an incomplete first record, and imports the session once it is complete', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const file = path.join(bench.root, `${sessionId}.jsonl`)
    const first = record(sessionId, 'hello')
    const deliverPrompt = () => deliver(hook('UserPromptSubmit', sessionId, { transcript_path: file }))
    fs.writeFileSync(file, first.slice(0, 20))
    await deliverPrompt()
    expect(bench.changes).toEqual([])
    expect((await bench.capture.status()).problems).toEqual([])
    fs.appendFileSync(file, first.slice(20))
    await deliverPrompt()
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
    await deliver(hook('PostToolUse', sessionId, { transcript_path: file }))
    expect(bench.changes).toEqual([])
    expect((await bench.capture.status()).state).toBe('paused')
    expect(fs.readdirSync(spool)).toEqual([])
    paused = false
    bench.capture.settingsChanged()
    await bench.changed((change) => change.sessionId === sessionId)
  })
})

describe('spool', () => {
  it('imports a transcript from any folder, but only a regular file named after its session', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const file = path.join(bench.root, `${sessionId}.jsonl`)
    fs.writeFileSync(file, record(sessionId, 'hello'))
    const otherFile = path.join(bench.root, 'secret.txt')
    fs.writeFileSync(otherFile, 'secret')
    await deliver(hook('Stop', sessionId, { transcript_path: file }) + hook('Stop', randomUUID(), { transcript_path: otherFile }))
    expect(bench.changes.map((change) => change.sessionId)).toEqual([sessionId])
    expect(bench.signals).toHaveLength(2)
    expect(fs.readdirSync(spool)).toEqual([])
  })

  it('does not follow a symbolic link named after the session', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const [target, other] = ['target', 'other'].map((name) => path.join(bench.root, name)) as [string, string]
    for (const folder of [target, other]) fs.mkdirSync(folder)
    const file = path.join(target, `${sessionId}.jsonl`)
    fs.writeFileSync(file, record(sessionId, 'hello'))
    const link = path.join(other, `${sessionId}.jsonl`)
    fs.symlinkSync(file, link)
    await deliver(hook('Stop', sessionId, { transcript_path: link }))
    expect(bench.changes).toEqual([])
    // A link in another part of the path is followed: users store folders elsewhere and link to them.
    fs.symlinkSync(target, path.join(bench.root, 'linked'))
    await deliver(hook('Stop', sessionId, { transcript_path: path.join(bench.root, 'linked', `${sessionId}.jsonl`) }))
    expect(bench.changes.map((change) => change.sessionId)).toEqual([sessionId])
  })

  it('stores only facts of hooks that transcripts lack', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    await deliver(
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
    await deliver(hook('SessionEnd', sessionId, { reason: 'other', transcript_path: file }))
    expect(bench.changes).toMatchObject([{ sessionId, isNew: true }])
  })

  it('lists a session known only from hooks, and imports its transcript later', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    writeSpoolFile(hook('SessionStart', sessionId, { source: 'startup' }))
    await bench.capture.readSpool()
    await bench.changed((change) => change.sessionId === sessionId)
    const { file } = writeSession(bench.projects, { sessionId })
    await deliver(hook('Stop', sessionId, { transcript_path: file }))
    expect(bench.changes).toMatchObject([{ sessionId }, { sessionId, isNew: true }])
  })

  it('knows the process of a client from its hooks, and when it has ended', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    const client = spawn('sleep', ['60'])
    writeSpoolFile(hook('SessionStart', sessionId, { source: 'startup' }), `${UNUSED_PID}.${client.pid}`)
    await bench.capture.readSpool()
    expect(bench.capture.clientOf(sessionId)).toEqual({ isRunning: true })
    client.kill('SIGKILL')
    await once(client, 'exit')
    expect(bench.capture.clientOf(sessionId)).toMatchObject({ isRunning: false })
    writeSpoolFile(hook('SessionEnd', sessionId, { reason: 'other' }), `${UNUSED_PID}.${client.pid}`)
    await bench.capture.readSpool()
    expect(bench.capture.clientOf(sessionId), 'after SessionEnd no process is stored').toBeNull()
    writeSpoolFile(hook('Stop', sessionId), `${UNUSED_PID}.${UNUSED_PID}`)
    await bench.capture.readSpool()
    expect(bench.capture.clientOf(sessionId), 'an invisible process may run in a container').toBeNull()
  })

  it('forwards events as signals, and notifications to subscribers', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    writeSpoolFile(
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
    const otherBench = openBench({
      onArchived: async () => {
        await deriving.promise
        otherBench.signals.push({ traceId: '', sessionId: '', event: 'rows', at: 0, payload: {} })
        return { records: 1, steps: 0, errors: [] }
      },
    })
    try {
      await otherBench.capture.start({ watch: false })
      const { file, sessionId } = writeSession(otherBench.projects)
      const events = ['Stop', 'SessionEnd', 'SessionStart'].map((event) => hook(event, sessionId, { transcript_path: file }))
      fs.mkdirSync(otherBench.core.paths.spool, { recursive: true })
      fs.writeFileSync(path.join(otherBench.core.paths.spool, `${UNUSED_PID}.1`), events.join(''))
      await otherBench.capture.readSpool()
      const names = () => otherBench.signals.map(({ event }) => event)
      expect(names()).toEqual(['Stop'])
      deriving.resolve()
      await otherBench.capture.drain()
      expect(names()).toEqual(['Stop', 'rows', 'SessionEnd', 'SessionStart'])
    } finally {
      deriving.resolve()
      await otherBench.close()
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
    writeSpoolFile('', 'doorbell')
    await bench.capture.readSpool()
    await bench.changed((change) => change.sessionId === sessionId)
    const other = writeSession(bench.projects)
    writeSpoolFile('{}\n')
    await bench.capture.readSpool()
    await bench.changed((change) => change.sessionId === other.sessionId)
    expect(fs.readdirSync(spool)).toEqual([])
  })

  it('moves invalid lines to the quarantine and reports them, and uses the valid lines', async () => {
    await bench.capture.start({ watch: false })
    const sessionId = randomUUID()
    writeSpoolFile(Buffer.concat([Buffer.from('{"torn": \n\n'), Buffer.from(hook('Stop', sessionId)), Buffer.from([0, 0xff, 10])]))
    await bench.capture.readSpool()
    expect(bench.signals).toMatchObject([{ sessionId }])
    expect(fs.readdirSync(spool)).toEqual([])
    const quarantine = path.join(bench.core.config.dataDir, 'quarantine')
    expect(fs.readFileSync(path.join(quarantine, fs.readdirSync(quarantine)[0]!))).toEqual(
      Buffer.concat([Buffer.from('{"torn": \n'), Buffer.from([0, 0xff, 10])]),
    )
    expect((await bench.capture.status()).problems).toMatchObject([{ kind: 'spool' }])
  })

  it('uses every whole payload of a damaged line, and one at the end without a newline', async () => {
    await bench.capture.start({ watch: false })
    const [a, b, c, d] = Array.from({ length: 4 }, () => randomUUID())
    const cut = hook('Stop', randomUUID()).slice(0, 20)
    const spoolFile = path.join(spool, `${UNUSED_PID}.1`)
    writeSpoolFile(
      `${hook('Stop', a!).trim()}${hook('Stop', b!)}${cut}\0\0${hook('Stop', c!)}${hook('Stop', d!).trim()}`,
      `${UNUSED_PID}.1`,
    )
    const longAgo = new Date(Date.now() - 60_000)
    fs.utimesSync(spoolFile, longAgo, longAgo) // its writer has ended
    await bench.capture.readSpool()
    expect(bench.signals.map(({ sessionId }) => sessionId)).toEqual([a, b, c, d])
    expect(fs.readdirSync(spool)).toEqual([])
  })

  it('loses none of 64 events that were written while the app was closed', async () => {
    const sessionId = randomUUID()
    for (let index = 0; index < 64; index += 1)
      writeSpoolFile(hook('PostToolUse', sessionId, { tool_use_id: `t${index}`, duration_ms: index }), `${UNUSED_PID + index}.7`)
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
      await deliver(hook('SessionEnd', sessionId, { transcript_path: file }))
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
