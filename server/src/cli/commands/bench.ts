import path from 'node:path'
import type { z } from 'zod'
import {
  type Benchmark,
  type BenchmarkComparison,
  type BenchmarkFetched,
  type BenchmarkFigure,
  BenchmarkName,
  type BenchmarkRun,
  type BenchmarkRunPlan,
  type BenchmarkRunRequest,
} from '#contracts/entities/benchmark.ts'
import { BENCHMARK_STATE_WORDS, figureInterval, figureText } from '#contracts/benchmark-words.ts'
import { intervalText, signed } from '#contracts/exam-words.ts'
import { plural } from '#contracts/plural.ts'
import { given } from '#server/given.ts'
import { actionOf, type Command, type Connection, type Context, numberOf, textOf, UsageError } from '../command.ts'
import { formatBytes, formatNumber, formatUsd, orDash, table } from '../format.ts'
import { modelOf } from '../named-model.ts'
import { waitFor, whileFollowing } from '../wait.ts'

const ACTIONS = ['list', 'fetch', 'run', 'show', 'compare', 'cancel', 'resume'] as const
type Run = Awaited<ReturnType<Connection['client']['getBenchmarkRun']>>

export const benchCommand: Command = {
  name: 'bench',
  usage:
    'bench list | fetch NAME [--part P] | run NAME --model M [--files DIR] [--part P] [--own] [--limit N] [--samples N] [--pass-k 1,5,10] [--timeout S] [--max-tokens N] [--parallel N] [--seed N] [--max-cost USD] [--plan] | show RUN | compare RUN RUN … | cancel RUN | resume RUN [--max-cost USD]',
  summary: 'ask a model the items of public benchmarks, and score its answers here',
  help: () =>
    'A model is ID (of the registry), base:ID, PROVIDER/NAME (anthropic, nim, openai), or URL#NAME. --files names a folder or a file\n' +
    'with the set; fetch downloads it from the hub. --own: items of your own in the same format. Code of answers runs in a sandbox only.\n' +
    'resume asks again what is owed. compare takes two to six runs on the same items. --plan shows cost and receiver, and starts nothing.\n' +
    'Exit code of run and resume: 0 if every answer has a verdict, 1 otherwise.',
  options: {
    model: { type: 'string' },
    files: { type: 'string' },
    part: { type: 'string' },
    own: { type: 'boolean' },
    limit: { type: 'string' },
    samples: { type: 'string' },
    'pass-k': { type: 'string' },
    timeout: { type: 'string' },
    'max-tokens': { type: 'string' },
    parallel: { type: 'string' },
    seed: { type: 'string' },
    'max-cost': { type: 'string' },
    plan: { type: 'boolean' },
  },
  async run(context) {
    const [action, ...names] = actionOf(context, 'bench', ACTIONS, 'list')
    if (action === 'compare') return compare(context, names)
    const takes = action === 'list' ? 0 : 1
    if (names.length > takes) throw new UsageError(`Unexpected argument "${names[takes]}".`)
    if (names.length < takes)
      throw new UsageError(
        `bench ${action} needs ${action === 'fetch' || action === 'run' ? 'the name of a benchmark' : 'the id of a run'}.`,
      )
    const [name = ''] = names
    if (action === 'list') return list(context)
    if (action === 'fetch') return fetchSet(context, name)
    if (action === 'run') return start(context, name)
    return act(context, action, name)
  },
}

async function list(context: Context): Promise<void> {
  const { client } = await context.connect({ reads: true })
  const { items } = await client.listBenchmarks({})
  context.out({ items }, () =>
    [table([['name', 'title', 'items', 'licence', 'state'], ...items.map(lineOf)]), ...items.flatMap(noteOf)].join('\n'),
  )
}

