import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ProviderStatus } from '#contracts/entities/provider.ts'
import { api } from '#renderer/api/client.ts'
import { confirmed } from '#renderer/api/confirmation.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { providerKeys } from '#renderer/api/providers.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { describeError } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'

const SHORTEST = 8

/** A key is kept, replaced or removed; what it is never comes back to the page. */
export function ProviderKey({ provider: { id: provider, name, keyFrom, keyVariable } }: { provider: ProviderStatus }) {
  const id = useId()
  const queries = useQueryClient()
  const offline = useOfflineReason()
  const [key, setKey] = useState('')
  const [asking, setAsking] = useState(false)
  const onSuccess = () => queries.invalidateQueries({ queryKey: providerKeys.all })
  const keep = useMutation({
    mutationFn: () => confirmed(() => api.setProviderKey({ params: { id: provider }, body: { key } })),
    onSuccess: async () => {
      setKey('')
      toast.info(`${name} key saved`)
      await onSuccess()
    },
    meta: { quiet: true },
  })
  const remove = useMutation({
    mutationFn: () => confirmed(() => api.deleteProviderKey({ params: { id: provider } })),
    onSuccess,
    meta: { title: 'The key was not removed' },
  })
  if (keyFrom === 'environment')
    return (
      <Field id={id} label="Key" hint={`Set by ${keyVariable}; it cannot be changed here.`}>
        <output id={id} className="text-sm">
          set
        </output>
      </Field>
    )
  return (
    <Field
      id={id}
      label="Key"
      hint={`${keyFrom === 'file' ? 'A key is saved. It is not shown again.' : keyVariable === null ? 'No key saved. Needed only if the endpoint requires one.' : 'No key saved.'} ${keyVariable === null ? '' : `Overridden by ${keyVariable} if set.`}`}
      error={keep.error ? describeError(keep.error).message : null}
    >
      <form
        className="flex max-w-full flex-wrap justify-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!offline && key.trim().length >= SHORTEST) keep.mutate()
        }}
      >
        <TextInput
          id={id}
          type="password"
          autoComplete="off"
          placeholder={keyFrom === 'file' ? '••••••••' : ''}
          value={key}
          onChange={setKey}
          className="w-60 font-mono"
        />
        <Button
          type="submit"
          busy={keep.isPending}
          reason={offline ?? (key.trim().length < SHORTEST ? `A key has at least ${SHORTEST} characters.` : null)}
        >
          {keyFrom === 'file' ? 'Replace key' : 'Save key'}
        </Button>
        {keyFrom === 'file' ? (
          <Button reason={offline} busy={remove.isPending} onClick={() => setAsking(true)}>
            Remove key …
          </Button>
        ) : null}
      </form>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Remove the ${name} key?`}
        action="Remove key"
        onConfirm={() => remove.mutate()}
      >
        <p>This cannot be undone. To use {name} again, save another key.</p>
      </Confirm>
    </Field>
  )
}
