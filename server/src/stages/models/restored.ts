import path from 'node:path'
import { parks } from '#server/db/parks.ts'
import type { Parking, Restoring } from '#server/db/schema.ts'
import type { Database } from '#server/db/open.ts'
import { fileBelow, isWithin, placeBelow } from '#server/within.ts'

const waiting = parks({ kind: 'model', rows: 'SELECT id, name AS title, 0 AS active, origin AS named FROM models ORDER BY no' })

/** Models wait, because an export or a serving loads the base model that they name. */
export const parkModels: Parking = {
  kind: 'model',
  park(db, restoring) {
    rebase(db, restoring)
    return waiting.park(db, restoring)
  },
}

/** Moves the paths of restored models from the backup's data directory to this one. */
function rebase(db: Database, { dataDir, refuse }: Restoring): void {
  const rows = db
    .prepare<[], { no: number; id: string; folder: string | null; artifact: string; path: string }>(
      `SELECT m.no, m.id, m.origin ->> '$.folder' AS folder, a.id AS artifact, a.path FROM models m JOIN model_artifacts a ON a.model_no = m.no`,
    )
    .all()
  for (const { no, id, folder, artifact, path: file } of rows) {
    if (folder === null || !path.isAbsolute(folder) || path.normalize(file) !== file || !isWithin(folder, file) || file === folder)
      throw refuse(`names "${file}" as a file of a model`)
    const place = fileBelow(placeBelow(dataDir, 'models', id), path.relative(folder, file).split(path.sep).join('/'))
    db.prepare('UPDATE model_artifacts SET path = ? WHERE model_no = ? AND id = ?').run(place, no, artifact)
  }
  for (const { id } of db.prepare<[], { id: string }>('SELECT id FROM models').all())
    db.prepare("UPDATE models SET origin = json_set(origin, '$.folder', ?) WHERE id = ?").run(placeBelow(dataDir, 'models', id), id)
}
