import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toast, ToastLine } from './toast.tsx'
import { TooltipProvider } from './tooltip.tsx'

const show = () =>
  render(
    <TooltipProvider>
      <ToastLine />
    </TooltipProvider>,
  )
// Test files share the document, so a late toast of another file may be shown here.
const line = () => screen.getByRole('region', { name: 'Notifications' }).textContent

test('equal toasts within a short time become one with a count, whose button undoes all of them', async () => {
  show()
  const undone: string[] = []
  for (const name of ['first', 'second', 'third']) toast.undo('Set to first words', () => undone.push(name))
  await waitFor(() => expect(line()).toContain('Set to first words · 3 times'))
  fireEvent.click(screen.getByRole('button', { name: 'Undo all' }))
  expect(undone).toEqual(['third', 'second', 'first'])
  await waitFor(() => expect(line()).not.toContain('Set to first words'))
})

test('an action that was undone in another way is no longer counted', async () => {
  show()
  const withdraw = ['a', 'b'].map(() => toast.undo('Set to second words', () => undefined))
  await waitFor(() => expect(line()).toContain('Set to second words · 2 times'))
  withdraw[1]?.()
  await waitFor(() => expect(line()).not.toContain('times'))
  expect(line()).toContain('Set to second words')
  withdraw[0]?.()
  await waitFor(() => expect(line()).not.toContain('Set to second words'))
})

test('one message at a time, with one Undo; an error is shown again after a newer message', async () => {
  show()
  toast.error('Words were not saved', 'The disk is full.')
  toast.undo('Set to gold words', () => undefined)
  toast.undo('Set to silver words', () => undefined)
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  expect(line()).toContain('Set to silver words')
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Close message' }))
  await waitFor(() => expect(line()).toContain('Words were not saved'))
  fireEvent.click(screen.getByRole('button', { name: 'Details' }))
  expect((await screen.findByRole('dialog')).textContent).toContain('The disk is full.')
})