const lineOf = ({ name, title, parts, set, state }: Benchmark): string[] => [
  name,
  title,
  formatNumber(parts[0]!.items),
  set.licence,
  BENCHMARK_STATE_WORDS[state] + (state === 'can_be_fetched' && set.bytes !== null ? ` (${formatBytes(set.bytes)})` : ''),
]
const noteOf = ({ name, reason, way, state }: Benchmark): string[] =>
  state === 'ready' || state === 'can_be_fetched' ? [] : [`${name}: ${[reason, way].filter((part) => part !== null).join(' ')}`]

const named = (name: string): BenchmarkName => {
  const found = BenchmarkName.safeParse(name)
  if (!found.success) throw new UsageError(`There is no benchmark "${name}". They are ${BenchmarkName.options.join(', ')}.`)
  return found.data
}

async function fetchSet(context: Context, name: string): Promise<void> {
  const connection = await context.connect()
  const body = { benchmark: named(name), ...given({ part: textOf(context.values, 'part') }) }
  const { result } = await waitFor(context, connection, await connection.client.fetchBenchmark({ body }))
  const fetched = result as BenchmarkFetched // of the job that fetches a set
  context.out(fetched, () => `${formatBytes(fetched.bytes)} in ${fetched.path}`)
}

async function start(context: Context, name: string): Promise<number> {
  const { values } = context
  const model = textOf(values, 'model')
  if (model === undefined) throw new UsageError('--model is missing: ID of the registry, PROVIDER/NAME, or URL#NAME.')
  const files = textOf(values, 'files')
  const body: z.input<typeof BenchmarkRunRequest> = {
    benchmark: named(name),
    model: modelOf(model),
    own: values['own'] === true,
    ...given({
      files: files === undefined ? undefined : path.resolve(files),
      part: textOf(values, 'part'),
      numSamples: numberOf(values, 'limit', { min: 1, isWhole: true }),
      samplesPerItem: numberOf(values, 'samples', { min: 1, max: 200, isWhole: true }),
      passK: passKOf(textOf(values, 'pass-k')),
      timeout: numberOf(values, 'timeout', { min: 1, max: 300, isWhole: true }),
      maxTokens: numberOf(values, 'max-tokens', { min: 1, max: 16_384, isWhole: true }),
      parallel: numberOf(values, 'parallel', { min: 1, max: 32, isWhole: true }),
      seed: numberOf(values, 'seed', { min: 0, isWhole: true }),
      maxCostUsd: numberOf(values, 'max-cost', { above: 0 }),
    }),
  }
  const connection = await context.connect()
  if (values['plan'] === true) {
    const plan = await connection.client.planBenchmark({ body })
    context.out(plan, () => describePlan(plan))
    return plan.refusals.length === 0 ? 0 : 1
  }
  return finish(context, connection, await connection.client.runBenchmark({ body }))
}

function passKOf(text: string | undefined): number[] | undefined {
  const ks = text?.split(',').map(Number)
  if (ks?.some((k) => !Number.isInteger(k) || k < 1) === true) throw new UsageError('--pass-k takes whole numbers, such as 1,5,10.')
  return ks
}

/** Waits for the end of a run, and prints its result. */
async function finish(context: Context, connection: Connection, begun: BenchmarkRun): Promise<number> {
  const run = await waitForRun(context, connection, begun)
  context.out(run, () => describeRun(run))
  return run.state === 'done' && run.owed === 0 ? 0 : 1
}

/** Waits for the end of a run. Ctrl+C cancels it. */
export const waitForRun = (context: Context, connection: Connection, { id }: Pick<BenchmarkRun, 'id'>): Promise<Run> =>
  whileFollowing(context, connection, async () => {
    const { client } = connection
    for (let ended = 0; ;) {
      const run = await client.getBenchmarkRun({ params: { id }, query: { waitMs: '500', ended: String(ended) } })
      if (run.state !== 'running') return run
      const verdicts = run.total - run.owed + run.counts.error
      if (verdicts !== ended) context.note(`${run.title}: ${verdicts} of ${plural(run.total, 'answer')}`)
      ended = verdicts
      if (context.signal.aborted) await client.cancelBenchmarkRun({ params: { id } })
    }
  })

