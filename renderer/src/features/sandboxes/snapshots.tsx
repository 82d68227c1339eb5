import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useRemoveSnapshot, useSnapshots } from '#renderer/api/sandboxes.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'

/** Snapshots of sandboxes, with the disk that they take. */
export function Snapshots() {
  const { data, error, refetch } = useSnapshots()
  const remove = useRemoveSnapshot()
  const offline = useOfflineReason()
  const [asked, ask] = useState<string | null>(null)
  const note = data ? `${plural(data.items.length, 'snapshot')}, ${formatBytes(data.bytes)} of ${formatBytes(data.mostBytes)}` : undefined
  return (
    <Section title="Snapshots" note={note}>
      {error ? <ErrorState title="Couldn't load the snapshots" error={error} retry={() => void refetch()} /> : null}
      {data?.items.length === 0 ? <p className="text-sm text-second">Save one from the page of a running sandbox.</p> : null}
      {data && data.items.length > 0 ? (
        <ul aria-label="Snapshots">
          {data.items.map(({ name, profile, bytes, createdAt }) => (
            <li key={name} className="flex items-center gap-4 border-b border-line py-2 text-sm last:border-b-0">
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{name}</span>
              <span className="text-xs text-second">{profile}</span>
              <span className="w-20 text-right text-xs text-second">{formatBytes(bytes)}</span>
              <RelativeTime at={createdAt} className="w-24 text-right text-xs text-second" />
              <IconButton label={`Remove ${name}`} icon={Trash2} reason={offline} onClick={() => ask(name)} />
            </li>
          ))}
        </ul>
      ) : null}
      <Confirm
        open={asked !== null}
        onOpenChange={() => ask(null)}
        title={`Remove ${asked ?? 'the snapshot'}?`}
        action="Remove snapshot"
        onConfirm={() => remove.mutate(asked ?? '')}
      >
        Its files are deleted. Sandboxes that were made from it keep theirs.
      </Confirm>
    </Section>
  )
}
