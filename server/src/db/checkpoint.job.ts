import { checkpointOnce } from './open.ts'

/** Moves the write-ahead log into the database while readers and the writer continue. */
export default (input: { database: string; truncate?: boolean }): void =>
  checkpointOnce(input.database, { truncate: input.truncate ?? false })
