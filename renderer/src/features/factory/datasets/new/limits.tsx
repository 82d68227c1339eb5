import { Section } from '#renderer/ui/page.tsx'
import { LinesRow, NumberRow, SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { REVIEW_WORDS } from '../words.ts'
import type { FormPart } from './recipe.ts'

/** Further filters of sessions and examples. */
export function Limits({ draft, set, errorOf }: FormPart) {
  const isPreference = draft.kind === 'dpo' || draft.kind === 'kto'
  return (
    <Section title="Sessions and review">
      <div>
        <LinesRow
          label="Repositories"
          hint="One per line. Empty = all."
          error={errorOf('repos')}
          value={draft.repos}
          onChange={(repos) => set({ repos })}
        />
        <NumberRow
          label="Minimum quality"
          hint="From 0 to 1. The default is 0.7 if you select no tiers; preferences have none. With a minimum, sessions without a quality score are excluded."
          error={errorOf('minQuality')}
          value={draft.minQuality}
          placeholder={draft.tiers.length > 0 || draft.traceIds.length > 0 || isPreference ? 'none' : '0.7'}
          onChange={(minQuality) => set({ minQuality })}
        />
        <SelectRow
          label="Review"
          hint="By default, everything except what you rejected is included. Choose “Accepted only” to exclude what you have not reviewed."
          value={draft.review}
          options={[
            { value: 'not_rejected', label: REVIEW_WORDS.not_rejected },
            { value: 'accepted', label: REVIEW_WORDS.accepted },
          ]}
          onChange={(review) => set({ review })}
        />
        {isPreference ? (
          <SwitchRow
            label="By what happened afterwards"
            hint="Where it was looked up: work that stayed is preferred, work that was corrected is not, whatever the tier."
            checked={draft.byOutcome}
            onChange={(byOutcome) => set({ byOutcome })}
          />
        ) : null}
        {draft.kind === 'dpo' ? (
          <SwitchRow
            label="Pairs across repositories"
            hint="Also pairs a failed task with a similar one that succeeded in another repository. Such pairs are marked in their rows."
            checked={draft.acrossRepositories}
            onChange={(acrossRepositories) => set({ acrossRepositories })}
          />
        ) : null}
      </div>
    </Section>
  )
}
