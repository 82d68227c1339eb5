import { Camera, GitFork } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { SnapshotName } from '#contracts/entities/sandbox-snapshot.ts'
import type { Sandbox } from '#contracts/entities/sandbox.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useFork, useTakeSnapshot } from '#renderer/api/sandboxes.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'

/** Saves the files of a running sandbox as a snapshot, or starts another sandbox with them. */
export function Copies({ id }: Pick<Sandbox, 'id'>) {
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const offline = useOfflineReason()
  const take = useTakeSnapshot(id)
  const fork = useFork(id, (copy) => go(`/sandboxes/${copy.id}`))
  const wrong = SnapshotName.safeParse(name).success ? null : 'Use lower-case letters, digits, dots and dashes.'
  return (
    <Section title="Copies">
      <div className="flex flex-col gap-2">
        <p className="text-xs text-second">
          Files are copied; programs, variables and sessions are not. Programs are paused while the files are copied.
        </p>
        <TextInput aria-label="Name of the snapshot" placeholder="with-dependencies" value={name} onChange={setName} />
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            icon={Camera}
            reason={offline ?? wrong}
            busy={take.isPending}
            onClick={() => take.mutate(name, { onSuccess: () => setName('') })}
          >
            Save snapshot
          </Button>
          <Button size="small" icon={GitFork} reason={offline} busy={fork.isPending} onClick={() => fork.mutate()}>
            Fork sandbox
          </Button>
        </div>
      </div>
    </Section>
  )
}
