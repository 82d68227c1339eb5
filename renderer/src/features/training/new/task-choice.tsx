import { useId } from 'react'
import { useShellTaskSplits } from '#renderer/api/shell-tasks.ts'
import { plural } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import type { Draft } from './draft.ts'

const NONE = '—'

/** Chooses the split of shell tasks to train on, and the held-out split to try at each evaluation. */
export function TaskChoice({ draft, set }: { draft: Draft; set: (part: Partial<Draft>) => void }) {
  const id = useId()
  const tasks = useShellTaskSplits()
  if (tasks.error) return <ErrorState title="Couldn't load the shell tasks" error={tasks.error} retry={() => void tasks.refetch()} />
  const splits = Object.entries(tasks.data?.counts ?? {})
  const trainable = splits.filter(([split]) => !tasks.data?.heldOutSplits.includes(split))
  const optionsOf = (emptyLabel: string, selected: string, choices = splits) => [
    { value: NONE, label: emptyLabel },
    ...choices.map(([split, count]) => ({ value: split, label: `${split} · ${plural(count, 'task')}` })),
    ...(selected !== '' && !choices.some(([split]) => split === selected) ? [{ value: selected, label: selected }] : []),
  ]
  const splitOf = (value: string) => (value === NONE ? '' : value)
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={`${id}-train`} className="text-xs text-second">
        Split to train on
      </label>
      <Select
        id={`${id}-train`}
        className="w-full"
        value={draft.split || NONE}
        options={optionsOf(tasks.data ? 'Choose a split' : 'Loading the shell tasks', draft.split, trainable)}
        onChange={(value) => set({ split: splitOf(value) })}
      />
      <label htmlFor={`${id}-heldout`} className="pt-1 text-xs text-second">
        Held-out split, tried at each evaluation (optional)
      </label>
      <Select
        id={`${id}-heldout`}
        className="w-full"
        value={draft.heldout || NONE}
        options={optionsOf('None', draft.heldout)}
        onChange={(value) => set({ heldout: splitOf(value) })}
      />
    </div>
  )
}
