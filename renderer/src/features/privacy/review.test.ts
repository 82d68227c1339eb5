import { describe, expect, it } from 'vitest'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { countsOf, pictureSentence, rowsOf, type Cell } from './picture-data.ts'
import { labelOf, refusalOf, scopesOf } from './scopes.ts'
import { BANDS, formatUrl, isFiltered, parseUrl, queryOf, chartQueryOf } from './url-state.ts'

const finding = (part: Partial<ArchiveFinding>): ArchiveFinding => ({
  id: 'a',
  traceId: 'a'.repeat(26),
  stepId: 's',
  part: 'body',
  path: '',
  type: 'email',
  detector: 'email',
  start: 0,
  end: 1,
  confidence: 0.9,
  validated: false,
  value: 'v',
  preview: '*',
  project: '/p',
  file: null,
  at: null,
  action: 'replace',
  decidedBy: 'policy',
  ...part,
})

describe('the URL of the review', () => {
  it('contains the whole state, without defaults', () => {
    const all = {
      ...parseUrl(''),
      view: 'decisions',
      types: ['email', 'person'],
      action: 'keep',
      band: BANDS[1],
      project: '/home/me/a b',
      file: 'x.ts',
      detector: 'label',
      value: 'abc',
      trace: 'b'.repeat(26),
      by: 'confidence',
      id: 'f1',
    } as const
    expect(parseUrl(formatUrl({ ...all, types: [...all.types] }).replace('/privacy', ''))).toEqual({ ...all, types: ['person', 'email'] })
    expect(formatUrl(parseUrl(''))).toBe('/privacy')
  })

  it('ignores invalid parts', () => {
    expect(parseUrl('?type=email,nothing&action=burn&confidence=3&trace=../x&view=up')).toEqual({ ...parseUrl(''), types: ['email'] })
  })

  it('gives the query for the server', () => {
    const url = parseUrl('?type=email&confidence=0.5&project=/p')
    expect(queryOf(url)).toEqual({ type: ['email'], minConfidence: 0.5, belowConfidence: 0.7, project: '/p' })
    expect(queryOf(parseUrl('?confidence=0.9'))).toEqual({ minConfidence: 0.9 })
    expect(chartQueryOf(url)).toEqual({ project: '/p' })
    expect(isFiltered(url)).toBe(true)
    expect(isFiltered(parseUrl('?view=decisions&id=x'))).toBe(false)
  })
})

const CELLS: Cell[] = [
  { type: 'email', action: 'replace', confidence: 0.9, count: 4 },
  { type: 'email', action: 'keep', confidence: 0, count: 1 },
  { type: 'api_key', action: 'redact', confidence: 0.9, count: 7 },
]

describe('the chart', () => {
  it('divides each type by action or confidence, largest first', () => {
    expect(rowsOf(CELLS, 'action')).toEqual([
      { type: 'api_key', total: 7, counts: { redact: 7 } },
      { type: 'email', total: 5, counts: { replace: 4, keep: 1 } },
    ])
    expect(rowsOf(CELLS, 'confidence')[1]).toEqual({ type: 'email', total: 5, counts: { '0.9': 4, '0': 1 } })
    expect(pictureSentence(rowsOf(CELLS, 'action'), 'action')).toBe('12 findings of 2 types, mostly API key (58 %); 1 of them kept.')
    expect(pictureSentence([], 'action')).toBe('No findings.')
  })

  it('counts a facet with the filters of the other facets', () => {
    const url = parseUrl('?type=email&action=keep')
    expect(countsOf(CELLS, url, 'type')).toEqual([{ value: 'email', count: 1 }])
    expect(countsOf(CELLS, url, 'action')).toEqual([
      { value: 'replace', count: 4 },
      { value: 'keep', count: 1 },
    ])
    expect(countsOf(CELLS, url, 'confidence')).toEqual([{ value: '0', count: 1 }])
  })
})

describe('the scopes of a decision', () => {
  const findings = [finding({ id: 'a' }), finding({ id: 'b' }), finding({ id: 'c', value: 'w', type: 'person', project: '/q' })]

  it('are distinct', () => {
    expect(scopesOf(findings, 'finding')).toHaveLength(3)
    expect(scopesOf(findings, 'value')).toEqual([
      { scope: 'value', value: 'v' },
      { scope: 'value', value: 'w' },
    ])
    expect(scopesOf(findings, 'project')).toEqual([
      { scope: 'project', project: '/p', type: 'email' },
      { scope: 'project', project: '/q', type: 'person' },
    ])
    expect(scopesOf(findings, 'type')).toHaveLength(2)
    expect(labelOf(findings, 'value', 'keep')).toBe('Kept: 2 values, everywhere')
    expect(labelOf([findings[0]!], 'type', 'redact')).toBe('Redacted: E-mail address everywhere')
  })

  it('reject keeping a whole type of secrets, and unknown projects', () => {
    const secret = finding({ type: 'password' })
    expect(refusalOf([secret], 'type', 'keep')).toContain('keep a whole type')
    expect(refusalOf([secret], 'project', 'keep')).toContain('keep a whole type')
    expect(refusalOf([secret], 'value', 'keep')).toBeNull()
    expect(refusalOf([secret], 'type', 'replace')).toBeNull()
    expect(refusalOf([finding({ project: null })], 'project', 'redact')).toContain('is unknown')
    expect(refusalOf([], 'finding', 'redact')).toContain('Select a finding')
  })
})
