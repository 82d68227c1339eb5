import { z } from 'zod'
import { Instant } from './common.ts'
import { SandboxBackend, SandboxProfile } from './sandbox.ts'

export const SnapshotName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'must be up to 63 lower-case letters, digits, dots, dashes or underscores')
  .refine((name) => name !== 'host', 'is the name of this machine itself')

/** Files of a sandbox, kept under a name that `image` of another one takes. Programs are no part of it. */
export const SandboxSnapshot = z
  .object({
    name: SnapshotName,
    backend: SandboxBackend,
    profile: SandboxProfile.meta({ description: 'a sandbox made from it must have the same' }),
    bytes: z.number().int().meta({ description: 'on disk' }),
    createdAt: Instant,
    sandboxId: z.string().meta({ description: 'of the sandbox it was taken of, which may be gone' }),
  })
  .meta({ id: 'SandboxSnapshot' })
export type SandboxSnapshot = z.infer<typeof SandboxSnapshot>

export const SnapshotUse = z
  .object({ bytes: z.number().int(), mostBytes: z.number().int(), most: z.number().int() })
  .meta({ id: 'SnapshotUse', description: 'of all snapshots together, and what is allowed' })
