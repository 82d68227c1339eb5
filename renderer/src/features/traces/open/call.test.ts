import { describe, expect, it } from 'vitest'
import { aStep } from '../fixtures.ts'
import { cardKind, headline, readRange, stateOf, stateText } from './call.ts'

describe('the outcome of a call in words', () => {
  it.each([
    ['ok', { success: true, exitCode: null }, 'ok'],
    ['ok', { success: true, exitCode: 0 }, 'exit 0'],
    ['failed', { success: false, exitCode: 1 }, 'exit 1'],
    ['failed', { success: false, exitCode: null }, 'failed'],
    ['rejected', { success: null, exitCode: null, rejected: true, rejectedBy: 'user' as const }, 'rejected by you'],
    ['rejected', { success: null, exitCode: null, rejected: true, rejectedBy: 'interrupt' as const }, 'interrupted'],
    ['unanswered', { success: null, exitCode: null, answered: false }, 'no answer recorded'],
    ['unknown', { success: null, exitCode: null }, 'outcome unknown'],
  ])('%s: %o is "%s"', (state, part, text) => {
    expect(stateOf(aStep(part))).toBe(state)
    expect(stateText(aStep(part), false)).toBe(text)
  })

  it('says "running" of a call without an answer in a live session', () => {
    expect(stateText(aStep({ success: null, exitCode: null, answered: false }), true)).toBe('running')
  })
})

describe('the card of a call', () => {
  it('depends on the tool, or on the command for unknown tools', () => {
    expect(cardKind(aStep())).toBe('shell')
    expect(cardKind(aStep({ tool: 'Task', command: null }))).toBe('agent')
    expect(cardKind(aStep({ tool: 'container.exec', command: 'ls' }))).toBe('shell')
    expect(cardKind(aStep({ tool: 'mcp__db__query', command: null }))).toBe('other')
  })

  it('is headed by command, file, or the first text that says what it does', () => {
    expect(headline(aStep())).toBe('npm test')
    expect(headline(aStep({ command: null, file: '/a' }))).toBe('/a')
    expect(headline(aStep({ command: null, input: { pattern: 'x+' } }))).toBe('x+')
    expect(headline(aStep({ command: null, input: [1] }))).toBe('')
  })

  it('names the lines that were read', () => {
    expect(readRange({ file_path: '/a', offset: 20, limit: 41 })).toBe('lines 20–60')
    expect(readRange({ file_path: '/a', limit: 10 })).toBe('lines 1–10')
    expect(readRange({ file_path: '/a', offset: 5 })).toBe('from line 5')
    expect(readRange({ file_path: '/a' })).toBeNull()
  })
})
