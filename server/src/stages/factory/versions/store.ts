import { isoOf } from '#server/instant.ts'
import type { Dataset, DatasetCounts, DatasetKind, DatasetSummary, RowCollection, SplitName } from '#contracts/entities/dataset.ts'
import { AppError } from '#contracts/errors.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'

interface Row {
  no: number
  id: string
  name: string
  version: number
  kind: DatasetKind
  created_at: number
  counts: string
  size_bytes: number
  removed_at: number | null
}
interface CollectionRow {
  id: string
  name: string
  kind: DatasetKind
  rows: number
  bytes: number
  sha256: string
  source: string
  created_at: number
}

export function createDatasetStore(db: Database) {
  const insert = db.prepare(
    'INSERT INTO datasets (id, name, version, kind, created_at, counts, size_bytes, sessions_stored) VALUES (@id, @name, @version, @kind, @at, @counts, @sizeBytes, 1)',
  )
  const byId = db.prepare<[string], Row>('SELECT * FROM datasets WHERE id = ?')
  const everyRow = db.prepare<[], Row>('SELECT * FROM datasets ORDER BY no')
  const newestVersion = db.prepare<[string], { version: number | null }>('SELECT max(version) AS version FROM datasets WHERE name = ?')
  const newestOf = db.prepare<[string], Row>('SELECT * FROM datasets WHERE kind = ? AND removed_at IS NULL ORDER BY no DESC LIMIT 1')
  const setRemoved = db.prepare('UPDATE datasets SET removed_at = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM datasets WHERE id = ?')
  const addSession = db.prepare('INSERT OR IGNORE INTO dataset_sessions (dataset_id, trace_id, split) VALUES (?, ?, ?)')
  const sessionsStored = db.prepare('UPDATE datasets SET sessions_stored = 1 WHERE id = ?')
  const withoutSessions = db.prepare<[], { id: string }>(
    'SELECT id FROM datasets WHERE sessions_stored = 0 AND removed_at IS NULL ORDER BY no',
  )
  const removeSessions = db.prepare('DELETE FROM dataset_sessions WHERE dataset_id = ?')
  const forgetSession = db.prepare('DELETE FROM dataset_sessions WHERE trace_id = ?')
  const sidesOf = db.prepare<[string], { trace_id: string; side: SplitName }>('SELECT trace_id, side FROM dataset_sides WHERE name = ?')
  const keepSide = db.prepare('INSERT OR REPLACE INTO dataset_sides (name, trace_id, side) VALUES (?, ?, ?)')
  const forgotten = db.prepare<[string], object>('SELECT 1 FROM forgotten WHERE trace_id = ?')
  const addCollection = db.prepare(
    'INSERT INTO row_collections (id, name, kind, rows, bytes, sha256, source, created_at) VALUES (@id, @name, @kind, @rows, @bytes, @sha256, @source, @at)',
  )
  const collectionRows = db.prepare<[], CollectionRow>('SELECT * FROM row_collections ORDER BY created_at DESC, id')
  const removeCollection = db.prepare('DELETE FROM row_collections WHERE id = ?')

  const toSummary = (row: Row, runs: string[]): DatasetSummary => ({
    id: row.id,
    name: row.name,
    version: row.version,
    kind: row.kind,
    createdAt: isoOf(row.created_at),
    counts: JSON.parse(row.counts) as DatasetCounts, // written by add
    sizeBytes: row.size_bytes,
    runs,
  })
  const toCollection = ({ created_at, ...row }: CollectionRow): RowCollection => ({ ...row, createdAt: isoOf(created_at) })
  const storeSessions = (id: string, sources: Dataset['sources']): void => {
    for (const { traceId, split } of sources) addSession.run(id, traceId, split)
    sessionsStored.run(id)
  }
  const require = (id: string): Row => {
    const row = byId.get(id)
    if (!row || row.removed_at !== null) throw new AppError('dataset_not_found', { message: `There is no data set with the id "${id}".` })
    return row
  }

  return {
    toSummary,
    require,
    /** Includes removed data sets. */
    row: (id: string) => byId.get(id) ?? null,
    rows: () => everyRow.all(),
    newest: (kind: DatasetKind) => newestOf.get(kind) ?? null,
    nextVersion: (name: string): number => (newestVersion.get(name)!.version ?? 0) + 1,
    /** Call in the transaction that makes a version visible. */
    add(dataset: Pick<Dataset, 'id' | 'name' | 'version' | 'kind' | 'counts' | 'sizeBytes' | 'sources'>, at: number): void {
      const { id, name, version, kind, counts, sizeBytes, sources } = dataset
      insert.run({ id, name, version, kind, counts: JSON.stringify(counts), sizeBytes, at })
      storeSessions(id, sources)
    },
    /** Versions whose sessions are only in their manifests. */
    withoutSessions: (): string[] => withoutSessions.all().map(({ id }) => id),
    storeSessions,
    forget: (traceId: string) => void forgetSession.run(traceId),
    isForgotten: (traceId: string): boolean => forgotten.get(traceId) !== undefined,
    list(filter: { name?: string | undefined; kind?: DatasetKind | undefined; cursor?: string | undefined; limit: number }) {
      const before = numberBefore(filter.cursor)
      const where = `removed_at IS NULL AND (@name IS NULL OR name = @name) AND (@kind IS NULL OR kind = @kind)`
      const params = { name: filter.name ?? null, kind: filter.kind ?? null }
      const rows = db
        .prepare<unknown[], Row>(`SELECT * FROM datasets WHERE ${where} AND no < @before ORDER BY no DESC LIMIT @limit`)
        .all({ ...params, before, limit: filter.limit + 1 })
      const { n } = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM datasets WHERE ${where}`).get(params)!
      const { items, nextCursor } = pageOf(rows, filter.limit, ({ no }) => no)
      return { rows: items, nextCursor, total: n }
    },
    setRemoved: (id: string, at: number | null) => void setRemoved.run(at, id),
    remove(id: string): void {
      remove.run(id)
      removeSessions.run(id)
    },
    sides: (name: string): [string, SplitName][] => sidesOf.all(name).map(({ trace_id, side }) => [trace_id, side]),
    keepSides(name: string, sides: Iterable<[string, SplitName]>): void {
      for (const [traceId, side] of sides) keepSide.run(name, traceId, side)
    },
    addCollection: ({ createdAt, ...collection }: RowCollection) => void addCollection.run({ ...collection, at: Date.parse(createdAt) }),
    collections: (): RowCollection[] => collectionRows.all().map(toCollection),
    removeCollection: (id: string): boolean => removeCollection.run(id).changes > 0,
  }
}
export type DatasetStore = ReturnType<typeof createDatasetStore>
