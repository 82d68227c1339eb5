import { describe, expect, it } from 'vitest'
import type { Job } from '#contracts/entities/job.ts'
import { FEATURES } from './features.ts'
import { jobWord, outcomeOf } from './job-words.ts'

const ended = (kind: string, result: unknown, subject: string | null = null): Job => ({
  id: 'j1',
  kind,
  subject,
  state: 'completed',
  queuePosition: null,
  createdAt: '2026-11-21T10:00:00Z',
  startedAt: '2026-11-21T10:00:00Z',
  endedAt: '2026-11-21T10:00:10Z',
  progress: null,
  result,
  error: null,
})
const counts = { sessions: 4, segments: 6, examples: 6, train: 4, val: 1, test: 0 }
const RESULTS: [kind: string, result: unknown, sentence: string, href: string][] = [
  [
    'checks',
    { status: 'failed', reason: null, runner: 'node', command: 'npm test', passed: 1, failed: 1, skipped: 0, total: 2, tests: [], exitCode: 1, outputTail: '', durationMs: 5, parts: [], others: [], restored: null, isolation: 'bubblewrap' }, // prettier-ignore
    'Failed: npm test, 1 of 2 tests passed, 1 failed.',
    '/agents/checks',
  ],
  ['rebuild', { traces: 3, records: 120, steps: 40, problems: [], ms: 10 }, '3 sessions rebuilt from 120 records', '/traces'],
  ['privacy-scan', { scanned: 12, failed: 1 }, '12 sessions scanned, 1 could not be read', '/privacy'],
  [
    'examples',
    { traces: 9, examples: 14, excluded: [{ reason: 'low_quality', count: 2 }], left: [], failed: [] },
    '14 examples from 9 sessions, 2 excluded',
    '/factory/examples?state=proposed',
  ],
  [
    'pairs',
    { sessions: 9, pairs: 1, bySource: { task: 1 }, left: [{ reason: 'same_text', count: 3 }] },
    '1 pair in 9 sessions, 3 excluded',
    '/factory/pairs',
  ],
  [
    'dataset',
    {
      id: 'd1',
      name: 'everyday',
      version: 2,
      kind: 'sft',
      counts,
      excluded: [],
      tokens: null,
      redactions: {},
      duplicates: 0,
      contaminated: 0,
      files: [],
      seed: 1,
      ms: 5,
    },
    'everyday v2: 5 rows, 1 for validation',
    '/factory/datasets/d1',
  ],
  [
    'dataset-import',
    { collection: null, read: 10, errors: [], errorCount: 2, columns: [] },
    'none of 10 rows imported, 2 rows have errors',
    '/factory/datasets/import',
  ],
  [
    'augment',
    {
      id: 'a',
      jobId: 'j1',
      state: 'budget',
      plan: { selection: { ids: ['a'.repeat(26)] } },
      provider: 'anthropic',
      model: 'm',
      budget: { usd: 1 },
      total: 10,
      done: 8,
      kept: 6,
      cached: 0,
      rejected: [{ reason: 'too_alike', count: 2 }],
      failed: [],
      tokens: { input: 100, output: 50 },
      spentUsd: null,
      unsettledTokens: 0,
      message: 'The budget is spent.',
      createdAt: '2026-11-21T10:00:00.000Z',
      endedAt: null,
    },
    '8 of 10 answered, 6 kept, 2 dropped, cost unknown, 150 tokens. The budget is spent.',
    '/factory/examples?flag=generated',
  ],
]

describe('the result of a job', () => {
  it.each(RESULTS)('%s: a sentence with counts, and a link', (kind, result, sentence, href) => {
    expect(outcomeOf(FEATURES, ended(kind, result))).toEqual({ sentence, link: { href, label: expect.any(String) as string } })
    expect(jobWord(FEATURES, kind)).not.toBe(kind)
  })

  it('lengths link to the measured data set', () => {
    const report = {
      tokenizer: 'qwen',
      exact: true,
      rows: 200,
      width: 100,
      bins: [],
      total: 9000,
      trained: 3000,
      p50: 400,
      p90: 900,
      p99: 1200,
      max: 1500,
      maxTokens: 1024,
      truncated: 10,
      refused: [],
    }
    expect(outcomeOf(FEATURES, ended('lengths', report, 'd1'))).toEqual({
      sentence: '200 rows measured, median 400 tokens, longest 1,500, 5 % longer than 1,024',
      link: { href: '/factory/datasets/d1', label: 'Open data set' },
    })
    expect(outcomeOf(FEATURES, ended('lengths', report))?.link).toBeUndefined()
  })

  it('an export links to its model', () => {
    const made = {
      id: 'e1',
      format: 'gguf',
      quantization: 'q8_0',
      path: '/m/model.gguf',
      bytes: 145_000_000,
      sha256: null,
      createdAt: '2026-11-21T10:00:00Z',
      state: 'present',
      made: null,
      parity: { prompts: 20, sameText: 18, withCalls: 5, sameCalls: 5, at: '2026-11-21T10:00:00Z', items: [] },
    }
    const link = { href: '/models/m1', label: 'Open model' }
    expect(outcomeOf(FEATURES, ended('model-export', made, 'm1'))).toEqual({
      sentence: 'gguf q8_0, 145 MB, 18 of 20 answers identical',
      link,
    })
    expect(outcomeOf(FEATURES, ended('model-export', { ...made, parity: null }, 'm1'))?.sentence).toContain('not compared')
  })

  it('an unknown kind or a missing result gives nothing', () => {
    expect(outcomeOf(FEATURES, ended('examples', null))).toBeNull()
    expect(outcomeOf(FEATURES, ended('of-tomorrow', { sessions: 1 }))).toBeNull()
  })
})
