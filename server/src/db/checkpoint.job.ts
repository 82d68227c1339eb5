import { checkpointOnce } from './open.ts'

/** Moves what the write-ahead log holds into the database, beside readers and the writer. */
export default (input: { database: string }): void => checkpointOnce(input.database)
