import { useId } from 'react'
import { datasetHref } from '#renderer/app/links.ts'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { STRATEGY_WORDS } from '../words.ts'
import type { Draft } from './draft.ts'
import { useDatasetChoices } from './dataset-choices.ts'
import { TaskChoice } from './task-choice.tsx'

const NONE = '—'
const SOURCES = [
  { source: 'dataset', words: 'A data set' },
  { source: 'file', words: 'A JSONL file' },
  { source: 'tasks', words: 'Shell tasks' },
] as const

/** Chooses the training data: a data set of a kind that fits the strategy, a JSONL file, or shell tasks. */
export function DataChoice({
  draft,
  set,
  errorOf,
}: {
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorOf: (path: string) => string | undefined
}) {
  const id = useId()
  const { datasets, fitting } = useDatasetChoices(draft.strategy)
  const { label } = STRATEGY_WORDS[draft.strategy]
  const items = datasets.data?.items ?? []
  const selected = items.find((one) => one.id === draft.datasetId)
  const loadState = datasets.error ? 'Data sets unavailable' : 'Loading the data sets'
  const placeholder = fitting.length > 0 ? 'Choose a version' : datasets.data ? `No data set of a kind that ${label} can use` : loadState
  const error = errorOf('datasetId') ?? errorOf('file') ?? errorOf('shellTasks.split') ?? errorOf('shellTasks.heldout')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1.5 text-sm font-semibold">Data</legend>
      {datasets.error ? (
        <ErrorState title="Couldn't load the data sets" error={datasets.error} retry={() => void datasets.refetch()} />
      ) : null}
      <div role="radiogroup" aria-label="Data source" className="flex gap-4 text-sm">
        {SOURCES.filter(({ source }) => source !== 'tasks' || draft.strategy === 'grpo' || draft.source === 'tasks').map(
          ({ source, words }) => (
            <label key={source} className="flex items-center gap-1.5">
              <input
                type="radio"
                name={`${id}-source`}
                checked={draft.source === source}
                onChange={() => set({ source })}
                className="accent-(--accent)"
              />
              {words}
            </label>
          ),
        )}
      </div>
      {draft.source === 'tasks' ? (
        <TaskChoice draft={draft} set={set} />
      ) : draft.source === 'dataset' ? (
        <>
          <Select
            label="Data set"
            className="w-full"
            value={draft.datasetId || NONE}
            options={[
              { value: NONE, label: placeholder },
              ...fitting.map((one) => ({
                value: one.id,
                label: `${one.name} v${one.version} · ${plural(one.counts.train, 'row')}${one.counts.val > 0 ? `, ${one.counts.val} for validation` : ''}`,
              })),
              ...(draft.datasetId !== '' && !fitting.some((one) => one.id === draft.datasetId)
                ? [
                    {
                      value: draft.datasetId,
                      label: selected ? `${selected.name} v${selected.version} (${selected.kind})` : draft.datasetId,
                    },
                  ]
                : []),
            ]}
            onChange={(value) => set({ datasetId: value === NONE ? '' : value })}
          />
          <p className="text-xs text-second">
            {selected ? (
              <TextLink href={datasetHref(selected.id)}>
                Open {selected.name} v{selected.version}
              </TextLink>
            ) : (
              <TextLink href="/factory/datasets/new">Build a data set</TextLink>
            )}
          </p>
        </>
      ) : (
        <div className="flex flex-col gap-2">
          <TextInput
            aria-label="JSONL file for training"
            aria-invalid={error !== undefined}
            className="w-full font-mono text-xs!"
            placeholder="/home/me/rows.jsonl"
            value={draft.file}
            onChange={(file) => set({ file })}
          />
          <TextInput
            aria-label="JSONL file for validation (optional)"
            className="w-full font-mono text-xs!"
            placeholder="validation rows (optional)"
            value={draft.valFile}
            onChange={(valFile) => set({ valFile })}
          />
        </div>
      )}
      <FieldError error={error} />
    </fieldset>
  )
}
