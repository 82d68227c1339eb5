import type { Database } from './open.ts'

/** One step of the schema. `sql` runs in the same transaction that raises `user_version` to `number`. A released one is never edited. */
export interface Migration {
  number: number
  name: string
  sql: string
}

/** Forms of values that become file names, as Bash Gym writes them. */
export const FILE_NAME = {
  trace: /^[a-z2-7]{26}$/,
  agent: /^[a-z][a-z0-9-]{0,40}$/,
  name: /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/,
} as const

/** Changes that make a database from a backup fit: run before it is moved into place, in one transaction. */
export type AfterRestore = (
  db: Database,
  restore: {
    /** The data directory that it is restored into. */
    dataDir: string
    /** The error for values that Bash Gym never writes. */
    refuse: (why: string) => Error
    /** False if an older database has no such table. */
    has: (table: string) => boolean
  },
) => {
  /** Waiting runs that were paused. */
  pausedRuns?: number
}

/**
 * The tables of a part and the steps that made them. Derived ones are emptied and refilled from the archive by `rebuild`;
 * own ones hold the user's decisions and are never touched by it; `plumbing` can be recreated at any time. No part names a table
 * of another in its SQL, except to read what the other one publishes.
 */
export interface Schema {
  derived?: readonly string[]
  own?: readonly string[]
  plumbing?: readonly string[]
  /** Views, and tables of the above, that other parts may read. */
  published?: readonly string[]
  /** Columns whose values become file names: a backup that holds others is refused. */
  fileNames?: readonly (readonly [table: string, column: string, form: keyof typeof FILE_NAME])[]
  afterRestore?: AfterRestore
  migrations: readonly Migration[]
}

export interface WholeSchema {
  /** In order: number n brings a database to `user_version` n. */
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

/** Puts the schemas of all parts together. Throws when a number is missing or used twice, or two parts claim a table. */
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
  const published = new Set(Object.values(parts).flatMap((part) => part.published ?? []))
  const all = Object.values(parts)
  return {
    migrations,
    tables,
    published,
    own: [...tables].filter(([, { kind }]) => kind === 'own').map(([table]) => table),
    fileNames: all.flatMap(({ fileNames = [] }) => fileNames),
    afterRestore: all.flatMap(({ afterRestore }) => afterRestore ?? []),
  }
}
