import type { Migration } from '#server/db/schema.ts'

/** Files that were read on this machine because the user or a hook named them. Only such files are read again by themselves. */
export const followedFiles: Migration = {
  number: 34,
  name: 'followed-files',
  sql: `
    CREATE TABLE followed_files (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    INSERT INTO followed_files SELECT DISTINCT original_path FROM sources WHERE kind <> 'hooks';
  `,
}
