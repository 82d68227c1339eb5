import fs from 'node:fs'
import path from 'node:path'
import { HubId } from '#contracts/entities/base-model.ts'
import { AppError } from '#contracts/errors.ts'
import type { HubShellTasks, ShellEvidence, ShellTask, ShellTaskImport, ShellTaskValidated } from '#contracts/entities/shell-task.ts'
import { plural } from '#contracts/plural.ts'
import { given } from '#server/given.ts'
import { writeOutput } from '#server/adapters/output-files/index.ts'
import { actionOf, allPages, type Command, type Context, enumOf, oneArgument, textOf, UsageError } from '../command.ts'
import { formatNumber, table } from '../format.ts'
import { jsonInput } from '../json-input.ts'
import { waitFor } from '../wait.ts'
import { hubLines } from './models-pull.ts'
import { propose } from './shell-tasks-propose.ts'
import { diversity, generate, GENERATE_OPTIONS, GENERATE_USAGE } from './shell-tasks-generate.ts'

const FORMATS = ['jsonl', 'harbor', 'verifiers'] as const
const ACTIONS = { import: importFile, list, show, validate, run, export: exportAll, reward, generate, diversity, propose } as const
const ACTION_NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]

export const shellTasks: Command = {
  name: 'shell-tasks',
  usage:
    'shell-tasks import FILE|OWNER/NAME --split NAME [--held-out] [--keep-near] [--plan] | list [FILTER] | show ID | validate ID…|FILTER | run ID | export [FILTER] [--format jsonl|harbor|verifiers] [--output FILE] | reward [FILE] | propose TRACE [--save] | ' +
    GENERATE_USAGE,
  summary: 'tasks for a model at a shell: import, browse, generate, validate, try and export them; rewards of episodes',
  help: () =>
    'FILTER: --split NAME --difficulty 1,2 --source imported,starter --status valid,none --query WORDS\n' +
    'FILE of an import has one task per line: {"task_id", "task", "setup_commands", "success_condition", "difficulty_level"}; it can also be Parquet.\n' +
    'OWNER/NAME is a data set on the Hugging Face Hub (--split is train unless you name another part); its size and licence are printed before it is fetched, and --plan ends there.\n' +
    'Splits named test, eval, heldout or *-heldout are held out: tasks nearly the same as theirs are kept out of other splits.\n' +
    'validate checks each task in fresh sandboxes, with six verdicts; exit code 1 if a task is not valid.\n' +
    'run creates a sandbox with the set-up of a task and prints how to work in it.\n' +
    'reward reads {"episodes": [{"success", "turns", "nonzero_exit_codes"}], "groups": [[…]], "policy"} from FILE or stdin.\n' +
    'export --format harbor writes a tar file with a folder for each task; without --output, lines go to stdout.\n' +
    'generate has a model write new tasks from pairs of existing ones; --plan shows the exact prompt and an estimate, and sends nothing.\n' +
    'propose shows the tasks that can be made from the shell commands of a session, and why other commands are left out; --save stores them in --split (default: own).\n' +
    'diversity shows how balanced and how varied tasks are.',
  options: {
    split: { type: 'string' },
    'held-out': { type: 'boolean' },
    'keep-near': { type: 'boolean' },
    difficulty: { type: 'string' },
    source: { type: 'string' },
    status: { type: 'string' },
    query: { type: 'string' },
    format: { type: 'string' },
    output: { type: 'string', short: 'o' },
    save: { type: 'boolean' },
    ...GENERATE_OPTIONS,
  },
  run(context) {
    const [action, ...args] = actionOf(context, 'shell-tasks', ACTION_NAMES)
    return ACTIONS[action]({ ...context, args })
  },
}

