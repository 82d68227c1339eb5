import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ProviderId } from '#contracts/entities/provider.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keys } from '#renderer/api/keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { describeError } from '#renderer/ui/states.tsx'

/** Takes a key once; it is never shown again. */
export function KeyForm({ provider, variable }: { provider: ProviderId; variable: string }) {
  const id = useId()
  const queries = useQueryClient()
  const offline = useOfflineReason()
  const [key, setKey] = useState('')
  const save = useMutation({
    mutationFn: () => api.setProviderKey({ params: { id: provider }, body: { key } }),
    onSuccess: async () => {
      setKey('')
      await queries.invalidateQueries({ queryKey: keys.providers })
    },
    meta: { quiet: true },
  })
  return (
    <form
      className="flex flex-col gap-1 pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim().length >= 8) save.mutate()
      }}
    >
      <label htmlFor={id} className="text-sm">
        Set <code className="font-mono text-[0.95em]">{variable}</code> before the app starts, or keep a key here, in a file that only you
        can read
      </label>
      <div className="flex gap-2">
        <TextInput id={id} type="password" autoComplete="off" value={key} onChange={setKey} className="w-80" />
        <Button type="submit" busy={save.isPending} reason={offline ?? (key.trim().length < 8 ? 'A key has at least 8 signs.' : null)}>
          Keep the key
        </Button>
      </div>
      {save.error ? (
        <p role="alert" className="text-xs text-bad">
          {describeError(save.error).message}
        </p>
      ) : null}
    </form>
  )
}
