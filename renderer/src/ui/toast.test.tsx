import { fireEvent, render, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toast, Toaster } from './toast.tsx'

// Test files share the document, so a late toast of another file may be shown here; those of this file contain "words".

const texts = () =>
  [...document.querySelectorAll('[data-sonner-toast]:not([data-removed=true]) [data-title]')]
    .map((one) => one.textContent)
    .filter((text) => text.includes('words'))

const toastOf = (words: string): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('[data-sonner-toast]')].find((one) => one.textContent.includes(words))!

test('equal toasts within a short time become one with a count, whose button undoes all of them', async () => {
  render(<Toaster theme="dark" />)
  const undone: string[] = []
  for (const name of ['first', 'second', 'third']) toast.undo('Set to first words', () => undone.push(name))
  toast.info('Other words')
  await waitFor(() => expect(texts()).toEqual(['Other words', 'Set to first words · 3 times']))
  fireEvent.click(within(toastOf('Set to first words · 3 times')).getByRole('button', { name: 'Undo all' }))
  expect(undone).toEqual(['third', 'second', 'first'])
})

test('an action that was undone in another way is no longer counted', async () => {
  render(<Toaster theme="dark" />)
  const withdraw = ['a', 'b'].map(() => toast.undo('Set to second words', () => undefined))
  await waitFor(() => expect(texts()).toContain('Set to second words · 2 times'))
  withdraw[1]?.()
  await waitFor(() => expect(texts()).toContain('Set to second words'))
  withdraw[0]?.()
  await waitFor(() => expect(texts()).not.toContain('Set to second words'))
})
