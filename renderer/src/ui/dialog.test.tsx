import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { Confirm } from './confirm.tsx'
import { TooltipProvider } from './tooltip.tsx'

afterEach(cleanup)

function Page() {
  const [open, setOpen] = useState(false)
  const [isGone, setGone] = useState(false)
  return (
    <main id="content" tabIndex={-1}>
      {isGone ? null : <button onClick={() => setOpen(true)}>Delete …</button>}
      <Confirm open={open} onOpenChange={setOpen} title="Sure?" action="Delete" onConfirm={() => setGone(true)}>
        It goes.
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

it('gives the focus back to what opened it, or to the page when that is gone', async () => {
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
