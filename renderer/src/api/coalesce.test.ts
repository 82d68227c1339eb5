import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { coalesce } from './coalesce.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first call runs at once, and those during the wait become one', () => {
  const work = vi.fn()
  const call = coalesce(work, 1000)
  call()
  expect(work).toHaveBeenCalledTimes(1)
  for (let index = 0; index < 50; index += 1) call()
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(5000)
  expect(work).toHaveBeenCalledTimes(2)
  call()
  expect(work).toHaveBeenCalledTimes(3)
})
