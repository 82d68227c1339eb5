import { describe, expect, it } from 'vitest'
import { draftOf, NEW_RULE, readRule } from './rule-draft.ts'

const staff = { ...NEW_RULE, name: 'staff', pattern: 'EMP-\\d{6}', matches: 'EMP-004211\nby EMP-123456', mustNotMatch: 'EMP-42\n\n' }

describe('a typed rule', () => {
  it('is tested on its texts', () => {
    const read = readRule(staff, [])
    expect(read.matches.map(({ match }) => match)).toEqual(['EMP-004211', 'EMP-123456'])
    expect(read.mustNotMatch).toEqual([{ text: 'EMP-42', match: null, isRight: true }])
    expect(read.rule).toEqual({
      name: 'staff',
      pattern: 'EMP-\\d{6}',
      type: 'secret',
      matches: ['EMP-004211', 'by EMP-123456'],
      mustNotMatch: ['EMP-42'],
    })
    expect(draftOf(read.rule!)).toEqual({ ...staff, mustNotMatch: 'EMP-42' })
  })

  it('cannot be saved while a text gives another result, and says why', () => {
    expect(readRule({ ...staff, matches: 'EMP-1' }, []).refusal).toBe('1 example below does not give the expected result.')
    expect(readRule({ ...staff, mustNotMatch: 'EMP-123456\nEMP-654321' }, []).refusal).toBe(
      '2 examples below do not give the expected result.',
    )
    expect(readRule({ ...staff, pattern: '(' }, [])).toMatchObject({
      rule: null,
      fault: expect.stringContaining('not a valid regular') as string,
    })
    expect(readRule({ ...staff, name: ' ' }, []).refusal).toContain('name')
    expect(readRule(staff, ['staff']).refusal).toContain('Another rule')
    expect(readRule(NEW_RULE, []).rule).toBeNull()
  })
})
