import type { ArenaSettings } from '#contracts/settings/arena.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Snapshots } from './snapshots.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'

const within = (least: number, most: number) => (text: string) =>
  /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most ? null : `Must be a whole number from ${least} to ${most}.`

/** How many sandboxes there may be at a time. */
export default function ArenaSettingsPage() {
  const { settings, offline, change } = useChange()
  const { running, queue, snapshots, snapshotMb } = settings.arena
  const save = (what: string, part: Partial<ArenaSettings>) =>
    change(what, { arena: part }, { arena: { running, queue, snapshots, snapshotMb } })
  return (
    <>
      <Section title="Sandboxes" note="Each has limits of its own, set when it is created">
        <div>
          <SavedText
            label="Running at a time"
            hint="The next one waits in line. A lower number stops none that runs."
            value={String(running)}
            recommended="10"
            reason={offline}
            narrow
            read={within(1, 1000)}
            onSave={(text) => save('Running at a time', { running: Number(text) })}
          />
          <SavedText
            label="Waiting in line"
            hint="When as many wait, the next start is refused."
            value={String(queue)}
            recommended="256"
            reason={offline}
            narrow
            read={within(0, 10_000)}
            onSave={(text) => save('Waiting in line', { queue: Number(text) })}
          />
          <SavedText
            label="Snapshots"
            hint="How many may be kept. A lower number removes none."
            value={String(snapshots)}
            recommended="20"
            reason={offline}
            narrow
            read={within(0, 1000)}
            onSave={(text) => save('Snapshots', { snapshots: Number(text) })}
          />
          <SavedText
            label="Disk for snapshots"
            hint="Megabytes, for all together."
            value={String(snapshotMb)}
            recommended="10240"
            reason={offline}
            narrow
            read={within(1, 10_485_760)}
            onSave={(text) => save('Disk for snapshots', { snapshotMb: Number(text) })}
          />
        </div>
      </Section>
      <Snapshots />
    </>
  )
}
