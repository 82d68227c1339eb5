import { z } from 'zod'
import { CheckReport } from './check.ts'
import { Id, Instant, Refusal, Tokens, TraceId } from './common.ts'
import { Price } from './price.ts'
import { ProviderId } from './provider.ts'
import { SandboxBackend } from './sandbox.ts'

export const TaskId = Id.meta({ id: 'TaskId' })

/** The agent that does the work. `shell`: our own loop, in which each message of a model is one command. */
export const TaskAgent = z.enum(['claude-code', 'opencode', 'codex', 'shell']).meta({ id: 'TaskAgent' })
export type TaskAgent = z.infer<typeof TaskAgent>

export const TaskState = z
  .enum(['queued', 'preparing', 'working', 'needs_you', 'waiting', 'verifying', 'review', 'done', 'failed', 'stopped', 'unverified'])
  .meta({
    id: 'TaskState',
    description:
      'needs_you: the agent asks; waiting: for a sub-agent or a limit; review: checks passed, its changes wait for you; ' +
      'done: handed back, or nothing was changed; failed: checks failed, or no result; unverified: it ended and no check was found',
  })
export type TaskState = z.infer<typeof TaskState>

/** States in which a run has ended. */
export const ENDED_STATES = ['review', 'done', 'failed', 'stopped', 'unverified'] as const satisfies readonly TaskState[]

/** Where the model of a run is. The key of a provider never enters the sandbox: the run gets its own capability. */
export const TaskEndpoint = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('provider'), provider: ProviderId }),
    z.object({
      kind: z.literal('url'),
      dialect: z.enum(['anthropic', 'openai']),
      baseUrl: z.string().min(1).max(2000),
    }),
    z.object({ kind: z.literal('model'), modelId: z.string().max(100).meta({ description: 'of the registry; it is served here' }) }),
  ])
  .meta({ id: 'TaskEndpoint' })
export type TaskEndpoint = z.infer<typeof TaskEndpoint>

export const TaskCaps = z
  .object({
    turns: z.number().int().min(1).max(10_000).default(100),
    tokens: z.number().int().min(1).nullable().default(null).meta({ description: 'input and output of all requests together' }),
    costUsd: z.number().positive().nullable().default(null).meta({ description: 'refused if the price of the model is unknown' }),
    timeSec: z.number().int().min(1).max(86_400).default(3600),
  })
  .meta({ id: 'TaskCaps', description: 'for the whole tree of sub-agents' })
export type TaskCaps = z.infer<typeof TaskCaps>

/** The task of an agent, and how it is run. Without `directory` and `repositoryUrl` it works in an empty folder. */
export const TaskRequest = z
  .object({
    prompt: z.string().trim().min(1).max(1_048_576),
    title: z.string().trim().min(1).max(200).optional().meta({ description: 'otherwise the first line of the prompt' }),
    directory: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
    repositoryUrl: z.string().max(2000).optional().meta({ description: 'cloned once for this run and never fetched again' }),
    harbor: z
      .string()
      .startsWith('/', 'must be an absolute path')
      .max(4096)
      .optional()
      .meta({ description: 'folder of a task of Harbor, which brings the machine that the agent works in, and the tests' }),
    agent: TaskAgent.default('claude-code'),
    endpoint: TaskEndpoint.default({ kind: 'provider', provider: 'anthropic' }),
    model: z.string().trim().max(200).optional().meta({ description: "otherwise the endpoint's own" }),
    caps: TaskCaps.prefault({}),
    context: z
      .enum(['clean', 'mine'])
      .default('clean')
      .meta({ description: 'mine: with your CLAUDE.md, skills, agents and MCP servers, never your hooks' }),
    permissions: z.enum(['sandbox', 'ask']).default('sandbox').meta({ description: 'sandbox: the agent may do all that its sandbox may' }),
    verify: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .meta({ description: 'command that checks the result, instead of the checks that are found' }),
    setup: z.array(z.string().max(100_000)).max(100).optional().meta({ description: 'instead of the set-up that is found; []: none' }),
    network: z.array(z.string().max(300)).max(100).default([]).meta({ description: 'host:port that its set-up and programs may reach' }),
    backend: SandboxBackend.optional().meta({
      description: 'engine of its sandbox; otherwise bubblewrap, or docker where an image is named',
    }),
    image: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .meta({ description: 'an image that is already on this machine; default host: the programs of this machine' }),
    limits: z.object({ memoryMb: z.number().int().min(64).default(2048), cpus: z.number().min(0.1).default(2) }).prefault({}),
    checkTimeoutSec: z.number().int().min(1).max(3600).default(600),
    batchId: z.string().max(100).optional(),
    batchKey: z.string().max(300).optional().meta({ description: 'which task of the batch' }),
    attempt: z.number().int().min(1).optional(),
  })
  .meta({ id: 'TaskRequest' })
export type TaskRequest = z.infer<typeof TaskRequest>

/** Where a run that repeats the task of a session starts: at a commit of the folder's repository instead of its current files. */
export const TaskStart = z.object({ traceId: TraceId, commit: z.string() }).meta({ id: 'TaskStart' })
export type TaskStart = z.infer<typeof TaskStart>

/** The request of a run. The server finds `start` itself and never takes it from a caller. */
export const TaskAsked = TaskRequest.extend({ start: TaskStart.optional() }).meta({ id: 'TaskAsked' })
export type TaskAsked = z.infer<typeof TaskAsked>

/** What the agent asks while it waits for you. */
export const TaskQuestion = z
  .object({
    id: z.string(),
    kind: z.enum(['permission', 'question']),
    title: z.string(),
    detail: z.string().nullable(),
    tool: z.string().nullable(),
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
    at: Instant,
  })
  .meta({ id: 'TaskQuestion' })
