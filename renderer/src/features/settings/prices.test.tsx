import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { api } from '#renderer/api/client.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { keys } from '#renderer/api/keys.ts'
import { createQueryClient } from '#renderer/api/query-client.ts'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { PricesSection } from './prices.tsx'

beforeEach(() => useConnection.setState({ state: 'online' }))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  useConnection.setState({ state: 'connecting' })
})

it('says that the models without a price could not be listed, and lists them at another try', async () => {
  const read = vi.spyOn(api, 'getStats').mockRejectedValue(new AppError('archive_damaged'))
  const queries = createQueryClient(() => undefined)
  queries.setQueryData(keys.settings, { settings: { prices: [] } })
  render(
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <PricesSection />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  expect(await screen.findByText('The models without a price could not be listed')).toBeTruthy()
  read.mockResolvedValue({ unpricedModels: ['claude-next'] } as Awaited<ReturnType<typeof api.getStats>>)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'claude-next' })).toBeTruthy()
})
