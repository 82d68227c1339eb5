import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { EditMessage } from './edit-message.tsx'

afterEach(cleanup)

const assistantMessage = (content: string): ChatMessage => ({ role: 'assistant', content })
const save = () => fireEvent.click(screen.getByRole('button', { name: /^Save/ }))
const shown = (message: ChatMessage, onSave: (message: ChatMessage) => Promise<unknown>) => (
  <EditMessage message={message} index={3} onSave={onSave} onClose={() => {}} />
)

test('an edit is not saved over another message that took its index', () => {
  const onSave = vi.fn(() => Promise.resolve())
  const { rerender } = render(shown(assistantMessage('the third'), onSave))
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'the third, mended' } })
  rerender(shown(assistantMessage('the fourth'), onSave))
  save()
  expect(screen.getByText(/changed elsewhere since/)).toBeTruthy()
  expect(onSave).not.toHaveBeenCalled()
  rerender(shown(assistantMessage('the third'), onSave))
  save()
  expect(onSave).toHaveBeenCalledWith(assistantMessage('the third, mended'))
})
