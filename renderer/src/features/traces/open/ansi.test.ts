import { describe, expect, it } from 'vitest'
import { parseAnsi, stripAnsi } from './ansi.ts'

const ESC = '\u001b'

describe('terminal output', () => {
  it('becomes runs with the colours of the theme', () => {
    expect(parseAnsi(`${ESC}[1;31mFAIL${ESC}[0m ok ${ESC}[32mpass${ESC}[39m!`)).toEqual([
      { text: 'FAIL', colour: 'red', bold: true },
      { text: ' ok ', colour: null, bold: false },
      { text: 'pass', colour: 'green', bold: false },
      { text: '!', colour: null, bold: false },
    ])
  })

  it('skips the arguments of 256 and 24-bit colours instead of reading them as codes', () => {
    expect(parseAnsi(`${ESC}[38;5;31mx${ESC}[38;2;31;32;33my`)).toEqual([{ text: 'xy', colour: null, bold: false }])
  })

  it('drops cursor movement, titles, hyperlinks and control characters', () => {
    expect(stripAnsi(`${ESC}[2J${ESC}]0;title\u0007a${ESC}]8;;http://evil${ESC}\\b${ESC}[3Ac\u0000\u0008d${ESC}`)).toBe('abcd')
  })

  it('shows the last state of a line that was rewritten', () => {
    expect(stripAnsi('10%\r50%\r100%\r\ndone\r')).toBe('100%\ndone')
  })
})
