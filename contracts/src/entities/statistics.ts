import { z } from 'zod'

const Value = z.number()
const Count = z.number().int().min(0).max(1e9)
const Positive = z.number().int().min(1).max(1e9)
const Share = z.number().min(0).max(1)
const Difference = z.number().gt(0).max(1)
const Values = z.array(Value).max(100_000)
const Groups = z
  .array(Values)
  .max(100_000)
  .meta({ description: 'values of each session or problem; values of one group depend on each other' })

const passAtK = z
  .object({ n: Positive.max(1e6).meta({ description: 'answers' }), c: Count.meta({ description: 'right answers' }), k: Positive })
  .refine(({ n, c, k }) => c <= n && k <= n, { message: 'c and k must not be larger than n.' })
const wilson = z
  .object({ n: Positive, c: Count.meta({ description: 'how many of n' }) })
  .refine(({ n, c }) => c <= n, { message: 'c must not be larger than n.' })
const mcnemar = z.object({
  b: Count.max(1e6).meta({ description: 'items only the base solved' }),
  c: Count.max(1e6).meta({ description: 'items only the candidate solved' }),
})
const clustered = z.object({ groups: Groups })
const paired = z
  .object({ base: Values, candidate: Values, clusters: z.array(z.string().max(200)).max(100_000).optional() })
  .refine(({ base, candidate, clusters }) => base.length === candidate.length && (clusters?.length ?? base.length) === base.length, {
    message: 'base, candidate and clusters must have the same number of items.',
  })
const bootstrap = z.object({ groups: Groups, seed: z.number().int().min(0).max(2 ** 32 - 1).default(42), resamples: z.number().int().min(1).max(10_000).default(1000) }) // prettier-ignore
const holm = z.object({ p: z.array(Share).max(100_000) })
const kappa = z
  .union([
    z.object({ table: z.array(z.array(Count).max(100)).max(100), weights: z.enum(['none', 'linear', 'quadratic']).default('none') }),
    z.object({ a: Values, b: Values, weights: z.enum(['none', 'linear', 'quadratic']).default('none') }),
  ])
  .refine(
    (given) => ('table' in given ? given.table.every((row) => row.length === given.table.length) : given.a.length === given.b.length),
    {
      message: 'The table must be square; a and b must have the same number of labels.',
    },
  )
  .refine((given) => 'table' in given || new Set([...given.a, ...given.b]).size <= 100, { message: 'At most 100 different labels.' })
const alpha = z
  .object({
    raters: z.array(z.array(Value.nullable()).max(10_000)).max(50),
    level: z.enum(['nominal', 'ordinal', 'interval']).default('nominal'),
  })
  .refine(({ raters }) => new Set(raters.flat()).size <= 101, { message: 'At most 100 different labels.' })
const noninferiority = z
  .object({ n: Positive, b: Count, c: Count, margin: Difference.default(0.05) })
  .refine(({ n, b, c }) => b + c <= n, { message: 'b and c together must not be larger than n.' })
const power = z
  .union([
    z
      .object({ psi: Difference, delta: Difference })
      .refine(({ psi, delta }) => delta <= psi, { message: 'delta must not be larger than psi.' }),
    z.object({ psi: Difference, n: Positive }),
    z.object({ psi: Difference, margin: Difference }),
    z.object({ sd: z.number().gt(0).max(1e6), delta: z.number().gt(0).max(1e6) }),
    z.object({ sd: z.number().gt(0).max(1e6), n: Positive }),
    z.object({ p1: Share, p2: Share }).refine(({ p1, p2 }) => p1 !== p2, { message: 'p1 and p2 must differ.' }),
    z.object({ n: Positive, m: Positive, icc: Share }),
  ])
  .meta({
    description: 'two rates {psi, delta | n | margin}, means {sd, delta | n}, unpaired rates {p1, p2}, or calls of a session {n, m, icc}',
  })

/** What each function reads; numbers, tests and formulas are those of docs/evaluation.md. */
export const STATISTICS = { pass_at_k: passAtK, wilson, mcnemar, clustered, paired, bootstrap, holm, kappa, alpha, noninferiority, power }
export const StatisticsFunction = z.enum(Object.keys(STATISTICS) as [keyof typeof STATISTICS])
export type StatisticsFunction = z.infer<typeof StatisticsFunction>
export type StatisticsInput<F extends StatisticsFunction> = z.output<(typeof STATISTICS)[F]>

/** Figures by name; null where the input does not tell. */
export const StatisticsResult = z.record(z.string(), z.union([z.number(), z.boolean(), z.array(z.number())]).nullable())
export type StatisticsResult = z.infer<typeof StatisticsResult>
