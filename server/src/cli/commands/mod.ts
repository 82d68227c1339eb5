import type { ClientChange, ModReport } from '#contracts/entities/router.ts'
import { actionOf, type Command, type Context, textOf, UsageError } from '../command.ts'

const ACTIONS = ['install', 'uninstall', 'status', 'first'] as const

/** Passed in by the composition root; works on the given place without the lock of the data directory. */
export type ModOnFile = (
  action: 'install' | 'uninstall' | 'status',
  places: { settingsFile: string | undefined; folder: string | undefined },
  dataDir: string,
) => Promise<ModReport>

interface ModCommandDeps {
  onFile: ModOnFile
  dataDirOf: (dataDir: string | undefined) => string
}

/** Uses the server's routes; with a place it needs neither server nor lock. */
export const modCommand = (deps: ModCommandDeps): Command => ({
  name: 'mod',
  usage: 'mod install|uninstall|status [--settings FILE] [--dir DIR] | first [--undo]',
  summary: 'show, install or remove the mod of Claude Code with which your own model answers the agent gym',
  options: { settings: { type: 'string' }, dir: { type: 'string' }, undo: { type: 'boolean' } },
  help: () => '`mod first` puts our mod before all others by a setting of Claude Code, so that none of them can allow what it denies.',
  async run(context) {
    const [action, ...more] = actionOf(context, 'mod', ACTIONS)
    if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
    const undo = context.values['undo'] === true
    if (undo && action !== 'first') throw new UsageError('--undo belongs to mod first.')
    if (action === 'first') return first(context, !undo)
    const places = { settingsFile: textOf(context.values, 'settings'), folder: textOf(context.values, 'dir') }
    const report = isNone(places)
      ? await overRoutes(context, action)
      : await deps.onFile(action, places, deps.dataDirOf(textOf(context.values, 'home')))
    context.out(report, () => describe(report))
    return 0
  },
})

async function first(context: Context, on: boolean): Promise<number> {
  const { client } = await context.connect()
  const before = await client.getModFirst({})
  const after: ClientChange = before.isOn === on ? before : await client.setModFirst({ body: { on } })
  context.out(after, () =>
    before.isOn === on ? `Nothing to change in ${after.settingsFile}.` : `Changed in ${before.settingsFile}:\n${before.diff}`,
  )
  return 0
}

const isNone = (places: Record<string, string | undefined>) => Object.values(places).every((one) => one === undefined)

async function overRoutes(context: Context, action: 'install' | 'uninstall' | 'status'): Promise<ModReport> {
  const { client } = await context.connect()
  if (action === 'install') return client.installMod({ body: {} })
  return action === 'uninstall' ? client.uninstallMod({ body: {} }) : (await client.getRouter({})).mod
}

const describe = ({ installed, version, loads, folder, clientVersion, overridableBy, isFirst, problems }: ModReport) =>
  [
    `${installed ? `Installed, version ${version ?? 'unknown'},` : 'Not installed'} in ${folder} (Claude Code ${clientVersion ?? 'version unknown'}).`,
    ...(installed
      ? [
          `Loads at the next start of Claude Code: ${loads === null ? 'not verified' : loads ? 'yes, unless it is started with --bare or --safe-mode' : 'no'}.`,
        ]
      : []),
    ...overridableBy.map(
      (name) =>
        `The mod ${name} decides about tools too, and can allow what ours asks or denies. \`bashgym mod first\` puts ours before it.`,
    ),
    ...(isFirst ? ['It comes before all other mods, by a setting of Claude Code (`bashgym mod first --undo`).'] : []),
    ...problems.map(({ message }) => message),
  ].join('\n')
