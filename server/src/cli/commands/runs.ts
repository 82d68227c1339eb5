import { type Run, RunLogLine } from '#contracts/entities/run.ts'
import { given } from '#server/given.ts'
import { teacherWords } from '#contracts/teacher-words.ts'
import { plural } from '#contracts/plural.ts'
import { actionOf, allPages, type Command, type Context, numberOf, oneArgument, onlyOptions, textOf } from '../command.ts'
import { formatBytes, formatFigure, formatNumber, formatPercent, orDash, table } from '../format.ts'
import { showMatrix } from './train-matrix.ts'

const ACTIONS = ['list', 'show', 'pause', 'resume', 'cancel', 'logs', 'delete', 'matrix'] as const

export const runs: Command = {
  name: 'runs',
  usage:
    'runs [list [--query Q]] | show ID | pause ID | resume ID | cancel ID [--keep] | logs ID [--query Q] [--limit N] [--follow] | delete ID | matrix ID [--cancel [--keep]]',
  summary:
    'training runs: list, show, pause, resume, cancel (--keep saves the model so far), read the log (--follow prints new lines until the run ends), delete; matrix shows the runs of `train --matrix` as a table, --cancel cancels the unfinished ones',
  options: {
    keep: { type: 'boolean' },
    query: { type: 'string' },
    limit: { type: 'string' },
    cancel: { type: 'boolean' },
    follow: { type: 'boolean' },
  },
  async run(context) {
    const [action, ...args] = actionOf(context, 'runs', ACTIONS, 'list')
    const inner = { ...context, args }
    if (action === 'list') return list(inner)
    const id = oneArgument(inner, 'The run id')
    if (action === 'logs') return logs(context, id)
    if (action === 'matrix') return showMatrix(context, id)
    const { client } = await context.connect({ reads: action === 'show' })
    const params = { id }
    if (action === 'delete') {
      const { freedBytes } = await client.deleteRun({ params })
      context.out({ freedBytes }, () => `Deleted; ${formatBytes(freedBytes)} freed.`)
      return 0
    }
    const run =
      action === 'show'
        ? await client.getRun({ params })
        : action === 'pause'
          ? await client.pauseRun({ params })
          : action === 'resume'
            ? await client.resumeRun({ params })
            : await client.cancelRun({ params, body: { keepCheckpoint: context.values['keep'] === true } })
    context.out(run, () => textOfRun(run))
    return 0
  },
}

const progress = ({ step, totalSteps }: Run) => `step ${formatNumber(step)}${totalSteps === null ? '' : ` of ${formatNumber(totalSteps)}`}`

async function list(context: Context): Promise<number> {
  onlyOptions(context, 'runs list')
  const { client } = await context.connect({ reads: true })
  const q = textOf(context.values, 'query')
  const items = await allPages((page) => client.listRuns({ query: { ...page, ...(q !== undefined && { q }) } }))
  context.out({ items }, () =>
    items.length === 0
      ? 'No runs yet. Run `bashgym train` to start one.'
      : table(items.map((run) => [run.id, run.name, run.state, run.strategy, progress(run), `loss ${orDash(run.loss, formatFigure)}`])),
  )
  return 0
}

const textOfRun = (run: Run): string =>
  [
    `${run.name} (${run.id}): ${run.state}${run.phase === null ? '' : `, ${run.phase}`}, ${progress(run)}`,
    `${run.strategy} of ${run.baseModel} on ${run.datasetName ?? 'a file'}; loss ${orDash(run.loss, formatFigure)}, ${orDash(run.tokensPerSec, (rate) => `${formatNumber(Math.round(rate))} tokens/s`)}`,
    ...callsOf(run),
    ...(run.teacherAnswers === null ? [] : [teacherWords(run.teacherAnswers)]),
    ...run.health.map(({ message }) => message),
    ...(run.error === null ? [] : [run.error.message]),
    run.folder,
  ].join('\n')

const CALL_METRICS = { eval_arg_f1: 'argument F1', eval_exact_call: 'exact', eval_tool_name: 'right tool', eval_call_parse: 'readable', eval_text_or_call: 'correct choice of call or text', eval_stopped: 'stopped without a limit' } // prettier-ignore

/** Figures of held-out calls, with the base model's in brackets; or why there are no figures. */
function callsOf({ nextCalls: calls, metrics }: Run): string[] {
  if (calls === null) return []
  if (calls.reason !== null) return [`held-out calls: not measured. ${calls.reason}`]
  const figures = Object.entries(CALL_METRICS).flatMap(([name, word]) =>
    typeof metrics[name] === 'number'
      ? [`${word} ${formatPercent(metrics[name])} (base ${orDash(calls.base?.[name], formatPercent)})`]
      : [],
  )
  return figures.length === 0
    ? []
    : [`held-out calls: ${figures.join(', ')}; ${plural(calls.answers, 'answer')}, ${calls.withCalls} of them calls`]
}

async function logs(context: Context, id: string): Promise<number> {
  const limit = numberOf(context.values, 'limit', { min: 1, max: 5000, isWhole: true })
  const { client } = await context.connect()
  const query = given({ limit, q: textOf(context.values, 'query') })
  if (context.values['follow'] === true) return followLogs(context, (await client.getRunLogs({ params: { id }, query: { ...query, follow: 'true' } })) as unknown as Response) // prettier-ignore
  const found = await client.getRunLogs({ params: { id }, query })
  context.out(found, () => found.lines.map(({ text }) => text).join('\n'))
  return 0
}

/** Prints each line when the run writes it, until the run ends. */
async function followLogs(context: Context, { body }: Response): Promise<number> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    const parts = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n')
    rest = parts.pop()!
    for (const part of parts) {
      const line = RunLogLine.parse(JSON.parse(part))
      if (context.json) context.line(line)
      else context.out(line, () => line.text)
    }
  }
  return 0
}
