import { useMutation } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { describeError } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'

const MIN_LENGTH = 8

interface SecretFieldProps {
  label: string
  /** Its name in buttons: key, token. */
  noun: string
  /** Its name in sentences: Anthropic key. */
  name: string
  /** A variable of the environment cannot be changed here. */
  from: 'environment' | 'saved' | null
  hint: ReactNode
  /** The consequence of removing it, as a sentence. */
  afterRemoval: string
  save: (secret: string) => Promise<unknown>
  remove: () => Promise<unknown>
}

/** Saves, replaces or removes a secret. Its value is never sent back to the page. */
export function SecretField({ label, noun, name, from, hint, afterRemoval, ...actions }: SecretFieldProps) {
  const id = useId()
  const offline = useOfflineReason()
  const [secret, setSecret] = useState('')
  const [isConfirming, setAsking] = useState(false)
  const saving = useMutation({
    mutationFn: () => actions.save(secret),
    onSuccess: () => {
      setSecret('')
      toast.info(`${name.charAt(0).toUpperCase()}${name.slice(1)} saved`)
    },
    meta: { quiet: true },
  })
  const remove = useMutation({ mutationFn: () => actions.remove(), meta: { title: `The ${noun} was not removed` } })
  const isLong = secret.trim().length >= MIN_LENGTH
  if (from === 'environment')
    return (
      <Field id={id} label={label} hint={hint}>
        <output id={id} className="text-sm">
          set
        </output>
      </Field>
    )
  return (
    <Field id={id} label={label} hint={hint} error={saving.error ? describeError(saving.error).message : null}>
      <form
        className="flex max-w-full flex-wrap justify-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!offline && isLong) saving.mutate()
        }}
      >
        <TextInput
          id={id}
          type="password"
          autoComplete="off"
          placeholder={from === 'saved' ? '••••••••' : ''}
          value={secret}
          onChange={setSecret}
          className="w-60 font-mono"
        />
        <Button
          type="submit"
          busy={saving.isPending}
          reason={offline ?? (isLong ? null : `A ${noun} has at least ${MIN_LENGTH} characters.`)}
        >
          {from === 'saved' ? `Replace ${noun}` : `Save ${noun}`}
        </Button>
        {from === 'saved' ? (
          <Button reason={offline} busy={remove.isPending} onClick={() => setAsking(true)}>
            Remove {noun} …
          </Button>
        ) : null}
      </form>
      <Confirm
        open={isConfirming}
        onOpenChange={setAsking}
        title={`Remove the ${name}?`}
        action={`Remove ${noun}`}
        onConfirm={() => remove.mutate()}
      >
        <p>This cannot be undone. {afterRemoval}</p>
      </Confirm>
    </Field>
  )
}
