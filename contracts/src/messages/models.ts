import { z } from 'zod'
import { Model, Serving } from '../entities/model.ts'
import type { MessageGroup } from './group.ts'

export const modelMessages = {
  durable: {
    'model:changed': z.object({ model: Model }),
    'model:removed': z.object({ id: z.string() }),
  },
  passing: {
    'model:servings': z.object({ items: z.array(Serving) }),
  },
} satisfies MessageGroup
