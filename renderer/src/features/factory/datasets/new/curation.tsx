import { Plus, X } from 'lucide-react'
import { BalanceBy } from '#contracts/entities/dataset.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { BALANCE_WORDS } from '../words.ts'
import type { FormPart } from './recipe.ts'
import { LinesRow, NumberRow, SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import type { BalanceDraft } from './recipe.ts'

/** Duplicates, held-out files, splits and balance. */
export function Curation({ draft, set, errorOf }: FormPart) {
  return (
    <Section title="Filtering and splits">
      <div>
        <SwitchRow
          label="Exclude near duplicates"
          hint="Exact duplicates are always removed; this also removes near duplicates."
          checked={draft.near}
          onChange={(near) => set({ near })}
        />
        {draft.near ? (
          <NumberRow
            label="Similarity threshold"
            hint="Word similarity, 0.5 to 1."
            error={errorOf('dedup.threshold')}
            value={draft.threshold}
            placeholder="0.9"
            onChange={(threshold) => set({ threshold })}
          />
        ) : null}
        <LinesRow
          label="Held-out files"
          hint="JSONL files of evaluation tasks, one path per line. Rows that overlap with them are excluded."
          error={errorOf('against')}
          value={draft.against}
          placeholder="/home/me/benchmarks/held-out.jsonl"
          onChange={(against) => set({ against })}
        />
        <SelectRow
          label="Split by"
          hint="A group is never divided between splits."
          value={draft.splitBy}
          options={[
            { value: 'session', label: 'Whole sessions' },
            { value: 'repo', label: 'Whole repositories' },
            { value: 'time', label: 'Time (newest held out)' },
          ]}
          onChange={(splitBy) => set({ splitBy })}
        />
        <NumberRow label="Test share" error={errorOf('split.test')} value={draft.test} placeholder="0" onChange={(test) => set({ test })} />
        <NumberRow
          label="Random seed"
          hint="A whole number. The same seed gives the same splits."
          error={errorOf('seed')}
          value={draft.seed}
          placeholder="42"
          onChange={(seed) => set({ seed })}
        />
      </div>
      <NumberRow
        label="Share per session"
        hint="The largest share of the rows from one session, 0 to 1. It applies if there are enough sessions for it. 1 = no limit."
        error={errorOf('sessionShare')}
        value={draft.sessionShare}
        placeholder="0.1"
        onChange={(sessionShare) => set({ sessionShare })}
      />
      <Balance draft={draft} set={set} errorOf={errorOf} />
    </Section>
  )
}

/** Rules apply in order, each to the rows that the previous one kept. */
function Balance({ draft, set, errorOf }: FormPart) {
  const change = (at: number, part: Partial<BalanceDraft>) =>
    set({ balance: draft.balance.map((rule, index) => (index === at ? { ...rule, ...part } : rule)) })
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Balance</h3>
      <p className="max-w-[72ch] text-xs text-second">
        A cap is the maximum number of rows per group. Weights are relative to the largest weight: groups you don't list have weight 1, and
        groups with weight 0 are excluded. Rows are never duplicated.
      </p>
      {draft.balance.map((rule, index) => (
        <div
          // a rule is identified by its position, which matters
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          role="group"
          aria-label={`Rule ${index + 1}`}
          className="flex flex-wrap items-start gap-2 rounded border border-line p-2"
        >
          <Select
            label="Balance by"
            value={rule.by}
            options={BalanceBy.options.map((value) => ({ value, label: BALANCE_WORDS[value] }))}
            onChange={(by) => change(index, { by })}
          />
          <TextInput
            aria-label="Cap"
            inputMode="numeric"
            className="w-24 text-right"
            value={rule.cap}
            placeholder="no cap"
            onChange={(cap) => change(index, { cap })}
          />
          <TextArea
            aria-label="Weights"
            rows={2}
            className="min-h-14 w-64 font-mono"
            value={rule.weights}
            placeholder={'Bash=1\nEdit=0.5'}
            onChange={(weights) => change(index, { weights })}
          />
          <IconButton
            label={`Remove rule ${index + 1}`}
            icon={X}
            onClick={() => set({ balance: draft.balance.filter((_, at) => at !== index) })}
          />
          {errorOf(`balance.${index}`) ? (
            <p role="alert" className="w-full text-xs text-bad">
              {errorOf(`balance.${index}`)}
            </p>
          ) : null}
        </div>
      ))}
      <div>
        <Button size="small" icon={Plus} onClick={() => set({ balance: [...draft.balance, { by: 'repo', cap: '', weights: '' }] })}>
          Add rule
        </Button>
      </div>
    </div>
  )
}
