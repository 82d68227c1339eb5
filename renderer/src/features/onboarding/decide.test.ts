import { expect, test } from 'vitest'
import type { Scan } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import { foundSentence, historyStep, riskSentence } from './decide.ts'

const scan = (more: Partial<Scan> = {}): Scan => ({
  places: [],
  byProject: [],
  sessions: 312,
  projects: 14,
  bytes: 1_240_000_000,
  notArchived: 0,
  cleanupPeriodDays: 30,
  nextCleanup: null,
  atRisk: 0,
  ms: 12,
  ...more,
})
const job = { id: 'j', kind: 'import', state: 'running' } as Job

test('a machine without history is offered the samples, not an import of nothing', () => {
  expect(historyStep(scan({ sessions: 0 }), null)).toBe('none')
})
test('an import that runs is shown even before the scan is back', () => {
  expect(historyStep(undefined, job)).toBe('running')
  expect(historyStep(undefined, null)).toBe('looking')
})
test('sessions that are missing from the archive are offered, a full archive says so', () => {
  expect(historyStep(scan({ notArchived: 3 }), null)).toBe('ready')
  expect(historyStep(scan(), null)).toBe('kept')
})
test('the sentences name counts, period and danger', () => {
  expect(foundSentence(scan({ sessions: 1, projects: 1 }))).toBe('1 session in 1 project, 1.24 GB.')
  expect(riskSentence(scan({ atRisk: 31 }))).toBe('Claude Code deletes sessions after 30 days: 31 sessions would be lost within 7 days.')
  expect(riskSentence(scan({ nextCleanup: { at: '2026-11-24T00:00:00Z', sessions: 2 } }))).toContain('its next clean-up takes 2 sessions')
  expect(riskSentence(scan())).toContain('None is due within 7 days')
  expect(riskSentence(scan({ sessions: 0 }))).toBeNull()
})
