import type { RaySettings } from '#contracts/entities/settings.ts'
import { Section } from '#renderer/ui/page.tsx'
import { SavedText } from './saved-text.tsx'
import { useChange } from './use-setting.ts'

/** Where a run goes that is not to train on this machine. */
export function RayCluster() {
  const { settings, offline, change } = useChange()
  const before = settings.training.ray
  const save = (what: string, part: Partial<RaySettings>) =>
    change(what, { training: { ray: { ...before, ...part } } }, { training: { ray: before } })
  return (
    <Section
      title="Ray cluster"
      note="For runs that train elsewhere; the cluster must see the data directory and Bash Gym under the same paths"
    >
      <div>
        <SavedText
          label="Address"
          hint="Of the cluster's dashboard. Empty: no cluster. Across a network use https or a tunnel: the token travels with every call."
          value={before.address}
          placeholder="http://127.0.0.1:8265"
          recommended=""
          reason={offline}
          read={(text) =>
            text.trim() === '' || /^https?:\/\/[^\s/@]+/.test(text.trim()) ? null : 'It begins with http:// or https:// and a host.'
          }
          onSave={(address) => save('Address', { address })}
        />
        <SavedText
          label="Token file"
          hint="File that only you can read (mode 600) with the cluster's token. The token itself is stored nowhere else."
          value={before.tokenFile}
          placeholder="/home/me/.ray/auth_token"
          recommended=""
          reason={offline}
          onSave={(tokenFile) => save('Token file', { tokenFile })}
        />
        <SavedText
          label="Interpreter on the cluster"
          hint="Empty: the same path as here."
          value={before.python}
          placeholder="/opt/train/bin/python"
          recommended=""
          reason={offline}
          onSave={(python) => save('Interpreter on the cluster', { python })}
        />
        <SavedText
          label="GPUs for a run"
          hint="So many the cluster is asked for; with 0 a run gets none."
          value={String(before.gpus)}
          recommended="0"
          reason={offline}
          narrow
          read={(text) => (/^\d{1,2}$/.test(text.trim()) && Number(text) <= 64 ? null : 'A whole number, 0 to 64.')}
          onSave={(text) => save('GPUs for a run', { gpus: Number(text) })}
        />
      </div>
    </Section>
  )
}
