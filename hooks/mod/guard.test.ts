import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Check, Decision } from './client.ts'
import { type Guard, guarded, guardIn, unchecked } from './guard.ts'

const WORDS = ['deny', 'ask', 'allow'] as const
const bash = (command: unknown): Check => ({ tool: 'Bash', input: { command } })
const guard = (more: Partial<Guard> = {}): Guard => ({ mode: 'guard', unchecked: 'nothing', rules: [], ...more })
const allow: Decision = { decision: 'allow' }

it('refuses what is blocked and asks about warnings, with the reason and an alternative, and only lists them when it observes', () => {
  const blocked = guarded(guard(), bash('sudo rm -rf /usr'), allow, '/p')
  expect(blocked).toMatchObject({
    action: 'blocked',
    decision: { decision: 'deny', reason: expect.stringMatching(/^Bash Gym: .*\(rule /) as unknown },
  })
  expect(guarded(guard(), bash('git push --force'), allow, '/p')).toMatchObject({
    action: 'asked',
    decision: { decision: 'ask', reason: expect.stringContaining('Instead: ') as unknown },
  })
  expect(guarded(guard({ mode: 'observe' }), bash('rm -rf /'), allow, '/p')).toEqual({ action: 'ran', decision: allow })
  expect(guarded(guard(), bash('ls'), allow, '/p')).toEqual({ action: null, decision: allow })
  expect(guarded(null, bash('rm -rf /'), allow, '/p')).toEqual({ action: null, decision: allow })
})

it("counts the user's own rules", () => {
  const rule = {
    name: 'x',
    on: 'command',
    pattern: '^deploy',
    verdict: 'block',
    reason: 'Not here.',
    matches: ['deploy'],
    mustNotMatch: ['x'],
  } as const
  const { decision } = guarded(
    guard({ rules: [{ ...rule, matches: [...rule.matches], mustNotMatch: [...rule.mustNotMatch] }] }),
    bash('sudo deploy now'),
    allow,
    null,
  )
  expect(decision).toEqual({ decision: 'deny', reason: 'Bash Gym: Not here. (rule own-x)' })
})

it('never weakens a decision, whatever the call, its command and the settings are', () => {
  const input = fc.oneof(
    fc.record({ command: fc.oneof(fc.constantFrom('ls', 'rm -rf /', 'git push --force', 'x'.repeat(30_000)), fc.string(), fc.anything()) }),
    fc.anything(),
  )
  const settings = fc.option(
    fc.record({ mode: fc.constantFrom('guard', 'observe'), unchecked: fc.constantFrom('nothing', 'ask'), rules: fc.constant([]) }),
  ) as fc.Arbitrary<Guard | null>
  fc.assert(
    fc.property(fc.constantFrom(...WORDS), fc.constantFrom('Bash', 'Read', 'bash'), input, settings, (decision, tool, given, chosen) => {
      const engine = { decision }
      const strictness = (one: Decision) => WORDS.indexOf(one.decision)
      expect(strictness(guarded(chosen, { tool, input: given }, engine, null).decision)).toBeLessThanOrEqual(strictness(engine))
      expect(strictness(unchecked(chosen, engine))).toBeLessThanOrEqual(strictness(engine))
    }),
  )
  expect(unchecked(guard({ unchecked: 'ask' }), allow)).toMatchObject({ decision: 'ask' })
  expect(guarded(guard({ unchecked: 'ask' }), bash(7), allow, null)).toMatchObject({ decision: { decision: 'ask' } })
})

it('is off without settings that it can read', () => {
  for (const text of ['', '{}', '[]', 'null', '{"mode":"off"}', '{"mode":']) expect(guardIn(text)).toBeNull()
  expect(guardIn('{"mode":"guard","unchecked":"x","rules":7}')).toEqual({ mode: 'guard', unchecked: 'nothing', rules: [] })
})
