import { X } from 'lucide-react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import type { Choice } from './acts.ts'
import { DecideButtons } from './decide-panel.tsx'
import type { ScopeName } from './scopes.ts'

const SCOPES: readonly { value: ScopeName; label: string }[] = [
  { value: 'finding', label: 'These findings' },
  { value: 'value', label: 'Their values, everywhere' },
  { value: 'project', label: 'Their types, by project' },
  { value: 'type', label: 'Their types, everywhere' },
]

/** What is selected, and one decision about all of it; it is taken back as one. */
export function BulkBar({
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
  const selected = `${formatCount(findings.length)} selected`
  useAnnounce(selected)
  return (
    <div
      role="toolbar"
      aria-label="Selected findings"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-raised px-3 py-1.5 text-sm"
    >
      <span className="font-semibold whitespace-nowrap">{selected}</span>
      <Select label="Scope of the decision" value={scope} options={SCOPES} onChange={onScope} className="h-7!" />
      <DecideButtons findings={findings} scope={scope} onDecide={onDecide} />
      <span className="flex-1" />
      <IconButton size="small" icon={X} label="Clear selection" keys={keyOf('back')} onClick={onClear} />
    </div>
  )
}
