import { isClientSetting } from '#contracts/client-files.ts'
import { AppError } from '#contracts/errors.ts'
import { given } from '#server/given.ts'
import { actionOf, type Command, type Connection, type Context, listOf, textOf, UsageError } from '../command.ts'
import { formatDuration, table } from '../format.ts'
import { describe, follow } from './task.ts'

const ACTIONS = ['list', 'show', 'patch', 'apply', 'commit', 'branch', 'undo', 'pause', 'resume', 'remove'] as const
type Action = (typeof ACTIONS)[number]

export const tasks: Command = {
  name: 'tasks',
  usage:
    'tasks [list] [--state S,S] | show ID | patch ID [--file F…] | apply ID [--file F…] | commit ID [--message M] [--file F…] | branch ID --name N [--message M] [--file F…] | undo ID | pause ID | resume ID | remove ID [--force]',
  manyValues: true,
  summary: 'agent runs: list them, hand back their changes, or undo that',
  help: () =>
    'patch prints the change as a git patch, or with --file the change of these files. apply writes it into your files, commit commits it on your branch, branch commits it on a new branch.\n' +
    'A change of settings, hooks or rules of Claude Code is applied only if each file is named with --file.\n' +
    'If your repository has changed in the same places, nothing is written and the conflicts are listed. undo restores the previous contents.\n' +
    'pause interrupts an agent; its files and its conversation are kept, as when Bash Gym ends. resume lets it go on and waits for its end; Ctrl+C stops the run.',
  options: {
    state: { type: 'string' },
    file: { type: 'string', multiple: true },
    message: { type: 'string' },
    name: { type: 'string' },
    force: { type: 'boolean' },
  },
  async run(context) {
    const [action, id, ...more] = actionOf(context, 'tasks', ACTIONS, 'list')
    if (more.length > 0 || (action === 'list' && id !== undefined)) throw new UsageError(`Unexpected argument "${more[0] ?? id}".`)
    if (action === 'list') return list(context)
    if (id === undefined) throw new UsageError(`tasks ${action} needs the id of a run.`)
    if (action === 'branch' && textOf(context.values, 'name') === undefined)
      throw new UsageError('--name is missing: the name of the branch.')
    await runAction(action, id, context, await context.connect())
  },
}

async function list(context: Context): Promise<void> {
  const { client } = await context.connect()
  const state = textOf(context.values, 'state')
  const page = await client.listTasks({ query: { ...(state !== undefined && { state }), limit: '100' } })
  context.out(page, () =>
    page.items.length === 0
      ? 'No agent has run yet.'
      : table([
          ['id', 'state', 'agent', 'title', 'turns', 'time'],
          ...page.items.map((task) => [
            task.id,
            task.state,
            task.request.agent,
            task.title,
            String(task.turns),
            task.durationMs === null ? '' : formatDuration(task.durationMs),
          ]),
        ]),
  )
}

async function runAction(action: Exclude<Action, 'list'>, id: string, context: Context, connection: Connection): Promise<void> {
  const { client } = connection
  const params = { id }
  if (action === 'patch') {
    const { selection } = handBackOptions(context)
    const response = await (selection === undefined
      ? client.readTaskPatch({ params })
      : client.selectTaskPatch({ params, body: { selection } }).catch(withConflicts))
    const patch = await response.text()
    return context.out({ taskId: id, patch }, () => patch.trimEnd())
  }
  if (action === 'remove') {
    const removed = await client.removeTask({ params, query: { force: String(context.values['force'] === true) } })
    return context.out(removed, () => `Removed ${id}; its session stays.`)
  }
  if (action === 'pause' || action === 'resume') {
    const task =
      action === 'pause' ? await client.pauseTask({ params }) : await follow(context, connection, await client.resumeTask({ params }))
    return context.out(task, () => describe(task))
  }
  const task =
    action === 'show'
      ? await client.getTask({ params })
      : action === 'undo'
        ? await client.undoHandBack({ params })
        : await handBack(action, id, context, connection)
  context.out(task, () => (task.handedBack === null ? describe(task) : `${task.handedBack.detail}\n${describe(task)}`))
}

async function handBack(how: 'apply' | 'commit' | 'branch', id: string, context: Context, { client }: Connection) {
  const [params, options] = [{ id }, handBackOptions(context)]
  const { files } = options.selection === undefined && how !== 'branch' ? await client.getTaskChange({ params }) : { files: [] }
  const settings = files.map(({ path }) => path).filter(isClientSetting)
  if (settings.length > 0)
    throw new AppError('path_refused', {
      message: `Claude Code takes ${settings.join(', ')} as its own settings, hooks or rules, and asks before each change of them. Nothing was changed.`,
      hint: 'Read the patch. Then name every file that you want with --file, these too if you want them.',
    })
  return client.handBackTask({ params, body: { how, ...options } }).catch(withConflicts)
}

function handBackOptions({ values }: Context) {
  return given({
    selection: values['file'] === undefined ? undefined : listOf(values, 'file').map((path) => ({ path })),
    message: textOf(values, 'message'),
    branch: textOf(values, 'name'),
  })
}

/** Adds the conflicts to the message, because a terminal does not show error details. */
function withConflicts(error: unknown): never {
  const { conflicts } = (error instanceof AppError ? (error.details ?? {}) : {}) as { conflicts?: { path: string; reason: string }[] }
  if (!(error instanceof AppError) || !conflicts) throw error
  const lines = conflicts.map(({ path, reason }) => `  ${path}: ${reason}`)
  throw new AppError(error.code, { message: [error.message, ...lines].join('\n'), details: error.details })
}
