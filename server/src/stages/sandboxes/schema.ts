import { parks } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { sandboxes } from './migrations/0018-sandboxes.ts'
import { typedCommands } from './migrations/0019-typed-commands.ts'
import { keptFiles } from './migrations/0036-kept-files.ts'
import { sandboxTraffic } from './migrations/0020-sandbox-traffic.ts'

export const sandboxesSchema: Schema = {
  own: {
    sandboxes: parks({
      kind: 'sandbox',
      rows: `SELECT id, coalesce(spec ->> '$.name', id) AS title, 0 AS active, spec AS named FROM sandboxes ORDER BY no`,
      end: [
        `UPDATE sandboxes SET status = 'stopped', end_reason = coalesce(end_reason, 'owner_died'), ended_at = coalesce(ended_at, created_at)
         WHERE status <> 'stopped'`,
        'UPDATE sandboxes SET kept = NULL', // a backup has no files of sandboxes
      ],
    }),
    sandbox_commands: keeps('a history of commands'),
  },
  migrations: [sandboxes, typedCommands, sandboxTraffic, keptFiles],
}
