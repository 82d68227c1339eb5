import { z } from 'zod'
import { ModelId } from '../entities/model.ts'

export const RoutingStrategy = z
  .enum(['teacher_only', 'student_only', 'confidence_based', 'task_complexity', 'progressive', 'random_sample'])
  .meta({ id: 'RoutingStrategy' })
export type RoutingStrategy = z.infer<typeof RoutingStrategy>

const share = (value: number, description: string) => z.number().min(0).max(1).default(value).meta({ description })

export const RouterSettings = z
  .object({
    strategy: RoutingStrategy.default('confidence_based').meta({ description: 'overridden by ROUTING_STRATEGY if set' }),
    studentModel: ModelId.nullable()
      .default(null)
      .meta({ description: 'a model of the registry; null: the newest one that is proven better' }),
    confidenceThreshold: share(0.7, 'of confidence_based: what the proof must reach'),
    studentSampleRate: share(0.1, 'of progressive: the share to start with'),
    maxStudentRate: share(0.9, 'of progressive: the largest share'),
    override: z.boolean().default(false).meta({ description: 'route to the student although no exam proves that it is better' }),
    proxy: z.boolean().default(false).meta({ description: 'passes requests of Claude Code on to its API, and measures them' }),
    proxyPort: z.number().int().min(1024).max(65_535).default(8003).meta({ description: 'port of the proxy on 127.0.0.1' }),
  })
  .prefault({})
export type RouterSettings = z.infer<typeof RouterSettings>
