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
    <Section title="How sessions become examples">
      <div>
        <NumberRow label="Pause that ends a task" hint="Minutes." placeholder="5" {...number('gapMinutes')} />
        <NumberRow
          label="Longest example"
          hint="Turns of the assistant; longer ones are split, never cut."
          placeholder="20"
          {...number('maxTurns')}
        />
        <NumberRow
          label="Minimum step success rate"
          hint="Of steps with a known outcome; segments below it are excluded."
          placeholder="0.5"
          {...number('minSuccessShare')}
        />
        <NumberRow
          label="Longest output"
          hint="Characters; a longer output loses its middle, and the cut is marked."
          placeholder="8000"
          {...number('outputChars')}
        />
        <SwitchRow
          label="Thinking"
          hint="Kept in <think> before the call it led to."
          checked={draft.thinking}
          onChange={(thinking) => set({ thinking })}
        />
        <SwitchRow
          label="Carry the prompt"
          hint="Segments without a prompt of their own carry the earlier one; off leaves them out."
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
                { value: 'short', label: 'A short one' },
                { value: 'recorded', label: 'As recorded' },
                { value: 'own', label: 'My own' },
                { value: 'none', label: 'None' },
              ]}
              onChange={(systemPrompt) => set({ systemPrompt })}
            />
          )}
        </ChoiceRow>
        {draft.systemPrompt === 'own' ? (
          <LinesRow
            label="My system prompt"
            error={errorOf('examples.systemPrompt')}
            value={draft.ownPrompt}
            onChange={(ownPrompt) => set({ ownPrompt })}
          />
        ) : null}
      </div>
    </Section>
  )
}
