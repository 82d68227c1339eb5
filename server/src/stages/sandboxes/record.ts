import type { Sandbox } from '#contracts/entities/sandbox.ts'
import { isoOf } from '#server/instant.ts'
import type { SandboxRow } from './store.ts'

/** Fields that only a running or starting sandbox has. */
interface LivePart {
  phase: Sandbox['phase']
  queuePosition: number | null
  busy: boolean
  sessions: string[]
  terminals: Sandbox['terminals']
  expiresAt: number | null
}

const NOT_LIVE: LivePart = { phase: null, queuePosition: null, busy: false, sessions: [], terminals: [], expiresAt: null }

export function toSandbox({ no: _no, keeps: _keeps, spec, commands, ...row }: SandboxRow, liveFields: Partial<LivePart> = {}): Sandbox {
  const live = { ...NOT_LIVE, ...liveFields }
  const { env, files: _files, backend: _requestedBackend, ...requested } = spec
  return {
    ...requested,
    ...row,
    ...live,
    envNames: Object.keys(env),
    sessionCommandCount: commands,
    createdAt: isoOf(row.createdAt),
    startedAt: isoOf(row.startedAt),
    lastUsedAt: isoOf(row.lastUsedAt),
    expiresAt: isoOf(live.expiresAt),
    endedAt: isoOf(row.endedAt),
  }
}
