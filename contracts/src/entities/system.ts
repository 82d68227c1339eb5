import { z } from 'zod'
import { ImportError } from './capture.ts'
import { Instant, Tokens } from './common.ts'
import { ComputeDevice, RunState, TrainingEnvironment } from './run.ts'

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded']).meta({
      description:
        'degraded: the database or the archive cannot be read, a run has stalled, the disk is full, or text cannot be indexed for search',
    }),
    version: z.string(),
    uptimeSec: z.number().int(),
    checks: z.object({
      db: z.enum(['ok', 'failed']),
      archive: z.enum(['ok', 'missing']),
      spool: z.enum(['empty', 'waiting']).meta({ description: 'whether hook events wait to be read' }),
      hooks: z.enum(['installed', 'missing']),
      runs: z.enum(['idle', 'working', 'stalled']),
      queue: z.enum(['empty', 'waiting', 'paused']),
      models: z.enum(['idle', 'serving']),
      disk: z.enum(['ok', 'full']),
      search: z.enum(['ok', 'failed']),
    }),
  })
  .meta({ id: 'Health', description: 'public, without names and figures of the work' })
export type Health = z.infer<typeof Health>

const ByTier = z.record(z.string(), z.number().int())

/** Figures of training. */
export const TrainingStats = z.object({
  runs: z.object({ total: z.number().int(), byState: z.partialRecord(RunState, z.number().int()) }),
  queue: z.object({ waiting: z.number().int(), paused: z.boolean() }),
  models: z.object({
    total: z.number().int(),
    bytes: z.number().meta({ description: 'size of their existing files' }),
    serving: z.number().int(),
  }),
})
export type TrainingStats = z.infer<typeof TrainingStats>

/** Figures of the factory. */
export const FactoryStats = z.object({
  examples: z.number().int().meta({ description: 'in the review table, in every state' }),
  dataSets: z.number().int().meta({ description: 'versions' }),
})
export type FactoryStats = z.infer<typeof FactoryStats>

export const Stats = z
  .object({
    traces: z.number().int(),
    byTier: ByTier,
    toolCalls: z.number().int(),
    tokens: Tokens,
    costUsd: z.number().nullable(),
    archive: z.object({ bytes: z.number(), rawBytes: z.number() }),
    prompts: z.number().int(),
    usedModels: z.array(z.string()).meta({ description: 'models with tokens in the archive' }),
    unpricedModels: z.array(z.string()),
    computedAt: Instant,
    ...FactoryStats.shape,
    ...TrainingStats.shape,
  })
  .meta({ id: 'Stats', description: 'records that sessions share (forks) count once' })
export type Stats = z.infer<typeof Stats>

export const SystemInfo = z
  .object({
    version: z.string(),
    node: z.string(),
    os: z.string(),
    arch: z.string(),
    cpus: z.number().int(),
    memoryBytes: z.number(),
    gpus: z.array(ComputeDevice).nullable().meta({ description: 'GPUs that nvidia-smi reports; empty: none; null: not measured' }),
    disk: z
      .object({ totalBytes: z.number(), freeBytes: z.number() })
      .nullable()
      .meta({ description: 'the disk of the data directory; null: not measured' }),
    docker: z
      .object({ available: z.boolean(), version: z.string().nullable(), reason: z.string().nullable() })
      .nullable()
      .meta({ description: 'null: not measured' }),
    python: TrainingEnvironment.pick({ state: true, python: true, version: true, problem: true })
      .nullable()
      .meta({ description: 'Python for training; null: not measured' }),
    dataDir: z.string(),
    claudeDir: z.string(),
    pid: z.number().int(),
    startedAt: Instant,
    repaired: z.array(z.string()).meta({ description: 'repairs made by this start' }),
  })
  .meta({ id: 'SystemInfo' })
export type SystemInfo = z.infer<typeof SystemInfo>

export const DoctorCheck = z.object({
  name: z.string(),
  state: z.enum(['found', 'missing', 'warning', 'problem']),
  version: z.string().nullable(),
  neededFor: z.string(),
  detail: z.string().nullable(),
  fix: z.string().nullable(),
})
export const DoctorReport = z.object({ ok: z.boolean(), checks: z.array(DoctorCheck) }).meta({ id: 'DoctorReport' })
export type DoctorReport = z.infer<typeof DoctorReport>

export const VerifyProblem = z.object({ kind: z.string(), where: z.string(), message: z.string(), fix: z.string() })
export const VerifyReport = z
  .object({
    ok: z.boolean(),
    checked: z.object({ traces: z.number().int(), records: z.number().int(), bytes: z.number() }),
    problems: z.array(VerifyProblem),
  })
  .meta({ id: 'VerifyReport' })
export type VerifyReport = z.infer<typeof VerifyReport>

/** The page Home: new sessions, tiers over time, problems of sessions. Each count has the query for its rows. */
export const HomeOverview = z
  .object({
    since: Instant,
    cameIn: z
      .object({
        today: z.number().int(),
        week: z.number().int(),
        total: z.number().int(),
        sinceLastVisit: z.number().int().nullable().meta({ description: 'null on the first visit' }),
        lastVisitAt: Instant.nullable(),
        runs: z.number().int().meta({ description: 'sessions of agent runs, which no other figure includes' }),
      })
      .meta({ description: "the user's own sessions" }),
    days: z.array(
      z.object({
        day: z.string(),
        gold: z.number().int(),
        unverified: z.number().int().meta({ description: 'gold sessions without a passed verification' }),
        silver: z.number().int(),
        bronze: z.number().int(),
        failed: z.number().int(),
        pending: z.number().int(),
      }),
    ),
    byTier: ByTier,
    shortfalls: z.array(z.object({ id: z.string(), title: z.string(), detail: z.string(), count: z.number().int(), query: z.string() })),
    inbox: z.object({ count: z.number().int(), query: z.string() }),
  })
  .meta({ id: 'HomeOverview' })
export type HomeOverview = z.infer<typeof HomeOverview>

/** The result of rebuilding the derived tables. */
export const RebuildResult = z
  .object({
    traces: z.number().int(),
    records: z.number().int(),
    steps: z.number().int(),
    /** What is damaged or missing in the archive. */
    problems: z.array(z.string()),
    /** Transcript lines that could not be read. */
    errors: z.array(ImportError).default([]),
    ms: z.number(),
  })
  .meta({ id: 'RebuildResult' })
export type RebuildResult = z.infer<typeof RebuildResult>
