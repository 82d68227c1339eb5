import { z } from 'zod'

export const FactorySettings = z
  .object({
    tokenizers: z
      .array(z.string().min(1).max(4096))
      .max(100)
      .default([])
      .meta({ description: 'folders with a tokenizer, beside those that are found' }),
  })
  .prefault({})
