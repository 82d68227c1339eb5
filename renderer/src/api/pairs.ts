import type { Cache, Handlers } from './messages.ts'

/** Everything about preference pairs under review. */
export const pairKeys = { all: ['pairs'] as const }

export const pairMessages = ({ refetch }: Cache) => ({ 'pairs:changed': () => refetch(pairKeys.all) }) satisfies Partial<Handlers>
