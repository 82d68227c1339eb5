import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CaptureStatus, ImportResult, Scan } from '#contracts/entities/capture.ts'
import { Job } from '#contracts/entities/job.ts'
import { type Bench, openBench, writeSession } from './testing.ts'

let bench: Bench
beforeEach(() => {
  bench = openBench({ samplesDir: path.join(import.meta.dirname, '../../../../samples') })
})
afterEach(() => bench.close())

const call = (name: string, input: Record<string, unknown> = {}): unknown => {
  const implementation = bench.capture.stage.routes.find(({ route }) => route.name === name)!
  return implementation.handle({
    params: undefined,
    query: undefined,
    body: undefined,
    signal: new AbortController().signal,
    who: 'test',
    caller: { kind: 'owner' as const },
    ...input,
  })
}

describe('routes of capture', () => {
  it('answer as in the contract', async () => {
    writeSession(bench.projects)
    Scan.parse(await call('scanHistory'))
    const job = Job.parse(await call('startImport', { body: {} }))
    ImportResult.parse(await bench.finish(job))
    ImportResult.parse(await bench.finish(Job.parse(await call('importSamples', { body: {} }))))
    CaptureStatus.parse(await call('getCapture'))
    expect(await call('listImports', { query: { limit: 50 } })).toMatchObject({
      total: 2,
      items: [{ kind: 'samples' }, { kind: 'import' }],
    })
    expect(await call('removeSamples')).toEqual({ removed: 8 })
  })

  it('exclude a project: remove its archived sessions, except sessions that the agent deleted, and import no more', async () => {
    await bench.close()
    const excludedProjects: string[] = []
    bench = openBench({ settings: () => ({ paused: false, excludedProjects }), exclude: (cwd) => excludedProjects.push(cwd) })
    const secret = { project: '-home-dev-secret', more: { cwd: '/home/dev/secret/api' } }
    const [kept, deleted] = [writeSession(bench.projects), writeSession(bench.projects, secret)]
    for (let count = 0; count < 3; count += 1) writeSession(bench.projects, secret)
    await bench.import()
    fs.rmSync(deleted.file)
    const before = Scan.parse(await call('scanHistory'))
    expect(before.byProject.map(({ cwd, sessions, leftOut }) => ({ cwd, sessions, leftOut }))).toEqual([
      { cwd: '/home/dev/secret/api', sessions: 3, leftOut: false },
      { cwd: '/home/dev/project', sessions: 1, leftOut: false },
    ])

    expect(await call('leaveOutProject', { body: { cwd: '/home/dev/secret' } })).toEqual({ removed: 3 })
    expect(excludedProjects).toEqual(['/home/dev/secret'])
    const sessions = (await Array.fromAsync(bench.capture.listArchived())).map(({ sessionId }) => sessionId)
    expect(sessions.toSorted()).toEqual([kept.sessionId, deleted.sessionId].toSorted())
    writeSession(bench.projects, secret)
    expect(await bench.import()).toMatchObject({ sessions: { new: 0 } })
    expect(Scan.parse(await call('scanHistory'))).toMatchObject({ notArchived: 0, atRisk: 0 })
  })

  it('exclude a project during an import, which continues without it', async () => {
    await bench.close()
    const excludedProjects: string[] = []
    bench = openBench({ settings: () => ({ paused: false, excludedProjects }), exclude: (cwd) => excludedProjects.push(cwd) })
    for (let count = 0; count < 40; count += 1) {
      writeSession(bench.projects)
      writeSession(bench.projects, { project: '-home-dev-secret', more: { cwd: '/home/dev/secret' } })
    }
    const ended = bench.finish(Job.parse(await call('startImport', { body: {} })))
    await bench.changed(() => true)
    await call('leaveOutProject', { body: { cwd: '/home/dev/secret' } })
    await ended
    await Promise.all(bench.core.jobs.list({ limit: 50 }).items.map(({ id }) => bench.core.jobs.wait(id)))
    expect(bench.capture.totals().traces).toBe(40)
  })

  it('reports unsupported agents and unusable paths', () => {
    expect(() => call('startImport', { body: { agent: 'cursor' } })).toThrow(expect.objectContaining({ code: 'path_refused' }))
    expect(() => call('startImport', { body: { paths: ['/nowhere/at/all'] } })).toThrow(/import \/nowhere\/at\/all: no such file/)
    for (const body of [{ agent: 'cursor' }, { paths: ['/nowhere/at/all'] }, { paths: ['/dev/null'] }])
      expect(() => call('startImport', { body })).toThrow(expect.objectContaining({ hint: expect.stringMatching(/\w\.$/) }))
  })

  it('publish status changes, after the progress of the job', async () => {
    await bench.capture.start({ watch: true })
    writeSession(bench.projects)
    await bench.changed(() => true)
    await expect
      .poll(() => bench.core.messages.filter(({ type }) => type === 'capture:status').length, { timeout: 30_000 })
      .toBeGreaterThan(0)
  })

  it('restrict every folder and file of the archive to the user', async () => {
    writeSession(bench.projects)
    await bench.capture.start({ watch: false })
    await bench.import()
    const modes = fs
      .readdirSync(bench.core.paths.archive, { recursive: true, withFileTypes: true })
      .map((entry) => ({ isFolder: entry.isDirectory(), mode: fs.statSync(path.join(entry.parentPath, entry.name)).mode & 0o777 }))
    expect(modes.length).toBeGreaterThan(3)
    expect(modes.filter(({ isFolder, mode }) => mode !== (isFolder ? 0o700 : 0o600))).toEqual([])
  })
})
