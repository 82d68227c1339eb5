import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Bench, openBench, record, writeSession } from './testing.ts'

let bench: Bench
afterEach(() => bench.close())

const importsOf = ({ core }: Bench) => core.jobs.list({ kinds: ['import'], limit: 10 }).items

describe('the first run in the app', () => {
  it('reads no history before its import is requested, and nothing of an excluded project', async () => {
    const excludedProjects: string[] = []
    bench = openBench({
      askBeforeImport: true,
      settings: () => ({ paused: false, excludedProjects }),
      exclude: (cwd) => excludedProjects.push(cwd),
    })
    writeSession(bench.projects)
    const secret = writeSession(bench.projects, { project: '-home-dev-secret', more: { cwd: '/home/dev/secret' } })
    await bench.capture.start({ watch: true })
    expect(importsOf(bench)).toEqual([])
    expect(await bench.capture.status()).toMatchObject({ waitsForImport: true, watching: [], archive: { traces: 0 } })

    // A live session is captured nevertheless if a hook reports it.
    const live = writeSession(bench.projects, { project: '-live', more: { cwd: '/live' } })
    const { spool } = bench.core.paths
    fs.mkdirSync(spool, { recursive: true })
    const event = { hook_event_name: 'SessionStart', session_id: live.sessionId, cwd: '/live', transcript_path: live.file }
    fs.writeFileSync(path.join(spool, '4194305.1'), `${JSON.stringify(event)}\n`)
    await bench.capture.readSpool()
    await bench.changed(({ sessionId }) => sessionId === live.sessionId)

    await bench.capture.excludeProject('/home/dev/secret')
    bench.capture.settingsChanged()
    await bench.capture.drain()
    expect(bench.capture.totals().traces).toBe(1)
    expect(await bench.capture.scan()).toMatchObject({ sessions: 3, excluded: 1, notArchived: 1 })

    expect(await bench.import()).toMatchObject({ sessions: { new: 1, failed: 0 } })
    expect(bench.changes.map(({ sessionId }) => sessionId)).not.toContain(secret.sessionId)
    expect(await bench.capture.status()).toMatchObject({ waitsForImport: false, watching: [bench.projects] })
    const next = writeSession(bench.projects, { project: '-another', more: { cwd: '/another' } })
    await bench.changed(({ sessionId }) => sessionId === next.sessionId)
  })

  it('waits again at the next start if nothing was imported, but not after an import', async () => {
    bench = openBench({ askBeforeImport: true })
    writeSession(bench.projects)
    await bench.capture.start({ watch: true })
    await bench.core.jobs.close()
    await bench.capture.close()
    await bench.core.close()
    const second = openBench({ root: bench.root, askBeforeImport: true })
    await second.capture.start({ watch: true })
    expect(await second.capture.status()).toMatchObject({ waitsForImport: true })
    await second.import()
    await second.close()
    bench = openBench({ root: bench.root, askBeforeImport: true })
    await bench.capture.start({ watch: true })
    expect(await bench.capture.status()).toMatchObject({ waitsForImport: false })
  })

  it('does not wait without a history, or in a server without the app', async () => {
    bench = openBench({ askBeforeImport: true })
    fs.mkdirSync(bench.projects, { recursive: true })
    await bench.capture.start({ watch: true })
    expect(await bench.capture.status()).toMatchObject({ waitsForImport: false, watching: [bench.projects] })
    await bench.close()
    bench = openBench()
    const { sessionId } = writeSession(bench.projects)
    await bench.capture.start({ watch: true })
    await bench.changed((change) => change.sessionId === sessionId)
  })
})

it('a scan counts as many sessions as an import finds, without sub-agents, warm-ups and files without records', async () => {
  bench = openBench()
  const { file, sessionId } = writeSession(bench.projects)
  const folder = path.dirname(file)
  const agents = path.join(file.slice(0, -'.jsonl'.length), 'subagents')
  fs.mkdirSync(agents, { recursive: true })
  fs.writeFileSync(path.join(agents, 'agent-a1.jsonl'), record(sessionId, 'look', { isSidechain: true, agentId: 'a1' }))
  fs.writeFileSync(path.join(folder, 'agent-b2.jsonl'), record(sessionId, 'look', { isSidechain: true, agentId: 'b2' }))
  fs.writeFileSync(path.join(folder, 'agent-c3.jsonl'), record(randomUUID(), 'Warmup', { isSidechain: true, agentId: 'c3' }))
  fs.writeFileSync(path.join(folder, 'renamed.jsonl'), record(randomUUID(), 'hello'))
  fs.writeFileSync(path.join(folder, `${randomUUID()}.jsonl`), '{}\n')
  fs.writeFileSync(path.join(folder, `${randomUUID()}.jsonl`), record(randomUUID(), 'hello', { cwd: '/home/dev/project/below' }))
  fs.cpSync(path.resolve('samples/other-agents/codex'), path.join(bench.root, '.codex'), { recursive: true })

  const scan = await bench.capture.scan()
  const { sessions } = await bench.import()
  expect(sessions).toMatchObject({ unchanged: 0, failed: 0 })
  expect(scan).toMatchObject({ sessions: sessions.new, notArchived: sessions.new, projects: scan.byProject.length, subagents: 2 })
  expect(scan.byProject.reduce((sum, project) => sum + project.sessions, 0)).toBe(scan.sessions)
  expect(scan.byProject.flatMap((project) => project.agents)).toEqual(expect.arrayContaining(['claude-code', 'codex']))
  expect(await bench.capture.scan()).toMatchObject({ sessions: bench.capture.totals().traces, notArchived: 0, subagents: 2 })
})
