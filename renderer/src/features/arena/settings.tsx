import { ArenaSettings } from '#contracts/settings/arena.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Snapshots } from './snapshots.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'

const within = (least: number, most: number) => (text: string) =>
  /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most ? null : `Must be a whole number from ${least} to ${most}.`

const NUMBERS = [
  {
    key: 'running',
    label: 'Running at a time',
    hint: 'More sandboxes wait in a queue. A lower number does not stop running ones.',
    least: 1,
    most: 1000,
  },
  { key: 'queue', label: 'Queue length', hint: 'When the queue is full, the next start is refused.', least: 0, most: 10_000 },
  { key: 'snapshots', label: 'Snapshots', hint: 'Maximum number. A lower number does not remove any.', least: 0, most: 1000 },
  { key: 'snapshotMb', label: 'Disk for snapshots', hint: 'Megabytes for all snapshots together.', least: 1, most: 10_485_760 },
] as const

const DEFAULTS = ArenaSettings.parse({})

export default function ArenaSettingsPage() {
  const { settings, offline, change } = useChange()
  return (
    <>
      <Section title="Sandboxes" note="Each sandbox has its own limits, set when it is created">
        <div>
          {NUMBERS.map(({ key, label, hint, least, most }) => (
            <SavedText
              key={key}
              label={label}
              hint={hint}
              value={String(settings.arena[key])}
              recommended={String(DEFAULTS[key])}
              reason={offline}
              narrow
              read={within(least, most)}
              onSave={(text) => change(label, { arena: { [key]: Number(text) } })}
            />
          ))}
        </div>
      </Section>
      <Snapshots />
    </>
  )
}
