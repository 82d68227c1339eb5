import { useQueryClient } from '@tanstack/react-query'
import type { HubStatus } from '#contracts/entities/base-model.ts'
import { HubSettings } from '#contracts/settings/training.ts'
import { baseModelKeys, useHub } from '#renderer/api/base-models.ts'
import { api } from '#renderer/api/client.ts'
import { SecretField } from '#renderer/app/secret-field.tsx'
import { useChange } from '#renderer/app/use-setting.ts'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'
import { TOKEN_WORDS } from '../base-models/words.ts'
import { pathProblem } from './words.ts'

const DEFAULT_ENDPOINT = HubSettings.parse({}).endpoint

/** The hub that models are downloaded from, the download folder, and the token for gated models. */
export function ModelHub() {
  return (
    <Section title="Model hub" note="Any server with the API of the Hugging Face Hub">
      <Fetched query={useHub()} what="hub settings" bars={['h-14 w-full', 'h-14 w-full']}>
        {(hub) => <Fields hub={hub} />}
      </Fetched>
    </Section>
  )
}

function Fields({ hub }: { hub: HubStatus }) {
  const { settings, offline, change } = useChange()
  const saved = settings.training.hub
  const set = (what: string, part: Partial<typeof saved>) => change(what, { training: { hub: { ...saved, ...part } } })
  return (
    <div>
      {hub.problem === null ? null : (
        <p role="alert" className="text-sm text-bad">
          {hub.problem}
        </p>
      )}
      <SavedText
        label="Hub address"
        hint={
          hub.endpointVariable === null
            ? 'Overridden by HF_ENDPOINT if set. A token is sent only over https or to this machine.'
            : `Set by ${hub.endpointVariable}; it cannot be changed here.`
        }
        value={hub.endpoint}
        placeholder={DEFAULT_ENDPOINT}
        recommended={DEFAULT_ENDPOINT}
        reason={offline ?? (hub.endpointVariable === null ? null : `Set by ${hub.endpointVariable}.`)}
        read={(text) => (/^https?:\/\/./.test(text.trim()) ? null : 'Enter an address that starts with https:// or http://.')}
        onSave={(endpoint) => set('Hub address', { endpoint })}
      />
      <SavedText
        label="Download folder"
        hint={`A cache with the layout of the Hugging Face libraries. Empty = theirs. Downloads go to ${hub.folder}.`}
        value={saved.folder}
        placeholder={hub.folder}
        recommended=""
        reason={offline}
        read={(text) => (text.trim() === '' ? null : pathProblem(text))}
        onSave={(folder) => set('Download folder', { folder })}
      />
      <Token tokenFrom={hub.tokenFrom} />
    </div>
  )
}

function Token({ tokenFrom }: Pick<HubStatus, 'tokenFrom'>) {
  const queries = useQueryClient()
  const show = (status: HubStatus) => void queries.setQueryData(baseModelKeys.hub, status)
  const hint = tokenFrom === null ? 'No token saved. Needed only for gated and private models.' : TOKEN_WORDS[tokenFrom]
  return (
    <SecretField
      label="Access token"
      noun="token"
      name="access token"
      from={tokenFrom === 'environment' || tokenFrom === 'saved' ? tokenFrom : null}
      hint={
        tokenFrom === 'environment' ? (
          hint
        ) : (
          <>
            <CodeText text={hint} /> Overridden by HF_TOKEN if set.
          </>
        )
      }
      afterRemoval="To download gated models again, save another token."
      save={async (token) => show(await api.setHubToken({ body: { token } }))}
      remove={async () => show(await api.deleteHubToken({}))}
    />
  )
}
