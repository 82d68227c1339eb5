import type { HooksReport } from '#contracts/entities/capture.ts'
import { type Command, type Context, oneArgument, textOf, UsageError } from '../command.ts'
import { table } from '../format.ts'

const ACTIONS = ['install', 'uninstall', 'status'] as const
type Action = (typeof ACTIONS)[number]

/** Passed in by the composition root; works on the given settings file without the lock of the data directory. */
export type HooksOnFile = (action: Action, settingsFile: string, dataDir: string) => Promise<HooksReport>

/** Uses the server's routes; with `--settings FILE` it needs neither server nor lock. */
export const hooksCommand = (onFile: HooksOnFile, dataDirOf: (dataDir: string | undefined) => string): Command => ({
  name: 'hooks',
  usage: 'hooks install|uninstall|status [--settings FILE] | shell-edits [on|off]',
  summary: 'show, install or remove the capture hooks in Claude Code',
  options: { settings: { type: 'string' } },
  async run(context) {
    if (context.args[0] === 'shell-edits') return shellEdits(context)
    const action = oneArgument(context, 'install, uninstall or status') as Action // checked in the next line
    if (!ACTIONS.includes(action)) throw new UsageError(`Unknown action "${action}". Use ${ACTIONS.join(', ')}.`)
    const file = textOf(context.values, 'settings')
    const report = file === undefined ? await overRoutes() : await onFile(action, file, dataDirOf(textOf(context.values, 'home')))
    context.out(report, () => describe(report))
    return report.problems.some(({ kind }) => kind === 'client_settings_invalid') ? 1 : 0

    async function overRoutes(): Promise<HooksReport> {
      const { client } = await context.connect()
      if (action === 'install') return client.installHooks({ body: {} })
      return action === 'uninstall' ? client.uninstallHooks({ body: {} }) : client.getHooks({})
    }
  },
})

/** Whether Claude Code records the edits of shell commands. */
async function shellEdits(context: Context): Promise<number> {
  const [, wanted, ...more] = context.args
  if (more.length > 0 || (wanted !== undefined && wanted !== 'on' && wanted !== 'off'))
    throw new UsageError('Use hooks shell-edits [on|off].')
  const { client } = await context.connect()
  const setting = await (wanted === undefined ? client.getShellEdits({}) : client.setShellEdits({ body: { on: wanted === 'on' } }))
  context.out(
    setting,
    () =>
      `bashEditDiffEnabled is ${setting.isOn ? 'on' : 'not on'} in ${setting.settingsFile}. The other choice would change:\n${setting.diff}`,
  )
  return 0
}

const describe = ({ installed, events, settingsFile, backupFile, clientVersion, problems }: HooksReport) =>
  [
    `${installed ? 'Installed' : 'Not installed'} in ${settingsFile} (Claude Code ${clientVersion ?? 'version unknown'}).`,
    ...(backupFile ? [`Backup: ${backupFile}`] : []),
    table(events.map(({ event, state, why }) => [event, state, why ?? ''])),
    ...problems.map(({ message }) => message),
  ].join('\n')
