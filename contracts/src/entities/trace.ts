import { z } from 'zod'
import { Agent, Instant, Tier, Tokens, TraceId, Verification } from './common.ts'
import { Segment } from './example.ts'
import { Score } from './score.ts'

/** live: still growing; ended: the client ended it or stopped writing; interrupted: it stopped during a call. */
export const TraceState = z.enum(['live', 'ended', 'interrupted']).meta({ id: 'TraceState' })
export type TraceState = z.infer<typeof TraceState>

export const TraceCounts = z.object({
  prompts: z.number().int(),
  abandonedTurns: z.number().int().meta({ description: 'prompts among them that were rewound or edited' }),
  toolCalls: z.number().int(),
  failedToolCalls: z.number().int(),
  rejectedToolCalls: z.number().int(),
  subagents: z.number().int(),
  commits: z.number().int(),
})

/** A session. `repo` is the name of the repository with the most tool calls. */
export const Trace = z
  .object({
    id: TraceId,
    agent: Agent,
    title: z.string().nullable(),
    sessionId: z.string(),
    repo: z.string().nullable(),
    cwd: z.string().nullable(),
    gitBranch: z.string().nullable(),
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    models: z.array(z.string()),
    counts: TraceCounts,
    tokens: Tokens,
    costUsd: z.number().nullable(),
    tier: Tier,
    tierSource: z.enum(['policy', 'user']),
    quality: z.number().nullable(),
    successRate: z.number().nullable(),
    verification: Verification,
    unverified: z.boolean().meta({ description: 'the policy made it gold without a passed verification' }),
    tags: z.array(z.string()),
    note: z.string().nullable(),
    sample: z.boolean(),
    hooksOnly: z.boolean().meta({ description: 'known only from hooks; no transcript was found' }),
    state: TraceState,
    clientVersion: z.string().nullable(),
    taskId: z.string().nullable().meta({ description: 'the agent run that it belongs to; null for a session of the user' }),
    answerScore: z.number().nullable().meta({ description: 'mean grade that a model gave it, 0–1; no tier depends on it' }),
    turnCount: z.number().int(),
    durationMs: z.number().nullable().meta({ description: 'from the first to the last record' }),
    activeMs: z.number().nullable().meta({ description: 'duration without gaps over 5 minutes' }),
    waitingMs: z.number().nullable().meta({ description: 'the main conversation waited for the user' }),
    tierReason: z.string().nullable().meta({ description: 'the reason for the tier, for example "build passed; no tests ran"' }),
    scoreVersion: z.number().int().nullable(),
    problems: z.number().int().meta({ description: 'records that could not be read or contradict each other' }),
  })
  .meta({ id: 'Trace' })
export type Trace = z.infer<typeof Trace>

export const Subagent = z
  .object({
    id: z.string().meta({ description: 'agentId of the client' }),
    type: z.string().nullable(),
    description: z.string().nullable(),
    parentStepId: z.string().nullable(),
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    toolCalls: z.number().int(),
    failedToolCalls: z.number().int(),
    tokens: Tokens,
  })
  .meta({ id: 'Subagent' })
export type Subagent = z.infer<typeof Subagent>

export const TouchedFile = z
  .object({ path: z.string(), reads: z.number().int(), edits: z.number().int(), writes: z.number().int(), firstStepId: z.string() })
  .meta({ id: 'TouchedFile' })
export type TouchedFile = z.infer<typeof TouchedFile>

export const ArchiveSource = z
  .object({
    name: z.string(),
    kind: z.enum(['main', 'subagent', 'meta', 'tool-result', 'hooks']),
    originalPath: z.string(),
    generation: z.number().int(),
    bytes: z.number().int(),
    sha256: z.string(),
    archivedAt: Instant,
  })
  .meta({ id: 'ArchiveSource' })
export type ArchiveSource = z.infer<typeof ArchiveSource>

/** A transcript line that could not be read, or records that contradict each other. The archive keeps them. */
export const TraceProblem = z
  .object({ kind: z.string(), source: z.string(), line: z.number().int().nullable(), message: z.string() })
  .meta({ id: 'TraceProblem' })
export type TraceProblem = z.infer<typeof TraceProblem>

/** A prompt and everything up to the next prompt. */
export const Turn = z
  .object({
    index: z.number().int(),
    promptId: z.string().nullable(),
    prompt: z.string().nullable().meta({ description: 'null for calls before the first prompt' }),
    abandoned: z.boolean().optional().meta({ description: 'rewound or edited' }),
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    toolCalls: z.number().int(),
    failedToolCalls: z.number().int(),
    firstSeq: z.number().nullable(),
    lastSeq: z.number().nullable(),
  })
  .meta({ id: 'Turn' })
export type Turn = z.infer<typeof Turn>

export const TraceDetail = Trace.extend({
  score: Score.nullable(),
  segments: z
    .array(Segment)
    .nullable()
    .meta({ description: 'tasks in the session, by the default rules and the cuts of the user; null if not requested' }),
  turns: z.array(Turn).meta({ description: 'the first 500 turns' }),
  subagents: z.array(Subagent),
  files: z.array(TouchedFile),
  sources: z.array(ArchiveSource),
  problemList: z.array(TraceProblem).meta({ description: 'the first 100' }),
  tools: z.record(z.string(), z.number().int()).meta({ description: 'calls by tool name' }),
  raw: z.object({ bytes: z.number().int(), sha256: z.string().nullable(), archivedAt: Instant.nullable() }),
}).meta({ id: 'TraceDetail' })
export type TraceDetail = z.infer<typeof TraceDetail>

/** One action of the user on the tier of a trace; decisions are only added. */
export const Decision = z
  .object({
    id: z.string(),
    traceId: TraceId,
    tier: Tier.nullable().meta({ description: 'null if the policy decides again' }),
    from: Tier,
    who: z.string(),
    when: Instant,
    why: z.string().nullable(),
    undoneAt: Instant.nullable(),
    bulkId: z.string().nullable(),
  })
  .meta({ id: 'Decision' })
export type Decision = z.infer<typeof Decision>

export const DecidedTrace = Trace.extend({ decisionId: z.string().meta({ description: 'the new decision' }) }).meta({
  id: 'DecidedTrace',
})
export type DecidedTrace = z.infer<typeof DecidedTrace>

export const SavedView = z
  .object({ id: z.string(), name: z.string().min(1).max(80), query: z.string().max(2000), sort: z.string().max(40), createdAt: Instant })
  .meta({ id: 'SavedView' })
export type SavedView = z.infer<typeof SavedView>
