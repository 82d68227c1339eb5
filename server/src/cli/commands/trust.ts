import path from 'node:path'
import { nameHidden } from '#contracts/hidden-signs.ts'
import { type Command, UsageError } from '../command.ts'

export const trustCommand: Command = {
  name: 'trust',
  usage: 'trust [FOLDER [--remove]]',
  summary:
    'let the app use projects in a folder outside your home folder, or in a hidden one, without asking each time; without FOLDER: list them',
  options: { remove: { type: 'boolean' } },
  async run(context) {
    const [given, ...more] = context.args
    const removes = context.values['remove'] === true
    if (more.length > 0 || given === '' || (given === undefined && removes)) throw new UsageError('Expected one folder.')
    const { client } = await context.connect()
    const { trustedFolders } = (await client.getSettings()).settings.access
    if (given === undefined) return context.out({ trustedFolders }, () => listed(trustedFolders))
    const folder = path.resolve(given)
    if (removes && !trustedFolders.includes(folder))
      throw new UsageError(`${folder} is not a trusted folder. \`bashgym trust\` lists them.`)
    const next = removes ? trustedFolders.filter((one) => one !== folder) : [...trustedFolders.filter((one) => one !== folder), folder]
    const { settings } = await client.patchSettings({ body: { access: { trustedFolders: next } } })
    const now = [...new Set(settings.access.trustedFolders)]
    context.out({ trustedFolders: now }, () => listed(now))
  },
}

const listed = (folders: readonly string[]) =>
  folders.length === 0 ? 'No folder is trusted.' : folders.map((one) => nameHidden(one)).join('\n')
