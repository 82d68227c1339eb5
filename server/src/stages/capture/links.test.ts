import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { appendTraces } from './archive/append.ts'
import { openSource } from './archive/source-file.ts'
import { type Bench, openBench, record } from './testing.ts'

let bench: Bench
let followLinks: boolean
beforeEach(() => {
  followLinks = false
  bench = openBench({ settings: () => ({ paused: false, excludedProjects: [], followLinks }) })
})
afterEach(() => bench.close())

function write(folder: string): string {
  const sessionId = randomUUID()
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), record(sessionId, 'hello'))
  return sessionId
}

it('skips links out of the session folder, reports them, and follows them if enabled', async () => {
  const outside = path.join(bench.root, 'outside')
  const project = path.join(bench.projects, '-p')
  const insideId = write(project)
  const outsideId = write(outside)
  const links = [
    [path.join(bench.projects, '-linked'), outside],
    [path.join(project, `${outsideId}.jsonl`), path.join(outside, `${outsideId}.jsonl`)],
  ] as const
  for (const [link, target] of links) fs.symlinkSync(target, link)
  fs.symlinkSync(project, path.join(bench.projects, '-same')) // points inside

  const result = await bench.import()
  expect(bench.changes.map(({ sessionId }) => sessionId)).toEqual([insideId])
  expect(result.sessions).toMatchObject({ new: 1, failed: 0 })
  expect(result.errors.map(({ file }) => file).toSorted()).toEqual(links.map(([link]) => link).toSorted())
  const { problems } = await bench.capture.status()
  for (const [link, target] of links) {
    const problem = problems.find(({ kind, message }) => kind === 'link' && message.startsWith(`${link} is a symbolic link to ${target}`))
    expect(problem?.hint).toContain(`bashgym import ${target}`)
  }
  expect((await bench.capture.scan()).sessions).toBe(1)

  followLinks = true
  expect(await bench.import()).toMatchObject({ sessions: { new: 1 }, errors: [] })
  expect(bench.changes.at(-1)?.sessionId).toBe(outsideId)
  expect((await bench.capture.status()).problems).toEqual([])
})

it('watches linked folders only while the setting is on', async () => {
  const outside = path.join(bench.root, 'outside')
  const project = path.join(bench.projects, '-p')
  fs.mkdirSync(outside)
  fs.mkdirSync(project, { recursive: true })
  fs.symlinkSync(outside, path.join(bench.projects, '-linked'))
  await bench.capture.start({ watch: true })
  const importsEnded = async () => {
    for (const { id } of bench.core.jobs.list({ limit: 10 }).items) await bench.core.jobs.wait(id)
  }
  await importsEnded()

  followLinks = true
  bench.capture.settingsChanged()
  await importsEnded()
  const linkedId = write(outside)
  expect(await bench.changed(({ sessionId }) => sessionId === linkedId)).toMatchObject({ isNew: true })

  followLinks = false
  bench.capture.settingsChanged()
  await importsEnded()
  write(outside)
  const projectId = write(project)
  await bench.changed(({ sessionId }) => sessionId === projectId)
  expect(bench.changes.map(({ sessionId }) => sessionId)).toEqual([linkedId, projectId])
})

it('follows a linked path from the user, and a session folder that is itself a link', async () => {
  const sessions = path.join(bench.root, 'elsewhere')
  const namedId = write(path.join(bench.root, 'named'))
  const projectId = write(path.join(sessions, '-p'))
  fs.mkdirSync(path.dirname(bench.projects), { recursive: true })
  fs.symlinkSync(sessions, bench.projects)
  const link = path.join(bench.root, 'link')
  fs.symlinkSync(path.join(bench.root, 'named'), link)
  expect(await bench.import([link])).toMatchObject({ sessions: { new: 1 }, errors: [] })
  expect(await bench.import()).toMatchObject({ sessions: { new: 1 }, errors: [] })
  expect(bench.changes.map(({ sessionId }) => sessionId)).toEqual([namedId, projectId])
})

