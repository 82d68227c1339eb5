import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { EditMessage } from './edit-message.tsx'

const assistantMessage = (content: string): ChatMessage => ({ role: 'assistant', content })
const save = () => fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
const formFor = (message: ChatMessage, onSave: (message: ChatMessage) => Promise<unknown>) => (
  <EditMessage message={message} index={3} onSave={onSave} onClose={() => {}} />
)

test('does not save an edit over another message that moved to its index', () => {
  const onSave = vi.fn(() => Promise.resolve())
  const { rerender } = render(formFor(assistantMessage('the third'), onSave))
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'the third, mended' } })
  rerender(formFor(assistantMessage('the fourth'), onSave))
  save()
  expect(screen.getByText(/changed elsewhere since/)).toBeTruthy()
  expect(onSave).not.toHaveBeenCalled()
  rerender(formFor(assistantMessage('the third'), onSave))
  save()
  expect(onSave).toHaveBeenCalledWith(assistantMessage('the third, mended'))
})
