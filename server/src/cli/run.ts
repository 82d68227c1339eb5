import { lookup } from '#contracts/lookup.ts'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { AppError } from '#contracts/errors.ts'
import { type Command, type Connection, type ConnectOptions, type Context, Interrupted, UsageError } from './command.ts'
import { importCommand } from './commands/capture.ts'
import { benchCommand } from './commands/bench.ts'
import { evaluateCommand } from './commands/evaluate.ts'
import { batchCommand } from './commands/batch.ts'
import { dataset } from './commands/dataset.ts'
import { commandCommand } from './commands/command.ts'
import { findingsCommand } from './commands/findings.ts'
import { guardCommand } from './commands/guard.ts'
import { harborCommand } from './commands/harbor.ts'
import { modCommand, type ModOnFile } from './commands/mod.ts'
import { hooksCommand, type HooksOnFile } from './commands/hooks.ts'
import { backup, doctor, rebuild, rescore, verify } from './commands/maintenance.ts'
import { models } from './commands/models.ts'
import { forTerminal } from './format.ts'
import { type ByteStreams, redactCommand, type RedactText } from './commands/redact.ts'
import { openenvCommand, type OpenEnvDeps } from './commands/openenv/index.ts'
import { sandboxCommand, type SandboxDeps } from './commands/sandbox/index.ts'
import { confirm, open, signOut } from './commands/sign-in.ts'
import { scoreCommand, type ScoreFile } from './commands/score.ts'
import { restoredCommand } from './commands/restored.ts'
import { rolloutsCommand } from './commands/rollouts.ts'
import { runs } from './commands/runs.ts'
import { trustCommand } from './commands/trust.ts'
import { type ComputeStatistics, statsCommand } from './commands/stats.ts'
import { outcomesCommand } from './commands/outcomes.ts'
import { routerCommand } from './commands/router.ts'
import { routeCommand } from './commands/route.ts'
import { probe } from './commands/probe.ts'
import { profileCommand } from './commands/profile.ts'
import { status } from './commands/status.ts'
import { thermometerCommand } from './commands/thermometer.ts'
import { telemetryCommand } from './commands/telemetry.ts'
import { testCommand } from './commands/test.ts'
import { task } from './commands/task.ts'
import { shellTasks } from './commands/shell-tasks.ts'
import { tasks } from './commands/tasks.ts'
import { train } from './commands/train.ts'
import { answersCommand } from './commands/answers.ts'
import { examCommand } from './commands/exam.ts'
import { exportCommand } from './commands/export.ts'
import { demote, note, promote, show, tag, traces, undo } from './commands/traces.ts'
import { routes } from '#contracts/routes/index.ts'
import { withShortIds } from './short-ids.ts'

/** Passed in by the composition root. */
export interface CliDeps {
  version: string
  connect(dataDir: string | undefined, options: ConnectOptions & { note: (text: string) => void; signal: AbortSignal }): Promise<Connection>
  dataDirOf: (dataDir: string | undefined) => string
  serve: Command
  restore: Command
  scoreFile: ScoreFile
  redactText: RedactText
  computeStatistics: ComputeStatistics
  /** Standard input and output as bytes. */
  bytes: ByteStreams
  hooksOnFile: HooksOnFile
  modOnFile: ModOnFile
  sandboxes: SandboxDeps
  openenv: OpenEnvDeps
  browse: (place: string) => Promise<boolean>
  ask: (question: string, signal: AbortSignal) => Promise<boolean>
}

export interface Streams {
  out(text: string): void
  note(text: string): void
}

