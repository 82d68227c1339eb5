import fs from 'node:fs'
import path from 'node:path'
import type { VerifyReport } from '#contracts/entities/system.ts'
import { openReadOnly } from '#server/db/open.ts'
import { damageOf, isRepaired } from '#server/stages/capture/archive/damage.ts'
import { fileOf, readManifest } from '#server/stages/capture/archive/reader.ts'
import { survey, traceFolders } from '#server/stages/capture/archive/survey.ts'
import type { ArchivedSource } from '#server/stages/capture/types.ts'
import type { JobContext } from '#server/workers/thread.ts'

interface SourceRow {
  trace_id: string
  name: string
  generation: number
  bytes: number
  sha256: string
}

/** Checks every frame of the archive against the manifests and the database, which it opens read-only. */
export default function verify(input: { database: string; archive: string }, { signal, progress }: JobContext): VerifyReport {
  const problems: VerifyReport['problems'] = []
  const checked = { traces: 0, records: 0, bytes: 0 }
  const db = openReadOnly(input.database)
  try {
    for (const { integrity_check: line } of db.pragma('integrity_check') as { integrity_check: string }[]) {
      if (line !== 'ok')
        problems.push({
          kind: 'database',
          where: input.database,
          message: `SQLite reports: ${line}.`,
          fix: 'Restore a backup, or run `bashgym rebuild`.',
        })
    }
    for (const row of db.pragma('foreign_key_check') as { table: string }[]) {
      problems.push({
        kind: 'database',
        where: row.table,
        message: 'A row refers to a row that does not exist.',
        fix: 'Run `bashgym rebuild`.',
      })
    }
    const rowsByTrace = Map.groupBy(
      db.prepare<[], SourceRow>('SELECT trace_id, name, generation, bytes, sha256 FROM sources').all(),
      ({ trace_id }) => trace_id,
    )
    const traces = new Set(
      db
        .prepare<[], { id: string }>('SELECT id FROM traces')
        .all()
        .map(({ id }) => id),
    )
    for (const message of survey(input.archive, { repair: false }).problems) {
      problems.push({
        kind: 'archive-damaged',
        where: message.slice(0, message.indexOf(': ')),
        message: message.slice(message.indexOf(': ') + 2),
        fix: 'Restore a backup. If the agent still has the original, forget this session and import that file by its path.',
      })
    }
    const folders = new Map(traceFolders(input.archive).map(({ traceId, traceDir }) => [traceId, traceDir]))
    for (const [traceId, folder] of folders) {
      if (signal.aborted) throw new Error('cancelled')
      checked.traces += 1
      const sources = readManifest(folder)
      const rows = new Map((rowsByTrace.get(traceId) ?? []).map((row) => [`${row.name}.${row.generation}`, row]))
      for (const source of sources) {
        const where = fileOf(source)
        problems.push(...checkBytes(source, sources, checked))
        const row = rows.get(`${source.name}.${source.generation}`)
        rows.delete(`${source.name}.${source.generation}`)
        if (!row || row.bytes !== source.bytes || row.sha256 !== source.sha256) {
          problems.push({
            kind: 'database-behind',
            where,
            message: row
              ? `The database lists ${row.bytes} bytes, the archive has ${source.bytes}.`
              : 'This source is missing from the database.',
            fix: 'Run `bashgym rebuild`.',
          })
        }
      }
      for (const row of rows.values()) {
        problems.push({
          kind: 'archive-missing',
          where: path.join(folder, `${row.name}.${row.generation}.zst`),
          message: 'This source is in the database but missing from the archive.',
          fix: 'Restore a backup. If the agent still has the original, forget this session and import that file by its path.',
        })
      }
      if (!traces.has(traceId) && sources.some(({ kind }) => kind === 'main')) {
        problems.push({
          kind: 'trace-missing',
          where: traceId,
          message: 'This session is in the archive but missing from the database.',
          fix: 'Run `bashgym rebuild`.',
        })
      }
      progress({ done: checked.traces, total: folders.size })
    }
    for (const id of traces) {
      if (!folders.has(id))
        problems.push({
          kind: 'archive-missing',
          where: id,
          message: 'This session is in the database but missing from the archive.',
          fix: 'Restore a backup, or import the original again.',
        })
    }
    return { ok: problems.length === 0, checked, problems }
  } finally {
    db.close()
  }
}

/** Reads a whole source and counts its bytes. Damage repaired by a later generation is ignored. */
function checkBytes(source: ArchivedSource, sources: ArchivedSource[], checked: VerifyReport['checked']): VerifyReport['problems'] {
  const damage = damageOf(source, (raw) => {
    checked.bytes += raw.length
    if (source.kind === 'main' || source.kind === 'subagent') checked.records += newlines(raw)
  })
  if (damage === null || isRepaired(source, sources)) return []
  return [{ kind: 'archive-damaged', where: fileOf(source), message: damage, fix: repairHint(source) }]
}

/** An existing original is archived again by its path; the damaged copy is kept too. */
const repairHint = ({ originalPath }: ArchivedSource): string =>
  fs.existsSync(originalPath)
    ? `The original still exists. Run \`bashgym import ${shellQuoted(originalPath)}\` to archive it again.`
    : `Restore a backup. The original, ${originalPath}, no longer exists.`

const shellQuoted = (file: string): string => (/^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`)

function newlines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1
  return count
}
