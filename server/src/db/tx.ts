import type { Database } from './open.ts'

export type Tx = <T>(work: () => T) => T

/** Messages that wait for a commit; implemented by `events/`. */
export interface Outbox {
  flush(): void
  mark(): number
  discard(mark?: number): void
}

/**
 * Runs work in a synchronous transaction; nested calls are savepoints. The outbox is flushed after the outermost commit.
 * Messages of a savepoint that was rolled back are removed from it.
 */
export function createTx(db: Database, outbox: Outbox): Tx {
  return (work) => {
    const isOuter = !db.inTransaction
    const mark = outbox.mark()
    let result
    try {
      result = isOuter ? db.transaction(work).immediate() : db.transaction(work)()
    } catch (error) {
      outbox.discard(mark)
      throw error
    }
    if (isOuter) outbox.flush()
    return result
  }
}
