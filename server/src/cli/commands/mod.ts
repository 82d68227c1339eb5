import type { ByteStreams } from './redact.ts'
import type { ModReport, ModStep } from '#contracts/entities/router.ts'
import { actionOf, type Command, type Context, textOf, UsageError } from '../command.ts'

const ACTIONS = ['install', 'uninstall', 'status', 'step', 'check'] as const
/** A program without output for minutes could be taken for a dead one. */
const SIGN_OF_LIFE_MS = 5000

/** Passed in by the composition root; works on the given place without the lock of the data directory. */
export type ModOnFile = (
  action: 'install' | 'uninstall' | 'status',
  places: { settingsFile: string | undefined; folder: string | undefined },
  dataDir: string,
) => Promise<ModReport>

interface ModCommandDeps {
  onFile: ModOnFile
  dataDirOf: (dataDir: string | undefined) => string
  bytes: ByteStreams
}

/** Uses the server's routes; with a place it needs neither server nor lock. `step` and `check` are called by the mod itself. */
export const modCommand = (deps: ModCommandDeps): Command => ({
  name: 'mod',
  usage: 'mod install|uninstall|status [--settings FILE] [--dir DIR]',
  summary: 'show, install or remove the mod of Claude Code with which your own model answers the agent gym',
  options: { settings: { type: 'string' }, dir: { type: 'string' } },
  async run(context) {
    const [action, ...more] = actionOf(context, 'mod', ACTIONS)
    if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
    if (action === 'step') return step(context, deps.bytes)
    if (action === 'check') return check(context, deps.bytes)
    const places = { settingsFile: textOf(context.values, 'settings'), folder: textOf(context.values, 'dir') }
    const report = isNone(places)
      ? await overRoutes(context, action)
      : await deps.onFile(action, places, deps.dataDirOf(textOf(context.values, 'home')))
    context.out(report, () => describe(report))
    return 0
  },
})

const isNone = (places: Record<string, string | undefined>) => Object.values(places).every((one) => one === undefined)

async function overRoutes(context: Context, action: 'install' | 'uninstall' | 'status'): Promise<ModReport> {
  const { client } = await context.connect()
  if (action === 'install') return client.installMod({ body: {} })
  return action === 'uninstall' ? client.uninstallMod({ body: {} }) : (await client.getRouter({})).mod
}

async function step(context: Context, bytes: ModCommandDeps['bytes']): Promise<number> {
  const body = JSON.parse((await bytes.read()).toString('utf8')) as ModStep // the route checks it
  const { client } = await context.connect({ needsServer: true })
  const timer = setInterval(() => bytes.write(Buffer.from('\n')), SIGN_OF_LIFE_MS)
  try {
    const answer = await client.answerStep({ body })
    context.out(answer, () => answer.text)
    return 0
  } finally {
    clearInterval(timer)
  }
}

async function check(context: Context, bytes: ModCommandDeps['bytes']): Promise<number> {
  const { command } = JSON.parse((await bytes.read()).toString('utf8')) as { command: string } // the route checks it
  const { client } = await context.connect({ needsServer: true })
  const verdict = await client.checkGuardrails({ body: { command, profile: 'native' } })
  context.out(verdict, () => verdict.reason ?? verdict.verdict)
  return 0
}

const describe = ({ installed, version, loads, folder, clientVersion, overridableBy, problems }: ModReport) =>
  [
    `${installed ? `Installed, version ${version ?? 'unknown'},` : 'Not installed'} in ${folder} (Claude Code ${clientVersion ?? 'version unknown'}).`,
    ...(installed
      ? [
          `Loads at the next start of Claude Code: ${loads === null ? 'not verified' : loads ? 'yes, unless it is started with --bare or --safe-mode' : 'no'}.`,
        ]
      : []),
    ...overridableBy.map((name) => `The mod ${name} decides about tools too, and can allow what ours asks or denies.`),
    ...problems.map(({ message }) => message),
  ].join('\n')
