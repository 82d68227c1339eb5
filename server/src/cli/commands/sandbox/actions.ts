import path from 'node:path'
import type { Sandbox, SandboxResult } from '#contracts/entities/sandbox.ts'
import { type Context, textOf, UsageError } from '../../command.ts'
import { table } from '../../format.ts'
import { copyFolder } from './copy-folder.ts'
import { numberOf, specOf } from './options.ts'

/** A sandbox lives in the server, so these need one that goes on after the command. */
const running = (context: Context) => context.connect({ needsServer: true })

function idOf(context: Context): string {
  const [id, ...rest] = context.args
  if (id === undefined) throw new UsageError('The sandbox id is missing.')
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}".`)
  return id
}

export async function create(context: Context): Promise<number> {
  if (context.args.length > 0) throw new UsageError(`Unexpected argument "${context.args[0]}": sandbox create takes only options.`)
  const sandbox = await (await running(context)).client.createSandbox({ body: specOf(context.values) })
  context.out(sandbox, () => sandbox.id)
  return 0
}

export async function start(context: Context): Promise<number> {
  const params = { id: idOf(context) }
  const sandbox = await (
    await running(context)
  ).client.startSandbox({ params, body: { wait: context.values['no-wait'] !== true }, signal: context.signal })
  context.out(sandbox, () => sandbox.id)
  return 0
}

export async function exec(context: Context): Promise<number> {
  const [id, ...words] = [...context.args, ...(context.rest ?? [])]
  if (id === undefined || words.length === 0) throw new UsageError('The sandbox id or the command is missing.')
  const { client } = await running(context)
  const timeoutSec = numberOf(context.values, 'timeout')
  const body = {
    command: commandOf(words),
    standalone: context.values['standalone'] === true,
    ...(timeoutSec !== undefined && { timeoutSec }),
  }
  return told(context, await client.execInSandbox({ params: { id }, body, signal: context.signal }))
}

export async function stop(context: Context): Promise<number> {
  const params = { id: idOf(context) }
  const remove = context.values['remove'] === true
  const answer = await (await running(context)).client.stopSandbox({ params, body: { remove } })
  context.out(answer, () => (remove ? 'Stopped and removed.' : 'Stopped.'))
  return 0
}

export async function list(context: Context): Promise<number> {
  const { client } = await context.connect()
  const page = await client.listSandboxes({ query: { limit: 100 } })
  context.out(page, () => {
    const { running: inUse, limit, queued } = page.capacity
    const head = `${inUse} of ${limit} running${queued.length > 0 ? `, ${queued.length} waiting` : ''}`
    return page.items.length === 0
      ? `${head}. No sandboxes yet; try: bashgym sandbox run -- 'uname -a'`
      : `${head}\n${table(page.items.map(row))}`
  })
  return 0
}

export async function trajectory(context: Context): Promise<number> {
  const params = { id: idOf(context) }
  const { client } = await context.connect()
  const document = await client.getSandboxTrajectory({ params })
  const text = context.json ? '' : await (await client.getSandboxTrajectoryText({ params })).text()
  context.out(document, () => text.trimEnd())
  return 0
}

/** Creates, starts, runs one command, removes. The app need not be open. */
export async function run(context: Context): Promise<number> {
  const [image, ...more] = context.args
  if (more.length > 0)
    throw new UsageError(`Unexpected argument "${more[0]}": the command goes behind --, as in: sandbox run -- '${more.join(' ')}'`)
  if (!context.rest || context.rest.length === 0)
    throw new UsageError("The command is missing. It goes behind --, as in: sandbox run -- 'uname -a'")
  const command = commandOf(context.rest)
  const { client } = await context.connect()
  const timeoutSec = numberOf(context.values, 'timeout')
  const folder = textOf(context.values, 'mount-copy')
  const spec = specOf(context.values, image ?? textOf(context.values, 'image'))
  const { id } = await client.createSandbox({ body: { ...spec, tty: false, ...(folder !== undefined && { workdir: WORK }) } })
  const remove = () => client.stopSandbox({ params: { id }, body: { remove: true } }).catch((error: unknown) => context.note(String(error)))
  try {
    await client.startSandbox({ params: { id }, signal: context.signal })
    if (folder !== undefined) {
      const { left } = await copyFolder(client, id, path.resolve(folder), WORK)
      if (left.length > 0)
        context.note(
          `Not copied, as they are links, special files or larger than 6 MB: ${left.slice(0, 10).join(', ')}${left.length > 10 ? ' …' : ''}`,
        )
    }
    const body = { command, standalone: true, ...(timeoutSec !== undefined && { timeoutSec }) }
    return told(context, await client.execInSandbox({ params: { id }, body, signal: context.signal }))
  } finally {
    await remove()
  }
}

const WORK = '/workspace'

/** Exits as the command did. */
function told(context: Context, result: SandboxResult): number {
  context.out(result, () => result.output.replace(/\n$/, ''))
  if (result.timedOut) context.note('The command was stopped after its timeout.')
  if (result.truncated) context.note(`The output had ${result.outputBytes} bytes; its middle was left out.`)
  return result.exitCode
}

/** One word is a shell command; several are a program and its arguments. */
export const commandOf = (words: readonly string[]): string =>
  words.length === 1
    ? words[0]!
    : words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')

const row = ({
  id,
  image,
  backend,
  status,
  phase,
  queuePosition,
  sessionCommandCount,
  lastStandaloneExitCode,
  createdAt,
  setupCommands,
}: Sandbox) => [
  id.slice(0, 8),
  image,
  backend,
  queuePosition === null ? (phase ?? status) : `${queuePosition}. in line`,
  `${sessionCommandCount} commands`,
  lastStandaloneExitCode === null ? '' : `last code ${lastStandaloneExitCode}`,
  createdAt,
  setupCommands.join(' && ').slice(0, 40),
]
