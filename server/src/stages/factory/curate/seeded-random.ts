import { hash } from 'node:crypto'

/** A number in [0, 1) that depends only on the seed and the name, so neither the order nor other rows matter. */
export function drawNumber(seed: number, name: string): number {
  const digest = hash('sha256', `${seed}\0${name}`, 'buffer')
  return digest.readUIntBE(0, 6) / 2 ** 48
}

/** The items in an order that depends only on the seed. */
export const shuffled = <T>(items: readonly T[], seed: number, nameOf: (item: T) => string): T[] =>
  items
    .map((item) => ({ item, name: nameOf(item), at: drawNumber(seed, nameOf(item)) }))
    .toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
    .map(({ item }) => item)
