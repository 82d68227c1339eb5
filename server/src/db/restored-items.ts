import type { RestoredCount, RestoredItem, RestoredKind, RestoredName } from '#contracts/entities/restored.ts'
import type { Database } from './open.ts'
import { numberBefore, pageOf } from './paging.ts'
import type { WaitingRow } from './schema.ts'

interface Row {
  no: number
  kind: RestoredKind
  id: string
  title: string
  was_active: number
  names: string
}

const toItem = ({ id, kind, title, was_active, names }: Row): RestoredItem => ({
  id,
  kind,
  title,
  wasActive: was_active === 1,
  names: JSON.parse(names) as RestoredName[], // written by add
})

interface Wanted {
  kind: RestoredKind | null
  id: string | null
}
const WANTED = '(@kind IS NULL OR kind = @kind) AND (@id IS NULL OR id = @id)'

/** Rows that wait after a restore. Synchronous, in the caller's transaction. */
export function createRestoredItems(db: Database) {
  const insert = db.prepare('INSERT INTO restored_items (kind, id, title, was_active, names) VALUES (?, ?, ?, ?, ?)')
  const empty = db.prepare('DELETE FROM restored_items')
  const any = db.prepare('SELECT 1 FROM restored_items LIMIT 1')
  const byId = db.prepare<[string], Row>('SELECT * FROM restored_items WHERE id = ? ORDER BY no')
  const remove = db.prepare('DELETE FROM restored_items WHERE id = ? AND kind = ?')
  const counts = db.prepare<[], RestoredCount>(
    'SELECT kind, count(*) AS count, sum(was_active) AS active FROM restored_items GROUP BY kind ORDER BY min(no)',
  )
  const page = db.prepare<[Wanted & { after: number; limit: number }], Row>(
    `SELECT * FROM restored_items WHERE ${WANTED} AND no > @after ORDER BY no LIMIT @limit`,
  )
  const total = db.prepare<[Wanted], { n: number }>(`SELECT count(*) AS n FROM restored_items WHERE ${WANTED}`)
  return {
    /** Removes the items of an earlier restore. */
    clear: (): void => void empty.run(),
    add: (kind: RestoredKind, { id, title, wasActive, names }: WaitingRow): void =>
      void insert.run(kind, id, title, wasActive ? 1 : 0, JSON.stringify(names)),
    any: (): boolean => any.get() !== undefined,
    /** The rows with this id: a model has the id of its training run. */
    of: (id: string): RestoredItem[] => byId.all(id).map(toItem),
    remove: (id: string, kind: RestoredKind): void => void remove.run(id, kind),
    counts: (): RestoredCount[] => counts.all(),
    list({
      kind,
      id,
      cursor,
      limit,
    }: {
      kind?: RestoredKind | undefined
      id?: string | undefined
      cursor?: string | undefined
      limit: number
    }) {
      const wanted: Wanted = { kind: kind ?? null, id: id ?? null }
      const rows = page.all({ ...wanted, after: cursor === undefined ? -1 : numberBefore(cursor), limit: limit + 1 })
      const { items, nextCursor } = pageOf(rows, limit, ({ no }) => no)
      return { items: items.map(toItem), nextCursor, total: total.get(wanted)!.n }
    },
  }
}

export type RestoredItems = ReturnType<typeof createRestoredItems>