async function act(context: Context, action: 'show' | 'cancel' | 'resume', id: string): Promise<number> {
  const connection = await context.connect(action === 'show' ? { reads: true } : {})
  const { client } = connection
  if (action === 'resume') {
    const body = given({ maxCostUsd: numberOf(context.values, 'max-cost', { above: 0 }) })
    return finish(context, connection, await client.resumeBenchmarkRun({ params: { id }, body }))
  }
  if (action === 'cancel') await client.cancelBenchmarkRun({ params: { id } })
  const run = await client.getBenchmarkRun({ params: { id } })
  context.out(run, () => describeRun(run))
  return 0
}

async function compare(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length < 2 || ids.length > 6) throw new UsageError('bench compare needs the ids of two to six runs.')
  const { client } = await context.connect({ reads: true })
  const comparison = await client.compareBenchmarkRuns({ query: { runs: ids.join(',') } })
  context.out(comparison, () => describeComparison(comparison))
}

const describePlan = ({
  label,
  payer,
  receiver,
  items,
  requests,
  inputTokens,
  mostOutputTokens,
  mostUsd,
  uncertainty,
  notes,
  refusals,
}: BenchmarkRunPlan): string =>
  [
    `${label}: ${plural(items, 'item')}, ${plural(requests, 'request')}, about ${formatNumber(inputTokens)} input tokens and at most ${formatNumber(mostOutputTokens)} output tokens.`,
    `Cost at most: ${orDash(mostUsd, formatUsd)}`,
    `Who pays: ${payer} The items go to ${receiver}.`,
    ...(uncertainty === null ? [] : [`The result will be uncertain by up to ±${(100 * uncertainty).toFixed(1)} points.`]),
    ...notes,
    ...refusals.map(({ message, hint }) => `It would not start: ${message}${hint === null ? '' : ` ${hint}`}`),
  ].join('\n')

const figureLine = (figure: BenchmarkFigure): string[] => [figure.name, figureText(figure), figureInterval(figure), formatNumber(figure.n)]

export function describeRun({ id, title, state, detail, label, counts, owed, costUsd, result }: Run): string {
  const { figures, interval, notScored, suspicious, contamination, notes } = result
  return [
    `${id}: ${title}, ${label}: ${state}${costUsd === null ? '' : `, ${formatUsd(costUsd)}`}.`,
    ...(detail === null ? [] : [detail]),
    ...(figures.length === 0 ? [] : [table([['figure', 'value', interval, 'items'], ...figures.map(figureLine)])]),
    `${counts.pass} right, ${counts.fail} wrong, ${counts.truncated} cut off, ${counts.timeout} out of time, ${notScored} not scored; ${owed} owed.`,
    ...(suspicious === 0 ? [] : [`${suspicious} right answers touch what their check relies on: look at them.`]),
    ...(contamination === null
      ? []
      : [
          contamination.items === null
            ? `Contamination: not verified. ${contamination.reason}`
            : `Contamination: ${contamination.items} of ${contamination.of} items are in the training data.${contamination.reason === null ? '' : ` ${contamination.reason}`}`,
        ]),
    ...notes,
  ].join('\n')
}

const describeComparison = ({ title, items, runs }: BenchmarkComparison): string =>
  [
    `${title}, ${plural(items, 'item')} that all of them answered:`,
    table([
      ['run', 'model', 'value', 'difference', '95 %', 'won', 'lost', 'tied', 'p'],
      ...runs.map(({ id, label, value, delta, low, high, wins, losses, ties, p }) => [
        id,
        label,
        orDash(value, (share) => `${(100 * share).toFixed(1)} %`),
        orDash(delta, signed),
        delta === null ? '–' : intervalText({ low, high }),
        String(wins),
        String(losses),
        String(ties),
        orDash(p, (one) => one.toPrecision(2)),
      ]),
    ]),
  ].join('\n')
