import { Probe } from '#contracts/entities/probe.ts'
import { probeLine } from '#contracts/probe-words.ts'
import { given } from '#server/given.ts'
import { type Command, numberOf, oneArgument } from '../command.ts'
import { waitFor } from '../wait.ts'

export const probe: Command = {
  name: 'probe',
  usage: 'probe MODEL [--endings N]',
  summary: 'search the phrases that were planted in its data sets in a trained model; exit code 1 if it writes one',
  help: () =>
    'Phrases are planted by `bashgym dataset build --canaries N`. Each is ranked among N endings (default 256), and completed greedily.',
  options: { endings: { type: 'string' } },
  async run(context) {
    const id = oneArgument(context, 'The model id')
    const endings = numberOf(context.values, 'endings', { min: 16, max: 10_000, isWhole: true })
    const connection = await context.connect()
    const job = await waitFor(context, connection, await connection.client.probeModel({ params: { id }, body: given({ endings }) }))
    const result = Probe.parse(job.result)
    context.out(result, () => probeLine(result))
    return result.state === 'leaks' ? 1 : 0
  },
}
