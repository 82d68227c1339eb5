import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announce, Announcer } from './announcer.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('announces the first text at once and of a burst only the last, five seconds later', () => {
  const { container } = render(<Announcer />)
  act(() => announce('1 found'))
  expect(container.textContent).toBe('1 found')
  act(() => {
    announce('2 found')
    announce('3 found')
    vi.advanceTimersByTime(4900)
  })
  expect(container.textContent).toBe('1 found')
  act(() => void vi.advanceTimersByTime(200))
  expect(container.textContent).toBe('3 found')
})
