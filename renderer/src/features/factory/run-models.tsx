import { toggled } from '#renderer/ui/toggled.ts'
import { useTraceFacets } from '#renderer/api/traces.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { formatCount } from '#renderer/ui/format.ts'

interface RunModelsProps {
  id?: string
  /** The sessions that the form selects, without agent runs. */
  filter: string
  models: readonly string[]
  onChange: (models: string[]) => void
}

/** The models of agent runs among the sessions of a filter; runs of the checked ones are used like the user's own work. */
export function RunModels({ id, filter, models, onChange }: RunModelsProps) {
  const runs = useTraceFacets(`${filter} is:run`.trim())
  if (runs.error) return <span className="text-sm text-bad">{runs.error.message}</span>
  if (!runs.data) return <span className="text-sm text-second">Counting agent runs …</span>
  const counts = new Map(runs.data.model.map(({ value, count }) => [value, count]))
  const listed = [...new Set([...counts.keys(), ...models])]
  if (listed.length === 0) return <span className="text-sm text-second">No agent runs match.</span>
  return (
    <div id={id} role="group" aria-label="Agent runs" className="flex flex-col">
      {listed.map((model) => (
        <span key={model} className="flex items-center gap-1 text-sm">
          <Checkbox label={`Runs of ${model}`} checked={models.includes(model)} onChange={() => onChange(toggled(models, model))} />
          <span className="font-mono break-words">{model}</span>
          <span className="text-second">{formatCount(counts.get(model) ?? 0)}</span>
        </span>
      ))}
    </div>
  )
}
