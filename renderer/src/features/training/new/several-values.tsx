import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { axisFields, MODEL_AXIS, type Draft } from './draft.ts'

/** Settings with several values each; every combination becomes a run. */
export function SeveralValues({ draft, set, error }: { draft: Draft; set: (part: Partial<Draft>) => void; error: string | null }) {
  const fields = [
    { path: MODEL_AXIS, label: 'Base model', example: 'HuggingFaceTB/SmolLM2-135M, /models/mine' },
    ...axisFields(draft.strategy).map(({ path, label, kind, options }) => ({
      path,
      label,
      example: kind === 'switch' ? 'true, false' : (options?.map(({ value }) => value).join(', ') ?? '1e-5, 3e-4'),
    })),
  ]
  const isUsed = (path: string) => draft.axes.some((one) => one.path === path)
  const unusedField = fields.find(({ path }) => path === 'learningRate' && !isUsed(path)) ?? fields.find(({ path }) => !isUsed(path))
  const change = (at: number, part: Partial<Draft['axes'][number]>) => set({ axes: draft.axes.map((one, index) => (index === at ? { ...one, ...part } : one)) }) // prettier-ignore
  return (
    <details className="border-b border-line" open={draft.axes.length > 0}>
      <summary className="py-2 text-sm">Try several values</summary>
      <div className="flex flex-col gap-2 pb-2 pl-4">
        <p className="text-xs text-second">Every combination becomes a separate run. One page compares them.</p>
        {draft.axes.map(({ path, values }, at) => {
          const field = fields.find((one) => one.path === path)
          const label = field?.label ?? path
          return (
            <div key={path} className="flex flex-wrap items-center gap-2">
              <Select
                label={`Setting ${at + 1} to vary`}
                className="w-60"
                value={path}
                options={[
                  ...fields.filter((one) => one.path === path || !isUsed(one.path)).map((one) => ({ value: one.path, label: one.label })),
                  ...(field ? [] : [{ value: path, label: `${path} (not of this strategy)` }]),
                ]}
                onChange={(next) => change(at, { path: next, values: '' })}
              />
              <TextInput
                aria-label={`Values of ${label}`}
                placeholder={field?.example ?? ''}
                className="min-w-60 flex-1 font-mono"
                value={values}
                onChange={(next) => change(at, { values: next })}
              />
              <IconButton
                size="small"
                icon={X}
                label={`Remove values of ${label}`}
                onClick={() => set({ axes: draft.axes.filter((_, index) => index !== at) })}
              />
            </div>
          )
        })}
        <FieldError error={draft.axes.some(({ values }) => values.trim() !== '') ? error : null} />
        <Button
          icon={Plus}
          className="self-start"
          reason={unusedField ? null : 'Every setting is already listed.'}
          onClick={() => unusedField && set({ axes: [...draft.axes, { path: unusedField.path, values: '' }] })}
        >
          Add a setting
        </Button>
      </div>
    </details>
  )
}
