import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { api } from '#renderer/api/client.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { MaskedText } from './masked-text.tsx'

const FINDING = { id: 'f1', preview: '***@***.**' } as ArchiveFinding

let queries: QueryClient
beforeEach(() => {
  queries = new QueryClient()
  vi.spyOn(api, 'getFindingContext').mockResolvedValue({ before: 'mail ', value: 'ada@corp.io', after: ' now', truncated: false })
  vi.spyOn(api, 'getFindingLine').mockResolvedValue({ before: 'write to ', masked: '***@***.**', after: ' and ****' })
  Element.prototype.setPointerCapture = vi.fn()
  showPart(<MaskedText finding={FINDING} />, queries)
})

const findValue = () => screen.findByText('ada@corp.io')
const hasText = (text: string) => screen.queryByText(text) !== null
const button = () => screen.getByRole('button', { name: /Hold to show/ })

it('shows the masked line, and loads no value until it is pressed', async () => {
  await expect.poll(() => screen.getByLabelText('Text in context').textContent).toContain('write to ***@***.** and ****')
  expect(api.getFindingContext).not.toHaveBeenCalled()
})

it.each([
  [
    'the pointer',
    () => fireEvent.pointerDown(button(), { button: 0, pointerId: 1 }),
    () => fireEvent.pointerUp(button(), { pointerId: 1 }),
  ],
  ['Space on the button', () => fireEvent.keyDown(button(), { key: ' ' }), () => fireEvent.keyUp(button(), { key: ' ' })],
  ['Space anywhere', () => fireEvent.keyDown(document.body, { key: ' ' }), () => fireEvent.keyUp(document.body, { key: ' ' })],
  [
    'the pointer until the window loses focus',
    () => fireEvent.pointerDown(button(), { button: 0, pointerId: 1 }),
    () => fireEvent.blur(window),
  ],
])('shows the text while pressed by %s, then masks it again', async (_, press, release) => {
  press()
  await findValue()
  act(() => void release())
  expect(hasText('ada@corp.io')).toBe(false)
  expect(hasText('***@***.**')).toBe(true)
  await expect.poll(() => queries.getQueryCache().findAll({ queryKey: ['privacy-context'] })).toHaveLength(0)
})

it('can be kept visible and masked again', async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Keep visible' }))
  await findValue()
  fireEvent.click(screen.getByRole('button', { name: 'Mask again' }))
  expect(hasText('ada@corp.io')).toBe(false)
})
