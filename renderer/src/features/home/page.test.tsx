import { cleanup, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { CaptureStatus } from '#contracts/entities/capture.ts'
import type { Loop, LoopStageId } from '#contracts/entities/loop.ts'
import type { HomeOverview } from '#contracts/entities/system.ts'
import { captureKeys } from '#renderer/api/capture.ts'
import { loopKey } from '#renderer/api/loop.ts'
import { statsKeys } from '#renderer/api/stats.ts'
import { thermometerKeys } from '#renderer/api/thermometer.ts'
import { showPart, testQueries } from '#renderer/app/testing-page.tsx'
import { noticeOf } from './capture-notice.tsx'
import HomePage from './page.tsx'

const status: CaptureStatus = {
  state: 'on',
  watching: ['/home/dev/.claude/projects'],
  lastEventAt: null,
  spoolFiles: 0,
  liveSessions: 0,
  importing: false,
  waitsForImport: false,
  indexing: null,
  archive: { traces: 3, bytes: 1000, rawBytes: 9000, atRisk: 0, nextCleanupAt: null },
  disk: null,
  problems: [],
}
const overview: HomeOverview = {
  since: '2026-11-20T00:00:00.000Z',
  cameIn: { today: 1, week: 2, total: 3, sinceLastVisit: 0, lastVisitAt: '2026-11-27T08:00:00.000Z', runs: 0 },
  days: [],
  byTier: { gold: 1, silver: 1, bronze: 0, failed: 1, pending: 0 },
  shortfalls: [],
  inbox: { count: 0, query: 'age:<30d' },
}

type Queries = ReturnType<typeof testQueries>

const stage = (id: LoopStageId, sessions: number | null): Loop['stages'][number] => ({
  id,
  sessions,
  query: sessions === null ? null : `of ${id}`,
  newestAt: null,
  things: null,
  note: null,
})
const loop: Loop = {
  stages: [stage('captured', 3), stage('decided', 1), stage('used', null)],
  arrows: [
    { from: 'captured', to: 'decided', sessions: 1, query: 'of both', share: 1 / 3, isNarrowest: true },
    { from: 'decided', to: 'used', sessions: null, query: null, share: null, isNarrowest: false },
  ],
  next: { rule: 'prove', title: 'Is Mine better?', detail: 'No exam yet.', action: 'Prove it', href: '/evaluator?model=m', count: null },
  exams: [],
}

function show(
  home: HomeOverview | null,
  capture: CaptureStatus = status,
  shown: Loop = loop,
  prepare: (queries: Queries) => void = () => undefined,
) {
  const queries = testQueries()
  prepare(queries)
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json({ error: { code: 'internal', message: 'The database could not be read.', hint: 'Check the disk.' } }, { status: 500 }),
    ),
  )
  if (home) queries.setQueryData(statsKeys.home, home)
  queries.setQueryData(captureKeys.status, capture)
  queries.setQueryData(loopKey, shown)
  showPart(<HomePage />, queries)
}

describe('Home', () => {
  it('offers to set up capture when there are no sessions', () => {
    show({ ...overview, cameIn: { today: 0, week: 0, total: 0, sinceLastVisit: null, lastVisitAt: null, runs: 0 } })
    expect(screen.getByText('No sessions yet')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Set up capture' }).getAttribute('href')).toBe('/settings/capture')
  })

  it('says that nothing is new, and asks for no triage with an empty inbox', () => {
    show(overview)
    expect(screen.getByText(/No session ended since your last visit,/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: /Triage/ })).toBeNull()
    expect(screen.getByText('Every session has been reviewed. New ones appear here.')).toBeTruthy()
  })

  it('shows the loop with links to the rows of each number, what is not measured, the narrowest arrow and one next step', () => {
    show(overview)
    expect(screen.getByRole('link', { name: 'Captured: 3 sessions' }).getAttribute('href')).toBe('/traces?q=of%20captured')
    expect(screen.getByRole('link', { name: 'Captured to decided: 33 %, 1 session' }).getAttribute('href')).toBe('/traces?q=of%20both')
    expect(screen.getAllByText('narrowest')).toHaveLength(1)
    expect(screen.getAllByText('not measured')).toHaveLength(1)
    expect(screen.getByRole('link', { name: 'Prove it' }).getAttribute('href')).toBe('/evaluator?model=m')
  })

  it('has the newest reading of the thermometer only while it is on', () => {
    const change = { delta: -0.07, shows: 'fall' }
    const withReading = (isOn: boolean) => (queries: Queries) => {
      queries.setQueryData(thermometerKeys.state, { isOn, request: null, nextAt: null, problem: null })
      queries.setQueryData(thermometerKeys.readings, {
        pages: [{ items: [{ at: overview.since, change }], nextCursor: null }],
        pageParams: [null],
      })
    }
    show(overview, status, loop, withReading(true))
    expect(screen.getByRole('link', { name: /^−.070 thermometer: worse than before/ }).getAttribute('href')).toBe('/evaluator/thermometer')
    cleanup()
    show(overview, status, loop, withReading(false))
    expect(screen.queryByText(/thermometer/)).toBeNull()
  })

  it('says when nothing waits', () => {
    show(overview, status, { ...loop, next: null })
    expect(screen.getByText(/No next step/)).toBeTruthy()
  })

  it('links the inbox to its sessions, and says why they cannot be listed', async () => {
    show({ ...overview, inbox: { count: 2, query: 'age:<30d' } })
    expect(screen.getByRole('link', { name: /Triage 2 sessions/ }).getAttribute('href')).toBe('/traces?q=age%3A%3C30d')
    expect(await screen.findByText("Couldn't load the inbox")).toBeTruthy()
  })

  it('says why the overview cannot be read and what to do', async () => {
    show(null)
    expect(await screen.findByText("Couldn't load the overview")).toBeTruthy()
    expect(screen.getByText('The database could not be read.')).toBeTruthy()
    expect(screen.getByText('Check the disk.')).toBeTruthy()
  })
})

describe('the notice about capture', () => {
  it('is hidden while capture works', () => expect(noticeOf(status)).toBeNull())

  it('distinguishes watched folders from none when the hooks are missing', () => {
    expect(noticeOf({ ...status, state: 'off' })?.detail).toMatch(/still arrive/)
    expect(noticeOf({ ...status, state: 'off', watching: [] })?.detail).toMatch(/are not imported/)
  })

  it('puts a problem before the state', () => {
    const problem = { kind: 'spool', message: 'The spool is full.', hint: 'Free some space.' }
    expect(noticeOf({ ...status, state: 'paused', problems: [problem] })).toMatchObject({ title: 'The spool is full.' })
  })
})
