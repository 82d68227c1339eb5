import { describe, expect, it } from 'vitest'
import { createLanes } from './lanes.ts'

function open(places: Record<string, number>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const reasons: string[] = []
  const lanes = createLanes({
    lane: (id) => ({ name: id[0]!, places: places[id[0]!]! }),
    live: (id) => ({ id }),
    async perform(id, { signal }) {
      begun.push(id)
      await new Promise<void>((resolve) => {
        ends.set(id, resolve)
        signal.addEventListener('abort', () => resolve())
      })
      if (signal.aborted) reasons.push(`${id}: ${(signal.reason as Error).message}`)
    },
    log: { error: () => undefined },
  })
  return { lanes, begun, reasons, end: (id: string) => ends.get(id)!() }
}
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('lanes', () => {
  it('begin in order as many as each lane has places, and none before they are open', async () => {
    const places = { a: 1, b: 2 }
    const { lanes, begun, end } = open(places)
    for (const id of ['a1', 'a2', 'b1', 'b2', 'b3', 'a3']) lanes.add(id)
    const full = () => {
      throw new Error('the disk is full')
    }
    expect(() => lanes.add('a9', full)).toThrow('the disk is full')
    expect([begun, lanes.place('a3'), lanes.place('b3')]).toEqual([[], 3, 3])
    lanes.open()
    expect([begun, lanes.place('a3'), lanes.place('b3'), lanes.place('a1')]).toEqual([['a1', 'b1', 'b2'], 2, 1, null])
    end('b1')
    await turn()
    expect(begun.at(-1)).toBe('b3')
    places.a = 3
    lanes.pump()
    expect(begun.slice(-2)).toEqual(['a2', 'a3'])
  })

  it('begin one again that was added while it was active, when it has ended', async () => {
    const { lanes, begun, end } = open({ a: 2 })
    lanes.open()
    lanes.add('a1')
    lanes.add('a1')
    expect(begun).toEqual(['a1'])
    end('a1')
    await turn()
    expect(begun).toEqual(['a1', 'a1'])
  })

  it('are told why they stop, and begin nothing more when they are closed', async () => {
    const { lanes, begun, reasons } = open({ a: 2 })
    lanes.open()
    for (const id of ['a1', 'a2', 'a3']) lanes.add(id)
    expect(lanes.remove('a3')).toBe(true)
    expect(await Promise.all([lanes.stop('a1', new Error('cancelled')), lanes.stop('a3', new Error('-'))])).toEqual([true, false])
    for (const id of ['a4', 'a5']) lanes.add(id)
    expect(await lanes.close(new Error('closing'))).toEqual(['a2', 'a4'])
    expect([begun, reasons]).toEqual([
      ['a1', 'a2', 'a4'],
      ['a1: cancelled', 'a2: closing', 'a4: closing'],
    ])
  })
})
