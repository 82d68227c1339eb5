import type { SettingsPatch } from '#contracts/entities/settings.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useDiscardRestored, usePatchSettings, useRestored } from '#renderer/api/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

const LABELS = new Map([
  ['capture.followLinks', 'Follow links'],
  ['training.python', 'Python for training'],
  ['training.ray', 'Ray cluster'],
  ['providers.anthropic', 'Anthropic endpoint'],
  ['providers.nim', 'NVIDIA NIM endpoint'],
  ['providers.openai', 'OpenAI-compatible endpoint'],
])

/** Settings of a restored backup that name a program or an address, or follow links: unused until the user confirms them. */
export function RestoredSection() {
  const { data } = useRestored()
  const patch = usePatchSettings()
  const discard = useDiscardRestored()
  const offline = useOfflineReason()
  if (!data || data.settings.length + data.droppedSettings.length + data.pausedRuns === 0) return null
  const busy = patch.isPending || discard.isPending
  return (
    <Section
      title="From the restored backup"
      note="Settings that name a program to run or an address that receives keys, or follow links, are not in use until you confirm them."
    >
      <ul className="flex flex-col divide-y divide-line text-sm">
        {data.settings.map(({ key, value }) => {
          const label = LABELS.get(key) ?? key
          return (
            <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="min-w-48">{label}</span>
              <code className="min-w-48 flex-1 font-mono text-xs break-all">{describeValue(value)}</code>
              <Button
                size="small"
                busy={busy}
                reason={offline}
                aria-label={`Use again: ${label}`}
                onClick={() => patch.mutate(patchOf(key, value))}
              >
                Use again
              </Button>
              <Button size="small" busy={busy} reason={offline} aria-label={`Discard: ${label}`} onClick={() => discard.mutate(key)}>
                Discard
              </Button>
            </li>
          )
        })}
        {data.droppedSettings.length > 0 ? (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-48 flex-1">
              Not restored, because this version does not know them or cannot use their values:{' '}
              <code className="font-mono text-xs break-all">
                <Visible text={data.droppedSettings.join(', ')} />
              </code>
            </span>
            <Button
              size="small"
              busy={busy}
              reason={offline}
              aria-label="Dismiss: settings not restored"
              onClick={() => discard.mutate('dropped')}
            >
              Dismiss
            </Button>
          </li>
        ) : null}
        {data.pausedRuns > 0 ? (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="flex-1">
              {plural(data.pausedRuns, 'training run')} restored as paused. <TextLink href="/training">Resume them under Training</TextLink>
            </span>
            <Button size="small" busy={busy} reason={offline} aria-label="Dismiss: paused runs" onClick={() => discard.mutate('runs')}>
              Dismiss
            </Button>
          </li>
        ) : null}
      </ul>
    </Section>
  )
}

/** `training.python` → `{training: {python: value}}`; the server checks it like any other change. */
function patchOf(key: string, value: unknown): SettingsPatch {
  const [group = '', name = ''] = key.split('.', 2)
  return { [group]: { [name]: value } }
}

/** The value that the user has to confirm: the program, or the fields that are filled in. */
function describeValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, field]) => field !== '' && field !== 0)
    .map(([name, field]) => `${name}: ${String(field)}`)
    .join(', ')
}
