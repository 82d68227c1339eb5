import { openReadOnly } from '#server/db/open.ts'
import { readSavings, type SavingsFound, type SavingsInput } from './read.ts'

/** Computes what the student would have saved over the whole archive, in a worker. */
export default function computeSavings({ database, ...input }: SavingsInput): SavingsFound {
  const db = openReadOnly(database)
  try {
    return db.transaction(() => readSavings(db, input))()
  } finally {
    db.close()
  }
}
