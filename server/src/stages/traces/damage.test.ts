import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import verify from './verify.job.ts'
import { record, writeSession } from '../capture/testing.ts'
import { traceDirOf } from './rows.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { testId } from './testing.ts'
import { wireSamples } from './testing-samples.ts'

let core: TestCore
let app: ReturnType<typeof wireSamples<TestCore>>
let projects: string
beforeEach(() => {
  core = openCore()
  app = wireSamples(core)
  projects = path.join(core.config.dataDir, 'client', 'projects')
})
afterEach(async () => {
  await app.close()
  await core.close()
})

const importPaths = async (paths: string[]) => {
  const job = await core.jobs.wait(app.capture.startImport({ paths }).id)
  expect(job.error).toBeNull()
  return job.result as { sessions: { new: number; grown: number }; errors: unknown[] }
}
const rebuild = () => app.traces.rebuild({ signal: new AbortController().signal, progress: () => {} })
const check = () =>
  verify(
    { database: core.paths.database, archive: core.paths.archive },
    { signal: new AbortController().signal, progress: () => undefined },
  )
const dirOf = (session: string) => traceDirOf(core.paths.archive, 'claude-code', testId(session))
const dataOf = (session: string, generation: number) => {
  const name = fs.readdirSync(dirOf(session)).find((file) => file.endsWith(`.${generation}.zst`))!
  return path.join(dirOf(session), name)
}
const textsOf = async (session: string) =>
  (await app.traces.transcript(testId(session), { limit: 100 })).items.map((item) => (item.kind === 'prompt' ? item.text : item.kind))

/** Archives one session in two frames, of which the first stays readable, and another session. */
async function archiveSessions(): Promise<{ file: string; sessionId: string; other: string }> {
  const { file, sessionId } = writeSession(projects, { text: 'first' })
  const other = writeSession(projects, { text: 'another session' }).sessionId
  await importPaths([projects])
  fs.appendFileSync(file, record(sessionId, 'second'))
  await importPaths([projects])
  return { file, sessionId, other }
}

const breakFrame = (session: string): void => {
  const bytes = fs.readFileSync(dataOf(session, 1))
  bytes[bytes.length - 6]! ^= 0xff
  fs.writeFileSync(dataOf(session, 1), bytes)
}

const breakHash = (session: string): void => {
  const manifest = path.join(dirOf(session), 'manifest.jsonl')
  const lines = fs.readFileSync(manifest, 'utf8').trimEnd().split('\n')
  const last = JSON.parse(lines.at(-1)!) as { sha256: string }
  lines[lines.length - 1] = lines.at(-1)!.replace(last.sha256, '0'.repeat(64))
  fs.writeFileSync(manifest, `${lines.join('\n')}\n`)
}

test.each([
  ['a broken frame', breakFrame, 'its checksum does not match'],
  ['a wrong hash in the manifest', breakHash, 'SHA-256 mismatch'],
])('a rebuild with %s keeps the rows of that session, marks it, and reports it', async (_, damage, words) => {
  const { sessionId, other } = await archiveSessions()
  app.traces.changeTags(testId(sessionId), { addTags: ['mine'] }, 'user')
  const [before, otherBefore] = [sessionId, other].map((session) => app.traces.trace(testId(session)))
  damage(sessionId)
  for (const problems of [(await rebuild()).problems, (await rebuild()).problems]) {
    expect(problems).toEqual([expect.stringContaining(words) as string])
    expect(problems[0]).toContain(sessionId)
    expect(app.traces.trace(testId(sessionId))).toEqual({ ...before, problems: 1 })
    expect(app.traces.trace(testId(other))).toEqual(otherBefore)
    expect(app.traces.detail(testId(sessionId)).problemList).toMatchObject([
      { kind: 'archive-damaged', message: expect.stringContaining(words) as string },
    ])
    expect((await app.list()).total).toBe(2)
    expect(app.traces.timeline(testId(sessionId)).total).toBe(2)
    // Nothing is pending: a later start does not overwrite the rows with the rest of the archive.
    expect(await app.capture.derivePending({ reason: 'import' })).toMatchObject({ records: 0, errors: [] })
  }
})

test.each([
  ['a broken frame', breakFrame, 'archive_damaged'],
  ['a wrong hash', breakHash, 'first second'],
])('the fix from verify repairs %s: the original is archived again, and the old file is kept', async (_, damage, expectedBefore) => {
  const { file, sessionId } = await archiveSessions()
  damage(sessionId)
  const damaged = fs.readFileSync(dataOf(sessionId, 1))
  await rebuild()
  const [problem, ...others] = check().problems
  expect(others).toEqual([])
  expect(problem).toMatchObject({ kind: 'archive-damaged', where: dataOf(sessionId, 1) })
  const importPath = /^The original still exists\. Run `bashgym import (\S+)` to archive it again\.$/.exec(problem!.fix)![1]!
  expect(importPath).toBe(fs.realpathSync(file))
  const textBefore = textsOf(sessionId).then(
    (texts) => texts.join(' '),
    (error: { code?: string }) => error.code,
  )
  expect(await textBefore).toBe(expectedBefore)

  expect(await importPaths([importPath])).toMatchObject({ sessions: { grown: 1 }, errors: [] })
  expect(await textsOf(sessionId)).toEqual(['first', 'second'])
  expect(app.traces.detail(testId(sessionId))).toMatchObject({ problems: 0, problemList: [] })
  expect(fs.readFileSync(dataOf(sessionId, 1)).equals(damaged)).toBe(true)
  expect(check()).toMatchObject({ ok: true, problems: [] })
  expect((await rebuild()).problems).toEqual([])
  expect(await textsOf(sessionId)).toEqual(['first', 'second'])
  // Importing it again finds nothing to repair.
  expect(await importPaths([importPath])).toMatchObject({ sessions: { new: 0, grown: 0 }, errors: [] })
})

test('verify reports a missing original of a broken frame', async () => {
  const { file, sessionId } = await archiveSessions()
  const original = fs.realpathSync(file)
  breakFrame(sessionId)
  fs.rmSync(file)
  expect(check().problems.map(({ fix }) => fix)).toEqual([`Restore a backup. The original, ${original}, no longer exists.`])
})