async function importFile(context: Context): Promise<number> {
  const file = oneArgument(context, 'The file or data set')
  const isOnHub = isHubName(file)
  const split = textOf(context.values, 'split') ?? (isOnHub ? 'train' : undefined)
  if (split === undefined) throw new UsageError('--split is missing: the name of the set that the tasks belong to, such as train.')
  if (context.values['plan'] === true && !isOnHub) throw new UsageError('--plan is for a data set on the hub: OWNER/NAME.')
  const connection = await context.connect()
  const set = isOnHub ? await connection.client.lookUpShellTasks({ body: { id: file, split } }) : null
  if (set && context.values['plan'] === true) {
    context.out(set, () => describeSet(set))
    return set.problem === null ? 0 : 1
  }
  if (set) context.note(describeSet(set))
  if (set && set.problem !== null) throw new AppError('invalid_request', { message: `Nothing was fetched from ${set.id}. ${set.problem}` })
  const started = await connection.client.importShellTasks({
    body: {
      ...(set ? { hub: { id: set.id, revision: set.revision } } : { file: path.resolve(file) }),
      split,
      keepNear: context.values['keep-near'] === true,
      ...(context.values['held-out'] === true && { isHeldOut: true }),
    },
  })
  const result = (await waitFor(context, connection, started)).result as ShellTaskImport // the result type of an import job
  const { imported, duplicates, needsDocker, bad } = result
  for (const { line, reason } of needsDocker.slice(0, 20)) context.note(`line ${line}: ${reason}`)
  if (needsDocker.length > 20) context.note(`… and ${needsDocker.length - 20} more need Docker; --json has them all.`)
  for (const { line, reason } of bad.slice(0, 20)) context.note(`line ${line}: ${reason}`)
  if (bad.length > 20) context.note(`… and ${bad.length - 20} more; --json has them all.`)
  context.out(
    result,
    () =>
      `${plural(imported, 'task')} imported into ${split}; left out: ${formatNumber(duplicates.exact)} already imported, ${formatNumber(duplicates.near)} nearly the same, ${formatNumber(bad.length)} bad lines.`,
  )
  return 0
}

/** OWNER/NAME, unless there is such a file or it is named like one. */
const isHubName = (text: string): boolean =>
  HubId.safeParse(text).success && !fs.existsSync(text) && !/\.(?:jsonl?|ndjson|parquet)$/i.test(text)

function describeSet(set: HubShellTasks): string {
  const { leftOut, problem } = set
  return [
    ...hubLines(set),
    ...(leftOut.length === 0
      ? []
      : [`  left out  ${leftOut.slice(0, 5).join(', ')}${leftOut.length > 5 ? ` and ${leftOut.length - 5} more` : ''}`]),
    ...(problem === null ? [] : [`  problem   ${problem}`]),
  ].join('\n')
}

const filterOf = ({ values, args }: Context) => {
  if (args.length > 0) throw new UsageError(`Unexpected argument "${args[0]}": filters are options.`)
  return given({
    split: textOf(values, 'split'),
    difficulty: textOf(values, 'difficulty'),
    source: textOf(values, 'source'),
    status: textOf(values, 'status'),
    q: textOf(values, 'query'),
  })
}

async function list(context: Context): Promise<void> {
  const filter = filterOf(context)
  const { client } = await context.connect()
  const items = await allPages((page) => client.listShellTasks({ query: { ...filter, ...page } }))
  context.out({ items, total: items.length }, () =>
    items.length === 0
      ? 'No task matches.'
      : table([
          ['id', 'split', 'difficulty', 'validation', 'task'],
          ...items.map(({ id, split, difficulty, validation, task }) => [
            id,
            split,
            String(difficulty ?? '–'),
            validation?.status ?? 'not validated',
            firstLine(task),
          ]),
        ]),
  )
}

async function show(context: Context): Promise<void> {
  const id = oneArgument(context, 'The task id')
  const task = await (await context.connect()).client.getShellTask({ params: { id } })
  context.out(task, () => describe(task))
}

