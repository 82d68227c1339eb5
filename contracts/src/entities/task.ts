import { z } from 'zod'
import { CheckReport, CheckRunner } from './check.ts'
import { Id, Instant, Refusal, Tokens, TraceId } from './common.ts'
import { Price } from './price.ts'
import { RedactionCounts, RedactionPlan } from './privacy.ts'
import { ProviderId } from './provider.ts'
import { SandboxBackend } from './sandbox.ts'
import { addressField, askedField, folderField, notAPlace, reachField, repositoryField } from '../places.ts'

export const TaskId = Id.meta({ id: 'TaskId' })

/**
 * The agent of a run. Two are our own and call their model from this process: `shell`, in which each message of a model is one
 * command, and `gym`, which gives a model the prompt and tools of its training.
 */
export const TaskAgent = z.enum(['claude-code', 'opencode', 'codex', 'shell', 'gym']).meta({ id: 'TaskAgent' })
export type TaskAgent = z.infer<typeof TaskAgent>

export const TaskState = z
  .enum([
    'queued',
    'preparing',
    'working',
    'needs_you',
    'waiting',
    'verifying',
    'paused',
    'review',
    'done',
    'failed',
    'stopped',
    'unverified',
  ])
  .meta({
    id: 'TaskState',
    description:
      'needs_you: the agent has a question; waiting: for a sub-agent or a limit; paused: it goes on from there when you resume it; review: checks passed, the change waits for you; ' +
      'done: handed back, or nothing was changed; failed: checks failed, or there is no result; unverified: it ended, but no check was found',
  })
export type TaskState = z.infer<typeof TaskState>

/** States in which a run has ended. */
export const ENDED_STATES = ['review', 'done', 'failed', 'stopped', 'unverified'] as const satisfies readonly TaskState[]

/** States in which nothing of a run works: it has ended, or can be resumed. */
export const RESTING_STATES = ['paused', ...ENDED_STATES] as const satisfies readonly TaskState[]

/** The endpoint of the model. A provider's key never enters the sandbox, which gets a capability instead. */
export const TaskEndpoint = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('provider'), provider: ProviderId }),
    z.object({
      kind: z.literal('url'),
      dialect: z.enum(['anthropic', 'openai']),
      baseUrl: addressField(z.string().min(1).max(2000), 'Send the conversation of an agent, with the files it reads, to an address'),
    }),
    z.object({
      kind: z.literal('model'),
      modelId: z.string().max(100).meta({ description: 'a model of the registry, which is served here' }),
      isBase: z.boolean().optional().meta({ description: 'the model that it was trained from' }),
    }),
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

/** A request for an agent run. Without `directory` and `repositoryUrl` the agent works in an empty folder. */
export const TaskRequest = z
  .object({
    prompt: z.string().trim().min(1).max(1_048_576),
    title: z.string().trim().min(1).max(200).optional().meta({ description: 'default: the first line of the prompt' }),
    directory: folderField(z.string().startsWith('/', 'must be an absolute path').max(4096), 'Let an agent read and write a folder', {
      withRepository: true,
      title: 'Confirm giving an agent this folder',
    }).optional(),
    repositoryUrl: repositoryField(z.string().max(2000), 'Clone a repository for an agent')
      .optional()
      .meta({ description: 'cloned once for this run and never fetched again' }),
    harbor: folderField(z.string().startsWith('/', 'must be an absolute path').max(4096), 'Let an agent read a folder with a Harbor task')
      .optional()
      .meta({ description: "folder of a Harbor task, which defines the agent's machine and the tests" }),
    agent: TaskAgent.default('claude-code'),
    endpoint: TaskEndpoint.default({ kind: 'provider', provider: 'anthropic' }),
    model: z.string().trim().max(200).optional().meta({ description: "default: the endpoint's model" }),
    caps: TaskCaps.prefault({}),
    context: askedField(z.enum(['clean', 'mine']), 'Give an agent your own settings', {
      title: 'Confirm giving an agent your own settings',
      harmless: ['clean'],
      words: { clean: 'none', mine: 'your CLAUDE.md, skills, agents, commands and MCP servers' },
    })
      .default('clean')
      .meta({ description: 'mine: with your CLAUDE.md, skills, agents and MCP servers, never your hooks' }),
    redact: z.boolean().optional().meta({ description: "replace secrets in the agent's requests; default: if they leave this machine" }),
    permissions: z
      .enum(['sandbox', 'ask'])
      .default('sandbox')
      .meta({ description: 'sandbox: the agent may do anything that its sandbox allows' }),
    verify: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .meta({ description: 'command that checks the result, instead of the detected checks' }),
    setup: z.array(z.string().max(100_000)).max(100).optional().meta({ description: 'instead of the detected set-up; [] means none' }),
    network: z
      .array(reachField(z.string().max(300), 'Let the programs of an agent reach an address'))
      .max(100)
      .default([])
      .meta({ description: 'host:port addresses that its set-up and programs may reach' }),
    backend: SandboxBackend.optional().meta({
      description: 'engine of its sandbox; default: bubblewrap, or docker if an image is given',
    }),
    image: notAPlace(z.string().trim().min(1).max(300), 'an image that is already here; none is downloaded')
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

/** The commit that a run starts from if it repeats the task of a session, instead of the folder's current files. */
export const TaskStart = z
  .object({
    traceId: TraceId,
    commit: z.string(),
    exam: z.object({ id: Id, states: z.string(), reference: z.string(), seed: z.number().int() }).optional().meta({
      description: 'a task of an exam: the commits are in `states`, a repository of ours, and the checks are those of `reference`',
    }),
  })
  .meta({ id: 'TaskStart' })
export type TaskStart = z.infer<typeof TaskStart>

/** The stored request of a run. The server sets `start`; callers cannot. */
export const TaskAsked = TaskRequest.extend({ start: TaskStart.optional() }).meta({ id: 'TaskAsked' })
export type TaskAsked = z.infer<typeof TaskAsked>

/** A question of an agent that waits for the user. */
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

/** A step that the agent reports. */
export const TaskEvent = z
  .object({
    no: z.number().int(),
    at: Instant,
    kind: z.enum(['state', 'message', 'thinking', 'tool', 'result', 'asked', 'answered', 'you', 'note']),
    text: z.string().meta({ description: 'shortened' }),
    tool: z.string().nullable(),
    isError: z.boolean(),
    agent: z.string().nullable().meta({ description: 'the sub-agent; null for the main agent' }),
  })
  .meta({ id: 'TaskEvent' })
export type TaskEvent = z.infer<typeof TaskEvent>

/** A file or set-up step for the agent; a repeated run must get the same. */
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
    costUsd: z.number().nullable().meta({ description: 'null if the price is unknown or no request was sent' }),
    charged: z
      .object({
        requests: z.number().int(),
        input: z.number().int(),
        output: z.number().int(),
        usd: z.number(),
        failures: z.number().int(),
      })
      .nullable()
      .meta({ description: 'what counts towards its caps: open and torn requests count with the most that they can cost' }),
    removed: z
      .array(z.string())
      .meta({ description: "fields, tools and parts of its agent's requests that were not sent to the model's API" }),
    redacted: RedactionCounts,
    verification: CheckReport.nullable(),
    change: z
      .object({ files: z.number().int(), added: z.number().int(), removed: z.number().int() })
      .nullable()
      .meta({ description: 'difference from the start; null if it has no result' }),
    handedBack: z
      .object({ how: z.enum(['apply', 'commit', 'branch', 'patch']), at: Instant, detail: z.string(), canUndo: z.boolean() })
      .nullable(),
    exitCode: z.number().int().nullable(),
    claim: z.enum(['success', 'failure']).nullable().meta({ description: 'the result that the agent reports' }),
    error: z.object({ boundary: TaskBoundary, message: z.string(), hint: z.string().nullable() }).nullable(),
    diskBytes: z.number().nullable(),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'Task' })
