import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { useDatasetChoices } from './dataset-choices.ts'
import type { Draft } from './draft.ts'

/** Data sets to mix in, each with a weight. */
export function MixChoice({
  draft,
  set,
  errorOf,
}: {
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorOf: (path: string) => string | undefined
}) {
  const { fitting } = useDatasetChoices(draft.strategy)
  const unusedDataset = fitting.find(({ id }) => id !== draft.datasetId && !draft.mix.some(({ datasetId }) => datasetId === id))
  if (draft.mix.length === 0 && !unusedDataset) return null
  const change = (at: number, part: Partial<Draft['mix'][number]>) => set({ mix: draft.mix.map((one, index) => (index === at ? { ...one, ...part } : one)) }) // prettier-ignore
  return (
    <details className="border-b border-line" open={draft.mix.length > 0}>
      <summary className="py-2 text-sm">Mix in more data sets</summary>
      <div className="flex flex-col gap-2 pb-2 pl-4">
        <p className="text-xs text-second">How often a row occurs per epoch. 1: once; 2: twice; 0.25: only a quarter of the rows.</p>
        {draft.mix.map(({ datasetId, weight }, at) => {
          const error = errorOf(`mix.${at}.weight`)
          return (
            <div key={datasetId} className="flex flex-wrap items-center gap-2">
              <Select
                label={`Data set ${at + 1} to mix in`}
                className="min-w-60 flex-1"
                value={datasetId}
                options={[
                  ...fitting.filter(({ id }) => id === datasetId || !draft.mix.some((one) => one.datasetId === id)).map((one) => ({ value: one.id, label: `${one.name} v${one.version}` })), // prettier-ignore
                  ...(fitting.some(({ id }) => id === datasetId) ? [] : [{ value: datasetId, label: datasetId }]),
                ]}
                onChange={(value) => change(at, { datasetId: value })}
              />
              <TextInput
                aria-label={`Weight of data set ${at + 1}`}
                aria-invalid={error !== undefined}
                inputMode="decimal"
                className="w-20 text-right font-mono"
                value={weight}
                onChange={(value) => change(at, { weight: value })}
              />
              <IconButton
                size="small"
                icon={X}
                label={`Remove data set ${at + 1}`}
                onClick={() => set({ mix: draft.mix.filter((_, index) => index !== at) })}
              />
              {error ? (
                <p role="alert" className="w-full text-xs text-bad">
                  {error}
                </p>
              ) : null}
            </div>
          )
        })}
        <Button
          icon={Plus}
          className="self-start"
          reason={unusedDataset ? null : 'There are no more data sets that this strategy can use.'}
          onClick={() => unusedDataset && set({ mix: [...draft.mix, { datasetId: unusedDataset.id, weight: '1' }] })}
        >
          Add a data set
        </Button>
      </div>
    </details>
  )
}
