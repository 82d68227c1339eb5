import { z } from 'zod'
import { Instant } from './common.ts'
import { SandboxBackend, SandboxProfile } from './sandbox.ts'

export const SnapshotName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'must be up to 63 lower-case letters, digits, dots, dashes or underscores')
  .refine((name) => name !== 'host', 'is reserved for this machine')

/** Saved files of a sandbox, without its programs. Another sandbox can use the name as its `image`. */
export const SandboxSnapshot = z
  .object({
    name: SnapshotName,
    backend: SandboxBackend,
    profile: SandboxProfile.meta({ description: 'a sandbox that starts from it must have the same profile' }),
    bytes: z.number().int().meta({ description: 'on disk' }),
    createdAt: Instant,
    sandboxId: z.string().meta({ description: 'the sandbox that was saved, which may no longer exist' }),
  })
  .meta({ id: 'SandboxSnapshot' })
export type SandboxSnapshot = z.infer<typeof SandboxSnapshot>

export const SnapshotUse = z
  .object({ bytes: z.number().int(), mostBytes: z.number().int(), most: z.number().int() })
  .meta({ id: 'SnapshotUse', description: 'use by all snapshots together, and the limits' })
