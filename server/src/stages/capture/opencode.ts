import fs from 'node:fs'
import path from 'node:path'
import { openForeign, type Database } from '#server/db/open.ts'
import { SourceFault } from './archive/source-file.ts'
import { type DatabaseSession, isStorage, rootOf, storageLines, storageSessions } from './opencode-storage.ts'

/** Release channels other than the stable one are part of the name: `opencode-beta.db`. */
const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/

const TABLES = ['session', 'message', 'part'] as const

export const isDatabase = (file: string): boolean => DATABASE.test(path.basename(file))

/** The databases of OpenCode, and the folders of files that it kept before. */
export function databasesIn(folder: string): string[] {
  try {
    const files = fs.readdirSync(folder)
    const projects = files.includes('project') ? fs.readdirSync(path.join(folder, 'project')) : []
    const folders = ['storage', ...projects.map((name) => path.join('project', name, 'storage'))]
    return [...files.filter(isDatabase), ...folders]
      .map((name) => path.join(folder, name))
      .filter((place) => isDatabase(place) || isStorage(place))
  } catch {
    return [] // OpenCode was never used here
  }
}

export const placeOf = (database: string, sessionId: string): string => `${database}#${sessionId}`
export const databaseOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf('#'))) || place

/** Every session of a database, with the time of its last change and its number of rows. */
export function databaseSessions(database: string): DatabaseSession[] {
  if (isStorage(database)) return storageSessions(database)
  return withDatabase(database, (db) => {
    const sessions = db
      .prepare<[], { id: string; parent: string | null; directory: string | null; changed: number }>(
        'SELECT id, parent_id AS parent, directory, time_updated AS changed FROM session',
      )
      .all()
    const parents = new Map(sessions.map(({ id, parent }) => [id, parent]))
    const counts = new Map<string, { rows: number; changed: number }>()
    for (const table of ['message', 'part']) {
      const groups = db.prepare<[], { id: string; rows: number; changed: number }>(
        `SELECT session_id AS id, count(*) AS rows, max(time_updated) AS changed FROM ${table} GROUP BY session_id`,
      )
      for (const { id, rows, changed } of groups.iterate()) {
        const sum = counts.get(id) ?? { rows: 0, changed: 0 }
        counts.set(id, { rows: sum.rows + rows, changed: Math.max(sum.changed, changed) })
      }
    }
    return sessions.map(({ id, directory, changed }) => {
      const count = counts.get(id) ?? { rows: 0, changed: 0 }
      return { id, root: rootOf(id, parents), directory, changedAt: Math.max(changed, count.changed), rows: count.rows + 1, bytes: null }
    })
  })
}

/** A session's rows as JSON lines, `{table, row}`: the project, the session, its messages, their parts. */
export function sessionLines(place: string): { lines: Map<string, string>; changedAt: number } {
  const separator = place.lastIndexOf('#')
  const [database, id] = [place.slice(0, separator), place.slice(separator + 1)]
  if (isStorage(database)) return storageLines(database, id)
  return withDatabase(database, (db) => {
    const lines = new Map<string, string>()
    let changedAt = 0
    const addLines = (table: string, rows: Iterable<Record<string, unknown>>) => {
      for (const row of rows) {
        lines.set(`${table} ${String(row.id)}`, JSON.stringify({ table, row }))
        if (table !== 'project' && typeof row.time_updated === 'number') changedAt = Math.max(changedAt, row.time_updated)
      }
    }
    const select = (sql: string) => db.prepare<[string], Record<string, unknown>>(sql)
    db.transaction(() => {
      const hasProjects = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'project'").get() !== undefined
      if (hasProjects)
        addLines('project', select('SELECT * FROM project WHERE id = (SELECT project_id FROM session WHERE id = ?)').iterate(id))
      addLines('session', select('SELECT * FROM session WHERE id = ?').iterate(id))
      addLines('message', select('SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id').iterate(id))
      addLines('part', select('SELECT * FROM part WHERE session_id = ? ORDER BY time_created, id').iterate(id))
    })()
    if (!lines.has(`session ${id}`)) throw new SourceFault('ENOENT', `OpenCode's database no longer has session ${id}.`)
    return { lines, changedAt }
  })
}

/** Lines that are not in the archive, or differ from their newest archived version. */
export function newLines(archived: Buffer, lines: ReadonlyMap<string, string>): Buffer {
  const known = new Map<string, string>()
  for (const line of archived.toString('utf8').split('\n')) {
    if (line === '') continue
    const { table, row } = JSON.parse(line) as { table: string; row: { id: unknown } } // written by sessionLines
    known.set(`${table} ${String(row.id)}`, line)
  }
  const changedLines = [...lines].flatMap(([key, line]) => (known.get(key) === line ? [] : [`${line}\n`]))
  return Buffer.from(changedLines.join(''))
}

function withDatabase<T>(database: string, work: (db: Database) => T): T {
  if (!fs.existsSync(database)) throw new SourceFault('ENOENT', 'The database was deleted or moved during the import.')
  let db: Database | null = null
  try {
    db = openForeign(database)
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
    const missing = TABLES.find((table) => !tables.includes(table))
    if (missing) throw new SourceFault('EFORMAT', `This database has no table "${missing}", so it is not from OpenCode 1.2 or newer.`)
    return work(db)
  } catch (error) {
    if (error instanceof SourceFault) throw error
    throw new SourceFault('EFORMAT', `Couldn't read the database: ${(error as Error).message}. Close OpenCode and import again.`)
  } finally {
    db?.close()
  }
}
