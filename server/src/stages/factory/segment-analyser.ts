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

/** Facts to store while they can be determined: directories may be deleted later. */
export interface SegmentFacts {
  git: Record<string, GitRole>
  scopes: Record<string, string>
}

const MAX_CACHED = 1000
/** Per thread, because consecutive sessions are often of one project. */
const scopes = new Map<string, string>()

function scopeOf(cwd: string): string | null {
  const cached = scopes.get(cwd)
  if (cached !== undefined) return cached
  const scope = lookUpScope(cwd)
  if (scopes.size >= MAX_CACHED) scopes.clear()
  if (scope !== null) scopes.set(cwd, scope)
  return scope
}

export const analyser: Analyser<StepFact | null, SegmentFacts> = {
  name: 'segments',
  analyseStep: ({ id, conversation, command, success, output, cwd }) =>
    conversation === 'main' ? { id, git: gitRole(command, success, output), cwd } : null,
  analyseTrace(facts) {
    const result: SegmentFacts = { git: lookup(), scopes: lookup() }
    const cwds = new Set<string>()
    for (const fact of facts) {
      if (fact?.git) result.git[fact.id] = fact.git
      if (fact && fact.cwd !== null) cwds.add(fact.cwd)
    }
    for (const cwd of cwds) {
      const scope = scopeOf(cwd)
      if (scope !== null) result.scopes[cwd] = scope
    }
    return result
  },
}
