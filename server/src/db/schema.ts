import type { Database } from './open.ts'

/** One step of the schema. `sql` runs in the transaction that sets `user_version` to `number`. Released migrations are never edited. */
export interface Migration {
  number: number
  name: string
  sql: string
}

/** Patterns of values that become file names. */
export const FILE_NAME = {
  trace: /^[a-z2-7]{26}$/,
  agent: /^[a-z][a-z0-9-]{0,40}$/,
  name: /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/,
} as const

/** Adapts a database from a backup, in one transaction before it is moved into place. */
export type AfterRestore = (
  db: Database,
  restore: {
    /** The data directory that the backup is restored into. */
    dataDir: string
    /** Creates the error for values that Bash Gym never writes. */
    refuse: (problem: string) => Error
    /** False if an older database has no such table. */
    has: (table: string) => boolean
  },
) => {
  /** Waiting runs that were paused. */
  pausedRuns?: number
}

/**
 * The tables of a part, and its migrations. `rebuild` refills `derived` tables from the archive. `own` tables have the
 * user's decisions, which `rebuild` never changes. `plumbing` can be recreated at any time. The SQL of a part may only
 * use its own tables, and read what other parts publish.
 */
export interface Schema {
  derived?: readonly string[]
  own?: readonly string[]
  plumbing?: readonly string[]
  /** Views and tables that other parts may read. */
  published?: readonly string[]
  /** Columns whose values become file names. A backup with other values is refused. */
  fileNames?: readonly (readonly [table: string, column: string, form: keyof typeof FILE_NAME])[]
  afterRestore?: AfterRestore
  migrations: readonly Migration[]
}

export interface WholeSchema {
  /** Sorted; migration n brings a database to `user_version` n. */
  migrations: readonly Migration[]
  /** Every table with the part that owns it and its kind. */
  tables: ReadonlyMap<string, { owner: string; kind: 'derived' | 'own' | 'plumbing' }>
  /** Tables and views that any part may read. */
  published: ReadonlySet<string>
  /** Names of the own tables. */
  own: readonly string[]
  fileNames: NonNullable<Schema['fileNames']>
  afterRestore: readonly AfterRestore[]
}

/** Combines the schemas of all parts. Throws if a migration number is missing or repeated, or two parts declare a table. */
export function collectSchemas(parts: Readonly<Record<string, Schema>>): WholeSchema {
  const tables = new Map<string, { owner: string; kind: 'derived' | 'own' | 'plumbing' }>()
  for (const [owner, schema] of Object.entries(parts)) {
    for (const kind of ['derived', 'own', 'plumbing'] as const) {
      for (const table of schema[kind] ?? []) {
        const other = tables.get(table)
        if (other) throw new Error(`The table ${table} is declared by ${other.owner} and by ${owner}.`)
        tables.set(table, { owner, kind })
      }
    }
  }
  const migrations = Object.values(parts)
    .flatMap((schema) => schema.migrations)
    .toSorted((a, b) => a.number - b.number)
  const wrong = migrations.findIndex(({ number }, index) => number !== index + 1)
  if (wrong >= 0)
    throw new Error(`The migration ${migrations[wrong]!.name} has number ${migrations[wrong]!.number}; the next is ${wrong + 1}.`)
  const all = Object.values(parts)
  return {
    migrations,
    tables,
    published: new Set(all.flatMap(({ published = [] }) => published)),
    own: [...tables].filter(([, { kind }]) => kind === 'own').map(([table]) => table),
    fileNames: all.flatMap(({ fileNames = [] }) => fileNames),
    afterRestore: all.flatMap(({ afterRestore }) => afterRestore ?? []),
  }
}
