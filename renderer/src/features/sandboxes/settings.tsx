import { ArenaSettings } from '#contracts/settings/arena.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Snapshots } from './snapshots.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'

const wholeNumberProblem = (min: number, max: number) => (text: string) =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max ? null : `Must be a whole number from ${min} to ${max}.`

const NUMBERS = [
  {
    key: 'running',
    label: 'Running at a time',
    hint: 'More sandboxes wait in a queue. A lower number does not stop running ones.',
    min: 1,
    max: 1000,
  },
  { key: 'queue', label: 'Queue length', hint: 'When the queue is full, the next start is refused.', min: 0, max: 10_000 },
  { key: 'snapshots', label: 'Snapshots', hint: 'Maximum number. A lower number does not remove any.', min: 0, max: 1000 },
  { key: 'snapshotMb', label: 'Disk for snapshots', hint: 'Megabytes for all snapshots together.', min: 1, max: 10_485_760 },
] as const

const DEFAULTS = ArenaSettings.parse({})

export default function SandboxSettings() {
  const { settings, offline, change } = useChange()
  return (
    <>
      <Section title="Limits" note="Each sandbox has its own limits, set when it is created">
        <div>
          {NUMBERS.map(({ key, label, hint, min, max }) => (
            <SavedText
              key={key}
              label={label}
              hint={hint}
              value={String(settings.arena[key])}
              recommended={String(DEFAULTS[key])}
              reason={offline}
              narrow
              read={wholeNumberProblem(min, max)}
              onSave={(text) => change(label, { arena: { [key]: Number(text) } })}
            />
          ))}
        </div>
      </Section>
      <Snapshots />
    </>
  )
}
