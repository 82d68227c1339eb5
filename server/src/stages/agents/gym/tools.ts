import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { sentenceOf } from '#server/refusals.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { AgentWork } from '../driver.ts'
import { createFileTools } from './file-tools.ts'
import { type Input, inputOf, Inputs, Refused, type ToolName, type ToolPlace, type ToolResult } from './inputs.ts'
import type { GymRecord } from './record.ts'
import { createSearchTools } from './search-tools.ts'

const COMMAND_SEC = { usual: 120, most: 600 }
const OUTPUT_BYTES = 30_000
/** What is wrong with a call, and not with the sandbox. */
const REFUSALS: ReadonlySet<string> = new Set(['command_blocked', 'path_refused', 'invalid_request'])

/** The tools of the gym agent, carried out in its sandbox; their results have the words of Claude Code. */
export function createTools(sandboxes: Sandboxes, { sandboxId, workdir, signal }: Pick<AgentWork, 'sandboxId' | 'workdir' | 'signal'>) {
  const place: ToolPlace = { sandboxes, sandboxId, workdir, signal, placeOf: (file) => path.posix.resolve(workdir, file) }
  const { read, writeWhole, edit } = createFileTools(place)
  const { glob, grep } = createSearchTools(place)

  const bash = async ({ command, timeout }: Input<'Bash'>): Promise<ToolResult> => {
    if (command.includes('\0')) throw new Refused('The command contains a NUL byte.')
    const timeoutSec = Math.min((timeout ?? COMMAND_SEC.usual * 1000) / 1000, COMMAND_SEC.most)
    const request = { command, session: 'main', standalone: true, wait: true, cwd: workdir, timeoutSec, maxOutputBytes: OUTPUT_BYTES }
    const { output, exitCode, timedOut } = await sandboxes.exec(sandboxId, request, signal)
    signal.throwIfAborted()
    const text = output.replace(/\n+$/, '')
    if (timedOut) return { text: `Command timed out after ${timeoutSec}s\n${text}`, isError: true }
    if (exitCode !== 0) return { text: `Exit code ${exitCode}\n${text}`, isError: true }
    return { text: text === '' ? '(Bash completed with no output)' : text, isError: false }
  }

  const tools: Record<ToolName, (input: unknown, record: GymRecord) => Promise<ToolResult>> = {
    Bash: (input) => bash(inputOf('Bash', input)),
    Read: (input) => read(inputOf('Read', input)),
    Write: (input, record) => writeWhole(inputOf('Write', input), record),
    Edit: (input, record) => edit(inputOf('Edit', input), record),
    Glob: (input) => glob(inputOf('Glob', input)),
    Grep: (input) => grep(inputOf('Grep', input)),
  }
  return {
    /** Never throws because of what the model asked for: the result says what is wrong. */
    async run(name: string, input: unknown, record: GymRecord): Promise<ToolResult> {
      try {
        if (!Object.hasOwn(Inputs, name)) throw new Refused(`Error: No such tool available: ${name}`)
        return await tools[name as ToolName](input, record)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Refused) return { text: `<tool_use_error>${error.message}</tool_use_error>`, isError: true }
        if (error instanceof AppError && REFUSALS.has(error.code)) return { text: sentenceOf(error), isError: true }
        throw error
      }
    },
  }
}
