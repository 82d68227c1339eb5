import { ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import type { FormPart } from './recipe.ts'
import { NumberRow, SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'

const OF_POLICY = 'policy'
const STRATEGY_WORDS: Record<ReplaceStrategy, string> = {
  redact: 'Replace with a label',
  mask: 'Mask characters',
  synthetic: 'Replace with a made-up value of the same form',
  hash: 'Replace with a keyed hash',
  category: 'Replace with the name of its type',
}

/** Settings for personal data and canaries. */
export function PrivacyRules({ draft, set, errorOf }: FormPart) {
  return (
    <Section
      title="Privacy"
      note={
        <>
          Every row passes the privacy filter. Types and decisions are set in{' '}
          <TextLink href="/settings/privacy">Settings → Privacy</TextLink>
        </>
      }
    >
      <div>
        <SelectRow
          label="Personal data"
          hint="Secrets are always redacted."
          value={draft.replace || OF_POLICY}
          options={[
            { value: OF_POLICY, label: 'As set in the privacy policy' },
            ...ReplaceStrategy.options.map((value) => ({ value, label: STRATEGY_WORDS[value] })),
          ]}
          onChange={(value) => set({ replace: value === OF_POLICY ? '' : value })}
        />
        <NumberRow
          label="Canaries"
          hint="Number of fake secrets added to the training split, to test later whether a model memorised it."
          error={errorOf('canaries')}
          value={draft.canaries}
          placeholder="0"
          onChange={(canaries) => set({ canaries })}
        />
        <SwitchRow
          label="Keep personal data"
          hint="Secrets are still redacted. The manifest records your reason."
          checked={draft.privacyOff}
          onChange={(privacyOff) => set({ privacyOff })}
        />
        {draft.privacyOff ? (
          <TextRow
            label="Reason"
            error={errorOf('privacyOff') && 'Enter a reason of at least three letters.'}
            value={draft.privacyOffReason}
            onChange={(privacyOffReason) => set({ privacyOffReason })}
          />
        ) : null}
      </div>
    </Section>
  )
}
