import type { z } from 'zod'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { useModelNames } from '#renderer/api/models.ts'
import { Choices } from '#renderer/ui/choices.tsx'
import { SelectRow, TextRow } from '#renderer/ui/form-rows.tsx'

const PLACES = [
  {
    value: 'provider',
    label: 'A provider',
    meaning: 'Through your key in Settings → Providers. Texts leave this machine with secrets and personal data replaced.',
  },
  { value: 'url', label: 'A server', meaning: 'An OpenAI-compatible server, on this machine or another.' },
  { value: 'registry', label: 'A model trained here', meaning: 'It is loaded on this machine.' },
  { value: 'base', label: 'The base of one', meaning: 'The model that it was trained from, on this machine.' },
] as const
export const PROVIDERS = [
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'nim', label: 'NVIDIA NIM' },
  { value: 'openai', label: 'OpenAI-compatible' },
] as const
/** A choice that is not made; a select has no empty value. */
export const NONE = 'none'

export interface ModelForm {
  place: (typeof PLACES)[number]['value']
  provider: (typeof PROVIDERS)[number]['value']
  model: string
  baseUrl: string
  name: string
}
export const EMPTY_MODEL: ModelForm = { place: 'provider', provider: 'anthropic', model: NONE, baseUrl: '', name: '' }

/** Chooses a model of any kind. `label` names its role. */
export function ModelFields({ label, value, onChange }: { label: string; value: ModelForm; onChange: (value: ModelForm) => void }) {
  const names = useModelNames().data ?? new Map<string, string>()
  const set = (part: Partial<ModelForm>) => onChange({ ...value, ...part })
  const models = [...names].map(([id, name]) => ({ value: id, label: name }))
  const isHere = value.place === 'registry' || value.place === 'base'
  return (
    <>
      <Choices label={label} value={value.place} options={PLACES} onChange={(place) => set({ place })} />
      {isHere ? (
        <SelectRow
          label="Model"
          className="w-96 max-w-full"
          value={value.model}
          options={[{ value: NONE, label: models.length === 0 ? 'No model was trained yet' : 'Choose a model' }, ...models]}
          onChange={(model) => set({ model })}
        />
      ) : value.place === 'provider' ? (
        <SelectRow label="Provider" value={value.provider} options={PROVIDERS} onChange={(provider) => set({ provider })} />
      ) : (
        <TextRow
          label="Address"
          mono
          placeholder="http://127.0.0.1:8000/v1"
          value={value.baseUrl}
          onChange={(baseUrl) => set({ baseUrl })}
        />
      )}
      {isHere ? null : (
        <TextRow
          label="Name of the model"
          mono
          hint={value.place === 'provider' ? 'Empty: the one in Settings → Providers.' : undefined}
          value={value.name}
          onChange={(name) => set({ name })}
        />
      )}
    </>
  )
}

/** The form of a model that was chosen before. */
export function formOf(model: ExamModel): ModelForm {
  if (model.kind === 'provider') return { ...EMPTY_MODEL, provider: model.provider, name: model.model ?? '' }
  if (model.kind === 'url') return { ...EMPTY_MODEL, place: 'url', baseUrl: model.baseUrl, name: model.model ?? '' }
  return { ...EMPTY_MODEL, place: model.kind === 'base' ? 'base' : 'registry', model: model.model }
}

/** Null if the form is not complete. */
export function modelIn({ place, provider, model, baseUrl, name }: ModelForm): z.input<typeof ExamModel> | null {
  const named = name.trim() === '' ? {} : { model: name.trim() }
  if (place === 'registry' || place === 'base') return model === NONE ? null : { kind: place === 'base' ? 'base' : 'model', model }
  if (place === 'provider') return { kind: 'provider', provider, ...named }
  return /^https?:\/\/./.test(baseUrl.trim()) ? { kind: 'url', baseUrl: baseUrl.trim(), ...named } : null
}

export const missingModel = ({ place }: ModelForm): string => (place === 'url' ? 'Enter the address of the server.' : 'Choose a model.')
