import type { SettingsPatch } from '#contracts/entities/settings.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useDiscardRestored, usePatchSettings, useRestored } from '#renderer/api/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { RestoredItemList } from '#renderer/app/restored-items.tsx'

const ALL = {}

const LABELS = new Map([
  ['access.trustedFolders', 'Trusted folders'],
  ['capture.followLinks', 'Follow links'],
  ['training.python', 'Python for training'],
  ['training.ray', 'Ray cluster'],
  ['providers.anthropic', 'Anthropic endpoint'],
  ['providers.nim', 'NVIDIA NIM endpoint'],
  ['providers.openai', 'OpenAI-compatible endpoint'],
  ['training.hub', 'Model hub'],
  ['training.baseModels', 'Folders of base models'],
  ['factory.tokenizers', 'Folders of tokenizers'],
  ['guardrails.service', 'NeMo Guardrails service'],
  ['prices', 'Prices'],
  ['privacy.types', 'Types that the privacy filter searches for'],
  ['privacy.confidenceThreshold', 'Minimum confidence of the privacy filter'],
  ['privacy.defaultStrategy', 'How findings are replaced'],
  ['privacy.strategies', 'How types of findings are replaced'],
  ['privacy.allowed', 'Values that are never findings'],
  ['providers.augmentation', 'Provider for generated examples'],
])

/** What a restored backup would run or send: unused until the user confirms it. */
export function RestoredSection() {
  const { data } = useRestored()
  const patch = usePatchSettings()
  const discard = useDiscardRestored()
  const offline = useOfflineReason()
  if (!data || data.settings.length + data.droppedSettings.length + data.waiting.length === 0) return null
  const busy = patch.isPending || discard.isPending
  return (
    <Section
      title="From the restored backup"
      note="Nothing of the backup runs, sends or spends anything until you allow it. Check what each item names first: anyone could have made the backup."
    >
      <ul className="flex flex-col divide-y divide-line text-sm">
        {data.settings.map(({ key, value }) => {
          const label = LABELS.get(key) ?? key
          return (
            <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="min-w-48">{label}</span>
              <code className="min-w-48 flex-1 font-mono text-xs break-all">
                <Visible text={describeValue(value)} />
              </code>
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
        {data.waiting.length > 0 ? <RestoredItemList wanted={ALL} /> : null}
      </ul>
    </Section>
  )
}

/** `training.python` → `{training: {python: value}}`; the server checks it like any other change. */
function patchOf(key: string, value: unknown): SettingsPatch {
  const [group = '', name = ''] = key.split('.', 2)
  return name === '' ? { [group]: value } : { [group]: { [name]: value } }
}

/** The value that the user has to confirm: the program, or the fields that are filled in. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join(', ') || 'none'
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, field]) => field !== '' && field !== 0)
    .map(([name, field]) => `${name}: ${String(field)}`)
    .join(', ')
}
