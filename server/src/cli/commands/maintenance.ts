import path from 'node:path'
import { variableProblems } from '#server/adapters/agent-cli/client-variables.ts'
import { type DoctorReport, RebuildResult } from '#contracts/entities/system.ts'
import { Policy } from '#contracts/entities/score.ts'
import { plural } from '#contracts/plural.ts'
import { loadConfig } from '#server/config.ts'
import { type Command, enumOf, oneArgument } from '../command.ts'
import { atLine, formatBytes, table } from '../format.ts'
import { waitFor } from '../wait.ts'

export const rebuild: Command = {
  name: 'rebuild',
  usage: 'rebuild',
  takesNoArguments: true,
  summary: 'recreate everything derived from the archive; keeps decisions, tags and notes',
  async run(context) {
    const connection = await context.connect()
    const job = await waitFor(context, connection, await connection.client.startRebuild({ body: {} }))
    const { traces, problems, errors } = RebuildResult.parse(job.result)
    for (const problem of problems) context.note(problem)
    for (const error of errors) context.note(atLine(error))
    context.out(
      job.result,
      () => `Rebuilt ${plural(traces, 'session')}${problems.length ? `; ${plural(problems.length, 'problem')}, see above` : ''}.`,
    )
    return problems.length ? 1 : 0
  },
}

export const verify: Command = {
  name: 'verify',
  usage: 'verify',
  takesNoArguments: true,
  summary: 'compare the database with the archive; changes nothing',
  async run(context) {
    const report = await (await context.connect()).client.verifyArchive({ body: {} })
    context.out(report, () =>
      [
        `${report.ok ? 'No problems' : plural(report.problems.length, 'problem')}: ${plural(report.checked.traces, 'session')}, ${plural(report.checked.records, 'record')}, ${formatBytes(report.checked.bytes)} checked.`,
        ...report.problems.map(({ kind, where, message, fix }) => `${kind}: ${where}: ${message} ${fix}`),
      ].join('\n'),
    )
    return report.ok ? 0 : 1
  },
}

export const backup: Command = {
  name: 'backup',
  usage: 'backup FILE',
  summary: 'write database, archive, data sets and their keys to one tar file (never the token, logs or environment)',
  async run(context) {
    const file = path.resolve(oneArgument(context, 'The backup file'))
    const result = await (await context.connect()).client.createBackup({ body: { file } })
    context.out(result, () => `${result.file}: ${formatBytes(result.bytes)} in ${plural(result.files, 'file')}.`)
  },
}

export const doctor: Command = {
  name: 'doctor',
  usage: 'doctor',
  takesNoArguments: true,
  summary: 'check what this machine has: Claude Code, hooks, disk, Python, GPU and more',
  async run(context) {
    const report = withTerminal(await (await context.connect()).client.getDoctor({}))
    context.out(report, () =>
      table(
        report.checks.map(({ name, state, version, neededFor, detail, fix }) => [
          name,
          state,
          version ?? '–',
          neededFor,
          [detail, state === 'found' ? null : fix].filter(Boolean).join(' '),
        ]),
      ),
    )
    return report.ok ? 0 : 1
  },
}

/** Adds the variables of this terminal, which a server does not see. */
function withTerminal({ ok, checks }: DoctorReport): DoctorReport {
  const problems = variableProblems(loadConfig().claudeVariables, 'this terminal')
  if (problems.length === 0) return { ok, checks }
  const fails = problems.some(({ fails: one }) => one)
  const check = {
    name: 'Variables of this terminal',
    state: fails ? ('problem' as const) : ('warning' as const),
    version: null,
    neededFor: 'the safety checks of Claude Code in auto mode',
    detail: problems.map(({ message }) => message).join(' '),
    fix: 'Unset it before you start Claude Code.',
  }
  return { ok: ok && !fails, checks: [...checks, check] }
}

export const rescore: Command = {
  name: 'rescore',
  usage: 'rescore [--policy thresholds|verified_first] [--dry-run]',
  takesNoArguments: true,
  summary: 'score every trace with the current rules; shows how many change tier',
  options: { policy: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run(context) {
    const connection = await context.connect()
    const policy = enumOf(context.values, 'policy', Policy.options)
    const job = await connection.client.startRescore({
      body: { ...(policy ? { policy } : {}), dryRun: context.values['dry-run'] === true },
    })
    const { result } = await waitFor(context, connection, job)
    const preview = result as { scored: number; moving: number; moves: { from: string; to: string; count: number }[] } // the route's RescorePreview
    context.out(preview, () =>
      [
        `${preview.moving} of ${preview.scored} traces ${context.values['dry-run'] === true ? 'would change' : 'changed'} tier.`,
        ...preview.moves.map(({ from, to, count }) => `  ${from} → ${to}: ${count}`),
      ].join('\n'),
    )
  },
}
