import { TaskAgent } from '#contracts/entities/task.ts'
import { useModelNames } from '#renderer/api/models.ts'
import { useProviders } from '#renderer/api/providers.ts'
import { TASK_AGENTS } from '../words/tasks.ts'
import { Choices } from '#renderer/ui/choices.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { RunFormProps } from './form.ts'

export function AgentChoice({ form, problems, set }: RunFormProps) {
  return (
    <>
      <Choices
        label="Agent"
        value={form.agent}
        options={TaskAgent.options.map((value) => ({ value, ...TASK_AGENTS[value] }))}
        onChange={(agent) => set({ agent })}
      />
      <ModelChoice form={form} problems={problems} set={set} />
    </>
  )
}

export function ModelChoice({ form, problems, set }: RunFormProps) {
  return (
    <div className="flex flex-col gap-2">
      <Choices
        label="Model"
        value={form.endpoint}
        options={[
          { value: 'provider', label: 'A provider', meaning: 'Uses your key in Settings; the key never enters the sandbox.' },
          {
            value: 'url',
            label: 'A server',
            meaning: 'Any server with the OpenAI or Anthropic API, including one on this machine. No key is needed.',
          },
          { value: 'model', label: 'Your own model', meaning: 'A model that you trained, served on this machine. Nothing leaves it.' },
        ]}
        onChange={(endpoint) => set({ endpoint })}
      />
      {form.endpoint === 'provider' ? <ProviderField form={form} set={set} /> : null}
      {form.endpoint === 'url' ? <ServerFields form={form} problems={problems} set={set} /> : null}
      {form.endpoint === 'model' ? <OwnModelField form={form} set={set} /> : null}
      {form.endpoint === 'model' ? null : (
        <TextInput
          aria-label="Name of the model"
          className="font-mono"
          placeholder="model name at the endpoint; empty: the default"
          value={form.model}
          onChange={(model) => set({ model })}
        />
      )}
    </div>
  )
}

function ProviderField({ form, set }: Omit<RunFormProps, 'problems'>) {
  const providers = useProviders().data?.items ?? []
  const selected = providers.find(({ id }) => id === form.provider)
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <Select
        label="Provider"
        className="min-w-56"
        value={form.provider}
        options={
          providers.length === 0
            ? [{ value: form.provider, label: 'Loading …' }]
            : providers.map(({ id, name, ready }) => ({ value: id, label: ready ? name : `${name}, not set up` }))
        }
        onChange={(provider) => set({ provider })}
      />
      {selected && !selected.ready ? (
        <span className="text-warn">
          {selected.missing} <TextLink href="/settings/providers">Set up</TextLink>
        </span>
      ) : null}
    </div>
  )
}

const ServerFields = ({ form, problems, set }: RunFormProps) => (
  <div className="flex flex-col gap-1">
    <div className="flex flex-wrap gap-2">
      <Select
        label="API"
        value={form.dialect}
        options={[
          { value: 'openai', label: 'OpenAI API' },
          { value: 'anthropic', label: 'Anthropic API' },
        ]}
        onChange={(dialect) => set({ dialect })}
      />
      <TextInput
        aria-label="Address of the server"
        className="min-w-60 flex-1 font-mono"
        placeholder="http://127.0.0.1:11434/v1"
        aria-invalid={problems.baseUrl !== undefined}
        aria-describedby={problems.baseUrl === undefined ? undefined : 'run-server-error'}
        value={form.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
      />
    </div>
    {problems.baseUrl === undefined ? null : (
      <p id="run-server-error" className="text-xs text-bad">
        {problems.baseUrl}
      </p>
    )}
  </div>
)

function OwnModelField({ form, set }: Omit<RunFormProps, 'problems'>) {
  const names = useModelNames()
  if (names.data?.size === 0) {
    return (
      <p className="text-sm text-second">
        There is no model yet. <TextLink href="/training/new">Train one</TextLink>, or choose another endpoint.
      </p>
    )
  }
  return (
    <Select
      label="Own model"
      className="min-w-56"
      value={form.modelId}
      disabled={names.data === undefined}
      options={[...(names.data ?? [])].map(([value, label]) => ({ value, label }))}
      onChange={(modelId) => set({ modelId })}
    />
  )
}
