import type { FactoryStats, Stats, TrainingStats } from '#contracts/entities/system.ts'
import type { Core } from '#server/core.ts'
import type { Lists } from './list.ts'
import { modelsWithoutPrice, priceOf, responseCost } from '#server/prices/prices.ts'
import type { OwnPrice, TokenCounts } from '#server/prices/prices.ts'

interface UsageRow extends TokenCounts {
  model: string | null
  /** 1 for rows whose input or output is unknown (placeholders of old clients); they have no price. */
  partial: number
  cacheWrite1h: number
  webSearches: number
  fast: number
}

// Records shared by forks count once: calls and prompts by their shared key, usage by response.
const STATEMENTS = [
  { sql: 'SELECT tier, count(*) AS n FROM traces GROUP BY tier', params: [] },
  { sql: "SELECT count(DISTINCT shared) AS n FROM entries WHERE kind = 'call'", params: [] },
  { sql: "SELECT count(DISTINCT shared) AS n FROM entries WHERE kind = 'prompt'", params: [] },
  {
    sql: `SELECT model, input IS NULL OR output IS NULL AS partial, fast, sum(cache_write_1h) AS cacheWrite1h, sum(web_searches) AS webSearches, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cacheRead, sum(cache_write) AS cacheWrite
      FROM (SELECT key, max(model) AS model, max(input) AS input, max(output) AS output, max(cache_read) AS cache_read, max(cache_write) AS cache_write,
              max(cache_write_1h) AS cache_write_1h, max(web_searches) AS web_searches, max(is_fast) AS fast
            FROM responses GROUP BY key)
      GROUP BY model, partial, fast`,
    params: [],
  },
]

/** Statistics of sessions. */
export type TraceStats = Omit<Stats, keyof FactoryStats | keyof TrainingStats>
export type StatsReader = ReturnType<typeof createStats>

/** Statistics over the whole archive, cached until something changes. */
export function createStats(
  core: Pick<Core, 'now' | 'events'>,
  { query }: Lists,
  prices: () => readonly OwnPrice[],
  archive: () => { bytes: number; rawBytes: number },
  /** Increases with every write; a rebuild writes without events. */
  writes: () => number,
) {
  let cached: { version: string; stats: Promise<TraceStats> } | null = null

  const read = async (): Promise<TraceStats> => {
    const [tiers, [calls], [prompts], usage] = (await query(STATEMENTS, false)) as [
      { tier: string; n: number }[],
      { n: number }[],
      { n: number }[],
      UsageRow[],
    ]
    const sum = (kind: keyof TokenCounts) => {
      const knownCounts = usage.map((row) => row[kind]).filter((count) => count !== null)
      return knownCounts.length ? knownCounts.reduce((total, count) => total + count, 0) : null
    }
    const withModel = usage.filter((row) => row.model !== null)
    const used = withModel.filter((row) => (row.input ?? 0) + (row.output ?? 0) + (row.cacheRead ?? 0) + (row.cacheWrite ?? 0) > 0)
    const usedModels = [...new Set(used.map((row) => row.model!))].toSorted()
    // Usage with a price is added up; models without one are in `unpricedModels`.
    const costs = withModel
      .filter((row) => row.partial === 0)
      .map((row) => responseCost(row.model, { ...row, isFast: row.fast === 1 }, priceOf(row.model!, prices())))
      .filter((cost) => cost !== null)
    return {
      traces: tiers.reduce((total, { n }) => total + n, 0),
      byTier: { gold: 0, silver: 0, bronze: 0, failed: 0, pending: 0, ...Object.fromEntries(tiers.map(({ tier, n }) => [tier, n])) },
      toolCalls: calls!.n,
      prompts: prompts!.n,
      tokens: { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') },
      costUsd: costs.length ? costs.reduce((total, cost) => total + cost, 0) : null,
      archive: archive(),
      usedModels,
      unpricedModels: modelsWithoutPrice(usedModels, prices()),
      computedAt: new Date(core.now()).toISOString(),
    }
  }

  return async (): Promise<TraceStats> => {
    const version = `${core.events.lastSeq()} ${writes()}`
    if (cached?.version !== version) {
      const entry = { version, stats: read() }
      cached = entry
      entry.stats.catch(() => {
        if (cached === entry) cached = null
      })
    }
    const { bytes, rawBytes } = archive()
    return { ...(await cached.stats), archive: { bytes, rawBytes } }
  }
}
