import { lookup } from '#contracts/lookup.ts'
import type { Analyser } from '#server/stages/traces/types.ts'
import { gitRole } from './segments/git.ts'
import { lookUpScope } from './segments/scope.ts'
import type { GitRole } from './segments/types.ts'

interface StepFact {
  id: string
  git: GitRole | null
  cwd: string | null
}

/** What must be known while it can be: roles of git commands, and scopes of working directories that are still there. */
export interface SegmentFacts {
  git: Record<string, GitRole>
  scopes: Record<string, string>
}

const MAX_CACHED = 1000
/** Of this thread: sessions of one project follow each other. */
const scopes = new Map<string, string>()

function scopeOf(cwd: string): string | null {
  const known = scopes.get(cwd)
  if (known !== undefined) return known
  const scope = lookUpScope(cwd)
  if (scopes.size >= MAX_CACHED) scopes.clear()
  if (scope !== null) scopes.set(cwd, scope)
  return scope
}

/** Runs beside the reader; the first that is said of a directory is what stays. */
export const analyser: Analyser<StepFact | null, SegmentFacts> = {
  name: 'segments',
  analyseStep: ({ id, conversation, command, success, output, cwd }) =>
    conversation === 'main' ? { id, git: gitRole(command, success, output), cwd } : null,
  analyseTrace(facts) {
    const found: SegmentFacts = { git: lookup(), scopes: lookup() }
    const cwds = new Set<string>()
    for (const fact of facts) {
      if (fact?.git) found.git[fact.id] = fact.git
      if (fact && fact.cwd !== null) cwds.add(fact.cwd)
    }
    for (const cwd of cwds) {
      const scope = scopeOf(cwd)
      if (scope !== null) found.scopes[cwd] = scope
    }
    return found
  },
}
