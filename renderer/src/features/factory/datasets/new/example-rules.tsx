import { Section } from '#renderer/ui/page.tsx'
import { EXAMPLE_NUMBERS, EXAMPLE_SWITCHES, SYSTEM_PROMPTS } from '../../example-options.ts'
import { DEFAULTS } from '../../examples/choice.ts'
import type { FormPart } from './recipe.ts'
import { LinesRow, NumberRow, SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'

/** How sessions become examples: the same rules as under Examples. */
export function ExampleRules({ draft, set, errorOf }: FormPart) {
  return (
    <Section title="Example settings">
      <div>
        {EXAMPLE_NUMBERS.map(({ option, label, hint }) => (
          <NumberRow
            key={option}
            label={label}
            hint={hint}
            error={errorOf(`examples.${option}`)}
            value={draft[option]}
            placeholder={String(DEFAULTS[option])}
            onChange={(text) => set({ [option]: text })}
          />
        ))}
        {EXAMPLE_SWITCHES.map(({ option, label, hint }) => (
          <SwitchRow key={option} label={label} hint={hint} checked={draft[option]} onChange={(on) => set({ [option]: on })} />
        ))}
        <SelectRow
          label="System prompt"
          error={draft.systemPrompt === 'own' ? undefined : errorOf('examples.systemPrompt')}
          value={draft.systemPrompt}
          options={SYSTEM_PROMPTS}
          onChange={(systemPrompt) => set({ systemPrompt })}
        />
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
