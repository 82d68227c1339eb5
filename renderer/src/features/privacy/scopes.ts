import { SECRET_TYPES, type ArchiveFinding, type PrivacyAction, type PrivacyScope } from '#contracts/entities/privacy.ts'
import { actionWord, piiWord } from '#renderer/app/words/privacy.ts'
import { plural } from '#renderer/ui/format.ts'

export type ScopeName = PrivacyScope['scope']

export const SCOPE_NAMES = ['finding', 'value', 'project', 'type'] as const satisfies readonly ScopeName[]

/** The distinct scopes of a decision about findings. Findings without a project have no project scope. */
export function scopesOf(findings: readonly ArchiveFinding[], scope: ScopeName): PrivacyScope[] {
  const scopes = new Map<string, PrivacyScope>()
  for (const { id, value, type, project } of findings) {
    if (scope === 'finding') scopes.set(id, { scope, finding: id })
    else if (scope === 'value') scopes.set(value, { scope, value })
    else if (scope === 'type') scopes.set(type, { scope, type })
    else if (project !== null) scopes.set(`${type} ${project}`, { scope, project, type })
  }
  return [...scopes.values()]
}

/** Why this decision is not possible; null if it is. */
export function refusalOf(findings: readonly ArchiveFinding[], scope: ScopeName, action: PrivacyAction): string | null {
  if (findings.length === 0) return 'Select a finding first.'
  if (scope === 'project' && findings.some(({ project }) => project === null)) return "This session's project is unknown."
  const isWide = scope === 'type' || scope === 'project'
  if (action === 'keep' && isWide && findings.some(({ type }) => SECRET_TYPES.includes(type)))
    return "You can't keep a whole type of secret. If a finding is not a secret, keep that finding or its value."
  return null
}

/** The name of a decision in its undo toast. */
export function labelOf(findings: readonly ArchiveFinding[], scope: ScopeName, action: PrivacyAction): string {
  const scopes = scopesOf(findings, scope)
  const [first] = findings
  const type = first ? piiWord(first.type) : ''
  const subjects: Record<ScopeName, string> = {
    finding: plural(scopes.length, 'finding'),
    value: `${plural(scopes.length, 'value')}, everywhere`,
    project: scopes.length === 1 ? `${type} in this project` : `${plural(scopes.length, 'type')} by project`,
    type: scopes.length === 1 ? `${type} everywhere` : `${plural(scopes.length, 'type')} everywhere`,
  }
  return `${actionWord(action)}: ${subjects[scope]}`
}

/** The name of a scope for a finding. */
export function scopeLabel(scope: ScopeName, finding: ArchiveFinding, places: number | null): string {
  const type = piiWord(finding.type)
  switch (scope) {
    case 'finding':
      return 'This finding'
    case 'value':
      return `This value everywhere${places === null ? '' : ` (${plural(places, 'place')})`}`
    case 'project':
      return `${type}: all in this project`
    case 'type':
      return `${type}: all, everywhere`
    default:
      throw new Error(`unknown scope ${String(scope satisfies never)}`)
  }
}
