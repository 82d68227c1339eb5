import type { Telemetry } from '#contracts/entities/telemetry.ts'
import { plural } from '#contracts/plural.ts'
import type { Command } from '../command.ts'
import { formatNumber, table } from '../format.ts'

export const telemetryCommand: Command = {
  name: 'telemetry',
  usage: 'telemetry',
  summary: 'where telemetry of Claude Code comes in, where spans are sent, and how that goes',
  help: () => 'Both are off by default: Settings → Telemetry switches them on. Counts are those since the server started.',
  options: {},
  async run(context) {
    const { client } = await context.connect()
    const telemetry = await client.getTelemetry({})
    context.out(telemetry, () => [...describeIn(telemetry.in), '', ...describeOut(telemetry.out)].join('\n'))
  },
}

function describeIn({ isOn, address, problem, variables, ...came }: Telemetry['in']): string[] {
  if (!isOn) return ['in: off']
  if (address === null) return [`in: ${problem ?? 'not open'}`]
  return [
    `in: ${address}`,
    `${plural(came.spans, 'span')} and ${plural(came.requests, 'request')} stored, ${formatNumber(came.repeated)} had come before, ${plural(came.refused, 'message')} refused`,
    'For Claude Code:',
    ...variables.flatMap(({ name, value, isContent }) => (isContent ? [] : [`  export ${name}='${value}'`])),
  ]
}

function describeOut(out: Telemetry['out']): string[] {
  if (out.length === 0) return ['out: no collector, so nothing is sent']
  const rows = out.map(({ kind, url, sent, queued, dropped, notSampled, problem }) => [
    kind,
    url,
    ...[sent, queued, dropped, notSampled].map(formatNumber),
    problem ?? '',
  ])
  return [table([['out', 'address', 'sent', 'waiting', 'dropped', 'not sampled', ''], ...rows])]
}
