import { z } from 'zod'
import { Instant, Tier, TraceId } from './common.ts'

/** Why a segment begins at its first step. `user`: the user moved it. `length`: the segment before was too long. */
export const BoundaryKind = z
  .enum(['start', 'time_gap', 'git_commit', 'directory', 'file_scope', 'length', 'user'])
  .meta({ id: 'BoundaryKind' })
export type BoundaryKind = z.infer<typeof BoundaryKind>

/** A task inside a session: steps of the main conversation from `firstStepId` up to `lastStepId`, both included. */
export const Segment = z
  .object({
    id: z.string().meta({ description: '<traceId>:<key of its first step>; does not change with later segments' }),
    traceId: TraceId,
    index: z.number().int(),
    firstStepId: z.string(),
    lastStepId: z.string(),
    firstSeq: z.number(),
    lastSeq: z.number(),
    boundary: z.object({ kind: BoundaryKind, why: z.string() }),
    prompt: z.string().nullable(),
    ownPrompt: z.boolean().meta({ description: 'false if the prompt is in an earlier segment' }),
    steps: z.number().int(),
    successShare: z
      .number()
      .nullable()
      .meta({ description: 'share of successful steps among steps with a known outcome; null if there are none' }),
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'Segment' })
export type Segment = z.infer<typeof Segment>

/** The user's decision whether a segment begins before this step. */
export const SegmentCut = z.object({ stepId: z.string().max(400), boundary: z.boolean() }).meta({ id: 'SegmentCut' })
export type SegmentCut = z.infer<typeof SegmentCut>

/** A segment, or part of one, without an example. Reasons: no_steps, no_prompt, no_own_prompt, empty, unasked, answered_by_mod, only_mistakes, only_failures, low_success. */
export const ExcludedSegment = z
  .object({ segmentId: z.string().nullable(), reason: z.string(), detail: z.string().nullable() })
  .meta({ id: 'ExcludedSegment' })
export type ExcludedSegment = z.infer<typeof ExcludedSegment>

export const ToolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
})
export type ToolCall = z.infer<typeof ToolCall>

/** Chat messages in the form that trainers read. Arguments of calls are objects; ids are unique in the example. */
export const ChatMessage = z
  .discriminatedUnion('role', [
    z.object({ role: z.literal('system'), content: z.string() }),
    z.object({ role: z.literal('user'), content: z.string() }),
    z.object({
      role: z.literal('assistant'),
      content: z.string(),
      tool_calls: z.array(ToolCall).optional(),
      weight: z
        .union([z.literal(0), z.literal(1)])
        .optional()
        .meta({ description: '0: context only, excluded from the loss' }),
    }),
    z.object({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string(), name: z.string() }),
  ])
  .meta({ id: 'ChatMessage' })
export type ChatMessage = z.infer<typeof ChatMessage>

export const ToolSchema = z
  .object({
    type: z.literal('function'),
    function: z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  })
  .meta({ id: 'ToolSchema', description: 'a tool as a JSON Schema of its arguments' })
export type ToolSchema = z.infer<typeof ToolSchema>

/** How sessions become examples. Part of a recipe; `parse({})` gives the defaults. */
export const ExampleOptions = z
  .object({
    gapMinutes: z.number().positive().max(1440).default(5),
    maxTurns: z
      .number()
      .int()
      .min(1)
      .max(500)
      .default(100)
      .meta({ description: 'assistant turns; longer examples are split, never truncated' }),
    minSuccessShare: z.number().min(0).max(1).default(0.5),
    skipRefused: z.boolean().default(true).meta({ description: 'exclude refused and interrupted calls from the loss' }),
    skipRetried: z.boolean().default(true).meta({ description: 'exclude failed calls from the loss if they were repeated successfully' }),
    thinking: z.boolean().default(true).meta({ description: 'keep reasoning in <think> before the call that follows it' }),
    pairAcrossRepositories: z
      .boolean()
      .default(false)
      .meta({ description: 'allow task pairs with sessions of two repositories, which are marked' }),
    byOutcome: z.boolean().default(false).meta({
      description: 'of preference rows (dpo, kto): what happened after a session, where it is known, counts before its tier',
    }),
    systemPrompt: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('short') }),
        z.object({ kind: z.literal('recorded') }),
        z.object({ kind: z.literal('own'), text: z.string().max(20_000) }),
        z.object({ kind: z.literal('none') }),
      ])
      .default({ kind: 'short' }),
    carryPrompt: z.boolean().default(true).meta({ description: 'segments without a prompt get the earlier one; false excludes them' }),
    outputChars: z
      .number()
      .int()
      .min(200)
      .max(1_000_000)
      .default(4000)
      .meta({ description: 'the middle of longer outputs is removed and marked' }),
  })
  .meta({ id: 'ExampleOptions' })
export type ExampleOptions = z.infer<typeof ExampleOptions>

