import { hash } from 'node:crypto'

type Json = Record<string, unknown>

/** A document in ATIF 1.0 to 1.8. */
export const isTrajectory = (document: Json): boolean =>
  typeof document.schema_version === 'string' && /^ATIF-v1\.\d/.test(document.schema_version) && Array.isArray(document.steps)

/** A document without ids is identified by its start, because steps may be added at its end. */
export function trajectoryId(document: Json): string {
  for (const id of [document.trajectory_id, document.session_id]) if (typeof id === 'string' && id !== '') return id
  const begin = JSON.stringify([document.agent, Array.isArray(document.steps) ? document.steps.slice(0, 2) : null])
  return `atif-${hash('sha256', begin).slice(0, 32)}`
}
