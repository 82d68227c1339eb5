import { checkpointOnce } from './open.ts'

/** Moves what the write-ahead log holds into the database, beside readers and the writer. */
export default (input: { database: string; truncate?: boolean }): void =>
  checkpointOnce(input.database, { truncate: input.truncate ?? false })
