import { z } from 'zod'

export const PriceSettings = z
  .array(
    z.strictObject({
      model: z.string().min(1).max(200),
      inputPerMTok: z.number().min(0),
      outputPerMTok: z.number().min(0),
      cacheReadPerMTok: z.number().min(0).optional().meta({ description: 'left out: 0.1 of the input price' }),
      cacheWritePerMTok: z.number().min(0).optional().meta({ description: 'left out: 1.25 of the input price' }),
    }),
  )
  .max(500)
  .default([])
  .meta({ description: 'own prices in USD; the longest prefix of the model id wins, own before built-in' })
