import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { BulkBar } from '#renderer/ui/lists/bulk-bar.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { Choice } from './actions.ts'
import { DecideButtons } from './decide-panel.tsx'
import type { ScopeName } from './scopes.ts'

const SCOPES: readonly { value: ScopeName; label: string }[] = [
  { value: 'finding', label: 'These findings' },
  { value: 'value', label: 'Their values, everywhere' },
  { value: 'project', label: 'Their types, by project' },
  { value: 'type', label: 'Their types, everywhere' },
]

/** Decides about all selected findings at once, with a single undo. */
export function FindingsBar({
  findings,
  scope,
  onScope,
  onDecide,
  onClear,
}: {
  findings: readonly ArchiveFinding[]
  scope: ScopeName
  onScope: (scope: ScopeName) => void
  onDecide: (choice: Choice) => void
  onClear: () => void
}) {
  return (
    <BulkBar noun="findings" count={findings.length} clearKeys={keyOf('back')} onClear={onClear}>
      <Select label="Scope of the decision" value={scope} options={SCOPES} onChange={onScope} className="h-7!" />
      <DecideButtons findings={findings} scope={scope} onDecide={onDecide} />
    </BulkBar>
  )
}
