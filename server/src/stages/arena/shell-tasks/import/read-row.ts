import { ShellTaskBody, ShellTaskId } from '#contracts/entities/shell-task.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { idOfContent } from '../identity.ts'
import { setupCommandsOf } from './setup-commands.ts'

export interface ReadTask extends ShellTaskBody {
  id: string
  extra: Record<string, unknown>
}

/** Names of a field in the files of others and ours; the first one that has a value counts. */
const NAMES = {
  id: ['task_id', 'id', 'taskId'],
  task: ['task', 'instruction', 'description'],
  setup: ['setup_commands', 'setupCommands', 'setup'],
  check: ['success_condition', 'success_check', 'check', 'successCondition'],
  difficulty: ['difficulty_level', 'difficulty', 'difficultyLevel'],
  solution: ['reference_solution', 'referenceSolution', 'solution'],
} as const

const LARGEST = 4 * 1024 * 1024

/** The task of a row in any of the known spellings, or why it is none. Other fields are kept as `extra`. */
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
  if ([content.task, content.check, ...content.setup].some((text) => text.includes('\0'))) return { reason: 'It holds a NUL byte.' }
  const extra = Object.fromEntries(Object.entries(row).filter(([name]) => !used.has(name) && name !== '__proto__'))
  const named = idOf(id.value)
  if (named === null) return { reason: `${id.name} must be a string or a number.` }
  const given = named ?? idOfContent(content)
  const isFit = ShellTaskId.safeParse(given).success
  const read = { ...content, id: isFit ? given : fitted(given, content), extra: isFit ? extra : { ...extra, task_id: given } }
  if (JSON.stringify(read).length > LARGEST) return { reason: 'It is larger than 4 MB.' }
  return { task: read }
}

const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

/** Null: it is not a list of commands. */
function commandsOf(value: unknown): string[] | null {
  if (value === undefined) return []
  if (typeof value === 'string') return setupCommandsOf(value)
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return null
  return value.filter((one) => one.trim() !== '')
}

/** Null: none is given. Undefined: it is not a difficulty. */
function numberOf(value: unknown): number | null | undefined {
  if (value === undefined) return null
  const level = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 4 ? level : undefined
}

/** Undefined: none is given. Null: it cannot be one. */
function idOf(value: unknown): string | null | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : null
}

/** A valid id, derived from a foreign one that is not valid; always the same. */
const fitted = (given: string, content: Parameters<typeof idOfContent>[0]): string => {
  const readable = given.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '').slice(0, 100) // prettier-ignore
  return readable === '' ? idOfContent(content) : `${readable}-${idOfContent(content).slice(3, 11)}`
}
