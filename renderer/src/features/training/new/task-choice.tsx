import { useId } from 'react'
import { useShellTaskSplits } from '#renderer/api/shell-tasks.ts'
import { plural } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import type { Draft } from './draft.ts'

const NONE = '—'

/** The split of shell tasks to train on, and the one to try at each evaluation. */
export function TaskChoice({ draft, set }: { draft: Draft; set: (part: Partial<Draft>) => void }) {
  const id = useId()
  const tasks = useShellTaskSplits()
  if (tasks.error) return <ErrorState title="Couldn't load the shell tasks" error={tasks.error} retry={() => void tasks.refetch()} />
  const splits = Object.entries(tasks.data?.counts ?? {})
  const trainable = splits.filter(([split]) => !tasks.data?.heldOutSplits.includes(split))
  const options = (none: string, chosen: string, offered = splits) => [
    { value: NONE, label: none },
    ...offered.map(([split, count]) => ({ value: split, label: `${split} · ${plural(count, 'task')}` })),
    ...(chosen !== '' && !offered.some(([split]) => split === chosen) ? [{ value: chosen, label: chosen }] : []),
  ]
  const valueOf = (value: string) => (value === NONE ? '' : value)
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={`${id}-train`} className="text-xs text-second">
        Split to train on
      </label>
      <Select
        id={`${id}-train`}
        className="w-full"
        value={draft.split || NONE}
        options={options(tasks.data ? 'Choose a split' : 'Loading the shell tasks', draft.split, trainable)}
        onChange={(value) => set({ split: valueOf(value) })}
      />
      <label htmlFor={`${id}-heldout`} className="pt-1 text-xs text-second">
        Held-out split, tried at each evaluation (optional)
      </label>
      <Select
        id={`${id}-heldout`}
        className="w-full"
        value={draft.heldout || NONE}
        options={options('None', draft.heldout)}
        onChange={(value) => set({ heldout: valueOf(value) })}
      />
    </div>
  )
}
