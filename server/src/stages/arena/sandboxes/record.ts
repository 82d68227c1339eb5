import type { Sandbox } from '#contracts/entities/sandbox.ts'
import type { SandboxRow } from './store.ts'

/** What only a sandbox that runs, or is being started, has. */
export interface LivePart {
  phase: Sandbox['phase']
  queuePosition: number | null
  busy: boolean
  sessions: string[]
  terminals: Sandbox['terminals']
  expiresAt: number | null
}

const NOT_LIVE: LivePart = { phase: null, queuePosition: null, busy: false, sessions: [], terminals: [], expiresAt: null }

export function toSandbox({ no: _no, spec, commands, ...row }: SandboxRow, live: LivePart = NOT_LIVE): Sandbox {
  const { env, files: _files, backend: _asked, ...asked } = spec
  return {
    ...asked,
    ...row,
    ...live,
    envNames: Object.keys(env),
    sessionCommandCount: commands,
    createdAt: iso(row.createdAt),
    startedAt: isoOrNull(row.startedAt),
    lastUsedAt: isoOrNull(row.lastUsedAt),
    expiresAt: isoOrNull(live.expiresAt),
    endedAt: isoOrNull(row.endedAt),
  }
}

const iso = (time: number) => new Date(time).toISOString()
const isoOrNull = (time: number | null) => (time === null ? null : iso(time))
