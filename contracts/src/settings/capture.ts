import { z } from 'zod'

export const CaptureSettings = z
  .object({
    paused: z.boolean().default(false),
    excludedProjects: z
      .array(z.string().min(1).max(1000))
      .max(1000)
      .default([])
      .meta({ description: 'working directories, or patterns with *' }),
    followLinks: z.boolean().default(false).meta({ description: 'follow symbolic links that lead out of the folders of sessions' }),
  })
  .prefault({})
