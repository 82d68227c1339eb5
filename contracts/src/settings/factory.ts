import { z } from 'zod'
import { folderField } from '../places.ts'

export const FactorySettings = z
  .object({
    tokenizers: z
      .array(folderField(z.string().min(1).max(4096), 'Read a tokenizer from a folder'))
      .max(100)
      .default([])
      .meta({ description: 'folders with a tokenizer, beside those that are found' }),
  })
  .prefault({})
