import { z } from 'zod'
import { Agent, Instant } from './common.ts'

/** What a scan of one known place found. Nothing is imported by a scan. */
export const ScanPlace = z.object({
  agent: Agent,
  path: z.string(),
  sessions: z.number().int(),
  projects: z.number().int(),
  bytes: z.number().int(),
  lastUsedAt: Instant.nullable(),
  unreadable: z.number().int(),
})
/** Sessions of one working directory, whichever agent wrote them; `cwd` null: their files do not name it. */
export const ScanProject = z.object({
  cwd: z.string().nullable(),
  agents: z.array(Agent),
  sessions: z.number().int(),
  bytes: z.number().int(),
  lastUsedAt: Instant.nullable(),
  leftOut: z.boolean().meta({ description: 'the setting capture.excludedProjects names it' }),
})
export type ScanProject = z.infer<typeof ScanProject>

export const Scan = z
  .object({
    places: z.array(ScanPlace),
    byProject: z.array(ScanProject).meta({ description: 'the last used first' }),
    sessions: z.number().int().meta({ description: 'as an import counts them: a sub-agent belongs to its session' }),
    subagents: z.number().int().meta({ description: 'transcripts of sub-agents, which belong to these sessions' }),
    excluded: z.number().int().meta({ description: 'of the sessions, those of excluded projects' }),
    projects: z.number().int(),
    bytes: z.number().int(),
    notArchived: z.number().int().meta({ description: 'sessions with bytes that the archive does not have yet' }),
    cleanupPeriodDays: z.number().int(),
    nextCleanup: z
      .object({ at: Instant, sessions: z.number().int() })
      .nullable()
      .meta({ description: 'when the client deletes next (at the start of its next session after this time), and how many sessions go' }),
    atRisk: z.number().int().meta({ description: 'sessions that the clean-up takes within 7 days and that are not in the archive yet' }),
    ms: z.number(),
  })
  .meta({ id: 'Scan' })
export type Scan = z.infer<typeof Scan>

export const ImportError = z.object({ file: z.string(), line: z.number().int().nullable(), message: z.string() })
export type ImportError = z.infer<typeof ImportError>

/** Sessions are sessions (sub-agents belong to theirs), records lines read, steps tool calls, bytes newly read. */
export const ImportResult = z
  .object({
    sessions: z.object({ new: z.number().int(), grown: z.number().int(), unchanged: z.number().int(), failed: z.number().int() }),
    records: z.number().int(),
    steps: z.number().int(),
    bytes: z.number().int(),
    ms: z.number(),
    errors: z.array(ImportError),
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.infer<typeof ImportResult>

export const CaptureStatus = z
  .object({
    state: z.enum(['on', 'paused', 'off']).meta({ description: 'off: hooks are not installed; transcripts are still watched' }),
    watching: z.array(z.string()),
    lastEventAt: Instant.nullable(),
    spoolFiles: z.number().int(),
    liveSessions: z.number().int(),
    importing: z.boolean(),
    waitsForImport: z
      .boolean()
      .meta({ description: 'first run of the app: the history is neither read nor watched until its import is started' }),
    indexing: z.object({ pendingBytes: z.number(), pendingEntries: z.number().int() }).nullable(),
    archive: z.object({
      traces: z.number().int(),
      bytes: z.number(),
      rawBytes: z.number(),
      atRisk: z.number().int().nullable(),
      nextCleanupAt: Instant.nullable(),
    }),
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number(), usedByDataDirBytes: z.number() }).nullable(),
    problems: z.array(z.object({ kind: z.string(), message: z.string(), hint: z.string().nullable() })),
  })
  .meta({ id: 'CaptureStatus' })
export type CaptureStatus = z.infer<typeof CaptureStatus>

export const HookEventState = z.object({
  event: z.string(),
  state: z.enum(['installed', 'missing', 'unsupported', 'not-registered']),
  why: z.string().nullable(),
})

/** `backupFile`: absolute path to the exact former bytes, null if there was no file or nothing was written. */
export const HooksReport = z
  .object({
    installed: z.boolean(),
    events: z.array(HookEventState),
    settingsFile: z.string(),
    backupFile: z.string().nullable(),
    clientVersion: z.string().nullable(),
    problems: z.array(z.object({ kind: z.string(), message: z.string() })),
    scriptFile: z.string(),
    changed: z.boolean(),
  })
  .meta({ id: 'HooksReport' })
export type HooksReport = z.infer<typeof HooksReport>

/** The exact change that an install or removal would make, line by line. */
export const HooksPreview = z
  .object({
    settingsFile: z.string(),
    exists: z.boolean(),
    before: z.string(),
    after: z.string(),
    diff: z.string().meta({ description: 'unified diff' }),
    command: z.string(),
    events: z.array(z.string()),
    changed: z.boolean(),
  })
  .meta({ id: 'HooksPreview' })
export type HooksPreview = z.infer<typeof HooksPreview>
