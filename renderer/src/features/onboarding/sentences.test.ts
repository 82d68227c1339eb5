import { expect, test } from 'vitest'
import type { Scan } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import type { PrivacyStatus } from '#contracts/entities/privacy.ts'
import type { BaseModel } from '#contracts/entities/base-model.ts'
import { countSentence, foundSentence, historyStep, machineLines, riskSentence, secretsOf, trainableSentence } from './sentences.ts'

const place = (agent: Scan['places'][number]['agent'], sessions: number): Scan['places'][number] => ({
  agent,
  path: `/home/me/${agent}`,
  sessions,
  projects: 1,
  bytes: 1,
  lastUsedAt: null,
  unreadable: 0,
})
const scan = (more: Partial<Scan> = {}): Scan => ({
  places: [place('claude-code', 312)],
  byProject: [],
  sessions: 312,
  subagents: 0,
  excluded: 0,
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
test('a running import is shown even before the scan has finished', () => {
  expect(historyStep(undefined, job)).toBe('running')
  expect(historyStep(undefined, null)).toBe('looking')
})
test('sessions missing from the archive are offered; a complete archive is reported', () => {
  expect(historyStep(scan({ notArchived: 3 }), null)).toBe('ready')
  expect(historyStep(scan(), null)).toBe('kept')
  expect(historyStep(scan({ excluded: 312 }), null)).toBe('excluded')
})
test('the sentences name agents, counts, period and risk', () => {
  expect(foundSentence(scan({ sessions: 1, projects: 1 }))).toBe('1 session in 1 project, 1.24 GB, from Claude Code.')
  const both = scan({ places: [place('claude-code', 300), place('codex', 8), place('codex', 4)] })
  expect(foundSentence(both)).toBe('312 sessions in 14 projects, 1.24 GB: 300 from Claude Code, 12 from Codex.')
  expect(countSentence(scan({ subagents: 45, excluded: 2 }))).toBe(
    '45 sub-agent transcripts belong to their sessions and are not counted. 2 sessions excluded.',
  )
  expect(countSentence(scan())).toBeNull()
  expect(riskSentence(scan({ atRisk: 31 }))).toBe('Claude Code deletes sessions after 30 days: 31 sessions would be lost within 7 days.')
  expect(riskSentence(scan({ nextCleanup: { at: '2026-11-24T00:00:00Z', sessions: 2 } }))).toContain('deletes 2 sessions')
  expect(riskSentence(scan())).toContain('None is due within 7 days')
  expect(riskSentence(scan({ places: [place('codex', 12)] }))).toBeNull()
})

test('secrets are counted by type once something was scanned; other findings are not among them', () => {
  const status = (more: Partial<PrivacyStatus>) => ({ scanned: 0, outstanding: 4, byType: {}, valuesByType: {}, ...more }) as PrivacyStatus
  expect(secretsOf(status({}))).toEqual({ sentence: null, byType: [] })
  expect(secretsOf(status({ scanned: 4, outstanding: 0, byType: { email: 9 }, valuesByType: { email: 9 } })).sentence).toBe(
    'No secrets found in 4 sessions.',
  )
  const valuesByType = { api_key: 1, password: 2, email: 9 }
  const some = secretsOf(status({ scanned: 3, outstanding: 1, byType: { api_key: 1, password: 728, email: 9 }, valuesByType }))
  expect(some.sentence).toBe('3 secrets found, in 729 places in 3 of 4 sessions scanned so far.')
  expect(some.byType.map(({ label, count }) => [label, count])).toEqual([
    ['Password', 2],
    ['API key', 1],
  ])
})

test('unknown facts of the machine are "not measured"; having no GPU is a known fact', () => {
  expect(machineLines(undefined, undefined).map(({ value }) => value)).toEqual(['not measured', 'not measured', 'not measured'])
  const cpu = { kind: 'cpu' as const, name: 'Xeon', totalBytes: null, freeBytes: null, cores: 8 }
  expect(machineLines([cpu], 64e9).map(({ value }) => value)).toEqual(['none found', 'Xeon, 8 cores', '64.0 GB'])
  const gpu = { kind: 'cuda' as const, name: 'H100', totalBytes: 80e9, freeBytes: null, cores: null }
  expect(machineLines([gpu, cpu], 64e9)[0]!.value).toBe('H100, memory 80.0 GB, free not measured')
})

test('models that can be trained are those that fit; without a model nothing is claimed', () => {
  const model = (name: string, fit: BaseModel['fit'], problem: string | null = null) => ({ name, fit, problem }) as BaseModel
  expect(trainableSentence(undefined)).toBe('not measured')
  expect(trainableSentence([])).toBe('not measured: no base model on this machine yet')
  expect(trainableSentence([model('a', 'yes'), model('b', 'tight'), model('c', 'no'), model('d', 'yes', 'broken')])).toBe(
    'a, b (little memory to spare)',
  )
  expect(trainableSentence([model('a', 'unknown')])).toBe('not measured')
  expect(trainableSentence([model('a', 'no')])).toBe('none of 1 base model on this machine fits in memory')
})
