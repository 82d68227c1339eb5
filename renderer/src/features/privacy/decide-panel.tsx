import { useState } from 'react'
import { SECRET_TYPES, type ArchiveFinding, type PrivacyAction, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { STRATEGIES } from '#renderer/app/words/privacy.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Select, type Option } from '#renderer/ui/select.tsx'
import type { Choice } from './actions.ts'
import { refusalOf, scopeLabel, SCOPE_NAMES, type ScopeName } from './scopes.ts'

const BUTTONS = [
  { action: 'keep', label: 'Keep', key: 'keepFinding' },
  { action: 'redact', label: 'Redact', key: 'redactFinding' },
  { action: 'replace', label: 'Replace', key: 'replaceFinding' },
] as const satisfies readonly { action: PrivacyAction; label: string; key: string }[]

const POLICY_DEFAULT = 'policy'
type StrategyChoice = ReplaceStrategy | typeof POLICY_DEFAULT
const STRATEGY_OPTIONS: readonly Option<StrategyChoice>[] = [
  { value: POLICY_DEFAULT, label: 'Replace: policy default' },
  ...STRATEGIES.map(({ value, label }) => ({ value, label: `Replace: ${label.toLowerCase()}` })),
]

/** Buttons for a decision in the selected scope. */
export function DecideButtons({
  findings,
  scope,
  strategy = null,
  places = null,
  onDecide,
}: {
  findings: readonly ArchiveFinding[]
  scope: ScopeName
  strategy?: ReplaceStrategy | null
  /** How many places a decision about the value applies to; null: not counted. */
  places?: number | null
  onDecide: (choice: Choice) => void
}) {
  const offline = useOfflineReason()
  return (
    <div role="group" aria-label="Decide" className="flex flex-wrap gap-1">
      {BUTTONS.map(({ action, label, key }) => (
        <Button
          key={action}
          size="small"
          keys={keyOf(key)}
          reason={offline ?? refusalOf(findings, scope, action)}
          onClick={() => onDecide({ action, strategy: action === 'replace' ? strategy : null })}
        >
          {action === 'keep' && findings.length > 0 && findings.every(({ type }) => SECRET_TYPES.includes(type)) ? 'Not a secret' : label}
          {action === 'keep' && places !== null && places > 1 && scope === 'value' ? ` · ${plural(places, 'place')}` : ''}
        </Button>
      ))}
    </div>
  )
}

/** The decision about a finding, with its scope and replacement. */
export function DecidePanel({
  finding,
  places,
  scope,
  onScope,
  onDecide,
}: {
  finding: ArchiveFinding
  /** Number of places with the same value; null: not counted yet. */
  places: number | null
  scope: ScopeName
  onScope: (scope: ScopeName) => void
  onDecide: (choice: Choice) => void
}) {
  const [strategy, setStrategy] = useState<StrategyChoice>(POLICY_DEFAULT)
  const options = SCOPE_NAMES.map((value) => ({ value, label: scopeLabel(value, finding, places) }))
  return (
    <section aria-label="Decision" className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Decide</h3>
      <div className="flex flex-wrap items-center gap-2">
        <Select label="Scope" value={scope} options={options} onChange={onScope} className="max-w-full min-w-56" />
        <Select label="Replacement" value={strategy} options={STRATEGY_OPTIONS} onChange={setStrategy} />
      </div>
      <DecideButtons
        findings={[finding]}
        scope={scope}
        strategy={strategy === POLICY_DEFAULT ? null : strategy}
        places={places}
        onDecide={onDecide}
      />
      <p className="text-xs text-second">
        The narrowest decision wins: finding, then value, then project, then type, then the policy. It applies to everything exported or
        sent from now on.
      </p>
    </section>
  )
}
