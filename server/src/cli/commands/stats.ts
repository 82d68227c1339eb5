import { StatisticsFunction, type StatisticsResult } from '#contracts/entities/statistics.ts'
import { actionOf, type Command } from '../command.ts'
import { jsonInput } from '../json-input.ts'

/** Passed in by the composition root; needs no data directory or lock. */
export type ComputeStatistics = (name: StatisticsFunction, given: unknown) => Promise<StatisticsResult>

export const statsCommand = (compute: ComputeStatistics): Command => ({
  name: 'stats',
  usage: `stats ${StatisticsFunction.options.join('|')} [FILE]`,
  summary: 'rates, intervals, tests, agreement and power, from a JSON document in FILE or on stdin',
  help: () =>
    'Prints JSON. Examples: {"n": 10, "c": 3, "k": 5} for pass_at_k; {"groups": [[1, 0], [1]], "seed": 42} for bootstrap.\n' +
    'The fields of each function: docs/evaluation.md.',
  async run(context) {
    const [name, ...args] = actionOf(context, 'stats', StatisticsFunction.options)
    const result = await compute(name, jsonInput({ args }))
    context.out(result, () => JSON.stringify(result, null, 2))
  },
})
