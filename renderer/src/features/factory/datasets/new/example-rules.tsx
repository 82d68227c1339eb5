import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { FormPart } from './recipe.ts'
import { ChoiceRow, LinesRow, NumberRow, SwitchRow } from '#renderer/ui/form-rows.tsx'

/** How sessions become examples: the same rules as under Examples. */
export function ExampleRules({ draft, set, errorOf }: FormPart) {
  const number = (field: 'gapMinutes' | 'maxTurns' | 'minSuccessShare' | 'outputChars') => ({
    value: draft[field],
    error: errorOf(`examples.${field}`),
    onChange: (value: string) => set({ [field]: value }),
  })
  return (
    <Section title="Example settings">
      <div>
        <NumberRow label="Idle time that ends a task" hint="Minutes without a step." placeholder="5" {...number('gapMinutes')} />
        <NumberRow
          label="Max turns"
          hint="Assistant turns per example. Longer tasks are split into several examples."
          placeholder="100"
          {...number('maxTurns')}
        />
        <NumberRow
          label="Minimum step success rate"
          hint="From 0 to 1, of steps with a known outcome. Tasks below this are excluded."
          placeholder="0.5"
          {...number('minSuccessShare')}
        />
        <NumberRow
          label="Max output length"
          hint="Characters. Longer tool results are shortened in the middle, and the cut is marked."
          placeholder="4000"
          {...number('outputChars')}
        />
        <SwitchRow
          label="Thinking"
          hint="Keeps the model's thinking in <think> tags before the call it led to."
          checked={draft.thinking}
          onChange={(thinking) => set({ thinking })}
        />
        <SwitchRow
          label="Carry prompt over"
          hint="Tasks without their own prompt reuse the previous one. When off, they are excluded."
          checked={draft.carryPrompt}
          onChange={(carryPrompt) => set({ carryPrompt })}
        />
        <ChoiceRow label="System prompt" error={draft.systemPrompt === 'own' ? undefined : errorOf('examples.systemPrompt')}>
          {(id) => (
            <Select
              id={id}
              className="w-64"
              value={draft.systemPrompt}
              options={[
                { value: 'short', label: 'Short' },
                { value: 'recorded', label: 'As recorded' },
                { value: 'own', label: 'Custom' },
                { value: 'none', label: 'None' },
              ]}
              onChange={(systemPrompt) => set({ systemPrompt })}
            />
          )}
        </ChoiceRow>
        {draft.systemPrompt === 'own' ? (
          <LinesRow
            label="Custom system prompt"
            error={errorOf('examples.systemPrompt')}
            value={draft.ownPrompt}
            onChange={(ownPrompt) => set({ ownPrompt })}
          />
        ) : null}
      </div>
    </Section>
  )
}
