import { z } from 'zod'
import { Agent, Instant } from './common.ts'

/** The result of a scan of one known folder. A scan imports nothing. */
export const ScanPlace = z.object({
  agent: Agent,
  path: z.string(),
  sessions: z.number().int(),
  projects: z.number().int(),
  bytes: z.number().int(),
  lastUsedAt: Instant.nullable(),
  unreadable: z.number().int(),
})
/** Sessions of all agents in one working directory; `cwd` is null if their files do not contain it. */
export const ScanProject = z.object({
  cwd: z.string().nullable(),
  agents: z.array(Agent),
  sessions: z.number().int(),
  bytes: z.number().int(),
  lastUsedAt: Instant.nullable(),
  leftOut: z.boolean().meta({ description: 'listed in the setting capture.excludedProjects' }),
})
export type ScanProject = z.infer<typeof ScanProject>

export const Scan = z
  .object({
    places: z.array(ScanPlace),
    byProject: z.array(ScanProject).meta({ description: 'latest used first' }),
    sessions: z.number().int().meta({ description: 'without sub-agents, which belong to their session' }),
    subagents: z.number().int().meta({ description: 'transcripts of sub-agents of these sessions' }),
    excluded: z.number().int().meta({ description: 'sessions of excluded projects' }),
    projects: z.number().int(),
    bytes: z.number().int(),
    notArchived: z.number().int().meta({ description: 'sessions with bytes that the archive does not have yet' }),
    cleanupPeriodDays: z.number().int(),
    nextCleanup: z
      .object({ at: Instant, sessions: z.number().int() })
      .nullable()
      .meta({ description: 'when the client deletes sessions next (at the start of its next session after this time), and how many' }),
    atRisk: z.number().int().meta({ description: 'sessions that the client deletes within 7 days and that are not archived yet' }),
    ms: z.number(),
  })
  .meta({ id: 'Scan' })
export type Scan = z.infer<typeof Scan>

export const ImportError = z.object({ file: z.string(), line: z.number().int().nullable(), message: z.string() })
export type ImportError = z.infer<typeof ImportError>

/** Counts of sessions (without sub-agents), of lines read (records), of tool calls (steps) and of new bytes. */
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
      .meta({ description: 'on the first run of the app, past sessions are not read or watched until the user starts the import' }),
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

/** `backupFile` is the absolute path of a copy of the previous file; null if there was no file or nothing was written. */
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

/** Whether Claude Code records which files shell commands change, and the exact change that the other choice would make. */
export const ShellEditsSetting = z
  .object({
    isOn: z.boolean(),
    settingsFile: z.string(),
    exists: z.boolean(),
    diff: z.string().meta({ description: 'unified diff of the change to the other choice' }),
  })
  .meta({ id: 'ShellEditsSetting' })
export type ShellEditsSetting = z.infer<typeof ShellEditsSetting>
