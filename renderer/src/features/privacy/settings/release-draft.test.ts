import { describe, expect, it } from 'vitest'
import { requestOf, deviationWord, FIRST_RELEASE } from './release-draft.ts'

describe('a release that is being made', () => {
  it('asks for what was chosen', () => {
    expect(requestOf(FIRST_RELEASE, 8)).toEqual({ body: { what: 'sessions', mechanism: 'laplace', epsilon: 0.5 }, error: null })
    expect(requestOf({ ...FIRST_RELEASE, mechanism: 'gaussian', what: 'mean_session_minutes' }, 8).body).toEqual({
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
  ])('is refused before anything is spent: %o', (part, words) => {
    const { body, error } = requestOf({ ...FIRST_RELEASE, ...part }, 2.5)
    expect(body).toBeNull()
    expect(error).toContain(words)
  })

  it('says how noisy it will be', () => {
    expect(deviationWord(FIRST_RELEASE)).toContain('± 2.828')
    expect(deviationWord({ ...FIRST_RELEASE, what: 'sessions_by_tool', epsilon: '1' })).toContain('± 11.314')
    expect(deviationWord({ ...FIRST_RELEASE, epsilon: '0' })).not.toContain('±')
  })
})
