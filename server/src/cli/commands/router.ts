import type { ClientChange } from '#contracts/entities/router.ts'
import type { RouteStats, Routing } from '#contracts/entities/routing.ts'
import { GIVEN_UP } from '#contracts/router-words.ts'
import { formatUsd } from '../format.ts'
import { actionOf, type Command, enumOf, onlyOptions, UsageError } from '../command.ts'
import { routerDecisions, routerOutcome } from './router-decisions.ts'
import { routerRules, RULE_OPTIONS } from './router-rules.ts'
import { routerShadow } from './router-shadow.ts'
import { allSavings, savingsLines } from './router-savings.ts'

const SCOPES = ['terminals', 'client'] as const

export const routerCommand: Command = {
  name: 'router',
  usage:
    'router on|off|status [--scope terminals|client] | decisions | outcome ID right|wrong | resume | savings | shadow [list | judge ID better|worse|same] | rules [list | set KIND [--agent TYPE] [--model M] [--effort E] | remove KIND | on | off]',
  summary:
    'the proxy that requests of Claude Code may pass through, what it decided; what a proven model would have saved; rules for Claude’s model and effort',
  help: () =>
    'Set ANTHROPIC_BASE_URL to the printed address in the terminals that are to use it; unset it, and they are as before.\n' +
    'With --scope client the address is written into the settings of Claude Code instead, for all its sessions; `router off` takes it out again,\n' +
    'to the same bytes, and `router off --scope client` does only that.\n' +
    'While the app is closed the address does not answer. docs/guide/routing.md says what Claude Code gives up behind any such address.\n' +
    'decisions lists the newest requests with reason and outcome; outcome says of one whether its answer was right.\n' +
    'resume gives back a share that was taken back because results fell.\n' +
    'Kinds of steps for rules: turn_start (first of a turn), turn_rest (after results of tools), subagent. They need the mod, and are off by default.',
  options: { ...RULE_OPTIONS, scope: { type: 'string' } },
  async run(context) {
    const [action, ...rest] = actionOf(context, 'router', [
      'on',
      'off',
      'status',
      'decisions',
      'outcome',
      'resume',
      'savings',
      'rules',
      'shadow',
    ])
    if (action === 'shadow') {
      await routerShadow(context, rest)
      return 0
    }
    if (action === 'rules') {
      await routerRules(context, rest)
      return 0
    }
    if (action === 'decisions' || action === 'outcome') {
      const { client } = await context.connect()
      await (action === 'decisions' ? routerDecisions : routerOutcome)(context, client, rest)
      return 0
    }
    onlyOptions({ args: rest }, `router ${action}`)
    const scope = enumOf(context.values, 'scope', SCOPES)
    if (action === 'status' && scope !== undefined) throw new UsageError('--scope belongs to router on and router off.')
    const { client } = await context.connect()
    if (action === 'savings') {
      const savings = await allSavings((query) => client.getSavings({ query }), context.values['json'] === true)
      context.out(savings, () => savingsLines(savings))
      return 0
    }
    if (action === 'resume') await client.endRouteAlarm({ body: {} })
    if (action === 'on') await client.patchSettings({ body: { router: { proxy: true } } })
    const before = await client.getClientProxy({})
    const isChanging = (action === 'on' && scope === 'client' && !before.isOn) || (action === 'off' && scope !== 'terminals' && before.isOn)
    if (isChanging) await client.setClientProxy({ body: { on: action === 'on' } })
    if (action === 'off' && scope !== 'client') await client.patchSettings({ body: { router: { proxy: false } } })
    const [routing, stats, setting] = await Promise.all([client.getRouting({}), client.getRouteStats({}), client.getClientProxy({})])
    context.out({ ...routing, client: setting }, () =>
      [
        ...(isChanging ? [`Changed in ${before.settingsFile}:`, before.diff] : []),
        ...lines(routing, setting),
        ...figures(stats),
        ...(action === 'on' ? ['', ...GIVEN_UP] : []),
        ...(action === 'off' ? AFTER_OFF : []),
        ...routing.proxy.unchecked.map(
          ({ session }) => `Session ${session} lost the check of its commands: restart it with \`claude --continue\`.`,
        ),
      ].join('\n'),
    )
    return routing.proxy.problem === null ? 0 : 1
  },
}

const STRANDED =
  'New sessions of Claude Code send what they ask, and your key, to whatever program answers there: its settings have the address. To undo it: bashgym router off'

/** What the student did; nothing if it did nothing. */
function figures({ student: { answers, failed, fallbacks }, shadow, saved }: RouteStats): string[] {
  const did = answers + failed + fallbacks > 0
  return [
    ...(did ? [`Answers of the student: ${answers}, failed: ${failed}, answered by Claude instead: ${fallbacks}`] : []),
    ...(saved.usd === null
      ? []
      : [
          `At list prices Claude would have cost ${formatUsd(saved.usd)} more for the same tokens; what was wrong and done again is not taken off`,
        ]),
    ...(shadow && shadow.answers > 0 ? [`In the shadow: the same next call at ${shadow.same} of ${shadow.compared} steps`] : []),
  ]
}

const AFTER_OFF = [
  'A session that runs keeps the address until it ends: restart it with `claude --continue`.',
  'One that shows "Auto mode can\'t check actions": shift+Tab leaves auto mode, and the restart brings the check back.',
]

function lines({ proxy: { isOn, address, upstream, problem }, share, note }: Routing, setting: ClientChange): string[] {
  const student = `Share of the student: ${share === null ? 'by prompt' : `${Math.round(share * 100)} %`}. ${note}`
  if (problem !== null) return [problem, ...(setting.isOn ? [STRANDED] : []), student]
  if (!isOn) return ['The proxy is off. Terminals that still use its address: unset ANTHROPIC_BASE_URL', student]
  if (address === null)
    return [
      'The proxy is on, and opens when Bash Gym runs: npm start, or bashgym serve.',
      ...(setting.isOn
        ? ['Until then no new session of Claude Code has an API: its settings have the address. To undo it: bashgym router off']
        : []),
      student,
    ]
  if (setting.isOn)
    return [
      `The proxy passes requests on to ${upstream}, from all new sessions of Claude Code: ${setting.settingsFile} has its address.`,
      'To undo it: bashgym router off',
      student,
    ]
  return [
    `The proxy passes requests on to ${upstream}. In a terminal:`,
    `  export ANTHROPIC_BASE_URL=${address}`,
    'To undo it:',
    '  unset ANTHROPIC_BASE_URL',
    student,
  ]
}
