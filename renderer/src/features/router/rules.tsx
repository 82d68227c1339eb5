import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { StepRulesPrice } from '#contracts/entities/step-rules.ts'
import { StepEffort, StepKind, type StepRule } from '#contracts/settings/router.ts'
import { STEP_KIND_WORDS, withoutRule, withRule } from '#contracts/step-rules.ts'
import { useRulesPrice } from '#renderer/api/savings.ts'
import { usePrices } from '#renderer/api/stats.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { NoteLine } from '#renderer/ui/note-line.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSettled } from '#renderer/ui/use-settled.ts'

const UNCHANGED = ''
const NEW: StepRule = { when: 'subagent', agentType: '', model: '', effort: null }
const CENT = 0.01

const difference = (usd: number): string =>
  Math.abs(usd) < CENT / 2 ? 'as much' : `${formatUsd(Math.abs(usd))} ${usd < 0 ? 'less' : 'more'}`

/** Model and effort of Claude's own steps, as rules that our mod carries out. */
export function RulesSection() {
  const { settings, offline, change } = useChange()
  const { rules, rulesOn } = settings.router
  const off = offline !== null
  const save = (next: StepRule[]) => change('Rules', { router: { rules: next } })
  return (
    <Section title="Claude’s model by step" note="Needs no model of yours; off until you switch it on">
      <SwitchRow
        label="Follow the rules"
        hint="Claude Code then sends these steps with another model or effort. Switched off, it chooses as without Bash Gym, from the next turn on."
        checked={rulesOn}
        disabled={off}
        onChange={(on) => change('Rules', { router: { rulesOn: on } })}
      />
      <Fetched query={useRulesPrice(rules)} what="price of the rules" bars={['h-16 w-full']}>
        {(price) => <Saved price={price} reason={offline} onRemove={(rule) => save(withoutRule(rules, rule))} />}
      </Fetched>
      <NewRule rules={rules} reason={offline} onSave={(rule) => save(withRule(rules, rule))} />
    </Section>
  )
}

type Row = StepRulesPrice['rules'][number]

function Saved({ price, reason, onRemove }: { price: StepRulesPrice; reason: string | null; onRemove: (rule: StepRule) => void }) {
  if (price.rules.length === 0) return <p className="text-sm text-second">There are no rules yet.</p>
  const columns: Column<Row>[] = [
    {
      id: 'when',
      label: 'Steps',
      cell: ({ rule: { when, agentType } }) => `${STEP_KIND_WORDS[when]}${agentType === '' ? '' : ` (${agentType})`}`,
    },
    { id: 'model', label: 'Model', cell: ({ rule: { model } }) => (model === UNCHANGED ? 'as chosen' : model) },
    { id: 'effort', label: 'Effort', cell: ({ rule: { effort } }) => effort ?? 'as chosen' },
    { id: 'steps', label: 'Past steps', numeric: true, cell: ({ steps }) => formatCount(steps) },
    { id: 'usd', label: 'Would have cost', numeric: true, cell: ({ usd }) => (usd === null ? 'not measured' : difference(usd)) },
    {
      id: 'remove',
      label: <span className="sr-only">Remove</span>,
      numeric: true,
      cell: ({ rule }) => (
        <IconButton
          label={`Remove the rule for ${STEP_KIND_WORDS[rule.when]}`}
          look="quiet"
          size="small"
          icon={Trash2}
          reason={reason}
          onClick={() => onRemove(rule)}
        />
      ),
    },
  ]
  return (
    <>
      {price.problem === null ? null : (
        <ul>
          <NoteLine level="warning" message={price.problem} />
        </ul>
      )}
      <Table caption="Rules" rows={price.rules} keyOf={({ rule }) => `${rule.when} ${rule.agentType}`} columns={columns} />
      <Whole price={price} />
    </>
  )
}

