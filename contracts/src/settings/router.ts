import { z } from 'zod'
import { askedField } from '../places.ts'

export const RoutingStrategy = z
  .enum(['teacher_only', 'student_only', 'confidence_based', 'task_complexity', 'progressive', 'random_sample'])
  .meta({ id: 'RoutingStrategy' })
export type RoutingStrategy = z.infer<typeof RoutingStrategy>

/** A step of Claude, by what is known before it is sent: the first of a turn, one after results of tools, or one of a sub-agent. */
export const StepKind = z.enum(['turn_start', 'turn_rest', 'subagent']).meta({ id: 'StepKind' })
export type StepKind = z.infer<typeof StepKind>

export const StepEffort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']).meta({ id: 'StepEffort' })
export type StepEffort = z.infer<typeof StepEffort>

/** With which model and effort Claude Code sends steps of a kind. */
export const StepRule = z
  .strictObject({
    when: StepKind,
    agentType: z.string().trim().max(100).default('').meta({ description: 'of `subagent`: only this type; empty: all but forks' }),
    model: z
      .string()
      .trim()
      .max(200)
      .regex(/^$|^[\w.:@/[\]-]*claude-[\w.:@/[\]-]+$/i, 'Must be the full name of a Claude model, such as claude-haiku-4-5.')
      .default('')
      .meta({ description: 'sent as it is written here; empty: as the client chose' }),
    effort: StepEffort.nullable().default(null).meta({ description: 'null: as the client chose' }),
  })
  .meta({ id: 'StepRule' })
export type StepRule = z.infer<typeof StepRule>
export const GymWork = z.enum(['sandbox', 'in-place']).meta({ id: 'GymWork' })
export type GymWork = z.infer<typeof GymWork>

const share = (value: number, description: string) => z.number().min(0).max(1).default(value).meta({ description })

/** Which model of the user's own answers in Claude Code, and how much of the work it may take. */
export const RouterSettings = z
  .object({
    studentModel: z
      .string()
      .trim()
      .max(200)
      .default('')
      .meta({ description: 'a model of the registry by its id, or the name of the model at `studentAddress`; empty: none' }),
    studentAddress: askedField(z.string().trim().max(2000), 'Send the work of the gym agent to an address')
      .default('')
      .meta({ description: 'of an OpenAI-compatible endpoint; empty: the model of the registry is served here' }),
    studentContext: z.number().int().min(0).max(10_000_000).default(0).meta({
      description:
        'tokens that the model at `studentAddress` can read and write together; 0: not known, and the address itself refuses what is too long',
    }),
    override: z
      .string()
      .trim()
      .max(300)
      .default('')
      .meta({ description: '"use NAME without proof", with the name of the model: uses it although no exam has shown that it is better' }),
    work: GymWork.default('sandbox').meta({
      description:
        'where the gym agent works. sandbox: on a copy of the folder, and its report has the change; in-place: in the folder, with the permissions of Claude Code',
    }),
    servedAtStart: z
      .boolean()
      .default(true)
      .meta({ description: 'loads the chosen model of the registry when the app starts and when it is chosen, if it may be used' }),
    servedContext: z
      .number()
      .int()
      .min(512)
      .max(1_000_000)
      .default(8192)
      .meta({ description: 'tokens that the chosen model of the registry can read and write together' }),
    servedThreads: z.number().int().min(0).max(1024).default(0).meta({ description: 'processor threads of the chosen model; 0: all' }),
    idleMinutes: z
      .number()
      .int()
      .min(0)
      .max(10_080)
      .default(30)
      .meta({ description: 'unloads the chosen model after so long without a request, until the next one; 0: never' }),
    strategy: RoutingStrategy.default('confidence_based').meta({ description: 'overridden by ROUTING_STRATEGY if set' }),
    confidenceThreshold: share(0.7, 'of confidence_based: what the proof must reach'),
    studentSampleRate: share(0.1, 'of progressive: the share to start with'),
    maxStudentRate: share(0.9, 'of progressive: the largest share'),
    rulesOn: z.boolean().default(false).meta({ description: 'carries out `rules`, by our mod of Claude Code' }),
    rules: z.array(StepRule).max(20).default([]).meta({ description: 'the first that fits a step counts' }),
    shadow: z
      .boolean()
      .default(false)
      .meta({ description: 'asks the student about steps that Claude has answered; none of its tools is run' }),
    shadowPerDay: z.number().int().min(1).max(10_000).default(50).meta({ description: 'of `shadow`: answers in 24 hours at most' }),
    proxy: z.boolean().default(false).meta({ description: 'passes requests of Claude Code on to its API, and measures them' }),
    proxyPort: z.number().int().min(1024).max(65_535).default(8003).meta({ description: 'port of the proxy on 127.0.0.1' }),
  })
  .prefault({})
export type RouterSettings = z.infer<typeof RouterSettings>
