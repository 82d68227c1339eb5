import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canMount } from '#server/testing/mounts.ts'
import { newFolder } from '#server/testing/folders.ts'
import { traceId } from './identity.ts'
import { type Bench, openBench, record, writeSession } from './testing.ts'

const FIXTURE = path.join(import.meta.dirname, 'fixtures', 'import.ts')
const samplesDir = path.join(import.meta.dirname, '../../../../samples')

let root: string
beforeEach(() => (root = newFolder()))

const projectsOf = (place: string) => path.join(place, '.claude', 'projects')

describe('kill -9', () => {
  it('during an import loses nothing committed and leaves nothing incomplete', async () => {
    const sessions = Array.from({ length: 120 }, (_, index) => {
      const session = writeSession(projectsOf(root), { project: `-p${index % 7}` })
      fs.appendFileSync(session.file, record(session.sessionId, 'x'.repeat(2000)).repeat(400))
      return session
    })
    for (const minFolders of [5, 40]) {
      const child = spawn(process.execPath, [FIXTURE, root], { stdio: 'ignore' })
      const archive = path.join(root, 'home', 'archive', 'claude-code')
      const exited = once(child, 'exit')
      while (!fs.existsSync(archive) || fs.readdirSync(archive).length < minFolders) {
        if (child.exitCode !== null) break
        await new Promise((resolve) => setImmediate(resolve))
      }
      child.kill('SIGKILL')
      await exited
    }
    const bench = openBench({ root })
    await bench.capture.start({ watch: false })
    await bench.capture.drain()
    const before = bench.capture.totals().traces
    const result = await bench.import()
    expect(result.sessions.failed).toBe(0)
    expect(result.sessions.new + before).toBe(120)
    for (const { file, sessionId } of sessions) expect(bench.archived(sessionId).equals(fs.readFileSync(file))).toBe(true)
    expect(bench.core.db.prepare('SELECT count(*) AS n FROM archived_traces WHERE derived = 0').get()).toEqual({ n: 0 })
    await bench.close()
  })

  it('between archive and database: the next start reports repairs and derives the rows', async () => {
    const { file, sessionId } = writeSession(projectsOf(root))
    let bench = openBench({ root })
    await bench.capture.start({ watch: false })
    await bench.import()
    const traceDir = path.join(bench.core.paths.archive, 'claude-code', traceId('claude-code', sessionId))
    const manifest = path.join(traceDir, 'manifest.jsonl')
    fs.appendFileSync(file, record(sessionId, 'more'))
    await bench.import()
    const after = fs.readFileSync(manifest)
    await bench.close()
    // The state after a crash in a third append, when the database does not have the second append yet.
    bench = openBench({ root })
    bench.core.db.exec('UPDATE sources SET bytes = 1')
    await bench.close()
    fs.appendFileSync(manifest, '{"source":"main')
    const data = fs.readdirSync(traceDir).find((name) => name.endsWith('.zst'))!
    fs.appendFileSync(path.join(traceDir, data), 'half a frame')
    fs.writeFileSync(path.join(root, 'home', 'archive', '.open'), '')
    bench = openBench({ root })
    await bench.capture.start({ watch: false })
    await bench.capture.drain()
    expect(bench.changes).toMatchObject([{ sessionId }])
    expect(fs.readFileSync(manifest).equals(after)).toBe(true)
    expect((await bench.capture.status()).problems.map(({ kind }) => kind)).toEqual(['repaired'])
    expect(await bench.import()).toMatchObject({ sessions: { unchanged: 1 }, bytes: 0 })
    await bench.close()
  })
})

it('a second start of the same process does not repair the archive', async () => {
  const { sessionId } = writeSession(projectsOf(root))
  const bench = openBench({ root })
  await bench.capture.start({ watch: false })
  await bench.import()
  const traceDir = path.join(bench.core.paths.archive, 'claude-code', traceId('claude-code', sessionId))
  const data = path.join(
    traceDir,
    fs.readdirSync(traceDir).find((name) => name.endsWith('.zst'))!,
  )
  fs.appendFileSync(data, 'a frame that is being written')
  const size = fs.statSync(data).size
  await bench.capture.start({ watch: false })
  expect(fs.statSync(data).size).toBe(size)
  expect(bench.capture.repaired()).toEqual([])
  await bench.close()
})

