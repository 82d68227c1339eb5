import { describe, expect, it } from 'vitest'
import { requestOf, deviationWord, DEFAULT_RELEASE } from './release-draft.ts'

describe('the form of a release', () => {
  it('requests the selected statistic', () => {
    expect(requestOf(DEFAULT_RELEASE, 8)).toEqual({ body: { what: 'sessions', mechanism: 'laplace', epsilon: 0.5 }, error: null })
    expect(requestOf({ ...DEFAULT_RELEASE, mechanism: 'gaussian', what: 'mean_session_minutes' }, 8).body).toEqual({
      what: 'mean_session_minutes',
      mechanism: 'gaussian',
      epsilon: 0.5,
      delta: 1e-6,
      maxMinutes: 120,
    })
  })

  it.each([
    [{ epsilon: '' }, 'number'],
    [{ epsilon: 'half' }, 'number'],
    [{ epsilon: '-1' }, 'number'],
    [{ epsilon: '3' }, '2.5 left'],
    [{ what: 'mean_session_minutes', minutes: '0' } as const, 'minutes'],
  ])('is invalid before anything is spent: %o', (part, words) => {
    const { body, error } = requestOf({ ...DEFAULT_RELEASE, ...part }, 2.5)
    expect(body).toBeNull()
    expect(error).toContain(words)
  })

  it('shows the expected noise', () => {
    expect(deviationWord(DEFAULT_RELEASE)).toContain('± 2.828')
    expect(deviationWord({ ...DEFAULT_RELEASE, what: 'sessions_by_tool', epsilon: '1' })).toContain('± 11.314')
    expect(deviationWord({ ...DEFAULT_RELEASE, epsilon: '0' })).not.toContain('±')
  })
})
