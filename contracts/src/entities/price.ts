import { z } from 'zod'

export const Price = z
  .object({
    model: z.string(),
    inputPerMTok: z.number(),
    outputPerMTok: z.number(),
    cacheReadPerMTok: z.number(),
    cacheWritePerMTok: z.number(),
  })
  .meta({ id: 'Price', description: 'USD per million tokens; applies to models whose id begins with `model`' })
export type Price = z.infer<typeof Price>

export const AppliedPrice = Price.extend({
  from: z
    .enum(['own', 'listed', 'family'])
    .meta({ description: 'family: a newer model, with the price of the newest listed model in its family' }),
  asOf: z.string().nullable().meta({ description: 'month of the price list, YYYY-MM; null for your own prices' }),
}).meta({ id: 'AppliedPrice' })
export type AppliedPrice = z.infer<typeof AppliedPrice>

export const PriceList = z
  .object({
    asOf: z.string().meta({ description: 'month of the built-in prices, YYYY-MM' }),
    items: z.array(Price).meta({ description: 'the built-in prices' }),
    used: z
      .array(z.object({ model: z.string(), price: AppliedPrice.nullable() }))
      .meta({ description: 'models with tokens in the archive, and their prices; null if unknown' }),
  })
  .meta({ id: 'PriceList' })
export type PriceList = z.infer<typeof PriceList>
