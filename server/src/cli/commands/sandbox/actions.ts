import path from 'node:path'
import { type Context, numberOf, oneArgument, onlyOptions, textOf, UsageError } from '../../command.ts'
import { formatBytes, table } from '../../format.ts'
import { copyFolder } from './copy-folder.ts'
import { withSandbox } from './with-sandbox.ts'
import { openSandboxes } from './open.ts'
import { specOf } from './options.ts'
import { pipedInput } from './piped-input.ts'
import type { Listed, Result } from './sandboxes.ts'

/** The sandbox must outlive the command, so it needs a running server. */
const openOnServer = (context: Context) => openSandboxes(context, { needsServer: true })

export async function create(context: Context): Promise<number> {
  onlyOptions(context, 'sandbox create')
  const spec = specOf(context.values)
  const sandbox = await (await openOnServer(context)).create(spec, { idempotencyKey: textOf(context.values, 'idempotency-key') })
  context.out(sandbox, () => sandbox.id)
  return 0
}

export async function start(context: Context): Promise<number> {
  const id = oneArgument(context, 'The sandbox id')
  const sandbox = await (await openOnServer(context)).start(id, context.values['no-wait'] !== true, context.signal)
  context.out(sandbox, () => sandbox.id)
  return 0
}

/** Ctrl-C interrupts the command; its session stays. */
export async function exec(context: Context): Promise<number> {
  const [id, ...words] = [...context.args, ...(context.rest ?? [])]
  if (id === undefined || words.length === 0) throw new UsageError('The sandbox id or the command is missing.')
  const isStandalone = context.values['standalone'] === true
  if (context.values['stdin'] === true && !isStandalone)
    throw new UsageError('--stdin needs --standalone, because session commands read from the terminal.')
  const timeoutSec = numberOf(context.values, 'timeout', { min: 0 })
  const sandboxes = await openOnServer(context)
  const body = {
    command: commandOf(words),
    standalone: isStandalone,
    ...(timeoutSec !== undefined && { timeoutSec }),
    ...(context.values['stdin'] === true && { stdin: await pipedInput() }),
  }
  const { interrupt } = sandboxes
  if (isStandalone || !interrupt) return printResult(context, await sandboxes.exec(id, body, context.signal))
  const onAbort = () => void interrupt(id).catch((error: unknown) => context.note(String(error)))
  context.signal.addEventListener('abort', onAbort)
  return printResult(context, await sandboxes.exec(id, body))
}

export async function stop(context: Context): Promise<number> {
  const id = oneArgument(context, 'The sandbox id')
  const remove = context.values['remove'] === true
  const response = await (await openOnServer(context)).stop(id, remove)
  context.out(response, () => (remove ? 'Stopped and removed.' : 'Stopped.'))
  return 0
}

export async function list(context: Context): Promise<number> {
  onlyOptions(context, 'sandbox list')
  const { items, ...more } = await (await openSandboxes(context)).list()
  context.out({ items, ...more }, () => {
    const { capacity } = more
    const waiting = capacity && capacity.queued.length > 0 ? `, ${capacity.queued.length} waiting` : ''
    const summary = capacity ? [`${capacity.running} of ${capacity.limit} running${waiting}`] : []
    if (items.length === 0) return [...summary, "No sandboxes yet; try: bashgym sandbox run -- 'uname -a'"].join('. ')
    const kept = items.some((one) => one.kept)
      ? ['Kept files: bashgym sandbox start ID goes on with them, sandbox stop ID --remove discards them.']
      : []
    return [...summary, table(items.map(row)), ...kept].join('\n')
  })
  return 0
}

export async function trajectory(context: Context): Promise<number> {
  const id = oneArgument(context, 'The sandbox id')
  const sandboxes = await openSandboxes(context)
  const document = context.json ? await sandboxes.trajectory(id) : null
  const text = context.json ? '' : await sandboxes.trajectoryText(id)
  context.out(document, () => text.trimEnd())
  return 0
}

/** Runs one command in a temporary sandbox. Works without a running app. */
export async function run(context: Context): Promise<number> {
  const [image, ...more] = context.args
  if (more.length > 0)
    throw new UsageError(`Unexpected argument "${more[0]}": the command goes after --, as in: sandbox run -- '${more.join(' ')}'`)
  if (!context.rest || context.rest.length === 0)
    throw new UsageError("The command is missing. It goes after --, as in: sandbox run -- 'uname -a'")
  const command = commandOf(context.rest)
  const timeoutSec = numberOf(context.values, 'timeout', { min: 0 })
  const folder = textOf(context.values, 'mount-copy')
  const { commandTimeoutSec: _timeout, ...spec } = specOf(context.values, image ?? textOf(context.values, 'image'))
  const sandboxes = await openSandboxes(context) // may restart this process, so standard input is read afterwards
  const stdin = context.values['stdin'] === true ? await pipedInput() : undefined
  const runSpec = { ...spec, tty: false, ...(folder !== undefined && { workdir: WORK }) }
  return withSandbox(context, sandboxes, runSpec, async (id) => {
    if (folder !== undefined) {
      const { skipped } = await copyFolder(sandboxes, id, path.resolve(folder), WORK)
      if (skipped.length > 0)
        context.note(
          `Not copied (links, special files, or files larger than 6 MB): ${skipped.slice(0, 10).join(', ')}${skipped.length > 10 ? ' …' : ''}`,
        )
    }
    const body = { command, standalone: true, ...(timeoutSec !== undefined && { timeoutSec }), ...(stdin !== undefined && { stdin }) }
    return printResult(context, await sandboxes.exec(id, body, context.signal))
  })
}

const WORK = '/workspace'

/** Returns the exit code of the command. */
function printResult(context: Context, result: Result): number {
  context.out(result, () => result.output.replace(/\n$/, ''))
  if (result.timedOut) context.note('The command was stopped after its timeout.')
  if (result.truncated) context.note(`The output had ${result.outputBytes} bytes; its middle is omitted.`)
  return result.exitCode
}

/** One word is a shell command; several are a program and its arguments. */
export const commandOf = (words: readonly string[]): string =>
  words.length === 1
    ? words[0]!
    : words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')

function stateOf({ status, phase, kept, queuePosition }: Pick<Listed, 'status' | 'phase' | 'kept' | 'queuePosition'>): string {
  if (typeof queuePosition === 'number') return `${queuePosition}. in line`
  if (phase || !kept) return phase ?? status
  return kept.bytes === null ? 'files kept' : `files kept, ${formatBytes(kept.bytes)}`
}

const row = ({
  id,
  image,
  backend,
  status,
  phase,
  kept,
  queuePosition,
  sessionCommandCount,
  lastStandaloneExitCode,
  createdAt,
  setupCommands,
}: Listed) => [
  id.slice(0, 8),
  image,
  backend ?? '',
  stateOf({ status, phase, kept, queuePosition }),
  `${sessionCommandCount} commands`,
  lastStandaloneExitCode === null ? '' : `last code ${lastStandaloneExitCode}`,
  createdAt ?? '',
  setupCommands.join(' && ').slice(0, 40),
]
