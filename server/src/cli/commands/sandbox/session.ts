import readline from 'node:readline'
import { AppError } from '#contracts/errors.ts'
import { type Context, textOf, UsageError } from '../../command.ts'
import { specOf } from './options.ts'

/** A shell in a fresh sandbox: a line, its output, its code where it is not 0. `exit`, `quit` or the end of input removes it. */
export async function session(context: Context): Promise<number> {
  if (context.args.length > 0) throw new UsageError(`Unexpected argument "${context.args[0]}": sandbox session takes only options.`)
  const { client } = await context.connect()
  const { id } = await client.createSandbox({ body: specOf(context.values, textOf(context.values, 'image')) })
  await client.startSandbox({ params: { id }, signal: context.signal }).catch(async (error: unknown) => {
    await client.stopSandbox({ params: { id }, body: { remove: true } })
    throw error
  })
  const lines = readline.createInterface({ input: process.stdin, output: process.stderr, prompt: `${id.slice(0, 8)}$ ` })
  let isOpen = true // input that is piped in has ended long before its last line has run
  lines.once('close', () => (isOpen = false))
  const prompt = () => isOpen && lines.prompt()
  context.signal.addEventListener('abort', () => lines.close())
  lines.on('SIGINT', () => void client.interruptSandbox({ params: { id }, body: {} }).catch(() => {})) // nothing is running
  try {
    prompt()
    for await (const line of lines) {
      if (line.trim() === 'exit' || line.trim() === 'quit') break
      const result = await client.execInSandbox({ params: { id }, body: { command: line }, signal: context.signal })
      if (context.json) context.line(result)
      else {
        if (result.output !== '') process.stdout.write(`${result.output}\n`)
        if (result.exitCode !== 0) context.note(`exit code ${result.exitCode}${result.timedOut ? ', stopped after its timeout' : ''}`)
      }
      if (result.exited) {
        context.note('The session ended.')
        break
      }
      prompt()
    }
    return 0
  } finally {
    lines.close()
    await client.stopSandbox({ params: { id }, body: { remove: true } }).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'sandbox_not_found')) context.note(String(error))
    })
  }
}