export type Task = z.infer<typeof Task>

/** A preview of a run, shown before the start. */
export const TaskPlan = z
  .object({
    agent: z.object({ version: z.string().nullable(), missing: z.string().nullable() }),
    payer: z.string().meta({ description: 'who pays for the model, as a sentence' }),
    privacy: z
      .string()
      .meta({ description: 'who gets the prompt and the files, and whether secrets in them are replaced first, as a sentence' }),
    redaction: RedactionPlan,
    model: z.string().nullable(),
    price: Price.pick({ inputPerMTok: true, outputPerMTok: true }).nullable(),
    repository: z
      .object({ commit: z.string().nullable(), branch: z.string().nullable(), files: z.number().int(), uncommitted: z.number().int() })
      .nullable(),
    setup: z.array(z.object({ command: z.string(), because: z.string(), cached: z.boolean() })),
    checks: z.array(z.object({ runner: CheckRunner, command: z.string(), because: z.string() })),
    checksLack: z.string().nullable().meta({
      description:
        'what the first check needs and the sandbox lacks, so the result would not be verified; null: nothing that is known before the start',
    }),
    isolation: z.string().nullable(),
    refusals: z.array(Refusal).meta({ description: 'why it would not start' }),
  })
  .meta({ id: 'TaskPlan' })
export type TaskPlan = z.infer<typeof TaskPlan>

/** A file that differs between the start and the end of a run. */
export const ChangedFile = z
  .object({
    path: z.string(),
    from: z.string().nullable().meta({ description: 'its path before, if it was renamed' }),
    status: z.enum(['added', 'modified', 'deleted', 'renamed', 'mode', 'type']),
    kind: z.enum(['text', 'binary', 'symlink', 'submodule']),
    modes: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
    leadsTo: z.string().nullable().meta({ description: 'the target, if it is a link that leads out of the repository or into .git' }),
    added: z.number().int().nullable().meta({ description: 'number of lines; null if the file is not text' }),
    removed: z.number().int().nullable(),
    hunks: z.array(
      z.object({
        id: z.string().meta({ description: 'does not change while the hunk is the same' }),
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
    isShortened: z
      .boolean()
      .meta({ description: 'true if hunks beyond a limit are not listed; they are applied only with the whole file' }),
    isRead: z.boolean(),
  })
  .meta({ id: 'ChangedFile' })
export type ChangedFile = z.infer<typeof ChangedFile>

export const ReviewComment = z
  .object({
    id: z.string(),
    path: z.string(),
    line: z.number().int().nullable().meta({ description: 'line in the file after the run; null for the whole file' }),
    text: z.string().min(1).max(20_000),
    at: Instant,
    sentAt: Instant.nullable().meta({ description: 'when it was sent to the agent' }),
  })
  .meta({ id: 'ReviewComment' })
export type ReviewComment = z.infer<typeof ReviewComment>

/** The files and hunks of a change that are handed back. */
export const ChangeSelection = z
  .array(
    z.object({
      path: notAPlace(z.string(), 'a path in the change of a run'),
      hunks: z.array(z.string()).optional().meta({ description: 'if missing, the whole file' }),
    }),
  )
  .max(100_000)
  .meta({ id: 'ChangeSelection' })
export type ChangeSelection = z.infer<typeof ChangeSelection>
