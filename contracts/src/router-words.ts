import type { RouteOutcome } from './entities/routing.ts'

/** Every name that a student has in Claude Code begins like this, so that the client's provider knows none of them. */
export const STUDENT_NAME = 'gym-'

/** What the user types to use a model without a proof. It has the name of the model, so it never covers another one. */
export const overrideWords = (label: string): string => `use ${label} without proof`

/** The oldest Claude Code that loads mods without being told to. */
export const MOD_CLIENT = '2.1.300'

/** The tools of the gym agent, as in its exams and training. */
export const STUDENT_TOOLS: readonly string[] = ['Bash', 'Read', 'Edit', 'Write', 'Glob', 'Grep']
/** What Claude Code gives up behind the address of the proxy, said before it is switched on. */
export const GIVEN_UP: readonly string[] = [
  'While Bash Gym is closed, Claude Code has no API there, until the address is taken out.',
  'Behind any such address Claude Code leaves out some of its own features, such as Remote Control, usage and plan look-ups, and resuming a cut answer.',
  'In auto mode Claude Code has no check of its own to fall back on; Haiku 4.5 cannot be in auto mode.',
]

/** How an answer turned out, and who says so. */
export function outcomeWords(outcome: RouteOutcome | null): string {
  if (outcome === null) return 'not measured'
  const { value, from } = outcome
  const percent = `${Math.round(value * 100)} %`
  if (from === 'score') return `session scored ${percent}`
  if (from === 'grade') return `session graded ${percent}`
  const result = value === 1 ? 'right' : value === 0 ? 'wrong' : `${percent} right`
  return from === 'report' ? `${result}, reported` : value === 1 ? 'session passed its checks' : 'session failed its checks'
}
