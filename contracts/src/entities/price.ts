import { z } from 'zod'

export const Price = z
  .object({
    model: z.string(),
    inputPerMTok: z.number(),
    outputPerMTok: z.number(),
    cacheReadPerMTok: z.number(),
    cacheWritePerMTok: z.number().meta({ description: 'writes to the cache that last five minutes' }),
    cacheWrite1hPerMTok: z.number().meta({ description: 'writes to the cache that last an hour' }),
  })
  .meta({ id: 'Price', description: 'USD per million tokens of a model' })
export type Price = z.infer<typeof Price>

export const AppliedPrice = Price.extend({
  from: z.enum(['own', 'listed']),
  asOf: z.string().nullable().meta({ description: 'date of the price list, YYYY-MM-DD; null for your own prices' }),
}).meta({ id: 'AppliedPrice' })
export type AppliedPrice = z.infer<typeof AppliedPrice>

export const PriceList = z
  .object({
    asOf: z.string().meta({ description: 'date of the built-in prices, YYYY-MM-DD' }),
    source: z.string().meta({ description: 'where the built-in prices are from' }),
    items: z.array(Price).meta({ description: 'the built-in prices' }),
    used: z
      .array(
        z.object({
          model: z.string(),
          price: AppliedPrice.nullable(),
          similar: Price.nullable().meta({ description: 'for a model without a price: that of the newest listed model of its family' }),
        }),
      )
      .meta({ description: 'models with tokens in the archive, and their prices; null if unknown' }),
  })
  .meta({ id: 'PriceList' })
export type PriceList = z.infer<typeof PriceList>
