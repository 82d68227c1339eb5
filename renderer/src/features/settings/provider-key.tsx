import { useQueryClient } from '@tanstack/react-query'
import type { ProviderStatus } from '#contracts/entities/provider.ts'
import { api } from '#renderer/api/client.ts'
import { providerKeys } from '#renderer/api/providers.ts'
import { SecretField } from '#renderer/app/secret-field.tsx'

export function ProviderKey({ provider: { id, name, keyFrom, keyVariable } }: { provider: ProviderStatus }) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: providerKeys.all })
  const status =
    keyFrom === 'file'
      ? 'A key is saved. It is not shown again.'
      : keyVariable === null
        ? 'No key saved. Needed only if the endpoint requires one.'
        : 'No key saved.'
  return (
    <SecretField
      label="Key"
      noun="key"
      name={`${name} key`}
      from={keyFrom === 'file' ? 'saved' : keyFrom}
      hint={
        keyFrom === 'environment'
          ? `Set by ${keyVariable}; it cannot be changed here.`
          : `${status} ${keyVariable === null ? '' : `Overridden by ${keyVariable} if set.`}`
      }
      afterRemoval={`To use ${name} again, save another key.`}
      save={async (key) => {
        await api.setProviderKey({ params: { id }, body: { key } })
        await refresh()
      }}
      remove={async () => {
        await api.deleteProviderKey({ params: { id } })
        await refresh()
      }}
    />
  )
}
