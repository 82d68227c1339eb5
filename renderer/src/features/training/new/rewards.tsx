import { Plus, X } from 'lucide-react'
import type { Reward } from '#contracts/trainer.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'

const KINDS: Record<Reward['kind'], string> = {
  tool_call: 'Correct tool call',
  format: 'Well-formed answer',
  exact: 'Exact match with the row’s answer',
  tests: 'Passes the row’s tests',
}
const DEFAULTS: Record<Reward['kind'], Reward> = {
  tool_call: { kind: 'tool_call', level: 'arguments', weight: 1 },
  format: { kind: 'format', weight: 1 },
  exact: { kind: 'exact', weight: 1 },
  tests: { kind: 'tests', weight: 1, timeoutSec: 10 },
}

/** The terms of the reward; their weighted sum is the reward. */
export function Rewards({
  rewards,
  isOwn,
  onChange,
}: {
  rewards: readonly Reward[]
  isOwn: boolean
  onChange: (rewards: readonly Reward[] | null) => void
}) {
  const change = (at: number, reward: Reward) => onChange(rewards.map((one, index) => (index === at ? reward : one)))
  return (
    <div className="flex flex-col gap-2 border-b border-line py-3">
      <h4 className="text-sm font-semibold">Rewards</h4>
      <p className="max-w-[60ch] text-xs text-second">
        Each answer gets the weighted sum. Tests run in a sandbox; without one, rewards that run tests are refused.
      </p>
      {rewards.map((reward, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- terms have no id
        <div key={at} role="group" aria-label={`Reward ${at + 1}`} className="flex flex-wrap items-center gap-2">
          <Select
            label="Kind"
            className="w-60"
            value={reward.kind}
            options={Object.entries(KINDS).map(([value, label]) => ({ value: value as Reward['kind'], label }))}
            onChange={(kind) => change(at, { ...DEFAULTS[kind], weight: reward.weight })}
          />
          {reward.kind === 'tool_call' ? (
            <Select
              label="Match"
              value={reward.level}
              options={[
                { value: 'arguments', label: 'name and arguments' },
                { value: 'name', label: 'name only' },
              ]}
              onChange={(level) => change(at, { ...reward, level })}
            />
          ) : null}
          <TextInput
            aria-label="Weight"
            inputMode="decimal"
            className="w-20 text-right font-mono"
            value={String(reward.weight)}
            onChange={(weight) => change(at, { ...reward, weight: Number(weight) })}
          />
          <IconButton label={`Remove reward ${at + 1}`} icon={X} onClick={() => onChange(rewards.filter((_, index) => index !== at))} />
        </div>
      ))}
      <div className="flex gap-2">
        <Button size="small" icon={Plus} onClick={() => onChange([...rewards, DEFAULTS.format])}>
          Add reward
        </Button>
        {isOwn ? (
          <Button size="small" look="quiet" onClick={() => onChange(null)}>
            Reset to strategy defaults
          </Button>
        ) : null}
      </div>
    </div>
  )
}
