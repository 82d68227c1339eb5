import type { z } from 'zod'
import { heldoutOf, OTHER_ANSWERS, otherAnswers } from '#contracts/heldout.ts'
import type { MatrixValues } from '#contracts/entities/matrix-values.ts'
import type { MatrixRequest, RunMatrix } from '#contracts/entities/run-matrix.ts'
import type { Run } from '#contracts/entities/run.ts'
import type { startMatrix as startRoute } from '#contracts/routes/training-matrix.ts'
import { plural } from '#contracts/plural.ts'
import type { Connection, Context } from '../command.ts'
import { formatBytes, formatDuration, formatFigure, formatNumber, formatPercent, orDash, table } from '../format.ts'

/** Prints every combination with its steps, time and refusals. Returns 1 if one is refused. */
export async function printMatrixPlan(context: Context, { client }: Connection, body: MatrixRequest): Promise<number> {
  const plan = await client.planMatrix({ body })
  const timeOf = (seconds: { low: number; high: number } | null) =>
    seconds === null ? 'time not measured yet' : `${formatDuration(seconds.low * 1000)} to ${formatDuration(seconds.high * 1000)}`
  context.out(plan, () =>
    [
      `${plural(plan.runs.length, 'run')}, ${plan.startable === plan.runs.length ? 'all' : plan.startable} can start; together ${timeOf(plan.seconds)}, ${plan.diskBytes === null ? 'disk use not known' : `about ${formatBytes(plan.diskBytes)} of disk`}.`,
      table(plan.runs.map(({ name, steps, seconds }) => [name, `${orDash(steps, formatNumber)} steps`, timeOf(seconds)])),
      ...plan.runs.flatMap(({ name, refusals }) => refusals.map(({ message, hint }) => `refusal: ${name}: ${message}${hint === null ? '' : ` ${hint}`}`)),
    ].join('\n'),
  ) // prettier-ignore
  return plan.startable === plan.runs.length ? 0 : 1
}

export async function startMatrix(context: Context, { client }: Connection, body: z.input<typeof startRoute.body>): Promise<number> {
  const matrix = await client.startMatrix({ body })
  context.out(matrix, () =>
    [
      `${formatNumber(matrix.runs.length)} runs are queued (${matrix.id}). Run \`bashgym runs matrix ${matrix.id}\` to compare them; add --cancel to cancel them.`,
      ...matrix.runs.map(({ id, name }) => `${id}  ${name}`),
    ].join('\n'),
  )
  return 0
}

/** Prints the varied settings and the results of each run. */
export async function showMatrix(context: Context, id: string): Promise<number> {
  const { client } = await context.connect()
  const isKept = context.values['keep'] === true
  const matrix =
    context.values['cancel'] === true
      ? await client.cancelMatrix({ params: { id }, body: { keepCheckpoint: isKept } })
      : await client.getMatrix({ params: { id } })
  context.out(matrix, () => tableOf(matrix))
  return 0
}

function tableOf({ runs }: RunMatrix): string {
  const names = Object.keys(runs[0]?.matrix?.values ?? {})
  const header = ['run', ...names, 'state', 'steps', 'loss', 'eval loss', 'reward', 'held-out success', 'time']
  return table([header, ...runs.map((run) => rowOf(run, runs, names))])
}

function rowOf(run: Run, runs: readonly Run[], names: readonly string[]): string[] {
  const heldout = heldoutOf(run.metrics)
  const values: MatrixValues = run.matrix?.values ?? {}
  const compared = (name: string, text: string) => (otherAnswers(name, runs).has(run.id) ? OTHER_ANSWERS : text)
  return [
    run.id,
    ...names.map((name) => String(values[name])),
    run.state,
    `${formatNumber(run.step)}${run.totalSteps === null ? '' : `/${formatNumber(run.totalSteps)}`}`,
    orDash(run.loss, formatFigure),
    compared('eval_loss', orDash(run.evalLoss, formatFigure)),
    orDash(run.metrics['reward'], formatFigure),
    compared(
      'heldout_success_rate',
      orDash(heldout, ({ rate, low, high, n }) => `${formatPercent(rate)} (${formatPercent(low)} to ${formatPercent(high)}, n = ${formatNumber(n)})`),
    ),
    orDash(run.trainSec, (seconds) => formatDuration(seconds * 1000)),
  ] // prettier-ignore
}
