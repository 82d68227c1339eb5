import type { RestoredKind, RestoredName } from '#contracts/entities/restored.ts'
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

/** What the code of a restore gets. */
export interface Restoring {
  /** The data directory that the backup is restored into. */
  dataDir: string
  /** Creates the error for values that Bash Gym never writes. */
  refuse: (problem: string) => Error
}

/** A row that waits after a restore until the user chooses "Use again". */
export interface WaitingRow {
  id: string
  title: string
  /** Whether it was queued or running, so that "Use again" also starts it. */
  wasActive: boolean
  /** The addresses, folders and programs that it names. */
  names: readonly RestoredName[]
}

/**
 * What a restore does with the rows of an own table, in one transaction before the database is moved into place. The rows
 * may come from a stranger, so `keeps` needs a reason why none of them runs, sends, spends, or decides where files are
 * written. `drops`: all rows are deleted. `park` also ends what is queued or running, so that no start of the server can begin it.
 */
export type AfterRestore = { readonly keeps: string } | { readonly drops: string } | Parking

export interface Parking {
  readonly kind: RestoredKind
  readonly park: (db: Database, restoring: Restoring) => readonly WaitingRow[]
}

export const keeps = (reason: string): AfterRestore => ({ keeps: reason })
export const drops = (reason: string): AfterRestore => ({ drops: reason })

/**
 * The tables of a part, and its migrations. `rebuild` refills `derived` tables from the archive. `own` tables have the
 * user's decisions, which `rebuild` never changes, each with what a restore does with its rows. `plumbing` can be recreated at any time. The SQL of a part may only
 * use its own tables, and read what other parts publish.
 */
export interface Schema {
  derived?: readonly string[]
  own?: Readonly<Record<string, AfterRestore>>
  plumbing?: readonly string[]
  /** Views and tables that other parts may read. */
  published?: readonly string[]
  /** Columns whose values become file names. A backup with other values is refused. */
  fileNames?: readonly (readonly [table: string, column: string, form: keyof typeof FILE_NAME])[]
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
  /** By own table. */
  afterRestore: ReadonlyMap<string, AfterRestore>
}

/** Combines the schemas of all parts. Throws if a migration number is missing or repeated, or two parts declare a table. */
export function collectSchemas(parts: Readonly<Record<string, Schema>>): WholeSchema {
  const tables = new Map<string, { owner: string; kind: 'derived' | 'own' | 'plumbing' }>()
  for (const [owner, schema] of Object.entries(parts)) {
    for (const kind of ['derived', 'own', 'plumbing'] as const) {
      for (const table of kind === 'own' ? Object.keys(schema.own ?? {}) : (schema[kind] ?? [])) {
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
    afterRestore: new Map(all.flatMap(({ own = {} }) => Object.entries(own))),
  }
}
