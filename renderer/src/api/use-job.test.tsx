import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Job } from '#contracts/entities/job.ts'
import { api } from './client.ts'
import { jobKeys } from './jobs.ts'
import { useJobOf } from './use-job.ts'

const job: Job = {
  id: 'j1',
  kind: 'dataset',
  subject: null,
  state: 'completed',
  queuePosition: null,
  createdAt: '2026-11-21T10:00:00Z',
  startedAt: null,
  endedAt: null,
  progress: null,
  result: null,
  error: null,
}

test('two clicks start a job once; after a refusal it can be started again', async () => {
  vi.spyOn(api, 'listJobs').mockResolvedValue({ items: [], nextCursor: null, total: 0 })
  vi.spyOn(api, 'getJob').mockResolvedValue(job)
  let answer = Promise.withResolvers<Job>()
  const start = vi.fn(() => answer.promise)
  function Start() {
    const work = useJobOf('dataset', start, 'It did not start')
    return (
      <button type="button" onClick={() => work.start({})}>
        {work.error?.message ?? 'Start'}
      </button>
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Start />
    </QueryClientProvider>,
  )
  const button = screen.getByRole('button')
  fireEvent.click(button)
  fireEvent.click(button)
  expect(await screen.findByText('Start')).toBe(button)
  expect(start).toHaveBeenCalledTimes(1)
  await act(async () => {
    answer.reject(new Error('refused'))
    await answer.promise.catch(() => undefined)
  })
  await screen.findByText('refused')
  answer = Promise.withResolvers<Job>()
  fireEvent.click(button)
  await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2), { timeout: 30_000 })
})

test('once the followed job has ended, the next one, started by another window, is followed', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const known = (...items: Job[]) => act(() => void queries.setQueryData(jobKeys.all, { items, nextCursor: null, total: items.length }))
  const first: Job = { ...job, state: 'running' }
  const second: Job = { ...job, id: 'j2', state: 'running' }
  queries.setQueryData(jobKeys.all, { items: [first], nextCursor: null, total: 1 })
  function Follow() {
    const work = useJobOf('dataset', vi.fn(), 'It did not start')
    return <output>{`${work.job?.id} ${work.job?.state}`}</output>
  }
  render(
    <QueryClientProvider client={queries}>
      <Follow />
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('j1 running'), { timeout: 30_000 })
  known(second, first)
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('j1 running'), { timeout: 30_000 })
  const ended: Job = { ...job, state: 'cancelled' }
  known(ended)
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('j1 cancelled'), { timeout: 30_000 })
  known(second, ended)
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('j2 running'), { timeout: 30_000 })
})
