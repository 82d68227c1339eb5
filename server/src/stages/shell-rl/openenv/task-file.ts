import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, inForeign } from '#server/foreign/index.ts'
import { requireFile } from '#server/outside-file.ts'
import { type EnvironmentTask, type TaskSet, taskSet } from './tasks.ts'
import type { ShellTaskSource } from '../shell-tasks/service.ts'
import { isFields } from './wire.ts'

const MAX_MB = 64

/** Loads tasks by name: an absolute path of a file, or a split of the store. Throws `shell_split_not_found`, `path_refused`, `invalid_request`. */
export const environmentTasks =
  (store: Pick<ShellTaskSource, 'ofSplit'>, dataDir: string) =>
  async (name: string): Promise<TaskSet> => {
    if (path.isAbsolute(name)) return tasksOfFile(name, dataDir)
    const tasks = store.ofSplit(name).map(({ id, split, task, setup, check, difficulty }): EnvironmentTask => ({
      id,
      split,
      instruction: task,
      setup,
      verify: [check],
      difficulty,
    }))
    return taskSet(name, tasks)
  }

/** Reads a file of JSON lines, each with an instruction, set-up and checks. Throws `path_refused`, or `invalid_request` with the line number. */
export async function tasksOfFile(file: string, dataDir: string): Promise<TaskSet> {
  requireFile(file, 'tasks from', dataDir)
  const text = await inForeign(path.dirname(file), (folder) => folder.text(path.basename(file), MAX_MB * 1024 * 1024)).catch(
    (error: unknown) => {
      if (!(error instanceof ForeignFileError)) throw error
      const reason = error.code === 'too_large' ? `has more than ${MAX_MB} MB` : error.reason
      throw new AppError('path_refused', { message: `${file} ${reason}.`, cause: error })
    },
  )
  const lines = text.split('\n')
  const tasks = lines.flatMap((line, index) => (line.trim() === '' ? [] : [taskOf(line, index + 1, file)]))
  if (tasks.length === 0) throw new AppError('invalid_request', { message: `${file} has no tasks.` })
  return taskSet(path.basename(file), tasks)
}

function taskOf(line: string, no: number, file: string): EnvironmentTask {
  const wrong = (why: string) => new AppError('invalid_request', { message: `Line ${no} of ${file}: ${why}` })
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch {
    throw wrong('it is not valid JSON.')
  }
  if (!isFields(row)) throw wrong('it is not an object.')
  const fields = row
  const first = (keys: readonly string[]) => keys.map((key) => fields[key]).find((value) => value !== undefined && value !== null)
  const commands = (keys: readonly string[]): string[] => {
    const value = first(keys) ?? []
    const list: unknown[] = Array.isArray(value) ? value : [value]
    if (!list.every((one) => typeof one === 'string')) throw wrong(`${keys[0]} must be a command or a list of commands.`)
    return list
  }
  const instruction = first(['task', 'instruction', 'prompt', 'question'])
  if (typeof instruction !== 'string') throw wrong('it has no task (a text that says what to achieve).')
  const [id, split, difficulty] = [first(['task_id', 'id']), first(['split']), Number(first(['difficulty_level', 'difficulty']))]
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : `line-${no}`,
    split: typeof split === 'string' ? split : 'train',
    instruction,
    setup: commands(['setup_commands', 'setup', 'setup_scripts']),
    verify: commands(['success_condition', 'success_check', 'check', 'verify', 'verify_scripts']),
    difficulty: Number.isInteger(difficulty) ? difficulty : null,
  }
}
