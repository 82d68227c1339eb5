import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { api } from '#renderer/api/client.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { Samples } from './storage.tsx'

beforeEach(() => useConnection.setState({ state: 'online' }))

function show(total: () => number) {
  vi.spyOn(api, 'listTraces').mockImplementation(async () => ({ items: [], nextCursor: null, total: total(), totalIsLowerBound: false }))
  showPart(<Samples />)
}

it('offers to remove samples only when there are some', async () => {
  let total = 4
  const remove = vi.spyOn(api, 'removeSamples').mockImplementation(async () => {
    total = 0
    return { removed: 4 }
  })
  show(() => total)
  expect(screen.queryByRole('button', { name: 'Remove sample sessions' })).toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: 'Remove sample sessions' }))
  expect(await screen.findByText('None loaded.')).toBeTruthy()
  expect(remove).toHaveBeenCalledTimes(1)
  expect(screen.queryByRole('button', { name: 'Remove sample sessions' })).toBeNull()
})
