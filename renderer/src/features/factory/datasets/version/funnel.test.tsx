import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { DatasetRecipe, type Dataset } from '#contracts/entities/dataset.ts'
import { api } from '#renderer/api/client.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { Funnel } from './funnel.tsx'

beforeEach(() => useConnection.setState({ state: 'online' }))

const options = DatasetRecipe.parse({ kind: 'sft', query: 'repo:web', seed: 7 })
const dataset = (reason: string) =>
  ({
    id: 'd1',
    name: 'web',
    options,
    funnel: [{ stage: 'filter', unit: 'sessions', in: 5, out: 3, dropped: [{ reason, count: 2 }] }],
    counts: { sessions: 3, segments: 3, examples: 3, train: 3, val: 0, test: 0 },
    files: [],
  }) as unknown as Dataset // the fields that the funnel uses

const show = (reason: string) => showPart(<Funnel dataset={dataset(reason)} />)

it('offers to include unverified gold in a new version with the same recipe and name', async () => {
  vi.spyOn(api, 'listJobs').mockResolvedValue({ items: [], nextCursor: null, total: 0 })
  const build = vi.spyOn(api, 'buildDataset').mockReturnValue(new Promise(() => undefined))
  show('unverified')
  fireEvent.click(screen.getAllByRole('button', { name: 'Include them in a new version' })[0]!)
  await waitFor(() => expect(build).toHaveBeenCalledWith({ body: { ...options, name: 'web', unverified: true } }))
})

it('offers nothing if sessions were excluded for other reasons', () => {
  show('not selected')
  expect(screen.queryByRole('button', { name: 'Include them in a new version' })).toBeNull()
})
