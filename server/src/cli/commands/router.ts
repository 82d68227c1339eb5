import type { RouteStats, Routing } from '#contracts/entities/routing.ts'
import { actionOf, type Command, onlyOptions } from '../command.ts'
import { routerRules, RULE_OPTIONS } from './router-rules.ts'
import { allSavings, savingsLines } from './router-savings.ts'

export const routerCommand: Command = {
  name: 'router',
  usage: 'router on|off|status|resume|savings|rules [list | set KIND [--agent TYPE] [--model M] [--effort E] | remove KIND | on | off]',
  summary:
    'the proxy that requests of Claude Code may pass through; what a proven model would have saved; rules for Claude’s model and effort',
  help: () =>
    'Set ANTHROPIC_BASE_URL to the printed address in the terminals that are to use it; unset it, and they are as before.\n' +
    'While the app is closed the address does not answer. docs/guide/routing.md says what Claude Code gives up behind any such address.\n' +
    'Kinds of steps for rules: turn_start (first of a turn), turn_rest (after results of tools), subagent. They need the mod, and are off by default.',
  options: RULE_OPTIONS,
  async run(context) {
    const [action, ...rest] = actionOf(context, 'router', ['on', 'off', 'status', 'resume', 'savings', 'rules'])
    if (action === 'rules') {
      await routerRules(context, rest)
      return 0
    }
    onlyOptions({ args: rest }, `router ${action}`)
    const { client } = await context.connect()
    if (action === 'savings') {
      const savings = await allSavings((query) => client.getSavings({ query }), context.values['json'] === true)
      context.out(savings, () => savingsLines(savings))
      return 0
    }
    if (action === 'resume') await client.endRouteAlarm({ body: {} })
    if (action === 'on' || action === 'off') await client.patchSettings({ body: { router: { proxy: action === 'on' } } })
    const [routing, stats] = await Promise.all([client.getRouting({}), client.getRouteStats({})])
    context.out(routing, () => [...lines(routing), ...figures(stats)].join('\n'))
    return routing.proxy.problem === null ? 0 : 1
  },
}

/** What the student did; nothing if it did nothing. */
function figures({ student: { answers, failed, fallbacks }, shadow }: RouteStats): string[] {
  const did = answers + failed + fallbacks > 0
  return [
    ...(did ? [`Answers of the student: ${answers}, failed: ${failed}, answered by Claude instead: ${fallbacks}`] : []),
    ...(shadow && shadow.answers > 0 ? [`In the shadow: the same next call at ${shadow.same} of ${shadow.compared} steps`] : []),
  ]
}

function lines({ proxy: { isOn, address, upstream, problem }, share, note }: Routing): string[] {
  const student = `Share of the student: ${share === null ? 'by prompt' : `${Math.round(share * 100)} %`}. ${note}`
  if (problem !== null) return [problem, student]
  if (!isOn) return ['The proxy is off. Terminals that still use its address: unset ANTHROPIC_BASE_URL', student]
  if (address === null) return ['The proxy is on, and opens when Bash Gym runs: npm start, or bashgym serve.', student]
  return [
    `The proxy passes requests on to ${upstream}. In a terminal:`,
    `  export ANTHROPIC_BASE_URL=${address}`,
    'To undo it:',
    '  unset ANTHROPIC_BASE_URL',
    student,
  ]
}
