import { describe, expect, it } from 'vitest'
import { createPool, performAll } from './pool.ts'

/** Attempts that end when the test says so. */
function attempts() {
  const begun: number[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  const perform = (no: number, signal: AbortSignal): Promise<void> => {
    begun.push(no)
    const end = Promise.withResolvers<void>()
    ends.set(no, end)
    signal.addEventListener('abort', () => end.reject(signal.reason as Error))
    return end.promise
  }
  return { begun, perform, end: (no: number) => ends.get(no)!.resolve(), fail: (no: number, error: Error) => ends.get(no)!.reject(error) }
}
const upTo = (last: number) => {
  let no = 0
  return () => (no < last ? (no += 1) : null)
}
const never = () => new AbortController().signal
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('a pool', () => {
  it('has as many under way as there are places, begins the next when one ends, and more when it is woken', async () => {
    const { begun, perform, end } = attempts()
    let places = 2
    const pool = createPool({ places: () => places, next: upTo(5), perform, signal: never() })
    await turn()
    expect(begun).toEqual([1, 2])
    end(1)
    await turn()
    expect(begun).toEqual([1, 2, 3])
    places = 3
    pool.wake()
    await turn()
    expect(begun).toEqual([1, 2, 3, 4])
    for (const no of [2, 3, 4]) end(no)
    await turn()
    end(5)
    await pool.done
  })

  it('asks again after an end, because that may have made more to do', async () => {
    const todo = ['a']
    const done: string[] = []
    await performAll({
      places: () => 3,
      next: () => todo.shift() ?? null,
      async perform(one) {
        await turn()
        done.push(one)
        if (one.length < 3) todo.push(`${one}1`, `${one}2`)
      },
      signal: never(),
    })
    expect(done).toEqual(['a', 'a1', 'a2', 'a11', 'a12', 'a21', 'a22'])
  })

  it('is stopped by the first failure, and rejects with it when all have ended', async () => {
    const { begun, perform, fail } = attempts()
    const { done } = createPool({ places: () => 2, next: upTo(9), perform, signal: never() })
    await turn()
    fail(2, new Error('of the second'))
    await expect(done).rejects.toThrow('of the second')
    expect(begun).toEqual([1, 2])
  })

  it('rejects with the reason of its signal, and with what `next` throws', async () => {
    const stop = new AbortController()
    const { done } = createPool({ places: () => 2, next: upTo(9), perform: attempts().perform, signal: stop.signal })
    await turn()
    stop.abort(new Error('closed'))
    await expect(done).rejects.toThrow('closed')
    const next = () => Promise.reject(new Error('no list'))
    await expect(performAll({ places: () => 1, next, perform: attempts().perform, signal: never() })).rejects.toThrow('no list')
  })
})
