import { z } from 'zod'
import { Agent, Instant, TraceId } from './common.ts'

const Ms = z.number().nullable().meta({ description: 'milliseconds; null: not measured' })
const Count = z.number().int().nullable()

export const SpanKind = z.enum(['agent', 'llm', 'tool', 'wait', 'guard', 'other'])
export type SpanKind = z.infer<typeof SpanKind>

export const SpanTokens = z.object({ input: Count, output: Count, cacheRead: Count, cacheWrite: Count })
export type SpanTokens = z.infer<typeof SpanTokens>

/** A part of a session's time: a conversation, a request to a model, a call, a wait for the user, a call that a rule refused. */
export const Span = z
  .object({
    id: z.string(),
    parentId: z.string().nullable(),
    kind: SpanKind,
    name: z.string().meta({ description: 'agent: its type; llm: the model; tool: its name; wait, guard, other: for what' }),
    label: z.string().nullable().meta({ description: 'one line: the command, file or task' }),
    turn: z.number().int().meta({ description: 'prompts of the main conversation so far; 0 before the first' }),
    entryId: z.string().nullable().meta({ description: 'the item on the page of the session; null if it has none' }),
    startedAt: Instant.nullable(),
    durationMs: Ms,
    tokens: SpanTokens.optional().meta({ description: 'of a request to a model, each response once' }),
    costUsd: z.number().nullable(),
    reportedUsd: z.number().optional().meta({ description: 'of a request: the cost that Claude Code itself reported for it' }),
    error: z.string().optional(),
  })
  .meta({ id: 'Span' })
export type Span = z.infer<typeof Span>

export const BottleneckRule = z.enum([
  'mostly_waiting',
  'slow_tool',
  'cache_lost_after_pause',
  'context_over_half',
  'repeated_command',
  'failing_calls',
])
export type BottleneckRule = z.infer<typeof BottleneckRule>

export const Bottleneck = z
  .object({
    rule: BottleneckRule,
    spanId: z.string().meta({ description: 'the span that shows it best' }),
    text: z.string().meta({ description: 'what was found, with its figures' }),
  })
  .meta({ id: 'Bottleneck' })
export type Bottleneck = z.infer<typeof Bottleneck>

/** Where spans come from. Those of a session are computed from its archive; all others were recorded when they ended. */
export const ProfileSource = z.enum(['session', 'rollout', 'exam', 'proxy', 'telemetry', 'profiler']).meta({ id: 'ProfileSource' })
export type ProfileSource = z.infer<typeof ProfileSource>

/** A trace that was recorded: 32 hexadecimal digits, as in OpenTelemetry. */
export const RecordedId = z.string().regex(/^[0-9a-f]{32}$/)
export const ProfileId = z.union([TraceId, RecordedId])

/** What Claude Code's telemetry says of a session's cost, beside ours for the same requests. */
export const ReportedCost = z
  .object({
    requests: z.number().int().meta({ description: 'requests of the session in both, by request id' }),
    missing: z.number().int().meta({ description: 'requests of telemetry that the session does not have' }),
    costUsd: z.number().meta({ description: 'what Claude Code reported for them' }),
    ownUsd: z.number().nullable().meta({ description: 'ours for them; null: a price is not known' }),
  })
  .meta({ id: 'ReportedCost' })
export type ReportedCost = z.infer<typeof ReportedCost>

const LlmCalls = z.object({
  count: z.number().int().meta({ description: 'responses, each once' }),
  totalTokens: Count.meta({ description: 'all four kinds together' }),
})

export const ProfileSummary = z
  .object({
    durationMs: Ms,
    waitingMs: Ms.meta({ description: 'the main conversation waited for the user; null: not measured' }),
    workingMs: Ms.meta({ description: 'duration without waiting; null: not measured' }),
    llmCalls: LlmCalls,
    tokens: SpanTokens,
    toolCalls: z.number().int(),
    failedToolCalls: z.number().int(),
    costUsd: z.number().nullable(),
    reported: ReportedCost.nullable().meta({ description: 'null: no telemetry of this session has come' }),
    unmeasured: z.number().int().meta({ description: 'spans without a duration: times that are missing or contradict each other' }),
    bottlenecks: z.array(Bottleneck),
  })
  .meta({ id: 'ProfileSummary' })
export type ProfileSummary = z.infer<typeof ProfileSummary>

/** A session as spans, or what was recorded of a run. */
export const Profile = z
  .object({
    id: ProfileId,
    source: ProfileSource,
    title: z.string().nullable(),
    agent: Agent.nullable().meta({ description: 'of a session' }),
    sessionId: TraceId.nullable().meta({ description: 'the session that it is, or that its telemetry belongs to, if it is stored' }),
    repo: z.string().nullable(),
    models: z.array(z.string()),
    taskId: z.string().nullable().meta({ description: 'the agent run that the session belongs to' }),
    startedAt: Instant.nullable(),
    spans: z.array(Span).meta({ description: 'in the order of the session, parents before their children' }),
    summary: ProfileSummary,
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof Profile>

/** A session or a recorded trace in the list of profiles. */
export const ProfiledSession = z
  .object({
    id: ProfileId,
    source: ProfileSource,
    title: z.string().nullable(),
    agent: Agent.nullable(),
    repo: z.string().nullable(),
    models: z.array(z.string()),
    startedAt: Instant.nullable(),
    summary: ProfileSummary.omit({ bottlenecks: true, unmeasured: true, reported: true }),
  })
  .meta({ id: 'ProfiledSession' })
export type ProfiledSession = z.infer<typeof ProfiledSession>

export const AnalyticsBy = z.enum(['repo', 'model', 'tool', 'week'])
export type AnalyticsBy = z.infer<typeof AnalyticsBy>

/** Sessions of one repository, model, tool or week. What cannot be told for a group is null. */
export const AnalyticsRow = z
  .object({
    key: z.string().nullable().meta({ description: 'a week is its Monday (YYYY-MM-DD, UTC); null: unknown' }),
    query: z.string().nullable().meta({
      description: 'a filter that lists these sessions; null if none can. Of a model, it also finds longer names that contain this one',
    }),
    sessions: z.number().int(),
    durationMs: Ms,
    waitingMs: Ms,
    workingMs: Ms,
    tokens: SpanTokens.nullable(),
    costUsd: z.number().nullable(),
    unpriced: z.number().int().nullable().meta({ description: 'sessions whose cost is unknown and not in `costUsd`' }),
    toolCalls: z.number().int().nullable(),
    failedToolCalls: z.number().int().nullable(),
    p50Ms: Ms.meta({ description: 'of a tool: half of its calls were shorter' }),
    p95Ms: Ms,
  })
  .meta({ id: 'AnalyticsRow' })
export type AnalyticsRow = z.infer<typeof AnalyticsRow>
