import { z } from 'zod'
import { Instant } from '../entities/common.ts'
import { Sandbox, SandboxCapacity, SandboxUsage } from '../entities/sandbox.ts'
import type { MessageGroup } from './group.ts'

const activity = z.object({
  id: z.string(),
  busy: z.boolean(),
  sessionCommandCount: z.number().int(),
  lastUsedAt: Instant.nullable(),
})

export const arenaMessages = {
  durable: {
    'sandbox:status': z.object({ sandbox: Sandbox }),
    'sandbox:removed': z.object({ id: z.string() }),
  },
  passing: {
    'sandbox:activity': activity,
    'sandbox:usage': z.object({ items: z.array(SandboxUsage) }),
    'sandbox:queue': SandboxCapacity,
    'sandbox:snapshots': z.object({ names: z.array(z.string()) }),
  },
  newestOnly: {
    'sandbox:activity': ({ id }: z.infer<typeof activity>) => id,
    'sandbox:usage': () => '',
    'sandbox:queue': () => '',
    'sandbox:snapshots': () => '',
  },
} satisfies MessageGroup
