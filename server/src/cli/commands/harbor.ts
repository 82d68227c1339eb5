import path from 'node:path'
import { harborFolders, readHarborTask } from '#server/adapters/harbor/read.ts'
import { writeHarborTask } from '#server/adapters/harbor/write.ts'
import { AppError } from '#contracts/errors.ts'
import { plural } from '#contracts/plural.ts'
import { type Command, textOf, UsageError } from '../command.ts'
import { table } from '../format.ts'
import { readTasks } from './batch-input.ts'

export const harborCommand: Command = {
  name: 'harbor',
  usage: 'harbor read DIR | write TASKS.jsonl --image IMAGE --output DIR',
  summary: 'Harbor tasks: read a folder of them (also terminal-bench 1), or write the tasks of a batch',
  options: { image: { type: 'string' }, output: { type: 'string', short: 'o' } },
  async run(context) {
    const [action, target, ...rest] = context.args
    if ((action !== 'read' && action !== 'write') || target === undefined || rest.length > 0)
      throw new UsageError('harbor must be followed by read and a folder, or by write and a file of tasks.')
    if (action === 'read') {
      const tasks = await Array.fromAsync(await harborFolders(path.resolve(target)), readHarborTask)
      context.out({ items: tasks }, () =>
        table([
          ['name', 'format', 'environment', 'check'],
          ...tasks.map(({ name, format, environment, check }) => [name, format, environment?.kind ?? '–', check]),
        ]),
      )
      return
    }
    const [image, output] = [textOf(context.values, 'image'), textOf(context.values, 'output')]
    if (!image || !output) throw new UsageError('harbor write needs --image and --output.')
    const { tasks } = readTasks(target)
    const unfit = tasks.find(({ verify, repositoryUrl }) => verify === undefined || repositoryUrl !== undefined)
    if (unfit)
      throw new AppError('invalid_request', {
        message: `The task "${unfit.key}" cannot be written: ${unfit.verify === undefined ? 'it has no "verify" command' : 'its files are at a URL; use "directory" instead'}.`,
        hint: 'Nothing was written.',
      })
    const folders = tasks.map(({ key }) => path.join(path.resolve(output), key.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '_')))
    const duplicate = folders.find((folder, index) => folders.indexOf(folder) !== index)
    if (duplicate !== undefined)
      throw new AppError('invalid_request', { message: `Two tasks would be written to ${duplicate}. Give them other ids.` })
    for (const [index, { prompt, directory, setup, verify }] of tasks.entries())
      await writeHarborTask(folders[index]!, {
        name: `bashgym/${path.basename(folders[index]!)}`,
        instruction: prompt,
        image,
        directory: directory ?? null,
        setup: setup ?? [],
        check: verify!,
      })
    context.out({ folders }, () => `${plural(folders.length, 'task')} written to ${path.resolve(output)}.`)
  },
}
