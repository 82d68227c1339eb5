import type { RaySettings } from '#contracts/settings/training.ts'
import { Section } from '#renderer/ui/page.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

/** The Ray cluster for runs that train on other machines. */
export function RayCluster() {
  const { settings, offline, change } = useChange()
  const ray = settings.training.ray
  const save = (what: string, part: Partial<RaySettings>) => change(what, { training: { ray: { ...ray, ...part } } })
  return (
    <Section
      title="Ray cluster"
      note="For training on other machines; the cluster must see the data directory and Bash Gym under the same paths"
    >
      <div>
        <SavedText
          label="Address"
          hint="Address of the cluster's dashboard. Empty = no cluster. Over a network, use https or a tunnel: the token is sent with every request."
          value={ray.address}
          placeholder="http://127.0.0.1:8265"
          recommended=""
          reason={offline}
          read={(text) =>
            text.trim() === '' || /^https?:\/\/[^\s/@]+/.test(text.trim()) ? null : 'Must start with http:// or https:// and a host.'
          }
          onSave={(address) => save('Address', { address })}
        />
        <SavedText
          label="Token file"
          hint="A file with the cluster's token that only you can read (mode 600). The token is stored nowhere else."
          value={ray.tokenFile}
          placeholder="/home/me/.ray/auth_token"
          recommended=""
          reason={offline}
          onSave={(tokenFile) => save('Token file', { tokenFile })}
        />
        <SavedText
          label="Interpreter on the cluster"
          hint="Empty = same path as on this machine."
          value={ray.python}
          placeholder="/opt/train/bin/python"
          recommended=""
          reason={offline}
          onSave={(python) => save('Interpreter on the cluster', { python })}
        />
        <SavedText
          label="GPUs per run"
          hint="Requested from the cluster for each run. 0 = no GPU."
          value={String(ray.gpus)}
          recommended="0"
          reason={offline}
          narrow
          read={(text) => (/^\d{1,2}$/.test(text.trim()) && Number(text) <= 64 ? null : 'Must be a whole number from 0 to 64.')}
          onSave={(text) => save('GPUs per run', { gpus: Number(text) })}
        />
      </div>
    </Section>
  )
}
