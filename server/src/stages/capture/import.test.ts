import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { traceId } from './identity.ts'
import { type Bench, openBench, record, writeSession } from './testing.ts'

let bench: Bench
beforeEach(() => {
  bench = openBench()
})
afterEach(() => bench.close())

const none = { new: 0, grown: 0, unchanged: 0, failed: 0 }

describe('import', () => {
  it('imports new sessions, skips unchanged ones, and reads only new bytes', async () => {
    const a = writeSession(bench.projects)
    writeSession(bench.projects, { project: '-other' })
    const first = await bench.import()
    expect(first).toMatchObject({ sessions: { ...none, new: 2 }, records: 2, errors: [] })
    expect(bench.changes.map(({ isNew, reason }) => ({ isNew, reason }))).toEqual([
      { isNew: true, reason: 'import' },
      { isNew: true, reason: 'import' },
    ])
    expect(await bench.import()).toMatchObject({ sessions: { ...none, unchanged: 2 }, bytes: 0 })
    const more = record(a.sessionId, 'more')
    fs.appendFileSync(a.file, more)
    expect(await bench.import()).toMatchObject({ sessions: { ...none, grown: 1, unchanged: 1 }, bytes: more.length })
    expect(bench.archived(a.sessionId).equals(fs.readFileSync(a.file))).toBe(true)
  })

  it('stores an incomplete last line without an error, and the rest later', async () => {
    const { file, sessionId } = writeSession(bench.projects)
    fs.appendFileSync(file, '{"type":"us')
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
    fs.appendFileSync(file, 'er"}\n')
    expect(await bench.import()).toMatchObject({ sessions: { ...none, grown: 1 }, bytes: 5 })
    expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
  })

  it('collects sub-agents of both file layouts, their metadata and large tool results; skips warm-ups and memory', async () => {
    const { file, sessionId } = writeSession(bench.projects)
    const folder = file.slice(0, -'.jsonl'.length)
    const project = path.dirname(file)
    fs.mkdirSync(path.join(folder, 'subagents'), { recursive: true })
    fs.mkdirSync(path.join(folder, 'tool-results'))
    fs.mkdirSync(path.join(project, 'memory'))
    fs.writeFileSync(path.join(folder, 'subagents', 'agent-a1.jsonl'), record(sessionId, 'task', { agentId: 'a1' }))
    fs.writeFileSync(path.join(folder, 'subagents', 'agent-a1.meta.json'), '{"agentType":"Explore"}')
    fs.writeFileSync(path.join(folder, 'tool-results', 'toolu_1.txt'), 'x'.repeat(200_000))
    fs.writeFileSync(path.join(project, 'agent-b2.jsonl'), record(sessionId, 'other task', { agentId: 'b2' }))
    fs.writeFileSync(path.join(project, 'agent-w0.jsonl'), record(randomUUID(), 'Warmup', { agentId: 'w0' }))
    fs.writeFileSync(path.join(project, 'memory', 'notes.jsonl'), '{}\n')
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
    const names = bench.core.db.prepare('SELECT name, kind FROM sources ORDER BY kind, name').all()
    expect(names).toEqual([
      { name: expect.stringMatching(/^main-[0-9a-f]{8}$/), kind: 'main' },
      { name: 'meta-a1', kind: 'meta' },
      { name: 'agent-a1', kind: 'subagent' },
      { name: 'agent-b2', kind: 'subagent' },
      { name: 'tool-result-toolu_1', kind: 'tool-result' },
    ])
    expect(await bench.import()).toMatchObject({ sessions: { ...none, unchanged: 1 } })
  })

  it('archives two files with the same session id as two sources of one trace', async () => {
    const { sessionId } = writeSession(bench.projects, { project: '-one' })
    writeSession(bench.projects, { sessionId, project: '-two', text: 'elsewhere' })
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 } })
    expect(bench.core.db.prepare("SELECT count(*) AS n FROM sources WHERE kind = 'main'").get()).toEqual({ n: 2 })
  })

  it('uses the session id in the records of a file that the user named', async () => {
    const sessionId = randomUUID()
    const file = path.join(bench.root, 'saved.jsonl')
    fs.writeFileSync(file, record(sessionId, 'hello'))
    expect(await bench.import([file])).toMatchObject({ sessions: { ...none, new: 1 } })
    expect(bench.changes[0]!.traceId).toBe(traceId('claude-code', sessionId))
  })

  it('imports each sample of the product as one session, ignoring other JSON lines files', async () => {
    const samples = path.join(import.meta.dirname, '../../../../samples/claude-code')
    expect(await bench.import([samples])).toMatchObject({ sessions: { ...none, new: 8 }, errors: [] })
  })

  it('reports what is wrong with a file that is not a transcript', async () => {
    const folder = path.join(bench.projects, '-p')
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, `${randomUUID()}.jsonl`), 'not json\nat all\n')
    const result = await bench.import()
    expect(result.sessions).toEqual({ ...none, failed: 1 })
    expect(result.errors[0]!.message).toContain('No line of this file is a JSON object')
  })

  it.each([
    ['an incomplete first line', '{"type":"us'],
    ['bytes that are not text', '\0\0\u{FFFD}'],
  ])('lists no session for a file with only %s, reports why, and imports it once it has records', async (_, text) => {
    const { file, sessionId } = writeSession(bench.projects)
    const whole = fs.readFileSync(file)
    fs.writeFileSync(file, text)
    const empty = await bench.import()
    expect(empty.sessions).toEqual(none)
    expect(empty.errors).toEqual([{ file, line: 1, message: expect.stringMatching(/incomplete, so it has no session yet/) }])
    expect(bench.changes).toEqual([])
    expect((await bench.import([file])).errors).toHaveLength(1)
    fs.writeFileSync(file, whole)
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
    expect(bench.archived(sessionId).equals(whole)).toBe(true)
  })

  it('imports a session with a very long first line, but only if that line is complete', async () => {
    const { file, sessionId } = writeSession(bench.projects)
    fs.writeFileSync(file, record(sessionId, 'x'.repeat(3 << 20)))
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
    const other = writeSession(bench.projects)
    fs.writeFileSync(other.file, record(other.sessionId, 'x'.repeat(3 << 20)).trimEnd())
    expect((await bench.import([other.file])).errors).toHaveLength(1)
  })

  it('keeps the archived bytes of a session whose file is damaged later', async () => {
    const { file } = writeSession(bench.projects)
    const before = fs.readFileSync(file)
    await bench.import()
    fs.writeFileSync(file, '{"type":"us')
    await bench.import()
    expect(
      bench.core.db.prepare('SELECT generation, bytes FROM sources WHERE trace_id = ? ORDER BY generation').all(bench.changes[0]!.traceId),
    ).toContainEqual({
      generation: 1,
      bytes: before.length,
    })
  })

  it('accepts NUL bytes, invalid UTF-8 and empty files', async () => {
    const { file, sessionId } = writeSession(bench.projects)
    fs.appendFileSync(file, Buffer.from([0, 0, 0xff, 0xfe, 10]))
    fs.writeFileSync(path.join(path.dirname(file), `${randomUUID()}.jsonl`), '')
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
    expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
  })

  it.each([
    ['blank lines', '\n \n\r\n'],
    ['empty objects', '{}\n{ }\n'],
    ['one empty object without a line end', '{}'],
  ])('ignores a file with only %s without an error, and imports it when it has records', async (_, text) => {
    const { file, sessionId } = writeSession(bench.projects)
    fs.writeFileSync(file, text)
    const nothing = { sessions: none, records: 0, bytes: 0, errors: [] }
    expect(await bench.import()).toMatchObject(nothing)
    expect(await bench.import([file])).toMatchObject(nothing)
    expect(bench.capture.totals().traces).toBe(0)
    expect(await bench.capture.scan()).toMatchObject({ sessions: 0, notArchived: 0 })
    fs.appendFileSync(file, `\n${record(sessionId, 'hello')}`)
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
    expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
  })

  it.runIf(process.platform === 'linux')('reports files and folders with names that are not UTF-8, and imports all others', async () => {
    const { file, sessionId } = writeSession(bench.projects, { project: 'caf\u{FFFD}' })
    const folder = Buffer.from(path.join(bench.projects, '-p'))
    const inFolder = (name: Buffer) => Buffer.concat([folder, Buffer.from('/'), name])
    fs.mkdirSync(folder)
    fs.mkdirSync(inFolder(Buffer.from([0xe9, 0xff])))
    fs.writeFileSync(inFolder(Buffer.from('caf\xe9.jsonl', 'latin1')), record(randomUUID(), 'hello'))
    fs.writeFileSync(inFolder(Buffer.from('notes-\xe9.txt', 'latin1')), 'no session')
    const result = await bench.import()
    expect(result.sessions).toEqual({ ...none, new: 1, failed: 1 })
    expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
    const message = expect.stringContaining('not valid UTF-8') as string
    expect(result.errors.toSorted((a, b) => a.file.length - b.file.length)).toEqual([
      { file: path.join(bench.projects, '-p', '\u{FFFD}\u{FFFD}'), line: null, message },
      { file: path.join(bench.projects, '-p', 'caf\u{FFFD}.jsonl'), line: null, message },
    ])
    expect((await bench.capture.scan()).places[0]).toMatchObject({ unreadable: 2 })
  })

  it('follows each link once, even circular links', async () => {
    const { file } = writeSession(bench.projects)
    fs.symlinkSync(bench.projects, path.join(path.dirname(file), 'round'))
    fs.symlinkSync(path.join(bench.root, 'nowhere'), path.join(bench.projects, 'dangling.jsonl'))
    for (const name of ['circle', 'circle.jsonl']) fs.symlinkSync(name, path.join(bench.projects, name))
    expect(await bench.import([bench.projects])).toMatchObject({ sessions: { ...none, new: 1 }, errors: [] })
  })

  it.runIf(process.platform === 'linux')('refuses a pipe and a missing path, with the reason', () => {
    const pipe = path.join(bench.root, 'pipe.jsonl')
    execFileSync('mkfifo', [pipe])
    expect(() => bench.capture.startImport({ paths: [pipe] })).toThrow(/not a file or folder/)
    expect(() => bench.capture.startImport({ paths: [path.join(bench.root, 'gone')] })).toThrow(/no such file/)
  })

  it('skips excluded projects and everything below them', async () => {
    await bench.close()
    bench = openBench({ settings: () => ({ paused: false, excludedProjects: ['/home/dev/secret', '/tmp/*'] }) })
    writeSession(bench.projects, { project: '-a', more: { cwd: '/home/dev/secret/inner' } })
    writeSession(bench.projects, { project: '-b', more: { cwd: '/tmp/x' } })
    const { sessionId } = writeSession(bench.projects, { project: '-c' })
    expect(await bench.import()).toMatchObject({ sessions: { ...none, new: 1 } })
    expect(bench.changes).toMatchObject([{ sessionId }])
  })

  it('keeps the archive of a session whose file is deleted', async () => {
    const { file, sessionId } = writeSession(bench.projects)
    await bench.import()
    const bytes = fs.readFileSync(file)
    fs.rmSync(file)
    expect(await bench.import()).toMatchObject({ sessions: none, errors: [] })
    expect(bench.archived(sessionId).equals(bytes)).toBe(true)
  })

  it('imports each session once when two imports run at the same time', async () => {
    for (let index = 0; index < 20; index += 1) writeSession(bench.projects, { text: `session ${index}` })
    const [one, two] = await Promise.all([bench.import(), bench.import()])
    expect(one.sessions.new + two.sessions.new).toBe(20)
    expect(one.sessions.failed + two.sessions.failed).toBe(0)
    expect(bench.capture.totals().traces).toBe(20)
  })

  it('counts a session whose rows could not be derived as failed, and derives them at the next start', async () => {
    await bench.close()
    let isBroken = true
    bench = openBench({
      onArchived: () => (isBroken ? Promise.reject(new Error('no rows today')) : Promise.resolve({ records: 1, steps: 0, errors: [] })),
    })
    writeSession(bench.projects)
    const result = await bench.import()
    expect(result.sessions).toEqual({ ...none, failed: 1 })
    expect(result.errors[0]!.message).toBe('no rows today')
    isBroken = false
    expect(await bench.capture.derivePending({ reason: 'import' })).toMatchObject({ records: 1 })
    expect(await bench.capture.derivePending({ reason: 'import' })).toMatchObject({ records: 0 })
  })

  it('stops within a second when cancelled, and keeps committed sessions', async () => {
    await bench.close()
    const { promise, resolve } = Promise.withResolvers<void>()
    bench = openBench({
      onArchived: () => {
        resolve()
        return new Promise(() => undefined) // deriving that never ends
      },
    })
    for (let index = 0; index < 50; index += 1) writeSession(bench.projects)
    const job = bench.capture.startImport({})
    await promise
    const cpuBefore = process.cpuUsage() // of all threads: wall time would include other load on the machine
    bench.core.jobs.cancel(job.id)
    expect(await bench.core.jobs.wait(job.id)).toMatchObject({ state: 'cancelled' })
    const { user, system } = process.cpuUsage(cpuBefore)
    expect((user + system) / 1000).toBeLessThan(1000)
    // Deriving never ends here, so `bench.close()` would wait forever.
    await bench.core.workers.close()
    bench.core.db.close()
    fs.rmSync(bench.root, { recursive: true })
    bench = openBench()
  })
})

