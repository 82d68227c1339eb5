import fs from 'node:fs'
import path from 'node:path'
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { BatchTask } from '#contracts/entities/batch.ts'
import { AppError } from '#contracts/errors.ts'

const Line = z.strictObject({
  prompt: z.string().trim().min(1),
  repository_url: z.string().optional(),
  directory: z.string().optional(),
  verify: z.string().min(1).optional(),
  setup: z.array(z.string()).optional(),
  title: z.string().optional(),
  id: z.union([z.string().trim().min(1), z.number()]).optional(),
})

/** The tasks of a JSON Lines file; folders in it are relative to it. Throws with every bad line named. */
export function readTasks(file: string): BatchTask[] {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException)
  }
  const problems: string[] = []
  const lineOf = new Map<string, number>()
  const tasks = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index): BatchTask[] => {
      if (line.trim() === '') return []
      const task = readLine(line, path.dirname(path.resolve(file)))
      if (typeof task === 'string') problems.push(`line ${index + 1}: ${task}`)
      else if (lineOf.has(task.key)) problems.push(`line ${index + 1}: the id "${task.key}" is that of line ${lineOf.get(task.key)} too`)
      else {
        lineOf.set(task.key, index + 1)
        return [task]
      }
      return []
    })
  if (problems.length > 0) throw refused(file, problems)
  if (tasks.length === 0) throw refused(file, ['it has no task'])
  return tasks
}

function unreadable(file: string, { code, message }: NodeJS.ErrnoException): AppError {
  if (code === 'EISDIR')
    return new AppError('invalid_request', {
      message: `${file} is a folder, and a batch is read from a file of JSON lines.`,
      hint: 'Tasks of Harbor bring a machine of their own, which runs of agents cannot use yet; `bashgym harbor read` shows what is in them.',
    })
  return new AppError('invalid_request', { message: `Can't read ${file}: ${code === 'ENOENT' ? 'there is no such file' : message}.` })
}

const SHOWN = 20

const refused = (file: string, problems: string[]) =>
  new AppError('invalid_request', {
    message: `${file} cannot be run:\n${problems
      .slice(0, SHOWN)
      .map((one) => `  ${one}`)
      .join('\n')}${problems.length > SHOWN ? `\n  and ${problems.length - SHOWN} more` : ''}`,
    hint: 'A line is {"prompt", "repository_url" or "directory", "verify", "id"}; only "prompt" must be there. Nothing was started.',
  })

function readLine(line: string, folder: string): BatchTask | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `it is no JSON (${(error as Error).message})`
  }
  const parsed = Line.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `${issue!.path.length > 0 ? `${issue!.path.join('.')}: ` : ''}${issue!.message}`
  }
  const { id, repository_url: repositoryUrl, directory, ...task } = parsed.data
  if (repositoryUrl !== undefined && directory !== undefined) return 'it names both repository_url and directory'
  return {
    ...task,
    // a task without an id is known by what it says, so that lines may be moved
    key: id === undefined ? hash('sha256', JSON.stringify(parsed.data)).slice(0, 16) : String(id),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(directory !== undefined && { directory: path.resolve(folder, directory) }),
  }
}
