import { DatasetKind } from '#contracts/entities/dataset.ts'
import { FILTER_EXAMPLES } from '#contracts/filter.ts'
import { defaultTiers } from '#contracts/train-on-this.ts'
import { useViews } from '#renderer/api/traces.ts'
import { UnverifiedCount } from './unverified-count.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { MARKS, TierMark } from '#renderer/ui/tier-mark.tsx'
import { toggled } from '#renderer/ui/toggled.ts'
import { Matching } from '../../matching.tsx'
import { RunModels } from '../../run-models.tsx'
import { useCollections } from '../queries.ts'
import { KIND_WORDS } from '../words.ts'
import type { FormPart } from './recipe.ts'
import { ChoiceRow, NumberRow, SelectRow, TextRow } from '#renderer/ui/form-rows.tsx'

const NO_VIEW = '—'

/** Sessions, imported rows, and the validation share. */
export function Sources({ draft, set, errorOf }: FormPart) {
  const views = useViews()
  const collections = useCollections()
  const filter = [draft.query.trim(), draft.tiers.length > 0 ? `tier:${draft.tiers.join(',')}` : ''].filter(Boolean).join(' ')
  const collectionsOfKind = collections.data?.items.filter(({ kind }) => kind === draft.kind) ?? []
  const isDefault = draft.tiers.join() === defaultTiers(draft.kind).join()
  return (
    <Section title="What goes in">
      <div>
        <SelectRow
          label="Kind"
          hint={KIND_WORDS[draft.kind].meaning}
          value={draft.kind}
          options={DatasetKind.options.map((value) => ({ value, label: KIND_WORDS[value].label }))}
          onChange={(kind) => set({ kind, include: [], ...(isDefault && { tiers: defaultTiers(kind) }) })}
        />
        <TextRow
          label="Name"
          hint="Versions with the same name share their splits: a session stays in the same split in all of them."
          error={errorOf('name')}
          value={draft.name}
          placeholder={draft.kind}
          onChange={(name) => set({ name })}
        />
        {views.data && views.data.items.length > 0 ? (
          <SelectRow
            label="Saved view"
            hint="Fills in the filter below."
            value={views.data.items.find(({ query }) => query === draft.query)?.id ?? NO_VIEW}
            options={[{ value: NO_VIEW, label: 'None' }, ...views.data.items.map(({ id: value, name }) => ({ value, label: name }))]}
            onChange={(viewId) => set({ query: views.data.items.find((view) => view.id === viewId)?.query ?? '' })}
          />
        ) : null}
        {draft.traceIds.length > 0 ? (
          <ChoiceRow label="Selected sessions" hint="Sessions that you selected in Traces.">
            {(id) => (
              <Button id={id} size="small" onClick={() => set({ traceIds: [], tiers: defaultTiers(draft.kind) })}>
                Use a filter instead of {plural(draft.traceIds.length, 'session')}
              </Button>
            )}
          </ChoiceRow>
        ) : (
          <TextRow
            mono
            label="Filter"
            hint={
              <>
                Same syntax as the filter in Traces. Matches <Matching filter={filter} />
              </>
            }
            error={errorOf('query')}
            value={draft.query}
            placeholder={FILTER_EXAMPLES.sources}
            onChange={(query) => set({ query })}
          />
        )}
        <ChoiceRow label="Tiers" hint="None selected = all tiers." error={errorOf('tiers')}>
          {(id) => (
            <div id={id} role="group" aria-label="Tiers" className="flex flex-wrap gap-x-4">
              {MARKS.map((mark) => (
                <span key={mark} className="flex items-center gap-1 text-sm">
                  <Checkbox label={mark} checked={draft.tiers.includes(mark)} onChange={() => set({ tiers: toggled(draft.tiers, mark) })} />
                  <TierMark mark={mark} word />
                </span>
              ))}
            </div>
          )}
        </ChoiceRow>
        <ChoiceRow
          label="Gold, unverified"
          hint="No test, build or lint passed in these sessions. They are excluded unless you include them."
        >
          {(id) => (
            <span className="flex items-center gap-2 text-sm">
              <Checkbox
                id={id}
                label="Include gold without verification"
                checked={draft.unverified}
                onChange={(unverified) => set({ unverified })}
              />
              Include <UnverifiedCount filter={filter} />
            </span>
          )}
        </ChoiceRow>
        <ChoiceRow label="Agent runs" hint="Work of agents that you started here is left out, unless you include the runs of a model.">
          {(id) => <RunModels id={id} filter={filter} models={draft.runs} onChange={(runs) => set({ runs })} />}
        </ChoiceRow>
        <NumberRow
          label="Validation share"
          hint="Rows that are only measured, never trained on. A session is never on both sides."
          error={errorOf('split.val')}
          value={draft.val}
          placeholder="0.1"
          onChange={(val) => set({ val })}
        />
        {collectionsOfKind.length > 0 ? (
          <ChoiceRow label="Imported rows" hint="If you select nothing else, the data set contains only these rows.">
            {(id) => (
              <div id={id} role="group" aria-label="Imported rows" className="flex flex-col">
                {collectionsOfKind.map((one) => (
                  <span key={one.id} className="flex items-center gap-1 text-sm">
                    <Checkbox
                      label={one.name}
                      checked={draft.include.includes(one.id)}
                      onChange={() => set({ include: toggled(draft.include, one.id) })}
                    />
                    {one.name} <span className="text-second">{plural(one.rows, 'row')}</span>
                  </span>
                ))}
              </div>
            )}
          </ChoiceRow>
        ) : null}
      </div>
    </Section>
  )
}
