import fs from 'node:fs'
import path from 'node:path'
import { hash } from 'node:crypto'
import type { BatchTask } from '#contracts/entities/batch.ts'
import { AppError } from '#contracts/errors.ts'
import { readTaskLines, TASK_LINE } from '#contracts/task-lines.ts'

/** Tasks with the place in their file where each is. */
export interface TasksFile {
  tasks: BatchTask[]
  /** "tasks.jsonl:3" of a key. */
  placeOf: (key: string) => string
}

/** Reads tasks from a JSON Lines file. Folders are relative to the file. The error lists every bad line. */
export function readTasks(file: string): TasksFile {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException)
  }
  const folder = path.dirname(path.resolve(file))
  const { tasks, problems, lineOf } = readTaskLines(text, {
    folderOf: (directory) => path.resolve(folder, directory),
    // a task without an id is identified by its content, so lines can be reordered
    keyOf: (task) => hash('sha256', JSON.stringify(task)).slice(0, 16),
  })
  if (problems.length > 0)
    throw refused(
      file,
      problems.map(({ line, message }) => `line ${line}: ${message}`),
    )
  if (tasks.length === 0) throw refused(file, ['it has no task'])
  return { tasks, placeOf: (key) => `${file}:${lineOf.get(key)}` }
}

function unreadable(file: string, { code, message }: NodeJS.ErrnoException): AppError {
  if (code === 'EISDIR')
    return new AppError('invalid_request', {
      message: `${file} is a folder; a batch needs a JSON Lines file.`,
    })
  return new AppError('invalid_request', { message: `Can't read ${file}: ${code === 'ENOENT' ? 'there is no such file' : message}.` })
}

const MAX_LISTED = 20

const refused = (file: string, problems: string[]) =>
  new AppError('invalid_request', {
    message: `${file} cannot be run:\n${problems
      .slice(0, MAX_LISTED)
      .map((one) => `  ${one}`)
      .join('\n')}${problems.length > MAX_LISTED ? `\n  and ${problems.length - MAX_LISTED} more` : ''}`,
    hint: `${TASK_LINE} Nothing was started.`,
  })
