/** How long a provider keeps what it was sent, since it was last read. */
export const CACHE_LIFE_MS = { short: 5 * 60_000, long: 60 * 60_000 } as const
export type CacheLife = keyof typeof CACHE_LIFE_MS

export interface Sent {
  at: number
  model: string
  /** Tokens of the whole request. */
  context: number
}

/**
 * The cache of one conversation at its provider: what was sent before is read from it while it lives, the rest is written. Each model
 * has its own, so a change of model begins with an empty one. A shorter request is another conversation (it was summarised).
 */
export function createCache(life: CacheLife) {
  const kept = new Map<string, { at: number; context: number }>()
  return ({ at, model, context }: Sent): { read: number; write: number } => {
    const before = kept.get(model)
    const isAlive = before !== undefined && at - before.at <= CACHE_LIFE_MS[life] && context >= before.context
    kept.set(model, { at, context })
    const read = isAlive ? before.context : 0
    return { read, write: context - read }
  }
}
