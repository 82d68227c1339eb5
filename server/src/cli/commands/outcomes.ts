import type { OutcomeReport } from '#contracts/entities/outcome.ts'
import { plural } from '#contracts/plural.ts'
import { given } from '#server/given.ts'
import { type Command, numberOf, textOf } from '../command.ts'
import { waitFor } from '../wait.ts'

export const outcomesCommand: Command = {
  name: 'outcomes',
  usage: 'outcomes [--query Q] [--days N]',
  takesNoArguments: true,
  summary: 'look up what happened after sessions: did their commits stay, were they reverted or fixed, did the next prompt complain',
  help: () =>
    'Reads their repositories and changes nothing. The result is no part of the score; find it with outcome:kept,corrected,open,unknown.',
  options: { query: { type: 'string' }, days: { type: 'string' } },
  async run(context) {
    const connection = await context.connect()
    const days = numberOf(context.values, 'days', { min: 1, max: 365, isWhole: true })
    const selection = { filter: { q: textOf(context.values, 'query') ?? 'has:commit' } }
    const job = await waitFor(context, connection, await connection.client.lookUpOutcomes({ body: { selection, ...given({ days }) } }))
    const report = job.result as OutcomeReport // of a job of this kind
    context.out(report, () => {
      const { traces, labels, problems } = report
      return [
        `${plural(traces, 'session')}: ${labels.kept} kept, ${labels.corrected} corrected, ${labels.open} too early to tell, ${labels.unknown} unknown.`,
        ...problems.map(({ folder, message, sessions }) => `${folder} (${sessions}): ${message}`),
      ].join('\n')
    })
  },
}