describe.runIf(canMount)('a full disk with the archive', () => {
  let disk: string
  beforeEach(() => {
    disk = path.join(root, 'disk')
    fs.mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
  })
  afterEach(() => execFileSync('umount', ['-l', disk]))

  /** A capture stage with its archive on this disk. */
  const onDisk = async (work: (bench: Bench) => Promise<void>) => {
    const bench = openBench({ root })
    fs.mkdirSync(bench.core.paths.archive, { recursive: true })
    execFileSync('mount', ['--bind', disk, bench.core.paths.archive])
    try {
      await bench.capture.start({ watch: false })
      await work(bench)
    } finally {
      execFileSync('umount', ['-l', bench.core.paths.archive])
      await bench.close()
    }
  }

  it('is reported and damages no data, and the import continues once it has space', () =>
    onDisk(async (bench) => {
      const small = writeSession(bench.projects)
      await bench.import()
      const big = writeSession(bench.projects)
      fs.appendFileSync(
        big.file,
        `${JSON.stringify({ noise: Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex') })}\n`,
      )
      for (let index = 0; index < 40; index += 1) {
        fs.appendFileSync(big.file, `${Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64')}\n`)
      }
      const result = await bench.import()
      expect(result.sessions).toMatchObject({ new: 0, unchanged: 1, failed: 1 })
      expect(result.errors[0]!.message).toContain("data directory's disk is full")
      expect(bench.archived(small.sessionId).equals(fs.readFileSync(small.file))).toBe(true)
      execFileSync('mount', ['-o', 'remount,size=8m', disk])
      expect((await bench.import()).sessions).toMatchObject({ new: 1, unchanged: 1 })
      expect(bench.archived(big.sessionId).equals(fs.readFileSync(big.file))).toBe(true)
    }))

  it('leaves hook events in the spool until they can be stored', () =>
    onDisk(async (bench) => {
      try {
        fs.writeFileSync(path.join(disk, 'filler'), Buffer.alloc(1 << 20, 'x'), { flag: 'a' })
      } catch {
        // Expected: the disk is full.
      }
      const line = `${JSON.stringify({ hook_event_name: 'SessionEnd', session_id: 's-1', reason: 'other' })}\n`
      fs.writeFileSync(path.join(bench.core.paths.spool, '4194305.1'), line)
      await bench.capture.readSpool()
      expect(fs.readdirSync(bench.core.paths.spool)).toHaveLength(1)
      expect((await bench.capture.status()).problems).toMatchObject([{ kind: 'disk-full' }, { kind: 'spool-blocked' }])
      fs.rmSync(path.join(disk, 'filler'))
      await bench.capture.readSpool()
      expect(fs.readdirSync(bench.core.paths.spool)).toEqual([])
      expect(bench.archived('s-1', 'hooks').toString()).toContain('"reason":"other"')
      await expect.poll(async () => (await bench.capture.status()).problems).toEqual([])
    }))
})

