import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstAnswer, useConnection, type Connection } from './connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
  useConnection.setState(useConnection.getInitialState(), true)
})
afterEach(() => vi.useRealTimers())

const isOver = async (word: Promise<void>) => {
  let over = false
  void word.then(() => (over = true))
  await vi.advanceTimersByTimeAsync(0)
  return over
}

test.each<Connection['state']>(['online', 'offline', 'signed-out'])(
  'the wait for the first answer ends when the page is %s',
  async (state) => {
    const word = firstAnswer(300)
    useConnection.setState({ state: 'connecting' })
    expect(await isOver(word)).toBe(false)
    useConnection.setState({ state })
    expect(await isOver(word)).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('the wait for a server that does not answer ends after the given time', async () => {
  const word = firstAnswer(300)
  await vi.advanceTimersByTimeAsync(299)
  expect(await isOver(word)).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await isOver(word)).toBe(true)
})
