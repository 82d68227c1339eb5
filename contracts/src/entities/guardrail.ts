import { z } from 'zod'
import { Instant, TraceId } from './common.ts'

/** Where a command runs: `native` is the user's machine, `sandbox` an isolated machine. */
export const GuardProfile = z.enum(['native', 'sandbox']).meta({ id: 'GuardProfile' })
export type GuardProfile = z.infer<typeof GuardProfile>

const Severity = z.enum(['allow', 'warn', 'block'])

/** What a text is: sent to a model, its answer, or what a tool gave it to read. */
export const TextDirection = z.enum(['input', 'output', 'tool_result']).meta({ id: 'TextDirection' })
export type TextDirection = z.infer<typeof TextDirection>

/** What a rule is about. `moderation`: there is no classifier here, so it is checked only by a service of the user. */
export const GuardType = z.enum(['injection', 'moderation', 'topic', 'code', 'pii']).meta({ id: 'GuardType' })
export type GuardType = z.infer<typeof GuardType>

/** A rule, with its verdict in each profile, and what became of it. Rules for texts are the same in both. */
export const GuardRule = z
  .object({
    id: z.string(),
    type: GuardType,
    reason: z.string(),
    native: Severity,
    sandbox: Severity,
    isOwn: z.boolean().meta({ description: 'a rule of the user' }),
    failing: z.array(z.string()).meta({ description: 'of an own rule: its tests that do not pass; it counts only when there is none' }),
    events: z.number().int(),
    judged: z.number().int().meta({ description: 'events that the user judged' }),
    wrong: z.number().int().meta({ description: 'judged events that the user called wrong' }),
  })
  .meta({ id: 'GuardRule' })
export type GuardRule = z.infer<typeof GuardRule>

/** Verdicts by rule id that override the built-in ones. */
export const GuardOverrides = z.record(z.string().max(100), Severity).meta({ id: 'GuardOverrides' })
export type GuardOverrides = z.infer<typeof GuardOverrides>

/** Whether a command may run: the decision before it runs, and why. */
export const GuardVerdict = z
  .object({
    verdict: Severity,
    rule: z.string().nullable().meta({ description: 'id of the deciding rule; null if no rule matched' }),
    span: z
      .object({ start: z.number().int(), end: z.number().int() })
      .nullable()
      .meta({ description: 'the part that the rule matched, in UTF-16 units, end exclusive; null means the whole command' }),
    reason: z.string().nullable(),
    alternatives: z.array(z.string()),
  })
  .meta({ id: 'GuardVerdict' })
export type GuardVerdict = z.infer<typeof GuardVerdict>

/** What a check of a command or a text found. */
export const GuardCheck = z
  .object({
    passed: z.boolean().meta({ description: 'false if it is blocked' }),
    verdict: z
      .enum(['allow', 'warn', 'block', 'not_checked'])
      .meta({ description: 'allow: no rule matched, which does not mean that it is harmless' }),
    rule: z.string().nullable().meta({ description: 'id of the deciding rule; null if no rule matched' }),
    type: GuardType.nullable().meta({ description: 'of the deciding rule' }),
    spans: z
      .array(z.object({ start: z.number().int(), end: z.number().int(), family: z.string() }))
      .meta({ description: 'the parts that decided, in UTF-16 units, end exclusive; family: the kind of wording, or the rule' }),
    score: z.number().nullable().meta({ description: 'of an injection, from 0 to 1' }),
    reason: z.string().nullable(),
    alternatives: z.array(z.string()),
    moderation: z
      .object({ verdict: z.enum(['allow', 'warn', 'block', 'not_checked']), reason: z.string() })
      .nullable()
      .meta({ description: "what the user's NeMo Guardrails service says, or why it says nothing; null for a command" }),
    unchecked: z.array(GuardType).meta({ description: 'what was not looked for in this text' }),
    parse: z
      .array(
        z.object({
          kind: z.string(),
          text: z.string().meta({ description: 'shortened' }),
          folder: z.string().nullable().meta({ description: 'null: unknown' }),
          isElevated: z.boolean(),
        }),
      )
      .nullable()
      .meta({ description: 'what the command would do, as it was read; at most 100 entries; null for a text' }),
  })
  .meta({ id: 'GuardCheck' })
