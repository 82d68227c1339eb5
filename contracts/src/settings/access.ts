import { z } from 'zod'
import { folderField } from '../places.ts'

export const AccessSettings = z
  .object({
    trustedFolders: z
      .array(
        folderField(z.string().startsWith('/', 'must be an absolute path').max(4096), 'Trust a folder and everything in it', {
          title: 'Confirm trusting this folder',
          always: true,
        }),
      )
      .max(100)
      .default([])
      .meta({
        description:
          'folders outside your home folder, or hidden ones, that a browser may name like those in your home folder, without a confirmation each time',
      }),
  })
  .prefault({})
