import type { Cache, Handlers } from './messages.ts'

/** Everything about preference pairs under review. */
export const pairKeys = { all: ['pairs'] as const }

export const pairMessages = ({ again }: Cache) => ({ 'pairs:changed': () => again(pairKeys.all) }) satisfies Partial<Handlers>
