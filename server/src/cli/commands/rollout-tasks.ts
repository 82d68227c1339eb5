import fs from 'node:fs'
import readline from 'node:readline'
import { z } from 'zod'
import { RolloutTask } from '#contracts/entities/rollout.ts'
import { AppError } from '#contracts/errors.ts'

const Row = z
  .object({
    id: RolloutTask.shape.id.optional(),
    task_id: z.union([z.string(), z.number()]).optional(),
    task: RolloutTask.shape.task,
    setup: RolloutTask.shape.setup.optional(),
    setup_commands: RolloutTask.shape.setup.optional(),
    check: RolloutTask.shape.check.optional(),
    success_condition: RolloutTask.shape.check.optional(),
    difficulty: RolloutTask.shape.difficulty.optional(),
    difficulty_level: z.coerce.number().int().min(1).max(4).nullable().optional(),
  })
  .transform((row, context) => {
    const check = row.check ?? row.success_condition
    if (check === undefined) {
      context.addIssue({ code: 'custom', message: 'it has no check' })
      return z.NEVER
    }
    const id = row.id ?? (row.task_id === undefined ? undefined : String(row.task_id))
    return {
      ...(id !== undefined && { id }),
      task: row.task,
      setup: row.setup ?? row.setup_commands ?? [],
      check,
      difficulty: row.difficulty ?? row.difficulty_level ?? null,
    }
  })

const MAX_LISTED = 20

/** Reads shell tasks from a JSON Lines file, with our field names or the public format's. The error lists every bad line. */
export async function readShellTasks(file: string): Promise<z.output<typeof Row>[]> {
  const tasks: z.output<typeof Row>[] = []
  const problems: string[] = []
  let lineNumber = 0
  for await (const line of readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity })) {
    lineNumber += 1
    if (line.trim() === '') continue
    const row = readRow(line)
    if (typeof row === 'string') problems.push(`line ${lineNumber}: ${row}`)
    else tasks.push(row)
  }
  if (problems.length === 0 && tasks.length > 0) return tasks
  const listed = problems.length === 0 ? ['it has no task'] : problems.slice(0, MAX_LISTED)
  const more = problems.length > MAX_LISTED ? [`and ${problems.length - MAX_LISTED} more`] : []
  throw new AppError('invalid_request', {
    message: `${file} cannot be run:\n${[...listed, ...more].map((one) => `  ${one}`).join('\n')}`,
    hint: 'Each line is {"task", "setup", "check", "difficulty", "id"}; "task" and "check" are required. Nothing was started.',
  })
}

function readRow(line: string): z.output<typeof Row> | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `it is not JSON (${(error as Error).message})`
  }
  const parsed = Row.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return issue!.path.length > 0 ? `${issue!.path.join('.')}: ${issue!.message}` : issue!.message
}
