import type { StepRulesPrice } from '#contracts/entities/step-rules.ts'
import { plural } from '#contracts/plural.ts'
import { StepEffort, StepKind, type StepRule } from '#contracts/settings/router.ts'
import { ruleWords, withoutRule, withRule } from '#contracts/step-rules.ts'
import { actionOf, type Context, enumOf, textOf, UsageError } from '../command.ts'
import { formatUsd, orDash } from '../format.ts'

const CENT = 0.01
const ACTIONS = ['list', 'set', 'remove', 'on', 'off'] as const
export const RULE_OPTIONS = { model: { type: 'string' }, effort: { type: 'string' }, agent: { type: 'string' } } as const

/** `router rules …`: shows and changes the rules for Claude's own steps. */
export async function routerRules(context: Context, args: readonly string[]): Promise<void> {
  const [action, kind, ...more] = actionOf({ args: [...args] }, 'router rules', ACTIONS, 'list')
  if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
  const isOfOne = action === 'set' || action === 'remove'
  if (!isOfOne && kind !== undefined) throw new UsageError(`Unexpected argument "${kind}".`)
  const change = isOfOne ? changeOf(context, action, kind) : null
  const { client } = await context.connect()
  const { settings } = await client.getSettings({})
  if (change) await client.patchSettings({ body: { router: { rules: change(settings.router.rules) } } })
  else if (action !== 'list') await client.patchSettings({ body: { router: { rulesOn: action === 'on' } } })
  const price = await client.priceStepRules({ body: {} })
  context.out(price, () => lines(price).join('\n'))
}

/** Reads the options before anything is asked. */
function changeOf(context: Context, action: 'set' | 'remove', kind: string | undefined): (rules: readonly StepRule[]) => StepRule[] {
  const when = StepKind.options.find((one) => one === kind)
  if (!when) throw new UsageError(`Name the kind of steps: ${StepKind.options.join(', ')}.`)
  const agentType = textOf(context.values, 'agent') ?? ''
  if (agentType !== '' && when !== 'subagent') throw new UsageError('--agent is for the kind subagent only.')
  const isIt = (rule: StepRule) => rule.when === when && rule.agentType === agentType
  if (action === 'remove')
    return (rules) => {
      if (!rules.some(isIt)) throw new UsageError('There is no such rule. `bashgym router rules list` shows them.')
      return withoutRule(rules, { when, agentType })
    }
  const model = textOf(context.values, 'model') ?? ''
  const effort = enumOf(context.values, 'effort', StepEffort.options) ?? null
  if (model === '' && effort === null) throw new UsageError('Name a --model, an --effort, or both.')
  const rule = { when, agentType, model, effort }
  return (rules) => withRule(rules, rule)
}

function lines({ sessions, steps, leftOut, recordedUsd, withoutUsd, withUsd, switchUsd, rules, isOn, problem }: StepRulesPrice): string[] {
  if (rules.length === 0) return [`No rules; they are ${isOn ? 'on' : 'off'}. Add one: bashgym router rules set turn_rest --effort low`]
  const difference = (usd: number) => (usd < 0 ? `${formatUsd(-usd)} less` : `${formatUsd(usd)} more`)
  return [
    `The rules are ${isOn ? 'on' : 'off: bashgym router rules on'}.`,
    ...(problem === null ? [] : [problem]),
    ...rules.map(
      ({ rule, steps: fitting, usd }) =>
        `  ${ruleWords(rule)}: ${plural(fitting, 'step')}, ${usd === null ? (rule.effort === null ? 'not priced' : 'what another effort saves was not measured') : `would have cost ${difference(usd)}`}`,
    ),
    sessions === 0
      ? 'No past session has what a price needs: times, counts and prices.'
      : `${plural(sessions, 'session')} with ${plural(steps, 'step')} would have cost ${orDash(withUsd, formatUsd)} instead of ${orDash(withoutUsd, formatUsd)}${switchUsd === null || switchUsd < CENT ? '' : `, of that ${difference(switchUsd)} because a change of model leaves a cold cache`}, by a simulation of the cache. They did cost ${orDash(recordedUsd, formatUsd)}.`,
    ...(leftOut > 0 ? [`${plural(leftOut, 'session')} left out: without times, counts or prices.`] : []),
  ]
}
