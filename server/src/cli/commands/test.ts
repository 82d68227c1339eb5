import fs from 'node:fs'
import path from 'node:path'
import { notVerified } from '#contracts/check-words.ts'
import { type BulkChecks, type CheckedPart, type CheckReport, verdictOf } from '#contracts/entities/check.ts'
import { TraceId } from '#contracts/entities/common.ts'
import { AppError } from '#contracts/errors.ts'
import { plural } from '#contracts/plural.ts'
import { type Command, type Connection, type Context, textOf, UsageError } from '../command.ts'
import { formatDuration } from '../format.ts'
import { waitFor } from '../wait.ts'

const MAX_LISTED = 20

export const testCommand: Command = {
  name: 'test',
  usage: 'test [DIR|TRACE] [--query Q] [--command C] [--timeout S]',
  summary: "run a project's own checks on a copy of it in a sandbox without network",
  help: () =>
    'Exit code 0: they passed, or there are none (with a note); 1: a test failed, or the result is not verified.\n' +
    '--query checks the files as each matching session left them (same filter as `bashgym traces`).\n' +
    'The copy has everything in DIR except .git. --command replaces the detected check; --timeout is in seconds (default 600).',
  options: { query: { type: 'string' }, command: { type: 'string' }, timeout: { type: 'string' } },
  async run(context) {
    const query = textOf(context.values, 'query')
    const [target = '.', ...rest] = context.args
    if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}": test takes one folder.`)
    const timeout = textOf(context.values, 'timeout')
    const timeoutSec = timeout === undefined ? undefined : Number(timeout)
    if (timeoutSec !== undefined && !(Number.isInteger(timeoutSec) && timeoutSec >= 1 && timeoutSec <= 3600))
      throw new UsageError('--timeout must be a number of seconds from 1 to 3600.')
    const command = textOf(context.values, 'command')
    if (query !== undefined) {
      if (context.args.length > 0 || command !== undefined) throw new UsageError('--query takes neither a folder nor --command.')
      return checkMany(context, query, timeoutSec)
    }
    const connection = await context.connect()
    const body = { ...(command !== undefined && { command }), ...(timeoutSec !== undefined && { timeoutSec }) }
    const traceId = fs.existsSync(target) ? null : await traceNamed(connection, target)
    const job =
      traceId !== null
        ? await connection.client.checkTrace({ params: { id: traceId }, body })
        : await connection.client.runChecks({ body: { directory: path.resolve(target), ...body } })
    const { result } = await waitFor(context, connection, job)
    const report = result as CheckReport // the result type of this job
    context.out(report, () => describe(report))
    return report.status === 'passed' || report.status === 'none' ? 0 : 1
  },
}

/** The session that a text is the id of, or the beginning of its id; null if it is the name of a folder. */
async function traceNamed({ client }: Connection, text: string): Promise<string | null> {
  if (TraceId.safeParse(text).success) return text
  if (!/^[a-z2-7]{6,25}$/.test(text)) return null
  try {
    return (await client.getTrace({ params: { id: text } })).id
  } catch (error) {
    if (error instanceof AppError && error.code === 'trace_not_found') return null
    throw error
  }
}

/** Runs the checks of all sessions that match a filter. */
async function checkMany(context: Context, q: string, timeoutSec: number | undefined): Promise<number> {
  const connection = await context.connect()
  const body = { selection: { filter: { q } }, ...(timeoutSec !== undefined && { timeoutSec }) }
  const { result } = await waitFor(context, connection, await connection.client.checkTraces({ body }))
  const checked = result as BulkChecks // the result type of this job
  context.out(checked, () => describeMany(checked))
  return checked.failed + checked.error + checked.notRun > 0 ? 1 : 0
}

function describeMany({ traces, passed, failed, error, none, notRestorable, notRun, scored, problems }: BulkChecks): string {
  return [
    `${plural(traces, 'session')}: ${passed} passed, ${failed} failed, ${error} not verified, ${none} without checks, ${notRestorable} not restorable, ${notRun} not run`,
    `${scored} results are used by scores.`,
    ...problems.slice(0, MAX_LISTED).map(({ traceId, message }) => `  ${traceId}: ${message}`),
    ...(problems.length > MAX_LISTED ? [`  and ${problems.length - MAX_LISTED} more`] : []),
  ].join('\n')
}

function restoredWords({ commit, isInferred, applied, mayMiss }: NonNullable<CheckReport['restored']>): string[] {
  return [
    `Checked as the session left it: commit ${commit.slice(0, 10)}${isInferred ? ' (the newest before the session)' : ''}${applied > 0 ? ` and ${applied} file changes` : ''}.`,
    ...(mayMiss ? ['Later file changes by shell commands are not restored.'] : []),
  ]
}

const WORDS = { passed: 'passed', failed: 'failed', not_verified: 'not verified' } as const

/** The last line of a Python traceback has its error; other messages begin with it. */
const lineOf = (message: string) => message.split('\n').at(message.startsWith('Traceback') ? -1 : 0)!

const partWords = ({ folder, command, status, passed, total, reason }: CheckedPart): string =>
  `  ${folder || '.'}: ${status}: ${command}${total === null ? '' : `, ${passed} of ${total} passed`}${reason === null ? '' : `. ${reason}`}`

function describe(report: CheckReport): string {
  const { status, reason, runner, command, passed, total, tests, outputTail, durationMs, parts, others, restored, before } = report
  const { knownFailures, newFailures } = report
  const counts = total === null ? (runner === null ? '' : ', by its exit code') : `, ${passed} of ${total} passed`
  const bad = tests.filter(({ name, outcome }) => (outcome === 'failed' || outcome === 'error') && !knownFailures.includes(name))
  return [
    `${WORDS[verdictOf(status)]}${runner === null ? '' : `: ${parts.length > 0 ? plural(parts.length, 'folder') : `${runner} (${command})`}`}${counts}, ${formatDuration(durationMs)}`,
    ...(reason === null ? [] : [status === 'failed' ? reason : notVerified(reason)]),
    ...parts.map(partWords),
    ...(newFailures.length > 0 ? ['New failures, which passed before:'] : []),
    ...bad.slice(0, MAX_LISTED).map(({ name, message }) => `  ${name}${message === null ? '' : `: ${lineOf(message)}`}`),
    ...(bad.length > MAX_LISTED ? [`  and ${bad.length - MAX_LISTED} more`] : []),
    ...(status === 'error' || (status === 'failed' && bad.length === 0) ? [outputTail.trimEnd()] : []),
    ...(knownFailures.length > 0 ? ['Known failures, which failed before as well and do not count:'] : []),
    ...knownFailures.slice(0, MAX_LISTED).map((name) => `  ${name}`),
    ...(before === null || before.total === null ? [] : [`Before: ${before.passed} of ${before.total} passed.`]),
    ...(restored === null ? [] : restoredWords(restored)),
    ...[...(restored?.missing ?? []), ...report.missing].map(
      ({ file, kind, reason: why }) =>
        `  ${kind === 'package' || kind === 'service' ? 'not in the sandbox' : 'not restored'}: ${file}${kind === 'package' ? '' : ':'} ${why}`,
    ),
    ...(others.length > 0 ? ['Found and not run:'] : []),
    ...others.map((one) => `  ${one.command} (${one.because})${one.reason === null ? '' : `: ${one.reason}`}`),
  ].join('\n')
}
