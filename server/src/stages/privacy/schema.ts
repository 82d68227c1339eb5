import type { Schema } from '#server/db/schema.ts'
import { privacy } from './migrations/0005-privacy.ts'

export const privacySchema: Schema = {
  derived: ['privacy_findings', 'privacy_scans'],
  own: ['privacy_decisions', 'dp_releases'],
  migrations: [privacy],
}
