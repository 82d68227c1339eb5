import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyser } from './analyser.ts'
import { createStepReader } from './facts.ts'
import { scoreSteps } from './score-file.ts'
import { scoreFacts, withTier } from './score.ts'
import { readCommand } from './shell/read-command.ts'
import { aStep } from './testing.ts'

const shellish = fc
  .array(
    fc.constantFrom(
      'pytest',
      'npm test',
      'make',
      'cd x',
      '&&',
      '||',
      '|',
      ';',
      '\n',
      '&',
      '(',
      ')',
      '{',
      '}',
      'if',
      'then',
      'fi',
      'for i in',
      'do',
      'done',
      '$(',
      '`',
      '"',
      "'",
      '<<EOF\n',
      'EOF',
      '!',
      'set -o pipefail',
      'sudo -u',
      'timeout -k',
      'env',
      'uv run --with',
      'npx',
      'python -m',
      'bash',
      '-c',
      '--',
      '-',
      '\\',
      '${',
      '[[',
      '((',
      '#',
      'case x in',
      'esac',
      '>',
      '2>&1',
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(' '))
const anyText = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 100 }), shellish)
const step = fc
  .record({
    tool: fc.oneof(fc.constantFrom('Bash', 'Read', 'Edit', 'bash'), fc.string({ minLength: 1 })),
    command: fc.option(anyText),
    output: fc.option(fc.oneof(anyText, fc.constantFrom('1 failed', '3 passed', 'no tests ran', 'Error: x'))),
    success: fc.constantFrom(true, false, null),
    conversation: fc.constantFrom('main', 'agent-1'),
    input: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
    edits: fc.boolean(),
    file: fc.option(fc.constantFrom('/a', '/b')),
  })
  .map(aStep)

it('reads any text without throwing', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(anyText, (text) => {
      expect(readCommand(text).commands.every(({ words }) => words.length > 0)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

it('gives metrics and quality from 0 to 1, and is deterministic', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const score = scoreSteps(steps)
      for (const value of [...Object.values(score.metrics), score.quality]) {
        if (value !== null && !(value >= 0 && value <= 1 + 1e-9)) throw new Error(`${value} is not from 0 to 1`)
      }
      expect(score.quality === null).toBe(score.metrics.successRate === null)
      expect(score.evidence.length > 0 || score.verification === (score.red ? 'unclear' : 'none')).toBe(true)
      expect(scoreSteps(steps)).toEqual(score)
      expect(withTier(score, 'thresholds')).toEqual(withTier(structuredClone(score), 'thresholds'))
    }),
    { numRuns: 300 },
  )
})

it('computes the same score with and without cached commands', () => {
  const options = { verificationCommands: [] }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.nat(20), (steps, cut) => {
      const whole = steps.map((one) => createStepReader()(one, options)) // a new reader has an empty cache
      const grown = [...steps.slice(0, cut), ...steps.slice(cut)].map((one) => analyser.analyseStep(one, options))
      expect(structuredClone(grown)).toEqual(whole)
      expect(analyser.analyseTrace(structuredClone(grown), options, grown.length)).toMatchObject(scoreFacts(whole))
    }),
    { numRuns: 200 },
  )
})

it('keeps at most 50 steps of evidence per metric, for all six', () => {
  const score = scoreSteps(
    Array.from({ length: 400 }, (_, index) => aStep({ tool: `t${index}`, command: 'pytest', success: index % 2 === 0 })),
  )
  expect(score.metricEvidence.map(({ metric }) => metric)).toEqual([
    'successRate',
    'verification',
    'complexity',
    'length',
    'toolDiversity',
    'efficiency',
  ])
  expect(score.metricEvidence.every(({ steps }) => steps.length <= 50)).toBe(true)
})

it('counts only what follows in the same conversation as recovery', () => {
  const at = (conversation: string, success: boolean | null) => aStep({ conversation, success, output: 'x', command: 'x' })
  const efficiency = (...steps: ReturnType<typeof aStep>[]) => scoreSteps(steps).metrics.efficiency
  expect(efficiency(at('main', false), at('agent', true), at('main', true))).toBeCloseTo(0.4 + 0.4 + 0.2 / 3, 9)
  expect(efficiency(at('main', false), at('agent', true), at('main', false))).toBeCloseTo(0.4 + 0.2 / 3, 9)
  expect(efficiency(at('main', false), at('main', null))).toBeCloseTo(0.4 + 0.4 + 0.1, 9)
})
