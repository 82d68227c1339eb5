import { openReadOnly } from '#server/db/open.ts'
import { priceRules, type PriceInput, type RulesPriced } from './price.ts'

/** What recent sessions would have cost with rules, in a worker. */
export default function computePrice({ database, ...input }: PriceInput): RulesPriced {
  const db = openReadOnly(database)
  try {
    return db.transaction(() => priceRules(db, input))()
  } finally {
    db.close()
  }
}
