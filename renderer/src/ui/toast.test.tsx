import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { toast, Toaster } from './toast.tsx'

afterEach(cleanup)

const texts = () =>
  [...document.querySelectorAll('[data-sonner-toast]:not([data-removed=true]) [data-title]')].map((one) => one.textContent)

test('the same words within a short time are one toast with a count, whose button takes all of it back', async () => {
  render(<Toaster theme="dark" />)
  const undone: string[] = []
  for (const name of ['first', 'second', 'third']) toast.undo('Set to gold', () => undone.push(name))
  toast.info('Link copied')
  await waitFor(() => expect(texts()).toEqual(['Link copied', 'Set to gold · 3 times']))
  fireEvent.click(screen.getByRole('button', { name: 'Undo all' }))
  expect(undone).toEqual(['third', 'second', 'first'])
})

test('what was taken back in another way is counted no more', async () => {
  render(<Toaster theme="dark" />)
  const withdraw = ['a', 'b'].map(() => toast.undo('Set to bronze', () => undefined))
  await waitFor(() => expect(texts()).toContain('Set to bronze · 2 times'))
  withdraw[1]?.()
  await waitFor(() => expect(texts()).toContain('Set to bronze'))
  withdraw[0]?.()
  await waitFor(() => expect(texts()).not.toContain('Set to bronze'))
})
