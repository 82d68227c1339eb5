import { ShellTaskBody, ShellTaskId } from '#contracts/entities/shell-task.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { idOfContent } from '../identity.ts'
import { setupCommandsOf } from './setup-commands.ts'

export interface ReadTask extends ShellTaskBody {
  id: string
  extra: Record<string, unknown>
}

/** Accepted names of each field; the first name with a value counts. */
const NAMES = {
  id: ['task_id', 'id', 'taskId'],
  task: ['task', 'instruction', 'description'],
  setup: ['setup_commands', 'setupCommands', 'setup'],
  check: ['success_condition', 'success_check', 'check', 'successCondition'],
  difficulty: ['difficulty_level', 'difficulty', 'difficultyLevel'],
  solution: ['reference_solution', 'referenceSolution', 'solution'],
} as const

const MAX_CHARACTERS = 4 * 1024 * 1024

/** Reads a task from a row with any of the accepted field names, or says why it cannot. Other fields are stored as `extra`. */
export function readShellTask(value: unknown): { task: ReadTask } | { reason: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { reason: 'This line is not a JSON object.' }
  const row = value as Record<string, unknown>
  const used = new Set<string>()
  const take = (field: keyof typeof NAMES): { name: string; value: unknown } => {
    const name = NAMES[field].find((one) => Object.hasOwn(row, one) && row[one] !== null && row[one] !== '')
    for (const one of NAMES[field]) if (one === name || row[one] === null || row[one] === '') used.add(one)
    return { name: name ?? NAMES[field][0], value: name === undefined ? undefined : row[name] }
  }
  const [id, task, setup] = [take('id'), take('task'), take('setup')]
  const [check, difficulty, solution] = [take('check'), take('difficulty'), take('solution')]
  const commands = commandsOf(setup.value)
  if (commands === null) return { reason: `${setup.name} must be a list of commands or a string.` }
  const level = numberOf(difficulty.value)
  if (level === undefined) return { reason: `${difficulty.name} must be a whole number from 1 to 4.` }
  const missing = [task, check].find(({ value }) => value === undefined)
  if (missing) return { reason: `${missing.name} is missing.` }
  const spellings = new Map([['task', task.name], ['setup', setup.name], ['check', check.name], ['referenceSolution', solution.name]]) // prettier-ignore
  const body = ShellTaskBody.safeParse({
    task: textOf(task.value),
    setup: commands,
    check: textOf(check.value),
    difficulty: level,
    referenceSolution: textOf(solution.value) ?? null,
  })
  if (!body.success) {
    const [issue] = body.error.issues
    const field = String(issue!.path[0])
    return { reason: `${spellings.get(field) ?? field}: ${plainWords(issue!)}` }
  }
  const content = body.data
  if ([content.task, content.check, ...content.setup].some((text) => text.includes('\0'))) return { reason: 'It contains a NUL byte.' }
  const extra = Object.fromEntries(Object.entries(row).filter(([name]) => !used.has(name) && name !== '__proto__'))
  const rowId = idOf(id.value)
  if (rowId === null) return { reason: `${id.name} must be a string or a number.` }
  const requestedId = rowId ?? idOfContent(content)
  const isValidId = ShellTaskId.safeParse(requestedId).success
  const read = {
    ...content,
    id: isValidId ? requestedId : validIdFor(requestedId, content),
    extra: isValidId ? extra : { ...extra, task_id: requestedId },
  }
  if (JSON.stringify(read).length > MAX_CHARACTERS) return { reason: 'It is larger than 4 MB.' }
  return { task: read }
}

const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

/** Null if it is not a list of commands. */
function commandsOf(value: unknown): string[] | null {
  if (value === undefined) return []
  if (typeof value === 'string') return setupCommandsOf(value)
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return null
  return value.filter((one) => one.trim() !== '')
}

/** Null if the row has none; undefined if it is not a difficulty. */
function numberOf(value: unknown): number | null | undefined {
  if (value === undefined) return null
  const level = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 4 ? level : undefined
}

/** Undefined if the row has none; null if it is not an id. */
function idOf(value: unknown): string | null | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : null
}

/** Derives a valid id from an invalid one; always the same for the same task. */
const validIdFor = (invalidId: string, content: Parameters<typeof idOfContent>[0]): string => {
  const readable = invalidId.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '').slice(0, 100) // prettier-ignore
  return readable === '' ? idOfContent(content) : `${readable}-${idOfContent(content).slice(3, 11)}`
}
