import { z } from 'zod'
import type { BatchTask } from './entities/batch.ts'

const Line = z.strictObject({
  prompt: z
    .string({ error: ({ input }) => (input === undefined ? 'it is missing' : undefined) })
    .trim()
    .min(1),
  repository_url: z.string().optional(),
  directory: z.string().optional(),
  verify: z.string().min(1).optional(),
  setup: z.array(z.string()).optional(),
  title: z.string().optional(),
  id: z.union([z.string().trim().min(1), z.number()]).optional(),
})
export type TaskLine = z.infer<typeof Line>

/** The format of a line, shown to a user whose line is invalid. */
export const TASK_LINE = 'A line is {"prompt", "repository_url" or "directory", "verify", "id"}; only "prompt" must be there.'

export interface LineProblem {
  /** Line number, starting at 1. */
  line: number
  message: string
}

interface Reading {
  /** Returns the absolute path of a folder, or null if the base of a relative path is unknown. */
  folderOf: (directory: string) => string | null
  /** Returns the key of a task that has no id. */
  keyOf: (task: TaskLine, line: number) => string
}

export interface ReadTasks {
  tasks: BatchTask[]
  problems: LineProblem[]
  /** The line of each key, starting at 1. */
  lineOf: ReadonlyMap<string, number>
}

/** Reads tasks from JSON lines and lists the lines that are not valid tasks. */
export function readTaskLines(text: string, { folderOf, keyOf }: Reading): ReadTasks {
  const problems: LineProblem[] = []
  const lineOf = new Map<string, number>()
  const tasks = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((lineText, index): BatchTask[] => {
      if (lineText.trim() === '') return []
      const line = index + 1
      const parsed = parse(lineText)
      const task = typeof parsed === 'string' ? parsed : taskOf(parsed, folderOf, keyOf(parsed, line))
      if (typeof task === 'string') problems.push({ line, message: task })
      else if (lineOf.has(task.key))
        problems.push({ line, message: `the id "${task.key}" is already used in line ${lineOf.get(task.key)}` })
      else {
        lineOf.set(task.key, line)
        return [task]
      }
      return []
    })
  return { tasks, problems, lineOf }
}

/** Returns a string with the problem if the line is invalid. */
function parse(line: string): TaskLine | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `it is not valid JSON (${(error as Error).message})`
  }
  const parsed = Line.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `${issue!.path.length > 0 ? `${issue!.path.join('.')}: ` : ''}${issue!.message}`
}

function taskOf(line: TaskLine, folderOf: Reading['folderOf'], keyIfNone: string): BatchTask | string {
  const { id, repository_url: repositoryUrl, directory, ...task } = line
  if (repositoryUrl !== undefined && directory !== undefined) return 'it names both repository_url and directory'
  const folder = directory === undefined ? null : folderOf(directory)
  if (directory !== undefined && folder === null) return `directory: "${directory}" is not an absolute path`
  return {
    ...task,
    key: id === undefined ? keyIfNone : String(id),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(folder !== null && { directory: folder }),
  }
}
