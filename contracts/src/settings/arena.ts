import { z } from 'zod'

export const ArenaSettings = z
  .object({
    running: z.number().int().min(1).max(1000).default(10).meta({ description: 'sandboxes that may run at a time' }),
    snapshots: z.number().int().min(0).max(1000).default(20).meta({ description: 'files of sandboxes that are kept under a name' }),
    snapshotMb: z.number().int().min(1).max(10_485_760).default(10_240).meta({ description: 'disk that all snapshots may take together' }),
    queue: z.number().int().min(0).max(10_000).default(256).meta({ description: 'starts that may wait' }),
  })
  .prefault({})
export type ArenaSettings = z.infer<typeof ArenaSettings>
