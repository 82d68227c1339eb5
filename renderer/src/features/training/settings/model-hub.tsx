import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { HubStatus } from '#contracts/entities/base-model.ts'
import { HubSettings } from '#contracts/settings/training.ts'
import { baseModelKeys, useHub } from '#renderer/api/base-models.ts'
import { api } from '#renderer/api/client.ts'
import { confirmed } from '#renderer/api/confirmation.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'
import { describeError, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { TOKEN_WORDS } from '../base-models/words.ts'

const USUAL = HubSettings.parse({}).endpoint
const SHORTEST = 8

/** Where models are downloaded from and to, and the token for gated ones. */
export function ModelHub() {
  const hub = useHub()
  return (
    <Section title="Model hub" note="Any server with the API of the Hugging Face Hub">
      {hub.error ? <ErrorState title="Couldn't load the hub settings" error={hub.error} retry={() => void hub.refetch()} /> : null}
      {hub.isPending ? (
        <Loading label="Loading the hub settings" className="flex flex-col gap-2">
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-14 w-full" />
        </Loading>
      ) : null}
      {hub.data ? <Fields hub={hub.data} /> : null}
    </Section>
  )
}

function Fields({ hub }: { hub: HubStatus }) {
  const { settings, offline, change } = useChange()
  const saved = settings.training.hub
  const set = (what: string, part: Partial<typeof saved>) =>
    change(what, { training: { hub: { ...saved, ...part } } }, { training: { hub: saved } })
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
        placeholder={USUAL}
        recommended={USUAL}
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
        read={(text) => (text.trim() === '' || /^(\/|[A-Za-z]:\\)/.test(text.trim()) ? null : 'Enter an absolute path.')}
        onSave={(folder) => set('Download folder', { folder })}
      />
      <Token tokenFrom={hub.tokenFrom} />
    </div>
  )
}

/** A token is kept, replaced or removed; what it is never comes back to the page. */
function Token({ tokenFrom }: Pick<HubStatus, 'tokenFrom'>) {
  const id = useId()
  const queries = useQueryClient()
  const { offline } = useChange()
  const [token, setToken] = useState('')
  const [asking, setAsking] = useState(false)
  const onSuccess = (status: HubStatus) => void queries.setQueryData(baseModelKeys.hub, status)
  const keep = useMutation({
    mutationFn: () => confirmed(() => api.setHubToken({ body: { token } })),
    onSuccess: (status) => {
      setToken('')
      toast.info('Access token saved')
      onSuccess(status)
    },
    meta: { quiet: true },
  })
  const remove = useMutation({
    mutationFn: () => confirmed(() => api.deleteHubToken({})),
    onSuccess,
    meta: { title: 'The token was not removed' },
  })
  const hint = tokenFrom === null ? 'No token saved. Needed only for gated and private models.' : TOKEN_WORDS[tokenFrom]
  if (tokenFrom === 'environment')
    return (
      <Field id={id} label="Access token" hint={hint}>
        <output id={id} className="text-sm">
          set
        </output>
      </Field>
    )
  return (
    <Field
      id={id}
      label="Access token"
      hint={
        <>
          <CodeText text={hint} /> Overridden by HF_TOKEN if set.
        </>
      }
      error={keep.error ? describeError(keep.error).message : null}
    >
      <form
        className="flex max-w-full flex-wrap justify-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!offline && token.trim().length >= SHORTEST) keep.mutate()
        }}
      >
        <TextInput
          id={id}
          type="password"
          autoComplete="off"
          placeholder={tokenFrom === 'saved' ? '••••••••' : ''}
          value={token}
          onChange={setToken}
          className="w-60 font-mono"
        />
        <Button
          type="submit"
          busy={keep.isPending}
          reason={offline ?? (token.trim().length < SHORTEST ? `A token has at least ${SHORTEST} characters.` : null)}
        >
          {tokenFrom === 'saved' ? 'Replace token' : 'Save token'}
        </Button>
        {tokenFrom === 'saved' ? (
          <Button reason={offline} busy={remove.isPending} onClick={() => setAsking(true)}>
            Remove token …
          </Button>
        ) : null}
      </form>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Remove the access token?"
        action="Remove token"
        onConfirm={() => remove.mutate()}
      >
        <p>This cannot be undone. To download gated models again, save another token.</p>
      </Confirm>
    </Field>
  )
}
