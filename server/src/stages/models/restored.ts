import path from 'node:path'
import type { AfterRestore } from '#server/db/schema.ts'
import { fileBelow, isWithin, placeBelow } from '#server/within.ts'

/** Moves the paths of restored models from the backup's data directory to this one. */
export const rebaseRestoredModels: AfterRestore = (db, { dataDir, refuse, has }) => {
  if (!has('model_artifacts')) return {}
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
  return {}
}
