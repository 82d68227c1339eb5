import { randomUUID } from 'node:crypto'
import type { SavedView } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'

interface Row {
  id: string
  name: string
  query: string
  sort: string
  created_at: number
}

const toView = (row: Row): SavedView => ({
  id: row.id,
  name: row.name,
  query: row.query,
  sort: row.sort,
  createdAt: new Date(row.created_at).toISOString(),
})

export type Views = ReturnType<typeof createViews>

/** Saved filters. Saving the same name replaces it and keeps its id. */
export function createViews({ db, tx, now }: Core) {
  const selectAll = db.prepare<[], Row>('SELECT * FROM views ORDER BY name COLLATE NOCASE')
  const byName = db.prepare<[string], Row>('SELECT * FROM views WHERE name = ?')
  const put = db.prepare(
    `INSERT INTO views (id, name, query, sort, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET query = excluded.query, sort = excluded.sort`,
  )
  const drop = db.prepare<[string]>('DELETE FROM views WHERE id = ?')
  return {
    list: (): SavedView[] => selectAll.all().map(toView),
    save: ({ name, query, sort }: { name: string; query: string; sort: string }): SavedView =>
      tx(() => {
        put.run(randomUUID(), name, query, sort, now())
        return toView(byName.get(name)!)
      }),
    remove(id: string): void {
      if (tx(() => drop.run(id)).changes === 0) throw new AppError('view_not_found')
    },
  }
}
