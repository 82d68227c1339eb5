import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { api } from '#renderer/api/client.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { settingsKeys } from '#renderer/api/settings.ts'
import { showPart, testQueries } from '#renderer/app/testing-page.tsx'
import { PricesSection } from './prices.tsx'

beforeEach(() => useConnection.setState({ state: 'online' }))

const built = {
  model: 'claude-sonnet-4-5',
  inputPerMTok: 3,
  outputPerMTok: 15,
  cacheReadPerMTok: 0.3,
  cacheWritePerMTok: 3.75,
  cacheWrite1hPerMTok: 6,
}

function show() {
  const queries = testQueries()
  queries.setQueryData(settingsKeys.all, { settings: { prices: [] } })
  showPart(<PricesSection />, queries)
}

it('shows each model in the archive with all four prices and their source', async () => {
  vi.spyOn(api, 'getPrices').mockResolvedValue({
    asOf: '2026-09-23',
    source: 'a list 1.2',
    items: [built],
    used: [
      { model: 'us.claude-sonnet-4-5-v1:0', price: { ...built, from: 'listed', asOf: '2026-09-23' }, similar: null },
      { model: 'another-model', price: null, similar: null },
    ],
  })
  show()
  const row = (await screen.findByTitle('us.claude-sonnet-4-5-v1:0')).closest('tr')!
  expect(row.textContent).toContain('claude-sonnet-4-5 (2026-09-23)')
  expect(screen.getByText('List prices in USD per million tokens, from a list 1.2')).toBeTruthy()
  expect(row.textContent).toContain('$3.00$15.00$0.30$3.75')
  fireEvent.click(screen.getByRole('button', { name: 'Set price' }))
  expect(screen.getByLabelText<HTMLInputElement>('Model name or prefix').value).toBe('another-model')
})

it('shows an error if the models cannot be loaded, and loads them on retry', async () => {
  const read = vi.spyOn(api, 'getPrices').mockRejectedValue(new AppError('archive_damaged'))
  show()
  expect(await screen.findByText("Couldn't load the models in your archive")).toBeTruthy()
  read.mockResolvedValue({
    asOf: '2026-09-23',
    source: 'a list',
    items: [built],
    used: [{ model: 'claude-next', price: null, similar: null }],
  })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('claude-next')).toBeTruthy()
})

it('a model newer than the list has no price until the user takes that of its family', async () => {
  vi.spyOn(api, 'getPrices').mockResolvedValue({
    asOf: '2026-09-23',
    source: 'a list',
    items: [built],
    used: [{ model: 'claude-sonnet-9', price: null, similar: built }],
  })
  const patch = vi.spyOn(api, 'patchSettings').mockResolvedValue({ settings: { prices: [] } } as never)
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Use price of claude-sonnet-4-5' }))
  await vi.waitFor(() =>
    expect(patch).toHaveBeenCalledWith({
      body: { prices: [{ model: 'claude-sonnet-9', inputPerMTok: 3, outputPerMTok: 15, cacheReadPerMTok: 0.3 }] },
    }),
  )
})
