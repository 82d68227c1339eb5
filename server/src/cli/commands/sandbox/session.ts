import readline from 'node:readline'
import { type Context, onlyOptions } from '../../command.ts'
import { withSandbox } from './with-sandbox.ts'
import { openSandboxes } from './open.ts'
import { specOf } from './options.ts'
import type { Sandboxes } from './sandboxes.ts'

/** A line-by-line shell in a fresh sandbox. `exit`, `quit` or the end of input removes the sandbox. */
export async function session(context: Context): Promise<number> {
  onlyOptions(context, 'sandbox session')
  const spec = specOf(context.values)
  const sandboxes = await openSandboxes(context)
  return withSandbox(context, sandboxes, spec, (id) => readAndRun(context, sandboxes, id))
}

async function readAndRun(context: Context, sandboxes: Sandboxes, id: string): Promise<number> {
  const lines = readline.createInterface({ input: process.stdin, output: process.stderr, prompt: `${id.slice(0, 8)}$ ` })
  let isOpen = true // piped input closes before its last line has run
  lines.once('close', () => (isOpen = false))
  const prompt = () => isOpen && lines.prompt()
  const close = () => lines.close()
  context.signal.addEventListener('abort', close)
  lines.on('SIGINT', () => {
    if (!sandboxes.interrupt) context.note('This service cannot interrupt a command; it runs until its timeout.')
    else void sandboxes.interrupt(id).catch(() => {}) // nothing is running
  })
  try {
    prompt()
    for await (const line of lines) {
      if (line.trim() === 'exit' || line.trim() === 'quit') break
      const result = await sandboxes.exec(id, { command: line }, context.signal)
      if (context.json) context.line(result)
      else {
        if (result.output !== '') context.out(null, () => result.output)
        if (result.exitCode !== 0) context.note(`exit code ${result.exitCode}${result.timedOut ? ', stopped after its timeout' : ''}`)
      }
      if (result.exited) {
        context.note('The session ended.')
        break
      }
      prompt()
    }
    context.signal.throwIfAborted()
    return 0
  } finally {
    context.signal.removeEventListener('abort', close)
    lines.close()
  }
}