export type TaskQuestion = z.infer<typeof TaskQuestion>

/** One step of the work, as the agent reports it. */
export const TaskEvent = z
  .object({
    no: z.number().int(),
    at: Instant,
    kind: z.enum(['state', 'message', 'thinking', 'tool', 'result', 'asked', 'answered', 'you', 'note']),
    text: z.string().meta({ description: 'shortened' }),
    tool: z.string().nullable(),
    isError: z.boolean(),
    agent: z.string().nullable().meta({ description: 'the sub-agent; null: the main one' }),
  })
  .meta({ id: 'TaskEvent' })
export type TaskEvent = z.infer<typeof TaskEvent>

/** A file or set-up step that the agent was given; a repeated run must get the same ones. */
export const TaskInput = z.object({ kind: z.string(), path: z.string(), sha256: z.string().nullable() })

export const TaskBoundary = z.enum(['provider', 'harness', 'sandbox', 'task', 'ours']).meta({
  id: 'TaskBoundary',
  description: 'what caused a failure: the endpoint, the agent program, the sandbox engine, the work itself, or this product',
})
export type TaskBoundary = z.infer<typeof TaskBoundary>

/** A run of an agent in a sandbox. Unknown is null. */
export const Task = z
  .object({
    id: TaskId,
    no: z.number().int(),
    title: z.string(),
    request: TaskAsked,
    state: TaskState,
    detail: z.string().nullable().meta({ description: 'a sentence about the state: what is being prepared or waited for' }),
    queuePosition: z.number().int().nullable(),
    waitingUntil: Instant.nullable(),
    question: TaskQuestion.nullable(),
    sandboxId: z.string().nullable(),
    traceId: z.string().nullable(),
    agentVersion: z.string().nullable(),
    model: z.string().nullable(),
    setup: z.array(z.object({ command: z.string(), because: z.string(), cached: z.boolean() })),
    inputs: z.array(TaskInput),
    turns: z.number().int(),
    tokens: Tokens,
    costUsd: z.number().nullable().meta({ description: 'null: no price is known, or nothing was asked' }),
    verification: CheckReport.nullable(),
    change: z
      .object({ files: z.number().int(), added: z.number().int(), removed: z.number().int() })
      .nullable()
      .meta({ description: 'against the start; null: it has no result' }),
    handedBack: z
      .object({ how: z.enum(['apply', 'commit', 'branch', 'patch']), at: Instant, detail: z.string(), canUndo: z.boolean() })
      .nullable(),
    exitCode: z.number().int().nullable(),
    claim: z.enum(['success', 'failure']).nullable().meta({ description: 'what the agent itself says' }),
    error: z.object({ boundary: TaskBoundary, message: z.string(), hint: z.string().nullable() }).nullable(),
    diskBytes: z.number().nullable(),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'Task' })
export type Task = z.infer<typeof Task>

/** What starting a run would do; shown before it is started. */
export const TaskPlan = z
  .object({
    agent: z.object({ version: z.string().nullable(), missing: z.string().nullable() }),
    payer: z.string().meta({ description: 'who pays for the model, in a sentence' }),
    model: z.string().nullable(),
    price: Price.pick({ inputPerMTok: true, outputPerMTok: true }).nullable(),
    repository: z
      .object({ commit: z.string().nullable(), branch: z.string().nullable(), files: z.number().int(), uncommitted: z.number().int() })
      .nullable(),
    setup: z.array(z.object({ command: z.string(), because: z.string(), cached: z.boolean() })),
    checks: z.array(z.object({ runner: z.string(), command: z.string(), because: z.string() })),
    isolation: z.string().nullable(),
    refusals: z.array(Refusal).meta({ description: 'why it would not start' }),
  })
  .meta({ id: 'TaskPlan' })
export type TaskPlan = z.infer<typeof TaskPlan>

/** A file of the difference between the start of a run and its end. */
export const ChangedFile = z
  .object({
    path: z.string(),
    from: z.string().nullable().meta({ description: 'its path before, if it was renamed' }),
    status: z.enum(['added', 'modified', 'deleted', 'renamed', 'mode', 'type']),
    kind: z.enum(['text', 'binary', 'symlink', 'submodule']),
    modes: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
    added: z.number().int().nullable().meta({ description: 'lines; null: not text' }),
    removed: z.number().int().nullable(),
    hunks: z.array(
      z.object({
        id: z.string().meta({ description: 'stays the same while the hunk is unchanged' }),
        header: z.string(),
        lines: z.array(
          z.object({
            kind: z.enum(['context', 'added', 'removed']),
            text: z.string(),
            before: z.number().int().nullable(),
            after: z.number().int().nullable(),
            noNewline: z.boolean(),
          }),
        ),
      }),
    ),
    isShortened: z.boolean().meta({ description: 'hunks beyond a limit are left out; they are applied with the whole file' }),
    isRead: z.boolean(),
  })
  .meta({ id: 'ChangedFile' })
export type ChangedFile = z.infer<typeof ChangedFile>

export const ReviewComment = z
  .object({
    id: z.string(),
    path: z.string(),
    line: z.number().int().nullable().meta({ description: 'of the file after the run; null: the whole file' }),
    text: z.string().min(1).max(20_000),
    at: Instant,
    sentAt: Instant.nullable().meta({ description: 'when it went to the agent' }),
  })
  .meta({ id: 'ReviewComment' })
export type ReviewComment = z.infer<typeof ReviewComment>

/** The files and hunks of a change that are handed back. */
export const ChangeSelection = z
  .array(z.object({ path: z.string(), hunks: z.array(z.string()).optional().meta({ description: 'absent: the whole file' }) }))
  .max(100_000)
  .meta({ id: 'ChangeSelection' })
export type ChangeSelection = z.infer<typeof ChangeSelection>
