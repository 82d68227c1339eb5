import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { BaseModel } from '#contracts/entities/base-model.ts'
import { useBaseModels } from '#renderer/api/base-models.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { cn } from '#renderer/ui/cn.ts'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { GetModels } from '../base-models/get-models.tsx'
import { ModelRow } from '../base-models/model-row.tsx'

/** A model on this machine, one to download, or a path. */
export function ModelChoice({
  label,
  value,
  error,
  note = null,
  onChange,
}: {
  label: string
  value: string
  error: string | undefined
  /** Why this model was filled in. */
  note?: string | null
  onChange: (id: string) => void
}) {
  const models = useBaseModels()
  const wordOf = useModelWord()
  const [query, setQuery] = useState('')
  /** The model to choose once its download is complete. */
  const awaitedId = useRef<string | null>(null)
  const id = useId()
  const items = models.data?.items ?? []
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = items.filter(({ name, id: modelId, license }) =>
    words.every((word) => `${name} ${modelId} ${wordOf(modelId)} ${license ?? ''}`.toLowerCase().includes(word)),
  )
  const isListed = items.some((model) => model.id === value)
  const isEmpty = models.data !== undefined && items.length === 0
  const choose = (model: string) => {
    awaitedId.current = null
    onChange(model)
  }
  useEffect(() => {
    const downloaded = models.data?.items.find((model) => model.id === awaitedId.current && model.problem === null)
    if (!downloaded) return
    awaitedId.current = null
    onChange(downloaded.id)
  }, [models.data, onChange])
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1.5 text-sm font-semibold">{label}</legend>
      {models.error ? <ErrorState title="Couldn't load the models" error={models.error} retry={() => void models.refetch()} /> : null}
      {models.isPending ? (
        <Loading label="Looking for models" className="flex flex-col gap-1">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </Loading>
      ) : null}
      {items.length > 5 ? (
        <span className="relative">
          <Search size={16} aria-hidden className="absolute top-2 left-2 text-second" />
          <TextInput
            type="search"
            aria-label={`Search: ${label}`}
            className="w-full pl-8!"
            placeholder="Name or licence"
            value={query}
            onChange={setQuery}
          />
        </span>
      ) : null}
      {items.length > 0 ? (
        <div role="radiogroup" aria-label={label} className="flex max-h-64 flex-col overflow-y-auto rounded border border-line">
          {matches.map((model) => (
            <Row key={model.id} name={id} model={model} checked={model.id === value} onChange={() => choose(model.id)} />
          ))}
          {matches.length === 0 ? <p className="p-2 text-sm text-second">No model matches.</p> : null}
        </div>
      ) : null}
      {note === null ? null : <p className="text-xs text-second">{note}</p>}
      {isEmpty ? <p className="text-xs text-second">No models were found on this machine. Download one, or enter its path.</p> : null}
      {models.data ? (
        <>
          <Fold title="Download a model" initiallyOpen={isEmpty}>
            <GetModels onStarted={(started) => (awaitedId.current = started)} />
          </Fold>
          <Fold title="Use a path" initiallyOpen={isEmpty || (value !== '' && !isListed)}>
            <div className="flex flex-wrap items-center gap-2">
              <label htmlFor={`${id}-path`} className="text-xs text-second">
                Or a model folder or GGUF file
              </label>
              <TextInput
                id={`${id}-path`}
                aria-invalid={error !== undefined}
                className="min-w-60 flex-1 font-mono text-xs!"
                placeholder="/home/me/models/qwen"
                value={isListed ? '' : value}
                onChange={choose}
              />
            </div>
          </Fold>
        </>
      ) : null}
      <FieldError error={error} />
    </fieldset>
  )
}

function Fold({ title, initiallyOpen, children }: { title: string; initiallyOpen: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(initiallyOpen)
  return (
    <details className="text-sm" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="py-1">{title}</summary>
      <div className="pt-1">{children}</div>
    </details>
  )
}

function Row({ name, model, checked, onChange }: { name: string; model: BaseModel; checked: boolean; onChange: () => void }) {
  return (
    <label
      className={cn(
        'flex min-h-9 cursor-pointer items-center gap-3 border-b border-line px-2 py-1 text-sm last:border-b-0 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
        checked ? 'bg-accent/8' : 'hover:bg-raised/60',
        model.problem && 'cursor-not-allowed text-second',
      )}
      title={model.problem ?? model.path}
    >
      <input
        type="radio"
        name={name}
        checked={checked}
        disabled={model.problem !== null}
        onChange={onChange}
        className="accent-(--accent) outline-none"
      />
      <ModelRow model={model} />
    </label>
  )
}
