import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isChecked, stricter } from './decision.ts'

const DECISIONS = ['deny', 'ask', 'allow'] as const
type Word = (typeof DECISIONS)[number]
/** What the client makes of a decision: in all of its modes something stricter stays at least as strict. */
const MODES: Record<string, (decision: Word, mayRun: boolean) => Word> = {
  default: (decision) => decision,
  acceptEdits: (decision) => decision,
  plan: (decision, mayRun) => (mayRun ? decision : 'deny'), // writes are denied, whatever was decided
  auto: (decision, mayRun) => (decision === 'ask' && mayRun ? 'allow' : decision), // its classifier answers what is to be asked
  dontAsk: (decision) => (decision === 'ask' ? 'deny' : decision),
  bypassPermissions: (decision) => decision,
}
const strictness = (word: Word) => DECISIONS.indexOf(word)
/** Up, with each of its verdicts; away or too slow; of a form that nobody knows. */
const verdicts = fc.oneof(
  fc.record({ verdict: fc.constantFrom('allow', 'warn', 'block', 'ask', '', 'ALLOW'), reason: fc.string() }),
  fc.constant(null),
  fc.record({ verdict: fc.string(), reason: fc.string() }),
)

it('is never weaker with our mod than without it, in every mode, for every tool, whatever our rules say or do not say', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DECISIONS),
      fc.constantFrom('Bash', 'Read', 'Edit', 'Write', 'Glob', 'Grep', 'SubagentHandback', 'bash'),
      fc.boolean(),
      verdicts,
      fc.boolean(),
      (decision, tool, isOurs, verdict, mayRun) => {
        const engine = { decision, reason: 'The engine says so.' }
        const final = isChecked(tool, isOurs, engine) ? stricter(engine, verdict) : engine
        expect(strictness(final.decision)).toBeLessThanOrEqual(strictness(decision))
        for (const outcome of Object.values(MODES))
          expect(strictness(outcome(final.decision, mayRun))).toBeLessThanOrEqual(strictness(outcome(decision, mayRun)))
        const isAsked = isOurs && tool === 'Bash' && decision !== 'deny'
        expect(isAsked || final === engine).toBe(true)
        expect(isAsked && verdict === null ? final.decision : 'ask').toBe('ask')
      },
    ),
  )
})
