import path from 'node:path'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import { sentenceOf } from '#server/refusals.ts'
import { readText, type Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { AgentWork } from '../driver.ts'
import { callsIn, type GymRecord, resultsIn } from './record.ts'

export interface ToolResult {
  text: string
  isError: boolean
}

/** What a tool refuses, in the words of the client. */
class Refused extends Error {}

const COMMAND_SEC = { usual: 120, most: 600 }
const [OUTPUT_BYTES, FILE_BYTES, LISTED, LINES] = [30_000, 2_000_000, 100, 2000]

const number = z.coerce.number().int()
const Inputs = {
  Bash: z.object({ command: z.string().min(1), timeout: z.coerce.number().min(100).optional() }),
  Read: z.object({ file_path: z.string().min(1), offset: number.min(0).optional(), limit: number.min(1).optional() }),
  Write: z.object({ file_path: z.string().min(1), content: z.string() }),
  Edit: z.object({
    file_path: z.string().min(1),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.coerce.boolean().default(false),
  }),
  Glob: z.object({ pattern: z.string().min(1), path: z.string().optional() }),
  Grep: z.object({
    pattern: z.string().min(1),
    path: z.string().optional(),
    glob: z.string().optional(),
    output_mode: z.enum(['content', 'files_with_matches', 'count']).default('files_with_matches'),
    '-i': z.boolean().default(false),
    '-n': z.boolean().default(true),
    '-A': number.min(0).optional(),
    '-B': number.min(0).optional(),
    '-C': number.min(0).optional(),
    head_limit: number.min(0).optional(),
  }),
}
type Input<Name extends keyof typeof Inputs> = z.infer<(typeof Inputs)[Name]>

/** The tools of the gym agent, carried out in its sandbox; their results have the words of Claude Code. */
export function createTools(sandboxes: Sandboxes, { sandboxId, workdir, signal }: Pick<AgentWork, 'sandboxId' | 'workdir' | 'signal'>) {
  const placeOf = (file: string): string => path.posix.resolve(workdir, file)

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

  /** Null: there is no such file. */
  const textOf = async (file: string): Promise<string | null> => {
    const text = await readText(sandboxes, sandboxId, file, { mostBytes: FILE_BYTES, ifLarger: undefined })
    if (text === undefined) throw new Refused(`File content exceeds ${FILE_BYTES} bytes. Use offset and limit with a command instead.`)
    return text
  }
  const requireText = async (file: string): Promise<string> => {
    const text = await textOf(file)
    if (text === null) throw new Refused(`File does not exist. Note: your current working directory is ${workdir}.`)
    return text
  }
  const write = (file: string, content: string) => sandboxes.write(sandboxId, { path: file, content, encoding: 'utf8', mode: 0o644 })

  const read = async ({ file_path: name, offset = 1, limit = LINES }: Input<'Read'>): Promise<ToolResult> => {
    const lines = (await requireText(placeOf(name))).split('\n')
    const first = Math.max(offset, 1)
    const shown = lines.slice(first - 1, first - 1 + limit)
    if (shown.length === 0) throw new Refused(`The file has only ${lines.length} lines.`)
    return { text: shown.map((line, at) => `${first + at}\t${line}`).join('\n'), isError: false }
  }

  const writeWhole = async ({ file_path: name, content }: Input<'Write'>, record: GymRecord): Promise<ToolResult> => {
    const isThere = (await textOf(placeOf(name))) !== null
    if (isThere) requireSeen(record, placeOf(name))
    await write(placeOf(name), content)
    const text = isThere ? `The file ${name} has been updated successfully.` : `File created successfully at: ${name}`
    return { text: `${text} ${CURRENT}`, isError: false }
  }

  const edit = async (input: Input<'Edit'>, record: GymRecord): Promise<ToolResult> => {
    const { file_path: name, old_string: before, new_string: after, replace_all: isAll } = input
    if (before === after) throw new Refused('No changes to make: old_string and new_string are exactly the same.')
    const file = placeOf(name)
    if (before === '' && (await textOf(file)) === null) return writeWhole({ file_path: name, content: after }, record)
    const text = await requireText(file)
    requireSeen(record, file)
    const places = before === '' ? 0 : text.split(before).length - 1
    if (places === 0) throw new Refused(`String to replace not found in file.\nString: ${before}`)
    if (places > 1 && !isAll)
      throw new Refused(`Found ${places} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${before}`) // prettier-ignore
    await write(file, isAll ? text.replaceAll(before, () => after) : text.replace(before, () => after))
    return { text: `The file ${name} has been updated successfully. ${CURRENT}`, isError: false }
  }

  const requireSeen = (record: GymRecord, file: string): void => {
    const worked = new Set(resultsIn(record).flatMap(({ tool_use_id: id, is_error: isError }) => (isError ? [] : id)))
    const isSeen = callsIn(record).some(
      ({ id, name, input }) => SEEING.has(name) && worked.has(id) && placeOf(String(input['file_path'])) === file,
    )
    if (!isSeen) throw new Refused('File has not been read yet. Read it first before writing to it.')
  }

  /** Runs a program with these arguments, without a shell. */
  const output = async (argv: readonly string[], cwd: string): Promise<{ text: string; code: number | null }> => {
    const channel = await sandboxes.spawn(sandboxId, { argv, terminal: null, cwd })
    const parts: Buffer[] = []
    let bytes = 0
    channel.output.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= FILE_BYTES) parts.push(part)
    })
    channel.errors?.resume()
    channel.input.on('error', () => undefined).end()
    const stop = () => void channel.signal('KILL', 'all')
    const timer = setTimeout(stop, COMMAND_SEC.usual * 1000)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await Promise.all([channel.exit, finished(channel.output).catch(() => undefined)])
      signal.throwIfAborted()
      return { text: Buffer.concat(parts).toString('utf8'), code: (await channel.exit).code }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  const glob = async ({ pattern, path: folder }: Input<'Glob'>): Promise<ToolResult> => {
    const root = placeOf(folder ?? '.')
    const { text } = await output([...FIND, '-printf', String.raw`%T@ %P\0`], root)
    const wanted = path.posix.isAbsolute(pattern) ? path.posix.relative(root, pattern) : pattern
    const files = text
      .split('\0')
      .flatMap((line) => {
        const at = line.indexOf(' ')
        return at === -1 ? [] : [{ changed: Number(line.slice(0, at)), name: line.slice(at + 1) }]
      })
      .filter(({ name }) => path.posix.matchesGlob(name, wanted))
      .toSorted((a, b) => b.changed - a.changed)
    if (files.length === 0) return { text: 'No files found', isError: false }
    const names = files.slice(0, LISTED).map(({ name }) => path.posix.join(root, name))
    const more = files.length > LISTED ? ['(Results are truncated. Consider using a more specific path or pattern.)'] : []
    return { text: [...names, ...more].join('\n'), isError: false }
  }

  const grep = async (input: Input<'Grep'>): Promise<ToolResult> => {
    const { pattern, path: place = '.', glob: names, output_mode: mode, head_limit: most = 250 } = input
    const target = path.posix.relative(workdir, placeOf(place)) || '.'
    const around = (['-A', '-B', '-C'] as const).flatMap((flag) => (input[flag] === undefined ? [] : [`${flag}${input[flag]}`]))
    const { text, code } = await output(
      [
        'grep',
        '-rIP',
        '--exclude-dir=.git',
        '--exclude-dir=node_modules',
        ...(input['-i'] ? ['-i'] : []),
        ...(names === undefined ? [] : [`--include=${names.replace(/^\*\*\//, '')}`]),
        ...(mode === 'content' ? ['-H', ...(input['-n'] ? ['-n'] : []), ...around] : [mode === 'count' ? '-cH' : '-l']),
        '-e',
        pattern,
        '--',
        target,
      ],
      workdir,
    )
    if (code !== 0 && code !== 1) throw new Refused(`The search failed. The pattern may not be a regular expression: ${pattern}`)
    const found = text
      .split('\n')
      .filter((line) => line !== '' && !(mode === 'count' && line.endsWith(':0')))
      .map((line) => line.replace(/^\.\//, ''))
    const lines = (mode === 'content' ? found : found.toSorted()).slice(0, most === 0 ? undefined : most)
    if (lines.length === 0) return { text: mode === 'files_with_matches' ? 'No files found' : 'No matches found', isError: false }
    const head = mode === 'files_with_matches' ? [`Found ${found.length} ${found.length === 1 ? 'file' : 'files'}`] : []
    return { text: [...head, ...lines].join('\n'), isError: false }
  }

  const carryOut = (name: keyof typeof Inputs, input: unknown, record: GymRecord): Promise<ToolResult> => {
    switch (name) {
      case 'Bash':
        return bash(inputOf('Bash', input))
      case 'Read':
        return read(inputOf('Read', input))
      case 'Write':
        return writeWhole(inputOf('Write', input), record)
      case 'Edit':
        return edit(inputOf('Edit', input), record)
      case 'Glob':
        return glob(inputOf('Glob', input))
      case 'Grep':
        return grep(inputOf('Grep', input))
    }
  }

  return {
    /** Never throws because of what the model asked for: the result says what is wrong. */
    async run(name: string, input: unknown, record: GymRecord): Promise<ToolResult> {
      try {
        if (!Object.hasOwn(Inputs, name)) throw new Refused(`Error: No such tool available: ${name}`)
        return await carryOut(name as keyof typeof Inputs, input, record)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Refused) return { text: `<tool_use_error>${error.message}</tool_use_error>`, isError: true }
        if (error instanceof AppError && REFUSALS.has(error.code)) return { text: sentenceOf(error), isError: true }
        throw error
      }
    },
  }
}

const CURRENT = '(file state is current in your context — no need to Read it back)'
const SEEING: ReadonlySet<string> = new Set(['Read', 'Edit', 'Write'])
/** What is wrong with a call, and not with the sandbox. */
const REFUSALS: ReadonlySet<string> = new Set(['command_blocked', 'path_refused', 'invalid_request'])
const FIND = ['find', '.', '(', '-name', '.git', '-o', '-name', 'node_modules', ')', '-prune', '-o', '-type', 'f']

function inputOf<Name extends keyof typeof Inputs>(name: Name, input: unknown): Input<Name> {
  const { data, error } = Inputs[name].safeParse(input)
  if (error) throw new Refused(`InputValidationError: ${name} failed: ${error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`).join('; ')}`) // prettier-ignore
  return data as Input<Name>
}
