import { FolderSearch, Undo2, Wrench } from 'lucide-react'
import { useState } from 'react'
import type { GymRules } from '#contracts/entities/router.ts'
import type { GymWork } from '#contracts/settings/router.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useSetGymRules, useShowGymRules } from '#renderer/api/router.ts'
import { useSandboxLimits } from '#renderer/api/sandboxes.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DiffBlock } from '#renderer/ui/code-block.tsx'
import { SelectRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { Section } from '#renderer/ui/page.tsx'

const PLACES: { value: GymWork; label: string }[] = [
  { value: 'sandbox', label: 'In a sandbox (recommended)' },
  { value: 'in-place', label: 'In place, in your folder' },
]
const MEANING: Record<GymWork, string> = {
  sandbox:
    'It gets a copy of the folder, with what is not committed. It edits and tests there, and Claude gets a patch to review and apply. Its run is under Agents.',
  'in-place': 'Claude Code runs its tools in your folder and asks for permissions. In auto mode, commands that need a check are refused.',
}

/** Where the gym agent works, and the rules with which it may run a project's tests in place. */
export function RouterWork() {
  const { settings, offline, change } = useChange()
  const { work } = settings.router
  return (
    <Section title="Where it works">
      <SelectRow
        label="Works"
        hint={MEANING[work]}
        value={work}
        disabled={offline !== null}
        options={PLACES}
        onChange={(next) => change('Where it works', { router: { work: next } })}
      />
      {work === 'sandbox' ? <Isolation /> : <Rules />}
    </Section>
  )
}

/** Without a sandbox that isolates the agent refuses; it never works in place instead. */
function Isolation() {
  const { data } = useSandboxLimits()
  if (!data || data.backends.some(({ available }) => available)) return null
  return (
    <p role="alert" className="rounded border border-warn p-3 text-sm">
      No sandbox can be used on this machine, so the agent refuses its tasks:{' '}
      {data.backends.map(({ name, reason }) => `${name}: ${reason ?? 'not found'}`).join('; ')}
    </p>
  )
}

function Rules() {
  const offline = useOfflineReason()
  const [directory, setDirectory] = useState('')
  const [shown, setShown] = useState<GymRules | null>(null)
  const show = useShowGymRules()
  const set = useSetGymRules()
  const isPath = directory.trim().startsWith('/')
  return (
    <div className="flex flex-col gap-3 pt-2">
      <p className="max-w-[72ch] text-sm text-second">
        Rules of Claude Code can let it run the tests of one project without asking. What a test command runs is in files that the agent can
        change, so such a rule lets it run more than it says.
      </p>
      <TextRow label="Project" hint="Its folder." value={directory} placeholder="/home/you/project" mono onChange={setDirectory} />
      <div>
        <Button
          icon={FolderSearch}
          busy={show.isPending}
          reason={offline ?? (isPath ? null : 'Enter the absolute path of a project.')}
          onClick={() => show.mutate(directory.trim(), { onSuccess: setShown })}
        >
          Show rules
        </Button>
      </div>
      {shown ? (
        <Shown
          rules={shown}
          reason={offline}
          busy={set.isPending}
          onSet={(written) => set.mutate({ directory: shown.directory, written }, { onSuccess: setShown })}
        />
      ) : null}
    </div>
  )
}

function Shown({
  rules: { rules, file, written, diff },
  reason,
  busy,
  onSet,
}: {
  rules: GymRules
  reason: string | null
  busy: boolean
  onSet: (written: boolean) => void
}) {
  const isOffered = rules.some(({ refused }) => refused === null)
  return (
    <div className="flex flex-col gap-2 text-sm">
      {rules.length === 0 ? <p>No test command of this project was found.</p> : null}
      <ul className="flex flex-col gap-1">
        {rules.map(({ rule, because, refused }) => (
          <li key={rule}>
            <span className="font-mono text-xs">{rule}</span> {refused === null ? `from ${because}` : `is not written: ${refused}`}
          </li>
        ))}
      </ul>
      {diff === '' ? null : (
        <>
          <p>
            {written ? 'Written. Taking them back changes ' : 'This changes '}
            <span className="font-mono text-xs break-all">{file}</span>:
          </p>
          <DiffBlock diff={diff} label={`Rules: change to ${file}`} className="max-h-64" />
        </>
      )}
      {written || isOffered ? (
        <div>
          <Button icon={written ? Undo2 : Wrench} reason={reason} busy={busy} onClick={() => onSet(!written)}>
            {written ? 'Take the rules back' : 'Write the rules'}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
