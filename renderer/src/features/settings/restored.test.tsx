import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { api } from '#renderer/api/client.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { RestoredSection } from './restored.tsx'

beforeEach(() => useConnection.setState({ state: 'online' }))

it('uses a program or address of a restored backup only after confirmation', async () => {
  const settings = [
    { key: 'training.python', value: '/tmp/x/python' },
    { key: 'providers.nim', value: { baseUrl: 'http://elsewhere.test', model: '' } },
  ]
  vi.spyOn(api, 'getRestored').mockResolvedValue({
    settings,
    droppedSettings: ['training.oldName'],
    waiting: [{ kind: 'agent-run', count: 1, active: 1 }],
    isNoted: false,
  })
  const item = { id: 'a'.repeat(26), kind: 'agent-run' as const, title: 'fix it', wasActive: true, names: [{ what: 'Address', value: 'http://elsewhere.test/v1' }] } // prettier-ignore
  vi.spyOn(api, 'listRestoredItems').mockResolvedValue({ items: [item], nextCursor: null, total: 1 })
  const useAgain = vi.spyOn(api, 'allowRestoredItem').mockResolvedValue({ items: [item], started: true })
  const patch = vi.spyOn(api, 'patchSettings').mockReturnValue(new Promise(() => undefined))
  const discard = vi.spyOn(api, 'discardRestored').mockResolvedValue({
    settings: settings.slice(0, 1),
    droppedSettings: [],
    waiting: [{ kind: 'agent-run', count: 1, active: 1 }],
    isNoted: false,
  })
  showPart(<RestoredSection />)
  expect(await screen.findByText('baseUrl: http://elsewhere.test')).toBeTruthy()
  expect(await screen.findByText('http://elsewhere.test/v1')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Use again: agent run fix it' }))
  await waitFor(() => expect(useAgain).toHaveBeenCalledWith({ params: { id: item.id }, body: {} }))
  expect(screen.getByText('training.oldName')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Discard: NVIDIA NIM endpoint' }))
  await waitFor(() => expect(screen.queryByText('baseUrl: http://elsewhere.test')).toBeNull())
  expect(discard).toHaveBeenCalledWith({ params: { key: 'providers.nim' } })
  fireEvent.click(screen.getByRole('button', { name: 'Use again: Python for training' }))
  await waitFor(() => expect(patch).toHaveBeenCalledWith({ body: { training: { python: '/tmp/x/python' } } }))
})
