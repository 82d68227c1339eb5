import type { RouteStats } from '#contracts/entities/routing.ts'
import { openReadOnly } from '#server/db/open.ts'
import { readShadowFigures, type ShadowFiguresOf } from '../shadow/figures.ts'
import { type Figures, readFigures } from './read.ts'

export interface FiguresInput {
  database: string
  now: number
  /** Null: no model is chosen. */
  shadow: ShadowFiguresOf | null
}

/** Reads the figures of up to 100,000 requests, in a worker. */
export default function computeFigures({ database, now, shadow }: FiguresInput): Figures & Pick<RouteStats, 'shadow'> {
  const db = openReadOnly(database)
  try {
    return db.transaction(() => ({ ...readFigures(db, now), shadow: shadow && readShadowFigures(db, shadow) }))()
  } finally {
    db.close()
  }
}