const COMMON = {
  json: { type: 'boolean' },
  home: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options']

/** Commands that can also be written as a flag. */
const FLAG_FORMS: Readonly<Record<string, string>> = lookup({ '--train': 'train', '--task': 'task', '--batch': 'batch' })

/** In the order of the overview. */
const commandsOf = (deps: CliDeps): Command[] => [
  deps.serve,
  importCommand,
  traces,
  show,
  exportCommand,
  profileCommand,
  telemetryCommand,
  scoreCommand(deps.scoreFile),
  findingsCommand,
  redactCommand(deps.redactText, deps.bytes),
  guardCommand(deps.bytes),
  testCommand,
  task,
  shellTasks,
  tasks,
  batchCommand,
  rolloutsCommand,
  harborCommand,
  promote,
  demote,
  undo,
  tag,
  note,
  rescore,
  dataset,
  train,
  runs,
  models,
  examCommand,
  thermometerCommand,
  benchCommand,
  evaluateCommand,
  answersCommand,
  probe,
  routeCommand,
  routerCommand,
  status,
  outcomesCommand,
  statsCommand(deps.computeStatistics),
  commandCommand,
  hooksCommand(deps.hooksOnFile, deps.dataDirOf),
  modCommand({ onFile: deps.modOnFile, dataDirOf: deps.dataDirOf }),
  sandboxCommand(deps.sandboxes),
  openenvCommand(deps.openenv, deps.bytes),
  open,
  signOut,
  confirm,
  trustCommand,
  doctor,
  verify,
  rebuild,
  backup,
  deps.restore,
  restoredCommand,
]

/** Runs one command line. Exit codes: 0 success, 1 failure, 2 wrong usage. Everything except the result goes to stderr. */
export async function runCli(argv: readonly string[], deps: CliDeps, output: Streams, signal: AbortSignal): Promise<number> {
  const streams: Streams = { out: (text) => output.out(text), note: (text) => output.note(forTerminal(text)) }
  const commands = commandsOf(deps)
  // `help traces` is `traces --help`
  const [first, ...rest] = argv[0] === 'help' && argv[1] !== undefined ? [argv[1], '--help'] : argv
  const name = first === undefined ? undefined : (FLAG_FORMS[first] ?? first)
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    if (name === undefined) streams.note(overview(commands))
    else streams.out(overview(commands))
    return name === undefined ? 2 : 0
  }
  if (name === '--version') {
    streams.out(`${deps.version}\n`)
    return 0
  }
  const command = commands.find((one) => one.name === name)
  /** With --json, prints the error to stdout in the form of the API. */
  const printJsonError = (error: { code: string; message: string; hint?: string | undefined }) => {
    if (rest.includes('--json')) streams.out(`${JSON.stringify({ error: { ...error, hint: error.hint ?? null } })}\n`)
  }
  if (!command) {
    printJsonError({ code: 'invalid_request', message: `Unknown command "${name}".` })
    streams.note(`Unknown command "${name}".\n\n${overview(commands)}`)
    return 2
  }
  let connection: Connection | null = null
  try {
    const { values, positionals, rest: wordsAfter } = parse(rest, command)
    if (values.version) {
      streams.out(`${deps.version}\n`)
      return 0
    }
    if (values.help) {
      streams.out(`bashgym ${command.usage}\n${command.summary}\n${command.help ? `\n${command.help()}\n` : ''}`)
      return 0
    }
    if (command.takesNoArguments && positionals.length)
      throw new UsageError(`Unexpected argument "${positionals[0]}": this command takes only options.`)
    const json = values.json === true
    const dataDir = typeof values.home === 'string' ? values.home : undefined
    if (dataDir === '') throw new UsageError('--home must be a folder, but it is empty.')
    const note = (text: string) => streams.note(`${text}\n`)
    const context: Context = {
      values,
      args: positionals,
      rest: wordsAfter,
      json,
      connect: async (options) =>
        (connection ??= withIds(
          await deps.connect(dataDir, { needsServer: command === open || command === confirm, ...options, note, signal }),
        )),
      out: (document, text) => streams.out(json ? `${JSON.stringify(document)}\n` : `${forTerminal(text())}\n`),
      line: (document) => streams.out(`${JSON.stringify(document)}\n`),
      note,
      browse: deps.browse,
      ask: (question) => deps.ask(question, signal),
      signal,
    }
    return (await command.run(context)) ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      printJsonError({ code: 'invalid_request', message: error.message, hint: `Usage: bashgym ${command.usage}` })
      streams.note(`${error.message}\nUsage: bashgym ${command.usage}\n`)
      return 2
    }
    const { code, hint } = error instanceof AppError ? error : { code: 'internal', hint: undefined }
    const message = error instanceof Error ? error.message : String(error)
    printJsonError({ code, message, hint })
    streams.note(`${message}${hint ? ` ${hint}` : ''}\n`)
    if (error instanceof Interrupted) return error.exitCode
    return error instanceof AppError && error.code === 'filter_invalid' ? 2 : 1
  } finally {
    await (connection as Connection | null)?.close()
  }
}

function parse(args: string[], command: Command) {
  try {
    const options = { ...command.options, ...COMMON }
    const joined = joinValues(args, options)
    const words = command.manyValues ? spreadLists(joined, options) : joined
    const { values, positionals, tokens } = parseArgs({ args: words, options, allowPositionals: true, strict: true, tokens: true })
    const end = tokens.find(({ kind }) => kind === 'option-terminator')
    if (!end || !command.splitsRest) return { values, positionals, rest: null }
    const wordsAfter = words.length - end.index - 1
    return { values, positionals: positionals.slice(0, positionals.length - wordsAfter), rest: words.slice(end.index + 1) }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Turns `--query -tag:private` into `--query=-tag:private`, because parseArgs refuses a value that begins with a minus.
 * A word that begins with two minus signs stays an option, so a forgotten value is still reported.
 */
function joinValues(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>): string[] {
  const words: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!
    if (arg === '--') return [...words, ...args.slice(index)]
    const value = args[index + 1]
    const takesValue = arg.startsWith('--') && Object.hasOwn(options, arg.slice(2)) && options[arg.slice(2)]!.type === 'string'
    if (takesValue && value !== undefined && /^-[^-]/.test(value) && value !== '-h') {
      words.push(`${arg}=${value}`)
      index += 1
    } else words.push(arg)
  }
  return words
}

/** Lets a repeatable option take several values after one name: `--repo a b`. */
function spreadLists(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>): string[] {
  const words: string[] = []
  let open: string | null = null
  for (const [index, arg] of args.entries()) {
    if (arg === '--') return [...words, ...args.slice(index)]
    if (open !== null && !arg.startsWith('-')) {
      words.push(`${open}=${arg}`)
      continue
    }
    const isList = arg.startsWith('--') && options[arg.slice(2)]?.multiple === true
    open = isList ? arg : null
    if (!isList || (args[index + 1] ?? '-').startsWith('-')) words.push(arg) // parseArgs reports a list option without a value
  }
  return words
}

const overview = (commands: readonly Command[]) =>
  `bashgym: archive, score and browse your Claude Code sessions\n\n${commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`).join('\n')}\n\nEvery command takes --json (one JSON document on stdout) and --home DIR. Exit codes: 0 success, 1 failure, 2 wrong usage.\n`

const withIds = (connection: Connection): Connection => ({ ...connection, client: withShortIds(connection.client, routes) })