async function validate(context: Context): Promise<number> {
  const ids = context.args
  const filter = filterOf({ ...context, args: [] })
  const isFiltered = Object.keys(filter).length > 0
  if (ids.length > 0 === isFiltered) throw new UsageError('Name the tasks to validate, or give a filter such as --split starter.')
  const connection = await context.connect()
  const body = isFiltered ? { filter } : { ids }
  const job = await waitFor(context, connection, await connection.client.validateShellTasks({ body }))
  const result = job.result as ShellTaskValidated // the result type of a validation job
  const { validated, valid, invalid, unknown, gone } = result
  const task = ids.length === 1 && gone === 0 ? await connection.client.getShellTask({ params: { id: ids[0]! } }) : null
  context.out(task ?? result, () =>
    task === null
      ? `${formatNumber(validated)} validated: ${valid} valid, ${invalid} invalid, ${unknown} unknown${gone > 0 ? `, ${gone} removed or changed meanwhile` : ''}.`
      : describe(task),
  )
  return valid === validated ? 0 : 1
}

async function run(context: Context): Promise<void> {
  const id = oneArgument(context, 'The task id')
  const connection = await context.connect({ needsServer: true })
  const { task } = await connection.client.getShellTask({ params: { id } })
  const sandbox = await connection.client.runShellTask({ params: { id } })
  context.out({ sandboxId: sandbox.id, task }, () =>
    [task, `The sandbox ${sandbox.id} is set up. Open it in the app, or run: bashgym sandbox exec ${sandbox.id} COMMAND`].join('\n'),
  )
}

async function reward(context: Context): Promise<void> {
  const given = jsonInput(context)
  const result = await (await context.connect()).client.computeRewards({ body: given as { episodes: [] } }) // the route parses it
  context.out(result, () => JSON.stringify(result, null, 2))
}

async function exportAll(context: Context): Promise<void> {
  const filter = filterOf(context)
  const format = enumOf(context.values, 'format', FORMATS) ?? 'jsonl'
  const output = textOf(context.values, 'output')
  if (output === undefined && format === 'harbor') throw new UsageError('--output is missing: the tar file for the task folders.')
  const { client } = await context.connect()
  const response = await client.exportShellTasks({ query: { ...filter, format } })
  if (output === undefined) {
    const text = await response.text()
    return context.out({ format, rows: text }, () => text.trimEnd())
  }
  const file = path.resolve(output)
  await writeOutput(file, [new Uint8Array(await response.arrayBuffer())])
  context.out({ format, file }, () => `Written to ${file}.`)
}

const firstLine = (text: string): string => {
  const [first = ''] = text.split('\n')
  return first.length > 80 ? `${first.slice(0, 79)}…` : first
}

function describe({ id, split, isHeldOut, source, difficulty, task, setup, check, referenceSolution, validation }: ShellTask): string {
  return [
    `${id}, split ${split}${isHeldOut ? ' (held out)' : ''}, ${source}, difficulty ${difficulty ?? 'unknown'}`,
    task,
    ...setup.map((command) => `set-up: ${command}`),
    `check: ${check}`,
    ...(referenceSolution === null ? [] : [`solution: ${referenceSolution}`]),
    validation === null ? 'not validated' : `${validation.status}, ${validation.at}`,
    ...(validation?.verdicts ?? []).flatMap(({ name, verdict, evidence }) => {
      const evidenceLines = evidence.map(evidenceOf)
      if (verdict === 'pass' || evidenceLines.length === 0)
        return [`${name}: ${verdict}${evidenceLines[0] === undefined ? '' : `, ${evidenceLines[0]}`}`]
      return [`${name}: ${verdict}`, ...evidenceLines.map((one) => `  ${one}`)]
    }),
  ].join('\n')
}

/** One line for a command that was run for a verdict, with its outcome. */
function evidenceOf({ note, command, exitCode, timedOut, outputTail }: ShellEvidence): string {
  if (command === null) return note
  const end = timedOut ? 'took too long' : exitCode === null ? 'killed' : `exit code ${exitCode}`
  const output = outputTail.trim().split('\n').at(-1) ?? ''
  return `${note} ${firstLine(command)}: ${end}${output === '' ? '' : `, ${firstLine(output)}`}`
}
