import { z } from 'zod'
import { askedField, notAPlace } from '../places.ts'

export const CaptureSettings = z
  .object({
    paused: z.boolean().default(false),
    excludedProjects: z
      .array(notAPlace(z.string().min(1).max(1000), 'compared with the folders of sessions, never opened'))
      .max(1000)
      .default([])
      .meta({ description: 'working directories, or patterns with *' }),
    followLinks: askedField(z.boolean(), 'Links out of the folders of sessions', {
      harmless: ['false'],
      words: { true: 'followed', false: 'not followed' },
    })
      .default(false)
      .meta({ description: 'follow symbolic links that lead out of the folders of sessions' }),
  })
  .prefault({})
