import type { ClientChange, ModReport } from '#contracts/entities/router.ts'
import { GymWork } from '#contracts/settings/router.ts'
import { actionOf, type Command, type Context, enumOf, textOf, UsageError } from '../command.ts'
import { modRules } from './mod-rules.ts'

const ACTIONS = ['install', 'uninstall', 'status', 'rules', 'first'] as const

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
  usage:
    'mod install [--work sandbox|in-place] | uninstall | status [--settings FILE] [--dir DIR] | rules [--project DIR] [--write | --remove] | first [--undo]',
  summary: 'show, install or remove the mod of Claude Code with which your own model answers the agent gym',
  help: () =>
    '--work says where the agent works from now on: on a copy in a sandbox, with a patch in its report, or in your folder.\n' +
    'rules shows which rules of Claude Code would let the agent run the tests of a project in place; --write writes them into .claude/settings.local.json of the project, --remove takes them back.\n' +
    'first puts our mod before all others by a setting of Claude Code, so that none of them can allow what it denies.',
  options: {
    settings: { type: 'string' },
    dir: { type: 'string' },
    work: { type: 'string' },
    project: { type: 'string' },
    write: { type: 'boolean' },
    remove: { type: 'boolean' },
    undo: { type: 'boolean' },
  },
  async run(context) {
    const [action, ...more] = actionOf(context, 'mod', ACTIONS)
    if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
    const undo = context.values['undo'] === true
    if (undo && action !== 'first') throw new UsageError('--undo belongs to mod first.')
    if (action === 'first') return first(context, !undo)
    if (action === 'rules') return modRules(context)
    const work = enumOf(context.values, 'work', GymWork.options)
    const places = { settingsFile: textOf(context.values, 'settings'), folder: textOf(context.values, 'dir') }
    if (work !== undefined && (action !== 'install' || !isNone(places)))
      throw new UsageError('--work belongs to an install into Claude Code, without --settings and --dir.')
    const { report, why } = isNone(places)
      ? await overRoutes(context, action, work)
      : { report: await deps.onFile(action, places, deps.dataDirOf(textOf(context.values, 'home'))), why: null }
    const did = report.changed ? (action === 'install' ? ['Installed it now.'] : ['Removed it.']) : []
    context.out(report, () => [...did, describe(report), ...(report.installed && why !== null ? [why] : [])].join('\n'))
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

/** `why`: why sessions have no gym agent although the mod is there; null if they have. */
async function overRoutes(
  context: Context,
  action: 'install' | 'uninstall' | 'status',
  work: GymWork | undefined,
): Promise<{ report: ModReport; why: string | null }> {
  const { client } = await context.connect()
  if (work !== undefined) await client.patchSettings({ body: { router: { work } } })
  const changed = action === 'status' ? null : await (action === 'install' ? client.installMod : client.uninstallMod)({ body: {} })
  const { mod, student } = await client.getRouter({})
  const reason = student === null ? 'no model is chosen in Settings → Model in Claude Code.' : student.isUsable ? null : student.reason
  return { report: changed ?? mod, why: reason && `Sessions have no gym agent yet: ${reason}` }
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
