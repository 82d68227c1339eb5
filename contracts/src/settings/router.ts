import { z } from 'zod'
import { askedField } from '../places.ts'

export const RoutingStrategy = z
  .enum(['teacher_only', 'student_only', 'confidence_based', 'task_complexity', 'progressive', 'random_sample'])
  .meta({ id: 'RoutingStrategy' })
export type RoutingStrategy = z.infer<typeof RoutingStrategy>

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
    strategy: RoutingStrategy.default('confidence_based').meta({ description: 'overridden by ROUTING_STRATEGY if set' }),
    confidenceThreshold: share(0.7, 'of confidence_based: what the proof must reach'),
    studentSampleRate: share(0.1, 'of progressive: the share to start with'),
    maxStudentRate: share(0.9, 'of progressive: the largest share'),
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
