import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { pathsOf } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { schema } from '#server/schema.ts'
import { openDatabase } from '#server/db/open.ts'
import { appendTraces } from '#server/stages/capture/archive/append.ts'
import { newFolder } from '#server/testing/folders.ts'
import verify from './verify.job.ts'

let dataDir: string
beforeEach(() => (dataDir = newFolder()))

it('reports a damaged line in the middle of a manifest', async () => {
  const paths = pathsOf(dataDir)
  const db = openDatabase(paths.database)
  migrate(db, { schema, backupDir: paths.backups })
  db.close()
  const traceDir = path.join(paths.archive, 'claude-code', 'a-trace')
  const file = path.join(dataDir, 'session.jsonl')
  const manifest = path.join(traceDir, 'manifest.jsonl')
  for (const text of ['{"a":1}\n', '{"b":2}\n', '{"c":3}\n']) {
    fs.appendFileSync(file, text)
    await appendTraces([
      {
        traceDir,
        traceId: 'a-trace',
        agent: 'claude-code',
        sessionId: 's',
        sample: false,
        files: [{ path: file, name: 'main-1', kind: 'main' }],
      },
    ])
  }
  const lines = fs.readFileSync(manifest, 'utf8').split('\n')
  lines[1] = lines[1]!.replace('{', '#')
  fs.writeFileSync(manifest, lines.join('\n'))
  const { ok, problems } = verify(
    { database: paths.database, archive: paths.archive },
    { signal: new AbortController().signal, progress: () => undefined },
  )
  expect(ok).toBe(false)
  const damaged = problems.filter(({ kind, where }) => kind === 'archive-damaged' && where === manifest)
  expect(damaged.map(({ message }) => message)).toEqual([
    'line 2 of the manifest is not valid.',
    expect.stringContaining('continues at byte 16') as string,
  ])
})