describe('samples and deletion', () => {
  let bench: Bench
  beforeEach(() => {
    bench = openBench({ root, samplesDir })
  })
  afterEach(() => bench.close())

  it('imports samples, still marks them as samples after a rebuild, and removes them in one call', async () => {
    const session = writeSession(bench.projects)
    await bench.import()
    const result = await bench.finish(bench.capture.startSamples())
    expect(result.sessions).toMatchObject({ new: 8, failed: 0 })
    expect(bench.changes.filter(({ sample }) => sample)).toHaveLength(8)
    expect(await bench.capture.rebuildSources()).toEqual({ traces: 9, problems: [], damaged: [] })
    const listed = []
    for await (const trace of bench.capture.listArchived()) listed.push(trace)
    expect(listed.filter(({ sample }) => sample)).toHaveLength(8)
    expect(await bench.capture.removeSamples()).toBe(8)
    expect(bench.capture.totals().traces).toBe(1)
    expect(fs.readdirSync(path.join(bench.core.paths.archive, 'claude-code'))).toEqual([traceId('claude-code', session.sessionId)])
  })

  it('rebuilds its tables only from the manifests', async () => {
    writeSession(bench.projects)
    await bench.import()
    const rows = () => bench.core.db.prepare('SELECT trace_id, name, generation, bytes, sha256 FROM sources').all()
    const before = rows()
    bench.core.db.exec('DELETE FROM sources; DELETE FROM archived_traces')
    await bench.capture.rebuildSources()
    expect(rows()).toEqual(before)
    expect(await bench.capture.derivePending({ reason: 'rebuild' })).toMatchObject({ records: 1 })
    expect(await bench.import()).toMatchObject({ sessions: { unchanged: 1 }, bytes: 0 })
  })

  it('deletes a session so that nothing in the data directory names it, and does not import it again', async () => {
    const forgotten: string[] = []
    await bench.close()
    bench = openBench({ root, forget: (id) => void forgotten.push(id) })
    await bench.capture.start({ watch: false })
    const { file, sessionId } = writeSession(bench.projects, { text: 'SECRETWORD' })
    const other = writeSession(bench.projects)
    await bench.import()
    fs.writeFileSync(
      path.join(bench.core.paths.spool, '4194305.1'),
      `${JSON.stringify({ hook_event_name: 'SessionEnd', session_id: sessionId, reason: 'other' })}\n`,
    )
    await bench.capture.readSpool()
    const id = traceId('claude-code', sessionId)
    await bench.capture.forget(id)
    expect(forgotten).toEqual([id])
    expect(filesWith(bench.core.config.dataDir, [sessionId, 'SECRETWORD'])).toEqual([])
    expect(await bench.import()).toMatchObject({ sessions: { new: 0, unchanged: 1, failed: 0 } })
    expect(bench.capture.totals().traces).toBe(1)
    expect(bench.archived(other.sessionId).length).toBeGreaterThan(0)
    expect(await bench.import([file])).toMatchObject({ sessions: { new: 1 } })
  })
})

describe('status and scan', () => {
  it('counts all sessions, sessions that are not archived, and sessions that the client deletes soon', async () => {
    const bench = openBench({ root })
    const day = 24 * 3600
    const now = Date.now() / 1000
    const old = writeSession(bench.projects, { project: '-a' })
    fs.utimesSync(old.file, now - 28 * day, now - 28 * day)
    const due = writeSession(bench.projects, { project: '-b' })
    fs.utimesSync(due.file, now - 31 * day, now - 31 * day)
    writeSession(bench.projects, { project: '-b', more: { cwd: '/b' } })
    fs.writeFileSync(path.join(root, '.claude', 'settings.json'), '{ broken')
    expect(await bench.capture.scan()).toMatchObject({
      sessions: 3,
      projects: 2,
      notArchived: 3,
      cleanupPeriodDays: 30,
      nextCleanup: { sessions: 1 },
      atRisk: 2,
    })
    await bench.import()
    expect(await bench.capture.scan()).toMatchObject({ notArchived: 0, atRisk: 0 })
    fs.writeFileSync(path.join(root, '.claude', 'settings.json'), '{"cleanupPeriodDays": 365}')
    expect(await bench.capture.scan()).toMatchObject({ cleanupPeriodDays: 365, atRisk: 0 })
    const status = await bench.capture.status()
    expect(status).toMatchObject({ state: 'off', importing: false, archive: { traces: 3 }, spoolFiles: 0 })
    expect(status.disk!.freeBytes).toBeGreaterThan(0)
    await bench.close()
  })
})

function filesWith(folder: string, words: string[]): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => words.some((word) => file.includes(word) || fs.readFileSync(file).includes(word)))
}
