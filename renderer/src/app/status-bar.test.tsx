import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { Run } from '#contracts/entities/run.ts'
import { captureKeys } from '#renderer/api/capture.ts'
import { jobKeys } from '#renderer/api/jobs.ts'
import { ACTIVE_RUNS, runKeys } from '#renderer/api/runs.ts'
import { environmentKeys } from '#renderer/api/training-environment.ts'
import { showPart, testQueries } from '#renderer/app/testing-page.tsx'
import { StatusBar } from './status-bar.tsx'

const status: CaptureStatus = {
  state: 'off',
  watching: [],
  lastEventAt: null,
  spoolFiles: 0,
  liveSessions: 0,
  importing: false,
  waitsForImport: false,
  indexing: null,
  archive: { traces: 1, bytes: 1, rawBytes: 1, atRisk: 0, nextCleanupAt: null },
  disk: null,
  problems: [],
}

const none = { items: [], nextCursor: null, total: 0 }

function show(capture: CaptureStatus, runs: Partial<Run>[] = []) {
  const queries = testQueries()
  queries.setQueryData(captureKeys.status, capture)
  queries.setQueryData(jobKeys.all, none)
  queries.setQueryData(runKeys.queue, { paused: false, pausedBy: null, continueAfterFailure: true, order: [] })
  queries.setQueryData(environmentKeys.devices, { items: [], problem: null })
  queries.setQueryData(runKeys.list(ACTIVE_RUNS), { ...none, items: runs })
  showPart(<StatusBar />, queries)
  return screen.getByRole('contentinfo').textContent
}

test('a safe archive is shown with its number of sessions', () => {
  expect(show(status)).toContain('Archive safe · 1 session')
})

test('sessions at risk are counted, never called safe', () => {
  const text = show({ ...status, archive: { ...status.archive, atRisk: 4 } })
  expect(text).toContain('4 at risk')
  expect(text).not.toContain('safe')
})

test('an unmeasured figure is a dash, not a zero', () => {
  const text = show({ ...status, archive: { ...status.archive, atRisk: null } })
  expect(text).toContain('Archive –')
  expect(text).not.toContain('safe')
})

test('shows the running run with its progress, and the number of waiting ones', () => {
  const text = show(status, [
    { id: 'a', name: 'mine', state: 'running', step: 4, totalSteps: 10 },
    { id: 'b', name: 'next', state: 'queued' },
    { id: 'c', name: 'over', state: 'completed' },
  ])
  expect(text).toContain('Training: mine 40 % · 1 waiting')
  expect(text).toContain('No GPU')
})

test('without a run, training is not shown', () => {
  expect(show(status)).not.toContain('Training')
})
