import { ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { FormPart } from './recipe.ts'
import { ChoiceRow, NumberRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'

const OF_POLICY = 'policy'
const STRATEGY_WORDS: Record<ReplaceStrategy, string> = {
  redact: 'A label in its place',
  mask: 'Masked signs',
  synthetic: 'A made-up value of the same form',
  hash: 'A keyed digest',
  category: 'The name of its type',
}

/** What is put in the place of personal data. Secrets are redacted whatever is chosen here. */
export function PrivacyRules({ draft, set, errorOf }: FormPart) {
  return (
    <Section
      title="Privacy"
      note={
        <>
          Every row passes the gate. What is looked for, and what was decided:{' '}
          <TextLink href="/settings/privacy">Settings → Privacy</TextLink>
        </>
      }
    >
      <div>
        <ChoiceRow label="In the place of personal data" hint="Secrets are always redacted.">
          {(id) => (
            <Select
              id={id}
              className="w-64"
              value={draft.replace || OF_POLICY}
              options={[
                { value: OF_POLICY, label: 'As the policy says' },
                ...ReplaceStrategy.options.map((value) => ({ value, label: STRATEGY_WORDS[value] })),
              ]}
              onChange={(value) => set({ replace: value === OF_POLICY ? '' : value })}
            />
          )}
        </ChoiceRow>
        <SwitchRow
          label="Leave out rows with secrets in tool calls"
          hint="A model trained on them would learn to write placeholders as arguments."
          checked={draft.dropSecretCalls}
          onChange={(dropSecretCalls) => set({ dropSecretCalls })}
        />
        <NumberRow
          label="Canaries"
          hint="Marker secrets planted in train, so that a later run can be tested for memorising."
          error={errorOf('canaries')}
          value={draft.canaries}
          placeholder="0"
          onChange={(canaries) => set({ canaries })}
        />
        <SwitchRow
          label="Leave personal data in"
          hint="Secrets are still redacted. The reason is written into the manifest."
          checked={draft.privacyOff}
          onChange={(privacyOff) => set({ privacyOff })}
        />
        {draft.privacyOff ? (
          <TextRow
            label="Why it is left in"
            error={errorOf('privacyOff') && 'Give the reason, in three letters or more.'}
            value={draft.privacyOffReason}
            onChange={(privacyOffReason) => set({ privacyOffReason })}
          />
        ) : null}
      </div>
    </Section>
  )
}
