import type { Database } from './open.ts'

export type Tx = <T>(work: () => T) => T

/** What waits for a commit (events/ satisfies it). */
export interface Outbox {
  flush(): void
  mark(): number
  discard(mark?: number): void
}

/**
 * One synchronous transaction; nested calls are savepoints of the outer one. The outbox is flushed once, after the
 * outermost commit; messages of a part that rolled back are removed from it.
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
