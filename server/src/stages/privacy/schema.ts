import { parks } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { privacy } from './migrations/0005-privacy.ts'

/** SQL for what a decision is about. */
const WHAT = `scope_json ->> '$.scope' || concat_ws(' ', ':', scope_json ->> '$.type', scope_json ->> '$.project', scope_json ->> '$.value',
  scope_json ->> '$.finding')`

export const privacySchema: Schema = {
  derived: ['privacy_findings', 'privacy_scans'],
  own: {
    privacy_decisions: parks({
      kind: 'privacy-decision',
      // a decision to keep a value would let the values of later sessions out; the others only remove more
      rows: `SELECT id, ${WHAT} AS title, 1 AS active, json_object('keeps', ${WHAT}) AS named
        FROM privacy_decisions WHERE action NOT IN ('redact', 'replace') AND undone_at IS NULL ORDER BY no`,
      end: ["UPDATE privacy_decisions SET undone_at = at WHERE action NOT IN ('redact', 'replace') AND undone_at IS NULL"],
    }),
    dp_releases: keeps('what was spent of a budget'),
  },
  migrations: [privacy],
}
