// A database file from someone else can change how it is read: names in another case, partial indices, additional columns.
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import type { WholeSchema } from '#server/db/schema.ts'

/**
 * Copies the rows of the database `from` into a new one at `to`, which our own migrations create up to the same version
 * and then bring to the newest, so no schema, index or code of `from` is used. Throws an error with a clause if `from` does not fit. The caller closes the result.
 */
export function copyRows(from: string, to: string, schema: WholeSchema): Database {
  const db = openDatabase(to)
  try {
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON') // refuses damaged pages
    db.pragma('foreign_keys = OFF') // tables are filled one after another
    db.prepare('ATTACH DATABASE ? AS backup').run(from)
    refuseCode(db, schema)
    const version = db.pragma('backup.user_version', { simple: true }) as number
    if (version < 1 || version > schema.migrations.length)
      throw new Error(`its database has version ${version}; this Bash Gym supports 1 to ${schema.migrations.length}`)
    migrate(db, { schema: { migrations: schema.migrations.slice(0, version), own: [] }, backupDir: null }) // an empty database needs no copy before migrations
    for (const table of tablesOf(db, 'main')) copyTable(db, table)
    migrate(db, { schema: { migrations: schema.migrations, own: [] }, backupDir: null }) // the backup itself is the copy
    db.exec('DETACH DATABASE backup')
    db.pragma('foreign_keys = ON')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function refuseCode(db: Database, schema: WholeSchema): void {
  const code = db
    .prepare<[], { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM backup.sqlite_schema WHERE type IN ('trigger', 'view')",
    )
    .all()
    .find(({ type, sql }) => type === 'trigger' || !schema.migrations.some((step) => step.sql.includes(sql)))
  if (code) throw new Error(`its database contains a ${code.type} ("${code.name}"), which Bash Gym never writes`)
}

const tablesOf = (db: Database, database: string) =>
  db
    .prepare<[string], string>(
      "SELECT name FROM pragma_table_list WHERE schema = ? AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .pluck()
    .all(database)

/** NOT INDEXED, because a partial index in the backup would hide rows. */
function copyTable(db: Database, table: string): void {
  const columns = (db.pragma(`main.table_info("${table}")`) as { name: string }[]).map(({ name }) => `"${name}"`).join(', ')
  try {
    db.transaction(() => {
      db.exec(`DELETE FROM main."${table}"`) // removes rows that migrations inserted
      db.exec(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM backup."${table}" NOT INDEXED`)
    })()
  } catch (cause) {
    throw new Error(`its table ${table} is not one that Bash Gym writes (${(cause as Error).message})`, { cause })
  }
}
