import { z } from 'zod'
import { RecordedId } from '../entities/profile.ts'
import type { MessageGroup } from './group.ts'

export const observabilityMessages = {
  durable: {},
  passing: { 'observability:recorded': z.object({ id: RecordedId.meta({ description: 'a trace that has new spans' }) }) },
  newestOnly: { 'observability:recorded': ({ id }: { id: string }) => id },
} satisfies MessageGroup
