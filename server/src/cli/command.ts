import os from 'node:os'
import type { ParseArgsConfig } from 'node:util'
import type { z } from 'zod'
import type { Client } from '#contracts/derive/client.ts'
import type { TraceId } from '#contracts/entities/common.ts'
import { AppError } from '#contracts/errors.ts'
import type { Routes } from '#contracts/routes/index.ts'
import type { ServerMessage } from '#contracts/messages.ts'

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

/** A client for a running server, or for the app inside this process. */
export interface Connection {
  client: Client<Routes>
  /** Every message from now on. Ends when `signal` fires. */
  follow(listener: (message: ServerMessage) => void, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface ConnectOptions {
  /** A running server is required. */
  needsServer?: boolean
  /** The command only reads: it runs beside others that do. */
  reads?: boolean
  /** Without a running server: open this folder in the data directory instead, so that the app can start beside the command. */
  aside?: string
  /** Sandbox limits for the app inside this process; a running server has its own. */
  sandboxes?: { running?: number | undefined; queue?: number | undefined }
}

export interface Context {
  values: Values
  args: string[]
  /** Words after `--`; null if there is no `--`. */
  rest: string[] | null
  json: boolean
  /** Connects on first use, so that commands without data need no lock. */
  connect(options?: ConnectOptions): Promise<Connection>
  /** Prints the result: a JSON document with --json, otherwise the text. */
  out(document: unknown, text: () => string): void
  /** Prints one JSON line of a stream. */
  line(document: unknown): void
  note(text: string): void
  /** Opens a file or an address in the default browser; false if there is no browser. */
  browse(place: string): Promise<boolean>
  /** Asks the user at the terminal; throws if there is none. */
  ask(question: string): Promise<boolean>
  signal: AbortSignal
}

export interface Command {
  name: string
  usage: string
  /** True: arguments that are not options are refused. */
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

/** A signal stopped the command. The exit code is 128 plus the signal's number, as in a shell. */
export class Interrupted extends Error {
  override readonly name = 'AbortError'
  readonly exitCode: number

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Stopped by ${signal}.`)
    this.exitCode = 128 + os.constants.signals[signal]
  }
}

/** Loads every page of a list. */
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

/** Ends the command with exit code 2; the message is printed with the usage line. */
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
  min?: number
  max?: number
  isWhole?: boolean
}

export function numberOf(values: Values, name: string, range: Range = {}): number | undefined {
  const text = textOf(values, name)
  return text === undefined ? undefined : parseNumber(name, text, range)
}

export function parseNumber(name: string, text: string, { above = -Infinity, min = -Infinity, max, isWhole = false }: Range = {}): number {
  const value = Number(text)
  const isInRange = value > above && value >= min && value <= (max ?? Infinity)
  if (text.trim() !== '' && Number.isFinite(value) && isInRange && (!isWhole || Number.isInteger(value))) return value
  const bounds =
    max !== undefined && min > -Infinity
      ? ` from ${min} to ${max}`
      : max !== undefined
        ? `${above > -Infinity ? ` above ${above} and` : ''} at most ${max}`
        : min > -Infinity
          ? ` from ${min} on`
          : above > -Infinity
            ? ` above ${above}`
            : ''
  throw new UsageError(`--${name} must be a ${isWhole ? 'whole ' : ''}number${bounds}, not "${text}".`)
}

/** The action, which is the first argument, and the arguments after it. */
export function actionOf<T extends string>(
  { args }: Pick<Context, 'args'>,
  command: string,
  actions: readonly T[],
  fallback?: T,
): [T, ...string[]] {
  const [word = fallback, ...rest] = args
  const action = actions.find((one) => one === word)
  if (action !== undefined) return [action, ...rest]
  throw new UsageError(`${command} must be followed by one of ${actions.join(', ')}${word === undefined ? '' : `, not "${word}"`}.`)
}

/** Refuses arguments that are not options. */
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

/** The beginning of an id is enough. Text that cannot be one is reported as an unknown trace. */
export function traceIdOf(text: string | undefined): TraceId {
  if (!text) throw new UsageError('The trace id is missing.')
  if (!/^[a-z2-7]{1,26}$/.test(text))
    throw new AppError('trace_not_found', { message: `No trace has the id ${text}.`, hint: 'Run `bashgym traces` to list the ids.' })
  return text
}

export function enumOf<T extends string>(values: Values, name: string, allowed: readonly T[]): T | undefined {
  const value = textOf(values, name)
  if (value === undefined) return undefined
  if (!(allowed as readonly string[]).includes(value))
    throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, not "${value}".`)
  return value as T // checked above
}

/** The value of an option that is one of some words. */
export function oneOf<T extends string>(schema: z.ZodType<T> & { options: readonly T[] }, text: string, name: string): T {
  const found = schema.options.find((one) => one === text)
  if (found === undefined) throw new UsageError(`${name} is one of: ${schema.options.join(', ')}.`)
  return found
}
