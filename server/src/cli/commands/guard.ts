import path from 'node:path'
import {
  type GuardCheck,
  GuardProfile,
  type GuardrailEvent,
  type GuardSweep,
  type GuardTaint,
  TextDirection,
} from '#contracts/entities/guardrail.ts'
import type { InstalledPart } from '#contracts/entities/installed.ts'
import { plural } from '#contracts/plural.ts'
import { allPages, type Command, type Context, enumOf, oneArgument, onlyOptions, textOf, UsageError } from '../command.ts'
import { waitFor } from '../wait.ts'
import { GUARD_CLIENT_USAGE, guardClient } from './guard-client.ts'
import { type ByteStreams, toText } from './redact.ts'

const MODES = ['text', 'events', 'sessions', 'installed'] as const

export const guardCommand = (bytes: ByteStreams): Command => ({
  name: 'guard',
  usage: `guard "CMD" [--profile ${GuardProfile.options.join('|')}] [--cwd DIR] | guard --text [--direction ${TextDirection.options.join('|')}] | guard --events | guard --sessions | guard --installed | ${GUARD_CLIENT_USAGE}`,
  summary: 'show whether guardrails allow a shell command, or what a text from stdin (--text) tells a model; exits 1 if it is blocked',
  help: () =>
    'Nothing is run and nothing is stored.\n--events lists what guardrails warned about and blocked.\n--sessions checks the commands and tool results of captured sessions that are new since the last time, and lists commands whose words came from the result of a tool.\n--installed lists skills, MCP servers, plugins, mods, hooks, sub-agents and commands of your Claude Code, with what they declare.\nclient on refuses in Claude Code what the rules block, asks about what they warn about, and tests that in the installed version (client test does it again); observe only lists it. --unchecked says what happens to a command that cannot be checked, as while the app is closed.',
  options: {
    profile: { type: 'string' },
    cwd: { type: 'string' },
    direction: { type: 'string' },
    text: { type: 'boolean' },
    events: { type: 'boolean' },
    sessions: { type: 'boolean' },
    unchecked: { type: 'string' },
    installed: { type: 'boolean' },
  },
  async run(context) {
    if (context.args[0] === 'client' && context.args.length > 1) return guardClient(context)
    const chosen = MODES.filter((mode) => context.values[mode] === true)
    if (chosen.length > 1) throw new UsageError(`Use one of --${MODES.join(', --')}.`)
    if (chosen[0] === 'events') return events(context)
    if (chosen[0] === 'sessions') return sessions(context)
    if (chosen[0] === 'installed') return installed(context)
    const isText = chosen[0] === 'text'
    if (isText) onlyOptions(context, 'guard --text')
    const command = isText ? '' : oneArgument(context, 'The command')
    const { client } = await context.connect({ reads: true }) // before stdin is read: it may start this program again
    const source = isText ? toText(await bytes.read()) : command
    const body = isText ? textBody(context, source) : commandBody(context, source)
    const result = await client.checkGuardrails({ body })
    context.out(result, () => describe(source, result))
    return result.passed ? 0 : 1
  },
})

const textBody = ({ values }: Context, text: string) => ({
  text,
  direction: enumOf(values, 'direction', TextDirection.options) ?? ('tool_result' as const),
})

const commandBody = ({ values }: Context, command: string) => ({
  command,
  profile: enumOf(values, 'profile', GuardProfile.options) ?? ('native' as const),
  cwd: path.resolve(textOf(values, 'cwd') ?? '.'),
})

async function events(context: Context): Promise<void> {
  onlyOptions(context, 'guard --events')
  const { client } = await context.connect({ reads: true })
  const items = await allPages((query) => client.listGuardrailEvents({ query }))
  context.out({ items }, () => (items.length === 0 ? 'No events.' : items.map(lineOf).join('\n')))
}

const lineOf = ({ at, verdict, action, source, rule, excerpt }: GuardrailEvent) =>
  `${at}  ${verdict} (${action}, ${source})  ${rule}  ${oneLine(excerpt)}`

async function sessions(context: Context): Promise<void> {
  onlyOptions(context, 'guard --sessions')
  const connection = await context.connect()
  const job = await waitFor(context, connection, await connection.client.startGuardrailSweep({ body: {} }))
  const report = job.result as GuardSweep // of a job of this kind
  const taint = await allPages((query) => connection.client.listGuardrailTaint({ query }))
  context.out({ ...report, taint }, () =>
    [
      `${plural(report.sessions, 'session')} checked, ${plural(report.events, 'event')}${report.failed > 0 ? `, ${report.failed} could not be read` : ''}.`,
      ...(taint.length > 0 ? ['', 'Commands with words that neither the user nor the model wrote first:'] : []),
      ...taint.map(lineOfTaint),
    ].join('\n'),
  )
}

const lineOfTaint = ({ traceId, command, denied, words, from, tool, line }: GuardTaint) =>
  `${traceId}  ${oneLine(command)}${denied ? ' (denied)' : ''}\n  ${words.map(({ text }) => text).join(', ')}  first in ${oneLine(from)} (${tool}): ${oneLine(line)}`

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

async function installed(context: Context): Promise<void> {
  onlyOptions(context, 'guard --installed')
  const { client } = await context.connect()
  const found = await client.listInstalled()
  context.out(found, () =>
    [
      ...found.items.map(lineOfPart),
      ...found.problems.map(({ file, message }) => `not read  ${file}: ${message}`),
      `${plural(found.items.length, 'part')} in ${found.profiles.join(', ')} and ${plural(found.projects, 'project')}.`,
    ].join('\n'),
  )
}

const lineOfPart = ({ kind, name, scope, plugin, project, from, change, enabled, may, uses }: InstalledPart) =>
  [
    kind.replace('_', ' '),
    oneLine(name) + (change === null ? '' : ` (${change})`) + (enabled === false ? ' (off)' : ''),
    [scope, plugin === null ? null : `plugin ${plugin}`, project, from].filter((text) => text !== null).join(', '),
    uses === null ? 'use not measured' : `${plural(uses.calls, 'use')} in ${plural(uses.sessions, 'session')}`,
    ...may.map(oneLine),
  ].join('  ')

const LONGEST_PART = 500

const describe = (source: string, { verdict, rule, spans, score, reason, alternatives, moderation, unchecked }: GuardCheck) =>
  [
    rule === null
      ? verdict === 'allow'
        ? 'allow: no rule matched'
        : `not checked: ${reason}`
      : `${verdict}: ${reason} (rule ${rule}${score === null ? '' : `, score ${score}`})`,
    ...spans.map(({ start, end }) => `  ${source.slice(start, Math.min(end, start + LONGEST_PART))}`),
    ...alternatives.map((alternative) => `Instead: ${alternative}`),
    ...(moderation ? [`Moderation: ${moderation.verdict.replace('_', ' ')}. ${moderation.reason}`] : []),
    ...notLookedFor(unchecked.filter((type) => type !== 'moderation')),
  ].join('\n')

const notLookedFor = (types: GuardCheck['unchecked']) => (types.length > 0 ? [`Not checked: ${types.join(', ')}.`] : [])
