import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Job } from '#contracts/entities/job.ts'
import { api } from '#renderer/api/client.ts'
import { jobKeys } from '#renderer/api/jobs.ts'
import { showPart, testQueries } from '#renderer/app/testing-page.tsx'
import JobsPage from './page.tsx'

const job = (id: string, queuePosition: number | null): Job => ({
  id,
  kind: 'lengths',
  subject: null,
  state: queuePosition === null ? 'running' : 'queued',
  queuePosition,
  createdAt: '2026-11-21T10:00:00Z',
  startedAt: null,
  endedAt: null,
  progress: null,
  result: null,
  error: null,
})

test('waiting jobs are listed after running ones, in order, and can be stopped', async () => {
  const items = [job('last', 2), job('next', 1), job('first', null)] // as the server lists them: newest first
  vi.spyOn(api, 'listJobs').mockResolvedValue({ items, nextCursor: null, total: 3 })
  vi.spyOn(api, 'getCapture').mockReturnValue(new Promise(() => undefined))
  const cancel = vi.spyOn(api, 'cancelJob').mockReturnValue(new Promise(() => undefined))
  const queries = testQueries()
  queries.setQueryData(jobKeys.all, { items, nextCursor: null, total: 3 })
  showPart(<JobsPage features={[]} />, queries)
  const section = screen.getByRole('region', { name: 'Running' })
  expect(section.textContent).toMatch(/starting.*waiting, 1st in line.*waiting, 2nd in line/s)
  fireEvent.click(within(section).getAllByRole('button', { name: 'Stop' })[2]!)
  await waitFor(() => expect(cancel).toHaveBeenCalledWith(expect.objectContaining({ params: { id: 'last' } })))
})
