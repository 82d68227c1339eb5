import path from 'node:path'
import { writeOutput } from '#server/adapters/output-files/index.ts'
import { type Command, textOf, traceArgument, UsageError } from '../command.ts'

export const exportCommand: Command = {
  name: 'export',
  usage: 'export ID [--format atif] [--output FILE]',
  summary: 'export a session for other tools, without secrets and personal data; to stdout unless --output is given',
  options: { format: { type: 'string' }, output: { type: 'string', short: 'o' } },
  async run(context) {
    const format = textOf(context.values, 'format') ?? 'atif'
    if (format !== 'atif') throw new UsageError(`--format must be atif, not "${format}".`)
    const output = textOf(context.values, 'output')
    if (output === '') throw new UsageError('--output must be a file name, but it is empty.')
    const id = traceArgument(context)
    const { client } = await context.connect({ reads: true })
    const response = await client.exportTrace({ params: { id }, query: { format } })
    if (output === undefined) {
      for await (const chunk of response.body ?? [])
        if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve))
      return
    }
    const file = path.resolve(output)
    await writeOutput(file, response.body ?? [])
    context.out({ id, format, file }, () => `Written to ${file}.`)
  },
}
