import { describe, expect, it } from 'vitest'
import { aRow } from '../fixtures.ts'
import { indexTurns, nextError, turnLabel } from './turns.ts'

describe('turns', () => {
  const rows = [
    aRow({ kind: 'notice' }),
    aRow({ kind: 'prompt' }),
    aRow({ kind: 'call', success: false }),
    aRow({ kind: 'prompt', agent: 'a1' }),
    aRow({ kind: 'prompt' }),
    aRow({ kind: 'error' }),
    aRow({ kind: 'call', success: null }),
  ]

  it('start at the prompts of the user, not at the task of a sub-agent', () => {
    const turns = indexTurns(rows)
    expect(turns.count).toBe(2)
    expect(turns.starts).toEqual([1, 4])
    expect([...turns.of]).toEqual([0, 1, 1, 1, 2, 2, 2])
  })

  it('are named "turn n/m", and nothing before the first prompt', () => {
    const turns = indexTurns(rows)
    expect(turnLabel(turns, 0)).toBeNull()
    expect(turnLabel(turns, 2)).toBe('turn 1/2')
  })

  it('jump between failed calls and reported errors, not to calls without an outcome', () => {
    expect(nextError(rows, 0, 1)).toBe(2)
    expect(nextError(rows, 2, 1)).toBe(5)
    expect(nextError(rows, 5, 1)).toBeNull()
    expect(nextError(rows, 5, -1)).toBe(2)
    expect(nextError(rows, -1, 1)).toBe(2)
  })
})
