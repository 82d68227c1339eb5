import fs from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tierOfScore } from './score.ts'
import { scoreSteps } from './score-file.ts'
import { parseStepsFile } from './steps-file.ts'
import { aStep } from './testing.ts'

const read = (name: string) => fs.readFileSync(new URL(`../../../../labelled/scoring/${name}`, import.meta.url), 'utf8').split('\n')

interface Labelled {
  kind: string
  command: string
  isLook: boolean
}
const lines = read('commands.txt')
const looksFrom = lines.findIndex((line) => line.startsWith('# Looks'))
const commands = lines.flatMap((line, index): Labelled[] => {
  const row = /^(test|build|lint|none) +(.*)$/.exec(line)
  return row ? [{ kind: row[1]!, command: row[2]!.replaceAll(String.raw`\n`, '\n'), isLook: index > looksFrom }] : []
})

/** The strongest kind recognised. */
function kindOf(command: string): string {
  const kinds = new Set<string>(scoreSteps([aStep({ command, success: true })]).evidence.map(({ kind }) => kind))
  return ['test', 'build', 'lint'].find((kind) => kinds.has(kind)) ?? 'none'
}
const isRight = ({ kind, command }: Labelled) => kindOf(command) === kind
const rate = (rows: readonly Labelled[]) => rows.filter(isRight).length / rows.length

interface Transcript {
  name: string
  steps: object[]
  state: string
  tiers: [thresholds: string, verifiedFirst: string]
  mark?: 'open' | 'red'
}
const transcripts = read('transcripts.jsonl').flatMap((line) => (line ? [JSON.parse(line) as Transcript] : []))

/** Good work before and around the labelled steps, so that the metrics alone would give gold. */
const WORK = Array.from({ length: 15 }, (_, index) =>
  aStep({
    tool: ['Read', 'Edit', 'Grep', 'Write'][index % 4]!,
    input: { file_path: `/work/src/f${index}.ts` },
    output: 'done',
    success: true,
  }),
)
const stepsOf = ({ steps }: Transcript) => [
  ...WORK,
  ...parseStepsFile(JSON.stringify(steps.map((step) => ({ tool: 'Bash', ...step }))), 'transcript').map((step) => ({
    ...step,
    id: `step-${step.id}`,
  })),
]
const tiersOf = (score: ReturnType<typeof scoreSteps>) => [tierOfScore(score, 'thresholds').tier, tierOfScore(score, 'verified_first').tier]

describe('the labelled commands', () => {
  it('are recognised in 95 % of cases, also in the held-out third', () => {
    const heldOut = commands.filter((_, index) => index % 3 === 2)
    expect(commands.length).toBeGreaterThanOrEqual(300)
    expect({ all: rate(commands) >= 0.95, heldOut: rate(heldOut) >= 0.95 }, `all ${rate(commands)}, held out ${rate(heldOut)}`).toEqual({
      all: true,
      heldOut: true,
    })
  })

  it('include other commands, none of which is recognised as a check', () => {
    expect(commands.filter((row) => row.kind === 'none' && !isRight(row))).toEqual([])
    expect(commands.filter(({ isLook }) => isLook).length).toBeGreaterThan(60)
  })
})

describe('the labelled transcripts', () => {
  it('are at least 80', () => expect(transcripts.length).toBeGreaterThanOrEqual(80))

  it.each(transcripts)('$name', (transcript) => {
    const score = scoreSteps(stepsOf(transcript))
    expect({ state: score.verification, mark: score.open ? 'open' : score.red ? 'red' : undefined, tiers: tiersOf(score) }).toEqual({
      state: transcript.state,
      mark: transcript.mark,
      tiers: transcript.tiers,
    })
  })
})

describe('no session with a red check is gold', () => {
  /** Whether the transcript is labelled with a failed check or an open failure. */
  const isRed = ({ state, mark }: Transcript) => state === 'failed' || mark !== undefined
  it.each(transcripts.filter(isRed))('$name', (transcript) => {
    expect(tiersOf(scoreSteps(stepsOf(transcript)))).not.toContain('gold')
  })

  const testCommands = commands.filter(
    ({ kind, command }) => kind === 'test' && !/EXIT/.test(command) && isRight({ kind, command, isLook: false }),
  )
  const redOutputs = [
    'Tests:       1 failed, 3 passed, 4 total',
    '=== 2 failed, 9 passed in 0.2s ===',
    'test result: FAILED. 3 passed; 1 failed; 0 ignored',
    '--- FAIL: TestA (0.00s)\nFAIL',
    '[ERROR] Tests run: 4, Failures: 1, Errors: 0\n[INFO] BUILD FAILURE',
    'not ok 2 divides',
    '12 examples, 1 failure',
    'FAILED (failures=1)',
    'ℹ pass 3\nℹ fail 1',
  ]
  it('with any failing test command at the end, any work before and read-only commands after it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.record({ command: fc.constantFrom(...testCommands.map(({ command }) => command)), guess: fc.constant(false) }),
          fc.record({ command: fc.constantFrom('./smash --all', 'acme-suite', 'php tools/probe.php'), guess: fc.constant(true) }),
        ),
        fc.constantFrom(...redOutputs),
        fc.constantFrom('', ' | tail -5', ' || true', ' 2>&1 | tee log'),
        fc.boolean(),
        fc.array(fc.constantFrom('pytest', 'npm test', 'tsc', 'eslint .'), { maxLength: 3 }),
        fc.array(fc.constantFrom('git status', 'cat log', 'ls -la'), { maxLength: 3 }),
        ({ command }, output, behind, failed, before, after) => {
          const isPlain = !/[|&;\n]|^(?:for|if|set) /.test(command)
          const green = (text: string) => aStep({ command: text, output: '3 passed', success: true })
          const score = scoreSteps([
            ...WORK,
            ...before.map(green),
            aStep({ command: isPlain ? command + behind : command, output, success: !failed && isPlain && behind !== '' }),
            ...after.map((text) => aStep({ command: text, output: 'x', success: true })),
          ])
          expect(tiersOf(score)).not.toContain('gold')
        },
      ),
      { numRuns: 500 },
    )
  })
})
