import { describe, expect, test } from 'vitest'
import type { ParsedStep } from '#server/stages/traces/types.ts'
import { createStepReader } from './facts.ts'
import { aStep } from './testing.ts'

const UNITS = ['a', '-', '@', '/', ' ', '\n', '$(', '${', '`', '$?', '$a-', 'cd a;', 'a && ', 'a || ', 'a|', '1 ', '1 a failed ', 'a: ', '\u001B[', '\u001B]', '\u001B', '.output', 'A:1 ', ': No such', 'FAIL: ', 'Tests: '] // prettier-ignore
const ENDS = ['', 'x', '\n!']

/** Functions of scoring that match patterns against transcript text. */
const PLACES: Record<string, (text: string) => Partial<ParsedStep>> = {
  'the output of a check': (output) => ({ command: 'pytest', output, success: false, exitCode: 1 }),
  'the output of a background check': (output) => ({ command: 'pytest', output, input: { run_in_background: true } }),
  'a file that is read': (text) => ({ tool: 'Read', input: { file_path: `${text}.output` }, output: text }),
  'the words of a check': (text) => ({ command: `pytest ${text}`, output: '1 passed', success: true }),
  'a printed exit status': (text) => ({ command: `pytest; echo "${text}$?"`, output: 'a'.repeat(490), success: true }),
}

/** Patterns with quadratic time exceed this limit by far. */
const CHARS = 100_000
const LIMIT_MS = 4_000

describe('pathological text', () => {
  for (const [name, place] of Object.entries(PLACES)) {
    test(`takes linear time as ${name}`, { timeout: 120_000 }, () => {
      const read = createStepReader()
      for (const unit of UNITS)
        for (const end of ENDS) {
          const step = aStep(place(unit.repeat(CHARS / unit.length) + end))
          const start = performance.now()
          read(step, { verificationCommands: [] })
          expect([unit, end, performance.now() - start < LIMIT_MS]).toEqual([unit, end, true])
        }
    })
  }
})