describe('files without permission', () => {
  const uid = 1000
  it.runIf(process.getuid?.() === 0)('imports 3,000 files and reports those that cannot be read', () => {
    // A folder that another user can reach; in memory if possible, because removing so many files from a disk takes long.
    const root = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : '/tmp', 'bashgym-denied-'))
    try {
      const projects = path.join(root, '.claude', 'projects')
      for (let index = 0; index < 3000; index += 1) {
        const { file } = writeSession(projects, { project: `-p${index % 30}` })
        if (index % 300 === 0) fs.chmodSync(file, 0)
      }
      fs.writeFileSync(path.join(root, 'probe.ts'), '')
      execFileSync('chown', ['-R', `${uid}:${uid}`, root])
      execFileSync('find', [projects, '-perm', '0000', '-exec', 'chown', '0:0', '{}', '+'])
      const child = spawnSync(process.execPath, [path.join(import.meta.dirname, 'fixtures', 'import.ts'), root], {
        uid,
        gid: uid,
        encoding: 'utf8',
        cwd: root,
      })
      expect(child.stderr).toBe('')
      const result = JSON.parse(child.stdout) as Awaited<ReturnType<Bench['import']>>
      expect(result.sessions).toEqual({ ...none, new: 2990, failed: 10 })
      expect(result.errors).toHaveLength(10)
      expect(result.errors[0]!.message).toContain('No permission to read this file')
    } finally {
      fs.rmSync(root, { recursive: true, force: true })
    }
  })
})
