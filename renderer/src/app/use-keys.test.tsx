import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { setSingleKeys, useActiveActions, useKeys, type KeyHandlers } from './use-keys.ts'

afterEach(() => setSingleKeys(true))

function Part({ handlers, inDialog = false }: { handlers: KeyHandlers; inDialog?: boolean }) {
  useKeys(handlers, { inDialog })
  return null
}
const Shown = () => <output>{useActiveActions().join(' ')}</output>

test('a letter works when no field has the focus', () => {
  const gold = vi.fn()
  render(
    <>
      <Part handlers={{ gold }} />
      <input aria-label="field" />
      <button type="button">button</button>
    </>,
  )
  fireEvent.keyDown(screen.getByLabelText('field'), { key: 'g' })
  expect(gold).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByText('button'), { key: 'g' })
  fireEvent.keyDown(document.body, { key: 'g' })
  expect(gold).toHaveBeenCalledTimes(2)
})

test('keys with Ctrl work in fields too', () => {
  const palette = vi.fn()
  render(
    <>
      <Part handlers={{ palette }} />
      <input aria-label="field" />
    </>,
  )
  fireEvent.keyDown(screen.getByLabelText('field'), { key: 'k', ctrlKey: true })
  expect(palette).toHaveBeenCalledTimes(1)
})

test('single keys can be switched off; arrows and Escape still work', () => {
  const next = vi.fn()
  const back = vi.fn()
  render(<Part handlers={{ next, back }} />)
  setSingleKeys(false)
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(next).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, { key: 'ArrowDown' })
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(next).toHaveBeenCalledTimes(1)
  expect(back).toHaveBeenCalledTimes(1)
})

test('Enter on a button presses the button only', () => {
  const open = vi.fn()
  render(
    <>
      <Part handlers={{ open }} />
      <button type="button">button</button>
    </>,
  )
  fireEvent.keyDown(screen.getByText('button'), { key: 'Enter' })
  expect(open).not.toHaveBeenCalled()
})

test('while a dialog is open, plain keys go to the dialog and not to the page', () => {
  const gold = vi.fn()
  const back = vi.fn()
  render(
    <>
      <Part handlers={{ gold }} />
      <div role="dialog">
        <Part handlers={{ back }} inDialog />
      </div>
    </>,
  )
  fireEvent.keyDown(document.body, { key: 'g' })
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(gold).not.toHaveBeenCalled()
  expect(back).toHaveBeenCalledTimes(1)
})

test('the component mounted last handles a key first and may pass it on', () => {
  const outer = vi.fn()
  const inner = vi.fn(() => false)
  render(
    <>
      <Part handlers={{ back: outer }} />
      <Part handlers={{ back: inner }} />
    </>,
  )
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(inner).toHaveBeenCalledTimes(1)
  expect(outer).toHaveBeenCalledTimes(1)
})

test('the key map lists the active actions in the order of the table', () => {
  const { rerender } = render(
    <>
      <Part handlers={{ gold: () => undefined }} />
      <Part handlers={{ palette: () => undefined }} />
      <Shown />
    </>,
  )
  expect(screen.getByRole('status').textContent).toBe('palette gold')
  rerender(<Shown />)
  expect(screen.getByRole('status').textContent).toBe('')
})

test('a slider handles its arrow keys and passes letters to the page', () => {
  const next = vi.fn()
  const gold = vi.fn()
  render(
    <>
      <Part handlers={{ next, gold }} />
      <div role="slider" aria-label="place" aria-valuenow={1} tabIndex={0} />
      <div role="menu" aria-label="menu" tabIndex={0} />
    </>,
  )
  fireEvent.keyDown(screen.getByLabelText('place'), { key: 'ArrowDown' })
  fireEvent.keyDown(screen.getByLabelText('menu'), { key: 'g' })
  expect([next, gold].flatMap(({ mock }) => mock.calls)).toEqual([])
  fireEvent.keyDown(screen.getByLabelText('place'), { key: 'g' })
  expect(gold).toHaveBeenCalledTimes(1)
})