export type GuardCheck = z.infer<typeof GuardCheck>

export const GuardAction = z
  .enum(['ran', 'asked', 'blocked', 'redacted'])
  .meta({ id: 'GuardAction', description: 'what was done: ran (also: was read by the model), asked, blocked, redacted' })
export type GuardAction = z.infer<typeof GuardAction>
export const GuardSource = z.enum(['session', 'sandbox', 'proxy', 'hook', 'mod']).meta({ id: 'GuardSource' })
export type GuardSource = z.infer<typeof GuardSource>

/** Where the words of a command come from: the result of a tool that had them before the user or the model wrote them. */
export const GuardTaint = z
  .object({
    traceId: TraceId,
    stepId: z.string().meta({ description: 'the command' }),
    command: z.string().meta({ description: 'shortened, without secrets and personal data' }),
    denied: z.boolean().meta({ description: 'the user or a rule of the client refused it' }),
    sourceStepId: z.string().meta({ description: 'the step whose result had the words first' }),
    source: z.enum(['web', 'mcp', 'file']),
    tool: z.string(),
    from: z.string().meta({ description: 'the page, the MCP server or the file; shortened and redacted' }),
    line: z.string().meta({ description: 'the line that has the first of the words; shortened and redacted' }),
    words: z.array(z.object({ text: z.string(), kind: z.enum(['url', 'host', 'file', 'flag', 'package']) })),
  })
  .meta({ id: 'GuardTaint' })
export type GuardTaint = z.infer<typeof GuardTaint>

/** A command or text that a rule warned about or blocked. The verdict is what the rule says, the action what was done. */
export const GuardrailEvent = z
  .object({
    id: z.string(),
    at: Instant,
    verdict: z.enum(['warn', 'block']),
    action: GuardAction,
    type: GuardType,
    source: GuardSource,
    rule: z.string(),
    reason: z.string(),
    profile: GuardProfile.nullable().meta({ description: 'of a command' }),
    score: z.number().nullable(),
    sandboxId: z.string().nullable(),
    traceId: TraceId.nullable(),
    stepId: z.string().nullable(),
    excerpt: z.string().meta({ description: 'the part that decided, shortened, without secrets and personal data' }),
    wasRight: z.boolean().nullable().meta({ description: "the user's judgement; null: none" }),
    taint: z.array(GuardTaint).meta({ description: 'of a command of a session: which results of tools first had its words' }),
  })
  .meta({ id: 'GuardrailEvent' })
export type GuardrailEvent = z.infer<typeof GuardrailEvent>

/** Figures of the guardrails. */
export const GuardOverview = z
  .object({
    days: z
      .array(z.object({ day: z.string(), allow: z.number().int(), warn: z.number().int(), block: z.number().int() }))
      .meta({ description: 'checks by day and verdict, oldest first; days without a check are missing' }),
    sessions: z
      .object({ swept: z.number().int(), waiting: z.number().int(), failed: z.number().int(), jobId: z.string().nullable() })
      .meta({ description: 'captured sessions whose commands and tool results were checked, and those that are new or different since' }),
    secondSet: z
      .object({ attacks: z.number().int(), found: z.number().int(), ordinary: z.number().int(), falseAlarms: z.number().int() })
      .meta({ description: 'what the rules for texts find of a set that they were not made with' }),
  })
  .meta({ id: 'GuardOverview' })
export type GuardOverview = z.infer<typeof GuardOverview>

/** The result of a check of captured sessions. */
export const GuardSweep = z.object({
  sessions: z.number().int(),
  events: z.number().int(),
  failed: z.number().int(),
  tainted: z.number().int().default(0).meta({ description: 'commands whose words came from the result of a tool' }),
})
export type GuardSweep = z.infer<typeof GuardSweep>
