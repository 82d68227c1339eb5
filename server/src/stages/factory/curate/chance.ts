import { hash } from 'node:crypto'

/** A number in [0, 1) that depends on the seed and the name alone, so that neither order nor neighbours matter. */
export function drawn(seed: number, name: string): number {
  const digest = hash('sha256', `${seed}\0${name}`, 'buffer')
  return digest.readUIntBE(0, 6) / 2 ** 48
}

/** In an order that the seed alone decides. */
export const shuffled = <T>(items: readonly T[], seed: number, nameOf: (item: T) => string): T[] =>
  items
    .map((item) => ({ item, name: nameOf(item), at: drawn(seed, nameOf(item)) }))
    .toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
    .map(({ item }) => item)
