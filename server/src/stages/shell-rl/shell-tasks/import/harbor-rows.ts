import path from 'node:path'
import { harborFolders, readHarborTask, type HarborTask } from '#server/adapters/harbor/read.ts'
import { checkOfTestScript } from '#server/adapters/harbor/write.ts'
import type { OutsideRow } from '#server/adapters/outside-rows/index.ts'
import { inForeign } from '#server/foreign/index.ts'
import { dockerfileSetup } from './dockerfile.ts'

const MAX_SCRIPT_BYTES = 4 * 1024 * 1024

/** Reads Harbor task folders as rows, sorted by name; `line` counts the folders. */
export async function* harborRows(folder: string): AsyncGenerator<OutsideRow> {
  for (const [index, one] of (await harborFolders(folder)).entries()) {
    const line = index + 1
    try {
      yield { line, row: await rowOf(await readHarborTask(one)), error: null }
    } catch (error) {
      yield { line, row: null, error: `${path.basename(one)}: ${(error as Error).message}` }
    }
  }
}

async function rowOf(task: HarborTask): Promise<object> {
  const read = (file: string) => inForeign(task.folder, (folder) => folder.text(file, MAX_SCRIPT_BYTES))
  const { environment, metadata } = task
  if (environment?.kind === 'compose') throw new Error('it needs several containers, which a shell task cannot have.')
  const converted =
    environment?.kind === 'dockerfile' ? dockerfileSetup(environment.value) : { setup: [], image: environment?.value ?? null }
  const check = checkOfTestScript(await read(task.check))
  if (check === null) throw new Error('its check is a script; only checks of one command can be imported.')
  const level = metadata['difficulty_level']
  return {
    task_id: path.basename(task.folder),
    task: task.instruction,
    setup_commands: converted.setup,
    success_condition: check,
    ...(typeof level === 'number' && { difficulty_level: level }),
    ...(task.solution !== null && { reference_solution: (await read(task.solution)).replace(/^#!.*\n/, '').trim() }),
    ...(converted.image !== null && { image: converted.image }),
    harbor: task.name,
  } // prettier-ignore
}
