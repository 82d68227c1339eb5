import { z } from 'zod'
import { notAPlace } from '../places.ts'
import { Instant } from './common.ts'

/** The exam run whose verdict allows a model to be used. */
export const StudentCertificate = z.object({ examId: z.string(), run: z.string() }).meta({ id: 'StudentCertificate' })
export type StudentCertificate = z.infer<typeof StudentCertificate>

/** A model of the user's own that answered in Claude Code. */
export const AnsweredBy = z
  .object({ modelId: z.string(), certificate: StudentCertificate.nullable().meta({ description: 'null: not proven' }) })
  .meta({ id: 'AnsweredBy' })
export type AnsweredBy = z.infer<typeof AnsweredBy>

/** The model that answers the agent `gym`. */
export const Student = z
  .object({
    name: z.string().meta({ description: 'its name in Claude Code, which no provider knows' }),
    modelId: z.string(),
    label: z.string(),
    receiver: z.string().meta({ description: 'who gets the conversation' }),
    certificate: StudentCertificate.nullable(),
    evidenceSince: Instant.nullable().meta({
      description: 'what was measured before does not count: files, prompt, tools or client were others; null: not known',
    }),
    unprovenClient: z
      .string()
      .nullable()
      .meta({ description: 'version of Claude Code that its exam was not taken with: the router gives it nothing there' }),
    isUsable: z.boolean(),
    reason: z.string().meta({ description: 'why it may be used, or why not' }),
    override: z.string().meta({ description: 'what the setting `override` must be to use it without a proof' }),
  })
  .meta({ id: 'Student' })
export type Student = z.infer<typeof Student>

export const ModProblem = z.object({ kind: z.string(), message: z.string() })

/** The state of our mod in one installation of Claude Code. */
export const ModReport = z
  .object({
    installed: z.boolean(),
    version: z.string().nullable().meta({ description: 'of the installed mod' }),
    loads: z.boolean().nullable().meta({
      description: 'false: something on this machine prevents it, see `problems`; null: not verified, the version of the client is unknown',
    }),
    overridableBy: z
      .array(z.string())
      .meta({ description: 'other mods that take part in decisions about tools, and can allow what ours asks or denies' }),
    isFirst: z.boolean().meta({ description: 'a setting of Claude Code puts it before other mods' }),
    clientVersion: z.string().nullable(),
    folder: z.string(),
    changed: z.boolean(),
    problems: z.array(ModProblem),
  })
  .meta({ id: 'ModReport' })
export type ModReport = z.infer<typeof ModReport>

/** The exact change that an install or removal of the mod would make: whole files. */
export const ModPreview = z
  .object({
    folder: z.string(),
    files: z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
    changed: z.boolean(),
  })
  .meta({ id: 'ModPreview' })
export type ModPreview = z.infer<typeof ModPreview>

/** A step of the agent, as our mod sends it: `messages` are those of the client's own API. */
export const ModStep = z
  .object({
    model: z.string().max(200),
    agentId: z.string().max(200),
    version: z.string().max(100),
    task: z.string().max(1_048_576).nullable().meta({ description: 'what the agent was asked; some clients leave it out of `messages`' }),
    directory: notAPlace(
      z.string().max(4096).nullable(),
      'only our mod names it, with the token of the owner: the folder that the client works in',
    )
      .default(null)
      .meta({ description: 'the folder of the session, of which the agent gets a copy if it works in a sandbox' }),
    messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).max(10_000),
  })
  .meta({ id: 'ModStep' })
export type ModStep = z.infer<typeof ModStep>

/** What the model answered. A model that is away, too slow or makes no sense is a text that says so, without calls. */
export const ModAnswer = z
  .object({
    text: z.string(),
    calls: z.array(z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) })),
    usage: z.object({
      input: z.number().int(),
      output: z.number().int(),
      cacheRead: z.number().int().nullable(),
      cacheWrite: z.number().int().nullable(),
    }),
    failed: z.boolean().meta({ description: 'true: `text` says why the model did not answer' }),
  })
  .meta({ id: 'ModAnswer' })
export type ModAnswer = z.infer<typeof ModAnswer>

/** A rule that lets Claude Code run one command without asking. */
export const GymRule = z
  .object({
    rule: z.string(),
    command: z.string(),
    because: z.string().meta({ description: 'where the command was found' }),
    refused: z.string().nullable().meta({ description: 'why it is not written; null if it is' }),
  })
  .meta({ id: 'GymRule' })
export type GymRule = z.infer<typeof GymRule>

/** The rules with which the gym agent may run a project's own tests in place. */
export const GymRules = z
  .object({
    directory: z.string(),
    file: z.string().meta({ description: 'the settings of Claude Code for this project only' }),
    rules: z.array(GymRule),
    written: z.boolean(),
    diff: z.string().meta({ description: 'what writing them would change, or, once they are written, taking them back; empty: nothing' }),
  })
  .meta({ id: 'GymRules' })
export type GymRules = z.infer<typeof GymRules>
/** A setting of Claude Code that we can make, and the exact change that the other choice would make. */
export const ClientChange = z
  .object({
    isOn: z.boolean(),
    settingsFile: z.string(),
    exists: z.boolean(),
    diff: z.string().meta({ description: 'unified diff of the change to the other choice' }),
    obstacle: z.string().nullable().meta({ description: 'why it cannot be made now' }),
  })
  .meta({ id: 'ClientChange' })
export type ClientChange = z.infer<typeof ClientChange>

/** What a model of the user's own did in Claude Code. */
export const ModelWork = z
  .object({
    steps: z.number().int().meta({ description: 'of the gym agent, answered' }),
    failed: z.number().int().meta({ description: 'that ended with the reason why there is no answer' }),
    agents: z.number().int().meta({ description: 'tasks that the agent was given' }),
    sessions: z.number().int().meta({ description: 'captured sessions in which it answered' }),
    tokens: z.number().int().nullable().meta({ description: 'of the gym agent' }),
    answers: z.number().int().meta({ description: 'by the proxy or `router/generate`, of the last 30 days' }),
    fallbacks: z.number().int().meta({ description: 'that Claude answered instead' }),
    lastAt: Instant.nullable().meta({ description: 'of its last answer' }),
  })
  .meta({ id: 'ModelWork' })
export type ModelWork = z.infer<typeof ModelWork>
