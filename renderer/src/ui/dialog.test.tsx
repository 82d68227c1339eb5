import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { Confirm } from './confirm.tsx'
import { TooltipProvider } from './tooltip.tsx'

function Page() {
  const [open, setOpen] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  return (
    <main id="content" tabIndex={-1}>
      {isDeleted ? null : <button onClick={() => setOpen(true)}>Delete …</button>}
      <Confirm open={open} onOpenChange={setOpen} title="Sure?" action="Delete" onConfirm={() => setDeleted(true)}>
        It will be deleted.
      </Confirm>
    </main>
  )
}
const openIt = () => {
  const button = screen.getByRole('button', { name: 'Delete …' })
  button.focus()
  fireEvent.click(button)
  return button
}

it('returns the focus to the element that opened it, or to the page if that is removed', async () => {
  render(
    <TooltipProvider>
      <Page />
    </TooltipProvider>,
  )
  const button = openIt()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(button))
  openIt()
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})
