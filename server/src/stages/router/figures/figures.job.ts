import { openReadOnly } from '#server/db/open.ts'
import { type Figures, readFigures } from './read.ts'

/** Reads the figures of up to 100,000 requests, in a worker. */
export default function computeFigures({ database, now }: { database: string; now: number }): Figures {
  const db = openReadOnly(database)
  try {
    return db.transaction(() => readFigures(db, now))()
  } finally {
    db.close()
  }
}
