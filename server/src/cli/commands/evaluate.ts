import { BenchmarkName } from '#contracts/entities/benchmark.ts'
import { given } from '#server/given.ts'
import { type Command, listOf, numberOf, UsageError } from '../command.ts'
import { describeRun, waitForRun } from './bench.ts'

export const evaluateCommand: Command = {
  name: 'evaluate',
  usage: 'evaluate MODEL [--benchmark NAME …] [--limit N]',
  summary: 'run every benchmark that is ready here on a model of the registry',
  help: () => 'What is not run is named with the reason. Exit code: 0 if every answer of every run has a verdict, 1 otherwise.',
  manyValues: true,
  options: { benchmark: { type: 'string', multiple: true }, limit: { type: 'string' } },
  async run(context) {
    const [id, ...more] = context.args
    if (id === undefined || more.length > 0) throw new UsageError('evaluate needs the id of one model.')
    const names = listOf(context.values, 'benchmark').map((name) => {
      const found = BenchmarkName.safeParse(name)
      if (!found.success) throw new UsageError(`There is no benchmark "${name}". They are ${BenchmarkName.options.join(', ')}.`)
      return found.data
    })
    const connection = await context.connect()
    const body = given({
      benchmarks: names.length === 0 ? undefined : names,
      numSamples: numberOf(context.values, 'limit', { min: 1, isWhole: true }),
    })
    const { runs, left } = await connection.client.evaluateModel({ params: { id }, body })
    const ended: Awaited<ReturnType<typeof waitForRun>>[] = []
    for (const run of runs) ended.push(await waitForRun(context, connection, run))
    context.out({ runs: ended, left }, () =>
      [...ended.map(describeRun), ...left.map(({ benchmark, reason }) => `${benchmark}: not run. ${reason}`)].join('\n'),
    )
    return ended.length > 0 && ended.every(({ state, owed }) => state === 'done' && owed === 0) ? 0 : 1
  },
}