/** What all rules together would have cost. */
function Whole({ price: { sessions, steps, leftOut, recordedUsd, withoutUsd, withUsd, switchUsd } }: { price: StepRulesPrice }) {
  const left = leftOut === 0 ? '' : ` ${plural(leftOut, 'session')} left out: without times, counts or prices.`
  if (sessions === 0) return <p className="text-sm text-second">No past session has what a price needs.{left}</p>
  return (
    <p className="text-sm">
      Your newest {plural(sessions, 'session')} with {plural(steps, 'step')} <b>would have cost {formatUsd(withUsd)}</b> instead of{' '}
      {formatUsd(withoutUsd)}, by a simulation of the cache with the same tokens (they did cost {formatUsd(recordedUsd)}).
      {switchUsd !== null && switchUsd >= CENT
        ? ` ${formatUsd(switchUsd)} of it only because another model does not have what was cached, so all is written again.`
        : ''}
      {left}
    </p>
  )
}

function NewRule({ rules, reason, onSave }: { rules: readonly StepRule[]; reason: string | null; onSave: (rule: StepRule) => void }) {
  const [rule, setRule] = useState(NEW)
  const prices = usePrices()
  const models = (prices.data?.items ?? []).map(({ model }) => model).filter((model) => model.startsWith('claude-'))
  const set = (part: Partial<StepRule>) => setRule({ ...rule, ...part })
  const isEmpty = rule.model === UNCHANGED && rule.effort === null
  return (
    <div role="group" aria-label="New rule" className="flex flex-col gap-3 rounded border border-line bg-panel p-3">
      <h3 className="text-sm font-semibold">New rule, or another for the same steps</h3>
      <div>
        <SelectRow
          label="Steps"
          value={rule.when}
          options={StepKind.options.map((value) => ({ value, label: STEP_KIND_WORDS[value] }))}
          onChange={(when) => set({ when, agentType: '' })}
        />
        {rule.when === 'subagent' ? (
          <TextRow
            label="Type of agent"
            hint="Empty: all but forks, which go on with their parent’s conversation."
            placeholder="Explore"
            value={rule.agentType}
            onChange={(agentType) => set({ agentType })}
          />
        ) : null}
        <SelectRow
          label="Model"
          value={rule.model}
          options={[{ value: UNCHANGED, label: 'as chosen in Claude Code' }, ...models.map((value) => ({ value, label: value }))]}
          onChange={(model) => set({ model })}
        />
        <SelectRow
          label="Effort"
          value={rule.effort ?? UNCHANGED}
          options={[
            { value: UNCHANGED, label: 'as chosen in Claude Code' },
            ...StepEffort.options.map((value) => ({ value, label: value })),
          ]}
          onChange={(effort) => set({ effort: effort === UNCHANGED ? null : effort })}
        />
      </div>
      {isEmpty ? null : <Draft rules={withRule(rules, rule)} rule={rule} />}
      <div>
        <Button
          reason={reason ?? (isEmpty ? 'Choose a model, an effort, or both.' : null)}
          onClick={() => {
            onSave(rule)
            setRule(NEW)
          }}
        >
          Save rule
        </Button>
      </div>
    </div>
  )
}

/** The price of a rule before it is saved. */
function Draft({ rules, rule }: { rules: readonly StepRule[]; rule: StepRule }) {
  const { data } = useRulesPrice(useSettled(rules))
  const priced = data?.rules.find(({ rule: { when, agentType } }) => when === rule.when && agentType === rule.agentType)
  if (!data || !priced) return null
  return (
    <p role="status" className="text-sm">
      It fits {plural(priced.steps, 'past step')}.{' '}
      {priced.usd === null
        ? rule.effort === null
          ? 'No past session has what a price needs: times, counts and prices.'
          : 'How much less Claude writes with another effort was not measured.'
        : `With ${rules.length === 1 ? 'it' : 'all rules'}, ${plural(data.sessions, 'session')} would have cost ${formatUsd(data.withUsd)} instead of ${formatUsd(data.withoutUsd)}: ${difference((data.withUsd ?? 0) - (data.withoutUsd ?? 0))}.`}
    </p>
  )
}