/** The result of making examples. `left` lists the first 500 that were excluded. */
export const ExamplesMade = z
  .object({
    traces: z.number().int(),
    examples: z.number().int(),
    excluded: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    left: z.array(z.object({ traceId: z.string(), stepId: z.string().nullable(), reason: z.string(), detail: z.string().nullable() })),
    failed: z.array(z.object({ traceId: z.string(), message: z.string() })),
  })
  .meta({ id: 'ExamplesMade' })
export type ExamplesMade = z.infer<typeof ExamplesMade>

/** The result of a search for pairs. */
export const PairsFound = z
  .object({
    sessions: z.number().int(),
    pairs: z.number().int(),
    bySource: z.record(z.string(), z.number().int()),
    left: z.array(z.object({ reason: z.string(), count: z.number().int() })),
  })
  .meta({ id: 'PairsFound' })
export type PairsFound = z.infer<typeof PairsFound>

export const ReviewState = z.enum(['proposed', 'accepted', 'rejected']).meta({ id: 'ReviewState' })
export type ReviewState = z.infer<typeof ReviewState>

/** `exact` is false for an estimate. */
export const TokenCount = z.object({ count: z.number().int(), exact: z.boolean(), tokenizer: z.string() }).meta({ id: 'TokenCount' })
export type TokenCount = z.infer<typeof TokenCount>

/** Remarks for a reviewer: calls_without_result, results_without_call, no_prompt, carried_prompt, too_long, trimmed, secrets, low_success, has_errors, context_only, edited, generated, no_solution … */
export const ExampleFlag = z.string().max(60)

/** One task and its solution, as the review table shows it. */
export const Example = z
  .object({
    id: z.string(),
    traceId: TraceId,
    segmentId: z.string(),
    part: z.number().int().meta({ description: 'number of the part, from 1, if a long segment was split' }),
    repo: z.string().nullable(),
    tier: Tier,
    unverified: z.boolean().meta({ description: 'the policy made the session gold without a passed verification' }),
    quality: z.number().nullable(),
    prompt: z.string(),
    turns: z.number().int(),
    steps: z.number().int(),
    tokens: TokenCount,
    findings: z.record(z.string(), z.number().int()).meta({ description: 'by type, with the current policy' }),
    flags: z.array(ExampleFlag),
    state: ReviewState,
    edited: z.boolean(),
    parentId: z.string().nullable().meta({ description: 'if a model wrote it, the example it is based on' }),
    generatedBy: z.string().nullish().meta({ description: 'the model that wrote its prompt, if any' }),
    createdAt: Instant,
  })
  .meta({ id: 'Example' })
export type Example = z.infer<typeof Example>

export const Trim = z.object({ message: z.number().int(), keptChars: z.number().int(), cutChars: z.number().int() })

export const ExampleDetail = Example.extend({
  messages: z.array(ChatMessage),
  tools: z.array(ToolSchema),
  stepIds: z.array(z.string().nullable()).meta({ description: 'the step that each message comes from' }),
  trims: z.array(Trim),
  original: z.array(ChatMessage).nullable().meta({ description: 'the messages before the edit; null if not edited' }),
  replacements: z
    .array(z.object({ type: z.string(), text: z.string() }))
    .meta({ description: 'the replacements that the privacy policy inserted, without duplicates' }),
}).meta({ id: 'ExampleDetail' })
export type ExampleDetail = z.infer<typeof ExampleDetail>

export const PairSource = z.enum(['task', 'decision', 'correction']).meta({ id: 'PairSource' })
export type PairSource = z.infer<typeof PairSource>

/** Where the pairs of a data set come from: found in sessions, or answers in the shadow of the router that were judged. */
export const PairOrigin = z.enum([...PairSource.options, 'shadow']).meta({ id: 'PairOrigin' })
export type PairOrigin = z.infer<typeof PairOrigin>

/** A preference: the same beginning, a better and a worse continuation, and where each comes from. */
export const Pair = z
  .object({
    id: z.string(),
    source: PairSource,
    why: z.string(),
    similarity: z.number().nullable().meta({ description: 'TF-IDF cosine of the prompts; null if both have the same prompt' }),
    repo: z.string().nullable(),
    promptText: z.string(),
    chosen: z.object({ traceId: TraceId, stepId: z.string().nullable(), tier: Tier, unverified: z.boolean(), steps: z.number().int() }),
    rejected: z.object({ traceId: TraceId, stepId: z.string().nullable(), tier: Tier, unverified: z.boolean(), steps: z.number().int() }),
    state: ReviewState,
    flags: z.array(ExampleFlag),
  })
  .meta({ id: 'Pair' })
export type Pair = z.infer<typeof Pair>

/** The columns that preference trainers read. */
export const PreferenceRow = z
  .object({ prompt: z.array(ChatMessage), chosen: z.array(ChatMessage), rejected: z.array(ChatMessage), tools: z.array(ToolSchema) })
  .meta({ id: 'PreferenceRow' })
export type PreferenceRow = z.infer<typeof PreferenceRow>

export const PairDetail = Pair.extend({ row: PreferenceRow }).meta({ id: 'PairDetail' })
export type PairDetail = z.infer<typeof PairDetail>