it('reads nothing through a link that was created after the search', () => {
  const project = path.join(bench.projects, '-p')
  const file = path.join(fs.realpathSync(bench.root), '.claude', 'projects', '-p', `${write(project)}.jsonl`)
  fs.closeSync(openSource(file))
  const moved = path.join(bench.root, 'moved')
  fs.renameSync(project, moved)
  fs.symlinkSync(moved, project) // a folder on the path
  expect(() => openSource(file)).toThrow(/replaced by a symbolic link/)
  fs.rmSync(project)
  fs.mkdirSync(project)
  fs.symlinkSync(path.join(moved, path.basename(file)), file) // the file itself
  expect(() => openSource(file)).toThrow(/replaced by a symbolic link/)
})

it('reads no file again by itself because a backup names it, only what was read on this machine', async () => {
  const theirs = path.join(bench.root, 'private')
  const privateId = write(theirs)
  const mine = path.join(bench.root, 'mine')
  const mineId = write(mine)
  const file = path.join(mine, `${mineId}.jsonl`)
  const otherId = write(mine)
  const becomesFolder = path.join(mine, `${otherId}.jsonl`)
  await bench.import([file, becomesFolder])
  fs.rmSync(becomesFolder)
  fs.cpSync(theirs, becomesFolder, { recursive: true })
  const before = bench.changes.length
  const stranger = 'a'.repeat(26)
  bench.core.db.exec(`INSERT INTO archived_traces VALUES ('${stranger}', 'claude-code', '${randomUUID()}', 0, 1)`)
  for (const [index, place] of [theirs, path.join(theirs, `${privateId}.jsonl`), `${theirs}.jsonl`, '/'].entries())
    bench.core.db
      .prepare("INSERT INTO sources VALUES (?, ?, 1, 'main', ?, 1, 1, 'x', '2099-01-01T00:00:00Z', 1, 1, 1)")
      .run(stranger, `main-${index}`, place)
  fs.appendFileSync(file, record(mineId, 'more'))
  await bench.capture.start({ watch: true })
  for (const { id } of bench.core.jobs.list({ limit: 10 }).items) await bench.core.jobs.wait(id)
  expect(bench.changes.slice(before).map(({ sessionId }) => sessionId)).toEqual([mineId]) // its growth was found
  expect(bench.archived(privateId).length).toBe(0)
})

it.each(['tool-result', 'subagent', 'meta'] as const)('archives nothing of a %s that was replaced after the search', async (kind) => {
  const folder = path.join(fs.realpathSync(bench.root), 'session', 'tool-results')
  const outside = path.join(fs.realpathSync(bench.root), 'outside')
  for (const place of [folder, outside]) fs.mkdirSync(place, { recursive: true })
  const name = 'agent-a.jsonl'
  const file = path.join(folder, name)
  fs.writeFileSync(path.join(outside, name), 'a secret')
  const put: Record<string, () => void> = {
    link: () => fs.symlinkSync(path.join(outside, name), file),
    'link to its folder': () => {
      fs.renameSync(folder, `${folder}.aside`)
      fs.symlinkSync(outside, folder)
    },
    pipe: () => execFileSync('mkfifo', [file]),
    folder: () => fs.mkdirSync(file),
    ...(kind === 'tool-result' && {
      'endless file': () => {
        fs.writeFileSync(file, '')
        fs.truncateSync(file, 1024 ** 4)
      },
    }),
  }
  for (const [what, replace] of Object.entries(put)) {
    replace()
    const traceDir = path.join(bench.root, 'archive', what)
    const [result] = await appendTraces([{ traceId: 'a'.repeat(26), traceDir, agent: 'claude-code', sessionId: 's', sample: false, files: [{ path: file, name: 'x', kind }] }]) // prettier-ignore
    expect([what, result]).toMatchObject([what, { added: 0, sources: [], failed: null, errors: [{ path: file }] }])
    expect(fs.existsSync(traceDir)).toBe(false)
    fs.rmSync(what === 'link to its folder' ? folder : file, { recursive: true })
    if (what === 'link to its folder') fs.renameSync(`${folder}.aside`, folder)
  }
})
