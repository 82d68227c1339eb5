import type { Bytes } from '#contracts/derive/route.ts'
import type { ShellTaskItem } from '#contracts/entities/shell-task.ts'
import { AppError } from '#contracts/errors.ts'
import { harborFiles } from '#server/adapters/harbor/write.ts'
import { packFiles, type TarFile } from '#server/stages/checks/index.ts'
import { setupLines } from './setup-lines.ts'

export type ExportFormat = 'jsonl' | 'harbor' | 'verifiers'

/** The image that exported tasks name; it has bash and the usual tools. */
const IMAGE = 'debian:12'

/** Writes tasks in a format for other programs. Throws `invalid_request` if a task cannot be written in it. */
export function exportTasks(tasks: readonly ShellTaskItem[], format: ExportFormat): Bytes {
  if (format !== 'harbor')
    return {
      stream: lines(tasks, format === 'jsonl' ? rowOf : verifiersRow),
      fileName: format === 'jsonl' ? 'shell-tasks.jsonl' : 'shell-tasks.verifiers.jsonl',
      contentType: 'application/octet-stream',
    }
  const unsupportedIds = tasks.filter(({ setup }) => setupLines(setup) === null).map(({ id }) => id)
  if (unsupportedIds.length > 0)
    throw new AppError('invalid_request', {
      message: `The set-up of ${unsupportedIds.length === 1 ? 'the task' : 'the tasks'} ${unsupportedIds.slice(0, 10).join(', ')}${unsupportedIds.length > 10 ? ` and ${unsupportedIds.length - 10} more` : ''} leaves a program running, which the image of a Harbor task cannot contain.`,
      hint: 'Exclude these tasks with a filter, or change their set-ups.',
    })
  return { stream: packFiles(harborTree(tasks)), fileName: 'shell-tasks.tar', contentType: 'application/octet-stream' }
}

async function* lines(tasks: readonly ShellTaskItem[], toRow: (task: ShellTaskItem) => object): AsyncGenerator<Uint8Array> {
  for (const task of tasks) yield Buffer.from(`${JSON.stringify(toRow(task))}\n`)
}

/** The row format of the public data set. */
export const rowOf = ({ id, task, setup, check, difficulty, referenceSolution, extra }: ShellTaskItem): object => ({
  ...extra,
  task_id: id,
  task,
  setup_commands: setup,
  success_condition: check,
  difficulty_level: difficulty,
  ...(referenceSolution !== null && { reference_solution: referenceSolution }),
})

const verifiersRow = ({ id, task, setup, check, difficulty, referenceSolution }: ShellTaskItem): object => ({
  question: task,
  answer: referenceSolution ?? '',
  info: { task_id: id, setup_commands: setup, success_condition: check, difficulty_level: difficulty },
  task: 'shell-tasks',
})

/** A folder for each task. */
function* harborTree(tasks: readonly ShellTaskItem[]): Generator<TarFile> {
  for (const { id, task, setup, check, difficulty, referenceSolution } of tasks) {
    const files = harborFiles({
      name: `bashgym/${id}`,
      instruction: task,
      image: IMAGE,
      directory: null,
      setup: setupLines(setup) ?? [], // the caller has refused tasks without lines
      check,
      solution: referenceSolution,
      ...(difficulty !== null && { metadata: { difficulty_level: difficulty } }),
    })
    for (const { path, text, mode } of files) yield { name: `${id}/${path}`, mode, content: text }
  }
}
