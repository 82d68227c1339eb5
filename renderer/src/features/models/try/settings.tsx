import { useId } from 'react'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import type { TryDraft } from './draft.ts'
import type { Sampling } from './use-conversation.ts'

const BOUNDS = {
  temperature: { label: 'Temperature', low: 0, high: 2, isWhole: false, hint: '0 always picks the most likely token' },
  maxTokens: { label: 'Max answer length', low: 1, high: 8192, isWhole: true, hint: 'in tokens' },
  seed: { label: 'Seed', low: 0, high: Number.MAX_SAFE_INTEGER, isWhole: true, hint: 'the same seed gives the same answer' },
} as const
type Bound = keyof typeof BOUNDS
const NAMES = ['temperature', 'maxTokens', 'seed'] as const satisfies readonly Bound[]

/** The parsed numbers, or the problem of the first invalid number. */
export function readSampling(draft: TryDraft): Sampling | { problem: string } {
  for (const name of NAMES) {
    const { label, low, high, isWhole } = BOUNDS[name]
    const value = Number(draft[name])
    if (draft[name].trim() === '' || !Number.isFinite(value) || value < low || value > high || (isWhole && !Number.isInteger(value)))
      return {
        problem: `${label} must be ${isWhole ? 'a whole number' : 'a number'} from ${low}${high === Number.MAX_SAFE_INTEGER ? '' : ` to ${high}`}.`,
      }
  }
  return { temperature: Number(draft.temperature), maxTokens: Number(draft.maxTokens), seed: Number(draft.seed) }
}

export function Settings({
  draft,
  tools,
  toolsFrom,
  problem,
  offers,
  change,
}: {
  draft: TryDraft
  /** The text of the tools box. */
  tools: string
  /** The source of the tools, for display. */
  toolsFrom: string
  problem: string | null
  offers: readonly { label: string; text: string }[]
  change: (part: Partial<TryDraft>) => void
}) {
  const id = useId()
  return (
    <aside aria-label="Answer settings" className="flex min-h-0 flex-col gap-4 overflow-y-auto p-4 text-sm">
      {NAMES.map((name) => (
        <label key={name} htmlFor={`${id}-${name}`} className="flex items-center justify-between gap-3">
          <span>
            {BOUNDS[name].label} <span className="block text-xs text-second">{BOUNDS[name].hint}</span>
          </span>
          <TextInput
            id={`${id}-${name}`}
            inputMode="decimal"
            className="w-20 text-right font-mono"
            value={draft[name]}
            onChange={(value) => change({ [name]: value })}
          />
        </label>
      ))}
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={`${id}-g`}>
          Grammar for tool calls
          <span className="block text-xs text-second">
            on: llama.cpp holds a call to the schema of its tool, which hides calls that a model cannot write; off: what it writes, read by
            Bash Gym
          </span>
        </label>
        <Switch id={`${id}-g`} checked={draft.grammar} onChange={(grammar) => change({ grammar })} />
      </div>
      <label htmlFor={`${id}-s`} className="flex flex-col gap-1">
        System message
        <TextArea id={`${id}-s`} value={draft.system} placeholder="None" onChange={(system) => change({ system })} />
      </label>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-t`}>
          Tools <span className="text-xs text-second">{toolsFrom}</span>
        </label>
        <TextArea
          id={`${id}-t`}
          className="min-h-48 font-mono text-xs!"
          value={tools}
          spellCheck={false}
          aria-invalid={problem !== null}
          placeholder="None. Enter a JSON list of function schemas."
          onChange={(text) => change({ tools: text })}
        />
        {problem ? (
          <p role="alert" className="text-xs text-bad">
            {problem}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-1">
          {offers.map(({ label, text }) => (
            <Button key={label} size="small" look="quiet" onClick={() => change({ tools: text })}>
              {label}
            </Button>
          ))}
        </div>
      </div>
    </aside>
  )
}
