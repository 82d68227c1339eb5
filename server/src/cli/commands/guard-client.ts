import type { ClientGuard } from '#contracts/entities/client-guard.ts'
import { GuardUnchecked } from '#contracts/settings/guardrails.ts'
import { type Context, enumOf, UsageError } from '../command.ts'

const ACTIONS = { on: 'guard', observe: 'observe', off: 'off', status: null, test: null } as const
export const GUARD_CLIENT_USAGE = `guard client ${Object.keys(ACTIONS).join('|')} [--unchecked ${GuardUnchecked.options.join('|')}]`

/** The guard over Claude Code's own commands. Exits with 1 if it is on and was not shown to hold. */
export async function guardClient(context: Context): Promise<number> {
  const [, action = '', ...more] = context.args
  if (more.length > 0 || !Object.hasOwn(ACTIONS, action)) throw new UsageError(`Use ${GUARD_CLIENT_USAGE}.`)
  const mode = ACTIONS[action as keyof typeof ACTIONS]
  const clientUnchecked = enumOf(context.values, 'unchecked', GuardUnchecked.options)
  const { client } = await context.connect()
  if (mode !== null || clientUnchecked !== undefined)
    await client.patchSettings({
      body: { guardrails: { ...(mode !== null && { client: mode }), ...(clientUnchecked !== undefined && { clientUnchecked }) } },
    })
  const isTested = action === 'on' || action === 'test'
  const report = isTested ? await client.proveClientGuard({ body: {} }) : await client.getClientGuard({})
  context.out(report, () => describe(report))
  return report.mode === 'guard' && !report.holds ? 1 : 0
}

const describe = ({ mode, way, holds, reason, unchecked, overridableBy, canBeFirst, problems }: ClientGuard): string =>
  [
    mode === 'off' ? reason : mode === 'guard' && !holds ? `Observes only, as far as is known: ${reason}` : `${mode}: ${reason}`,
    ...(way === null
      ? []
      : [
          way === 'mod'
            ? 'By the mod, inside Claude Code.'
            : `By a hook, which asks this app; without it ${unchecked === 'ask' ? 'you are asked' : 'nothing is said'}.`,
        ]),
    ...overridableBy.map((name) => `The mod ${name} decides about commands too, and can allow what the guard refuses.`),
    ...(overridableBy.length > 0 && canBeFirst ? ['`bashgym mod first` puts ours before it.'] : []),
    ...problems,
  ].join('\n')
