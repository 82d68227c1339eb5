import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { BaseModel } from '#contracts/entities/run.ts'
import { useBaseModels } from '#renderer/api/training-environment.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatBytes, formatCompact } from '#renderer/ui/format.ts'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { ggufWord } from '../words.ts'

const FIT = {
  yes: { word: 'fits', tone: 'ok' },
  tight: { word: 'tight', tone: 'warn' },
  no: { word: 'too large', tone: 'bad' },
  unknown: { word: 'fit unknown', tone: 'neutral' },
} as const

/** One of the models on this machine, or a folder. Nothing is downloaded from here. */
export function ModelChoice({
  label,
  value,
  error,
  onChange,
}: {
  label: string
  value: string
  error: string | undefined
  onChange: (id: string) => void
}) {
  const models = useBaseModels()
  const wordOf = useModelWord()
  const [query, setQuery] = useState('')
  const id = useId()
  const items = models.data?.items ?? []
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = items.filter(({ name, id: modelId, license }) =>
    words.every((word) => `${name} ${modelId} ${wordOf(modelId)} ${license ?? ''}`.toLowerCase().includes(word)),
  )
  const isListed = items.some((model) => model.id === value)
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
          {fitting.map((model) => (
            <Row key={model.id} name={id} model={model} checked={model.id === value} onChange={() => onChange(model.id)} />
          ))}
          {fitting.length === 0 ? <p className="p-2 text-sm text-second">No model matches.</p> : null}
        </div>
      ) : null}
      {models.data && items.length === 0 ? (
        <p className="max-w-[64ch] text-xs text-second">
          No models were found on this machine. Enter the folder of one below
          {models.data.wanted ? (
            <>
              , or download one first: <code className="font-mono">hf download {models.data.wanted}</code>
            </>
          ) : null}
          .
        </p>
      ) : null}
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
          onChange={onChange}
        />
      </div>
      {error ? (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

function Row({ name, model, checked, onChange }: { name: string; model: BaseModel; checked: boolean; onChange: () => void }) {
  const fit = FIT[model.fit]
  const word = useModelWord()(model.id)
  return (
    <label
      className={cn(
        'flex min-h-9 cursor-pointer items-center gap-3 border-b border-line px-2 py-1 text-sm last:border-b-0 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
        checked ? 'bg-accent/12' : 'hover:bg-raised/60',
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
      <span className="min-w-0 flex-1">
        <span className="block truncate">{word}</span>
        <span className="block truncate text-xs text-second">
          {model.problem ??
            [model.license ?? 'licence not stated', ...(model.format === 'gguf' ? [ggufWord(model.quantization)] : [])].join(' · ')}
        </span>
      </span>
      <span className="w-16 shrink-0 text-right font-mono text-xs">{formatCompact(model.parameters)}</span>
      <span className="w-16 shrink-0 text-right font-mono text-xs">{formatBytes(model.bytes)}</span>
      <span className="w-24 shrink-0 text-right">
        {model.problem ? <Badge>not trainable</Badge> : <Badge tone={fit.tone}>{fit.word}</Badge>}
      </span>
    </label>
  )
}
