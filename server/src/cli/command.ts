import os from 'node:os'
import type { ParseArgsConfig } from 'node:util'
import type { Client } from '#contracts/derive/client.ts'
import { TraceId } from '#contracts/entities/common.ts'
import { AppError } from '#contracts/errors.ts'
import type { Routes } from '#contracts/routes/index.ts'
import type { ServerMessage } from '#contracts/messages.ts'

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

/** Access to the handlers through the derived client: of a running server, or of the app inside this process. */
export interface Connection {
  client: Client<Routes>
  /** Every message from now on. Ends when `signal` fires. */
  follow(listener: (message: ServerMessage) => void, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface ConnectOptions {
  /** A running server is required. */
  needsServer?: boolean
  /** Sandbox limits for the app inside this process; a running server has its own. */
  sandboxes?: { running?: number | undefined; queue?: number | undefined }
}

export interface Context {
  values: Values
  args: string[]
  /** Words after `--`; null: there was none. */
  rest: string[] | null
  json: boolean
  /** Connects on first use, so that commands without data need no lock. */
  connect(options?: ConnectOptions): Promise<Connection>
  /** The one JSON document, or the text for people. */
  out(document: unknown, text: () => string): void
  /** A JSON line (streams). */
  line(document: unknown): void
  note(text: string): void
  /** Opens a file or an address in the default browser; false when there is none. */
  browse(place: string): Promise<boolean>
  /** Asks the user at the terminal; throws if there is none. */
  ask(question: string): Promise<boolean>
  signal: AbortSignal
}

export interface Command {
  name: string
  usage: string
  /** True: words beside the options are wrong usage. */
  takesNoArguments?: boolean
  /** True: options that may be repeated also take several values after one name (`--repo a b`). */
  manyValues?: boolean
  /** True: words after `--` are kept in `rest`. */
  splitsRest?: boolean
  summary: string
  /** Additional text of `--help`. */
  help?: () => string
  options?: ParseArgsConfig['options']
  /** Exit code; 0 when nothing is returned. */
  run(context: Context): Promise<number | void>
}

/** The command was stopped by a signal: exit code 128 plus its number, as in a shell. */
export class Interrupted extends Error {
  override readonly name = 'AbortError'
  readonly exitCode: number

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Stopped by ${signal}.`)
    this.exitCode = 128 + os.constants.signals[signal]
  }
}

/** Every item of a list, page by page. */
export async function allPages<Item>(
  load: (page: { cursor?: string; limit: 100 }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | undefined; ;) {
    const page = await load({ limit: 100, ...(cursor !== undefined && { cursor }) })
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

/** Wrong usage: exit code 2, with the sentence and the usage line. */
export class UsageError extends Error {}

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of an option that may be given several times. */
export function listOf(values: Values, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value.map(String) : []
}

interface Range {
  above?: number
  least?: number
  most?: number
  isWhole?: boolean
}

export function numberOf(values: Values, name: string, range: Range = {}): number | undefined {
  const text = textOf(values, name)
  return text === undefined ? undefined : parseNumber(name, text, range)
}

export function parseNumber(
  name: string,
  text: string,
  { above = -Infinity, least = -Infinity, most, isWhole = false }: Range = {},
): number {
  const value = Number(text)
  const isInRange = value > above && value >= least && value <= (most ?? Infinity)
  if (text.trim() !== '' && Number.isFinite(value) && isInRange && (!isWhole || Number.isInteger(value))) return value
  const bounds =
    most !== undefined ? ` from ${least} to ${most}` : least > -Infinity ? ` from ${least} on` : above > -Infinity ? ` above ${above}` : ''
  throw new UsageError(`--${name} must be a ${isWhole ? 'whole ' : ''}number${bounds}, not "${text}".`)
}

/** The first argument of a command that has actions, with the arguments behind it. */
export function actionOf<T extends string>({ args }: Context, command: string, actions: readonly T[], fallback?: T): [T, ...string[]] {
  const [word = fallback, ...rest] = args
  const action = actions.find((one) => one === word)
  if (action !== undefined) return [action, ...rest]
  throw new UsageError(`${command} must be followed by one of ${actions.join(', ')}${word === undefined ? '' : `, not "${word}"`}.`)
}

/** Refuses arguments where an action of a command takes only options. */
export function onlyOptions({ args }: Pick<Context, 'args'>, command: string): void {
  if (args.length > 0) throw new UsageError(`Unexpected argument "${args[0]}": ${command} takes only options.`)
}

export function oneArgument(context: Context, what: string): string {
  const [value, ...rest] = context.args
  if (value === undefined) throw new UsageError(`${what} is missing.`)
  if (rest.length)
    throw new UsageError(`Unexpected argument "${rest[0]}": this command takes only ${what[0]!.toLowerCase()}${what.slice(1)}.`)
  return value
}

export const traceArgument = (context: Context): TraceId => traceIdOf(oneArgument(context, 'The trace id'))

/** A text that cannot be an id is reported as an unknown trace. */
export function traceIdOf(given: string | undefined): TraceId {
  if (!given) throw new UsageError('The trace id is missing.')
  const id = TraceId.safeParse(given)
  if (!id.success)
    throw new AppError('trace_not_found', { message: `No trace has the id ${given}.`, hint: 'Run `bashgym traces` to list the ids.' })
  return id.data
}

export function enumOf<T extends string>(values: Values, name: string, allowed: readonly T[]): T | undefined {
  const value = textOf(values, name)
  if (value === undefined) return undefined
  if (!(allowed as readonly string[]).includes(value))
    throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, not "${value}".`)
  return value as T // it is one of them
}
