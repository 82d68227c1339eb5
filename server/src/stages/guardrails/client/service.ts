/** The guard over Claude Code's own commands: what is in place for it, what it answers, and whether it was shown to hold. */
import { hash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { type ClientGuard, GuardProof } from '#contracts/entities/client-guard.ts'
import type { GuardVerdict } from '#contracts/entities/guardrail.ts'
import type { ModReport } from '#contracts/entities/router.ts'
import type { GuardrailSettings, OwnGuardRule } from '#contracts/settings/guardrails.ts'
import type { AgentProgram } from '#server/adapters/agent-cli/index.ts'
import type { CanaryOptions, CanaryResult } from '#server/adapters/agent-cli/canary/run.ts'
import { decidingSettings } from '#server/adapters/agent-cli/canary/settings.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { type Call, createDoor, type Decided } from './door.ts'
import { createProofs } from './proofs.ts'
import { refusalOf } from './refusal.ts'
import { outcomeOf, standing } from './standing.ts'

export interface ClientGuardDeps {
  settings: () => GuardrailSettings
  /** Those of the user whose tests pass. */
  ownRules: () => Promise<OwnGuardRule[]>
  verdictOn: (command: string, cwd: string | null) => Promise<GuardVerdict>
  record: (call: Call, verdict: GuardVerdict, what: { source: 'hook' | 'mod'; action: Decided['action'] }) => void
  client: { version: () => Promise<string | null>; program: () => AgentProgram | string; loadsMods: (version: string) => boolean }
  settingsFile: string
  /** Variables that the administrator's settings give to the client. */
  managedVariables: () => readonly string[]
  /** Chooses what runs the client's programs. */
  path: string
  canary: (options: CanaryOptions) => Promise<CanaryResult>
  mod: {
    report: () => Promise<ModReport>
    install: () => Promise<unknown>
    /** Mods that decide about tools, whether ours is installed or not. */
    others: () => Promise<string[]>
  }
  hook: { writeScript: () => void; set: (isOn: boolean) => void; isInstalled: () => boolean }
}

/** Read by our mod: without the file it guards nothing. */
export const guardFile = (folder: string): string => path.join(folder, 'guard.json')

const CHOOSES_ADDRESS = /^(?:ANTHROPIC_|CLAUDE_CODE_USE_|HTTPS?_PROXY$|NO_PROXY$)/i

export function createClientGuard({ paths, log, now }: Pick<Core, 'paths' | 'log' | 'now'>, deps: ClientGuardDeps) {
  const { settings, client, mod, hook } = deps
  const proofs = createProofs(paths.guard)
  let applied: Promise<void> = Promise.resolve()
  let failure: string | null = null
  let testing: Promise<void> | null = null
  const closing = new AbortController()
  const warn = (error: unknown, message: string) => log.warn({ err: error }, message)

  const isTest = ({ cwd }: Call) => cwd?.startsWith(`${paths.guard}${path.sep}`) === true
  const door = createDoor({
    folder: paths.guard,
    warn,
    async answer(call) {
      const { client: mode } = settings()
      if (mode === 'off' || call.tool_name !== 'Bash') return ''
      const verdict = await deps.verdictOn(call.tool_input.command, call.cwd)
      const { decision, action } = hookAnswer(verdict, mode)
      if (!isTest(call)) deps.record(call, verdict, { source: 'hook', action })
      return decision
    },
    async decided(event) {
      if (isTest(event)) return
      deps.record(event, await deps.verdictOn(event.tool_input.command, event.cwd), { source: 'mod', action: event.action })
    },
  })

  async function apply(): Promise<void> {
    const { client: mode, clientUnchecked: unchecked } = settings()
    if (mode === 'off') {
      fs.rmSync(guardFile(paths.guard), { force: true })
      door.close()
      if (hook.isInstalled()) hook.set(false)
      return
    }
    const version = await client.version()
    const byMod = version !== null && client.loadsMods(version)
    await door.open(unchecked)
    await writeFileAtomic(guardFile(paths.guard), JSON.stringify({ mode, unchecked, rules: await deps.ownRules() }), { mode: 0o600 })
    hook.writeScript()
    if (byMod) await mod.install()
    if (hook.isInstalled() === byMod) hook.set(!byMod)
  }

  async function applyAfter(earlier: Promise<void>): Promise<void> {
    await earlier
    try {
      await apply()
      failure = null
    } catch (error) {
      warn(error, 'The guard of Claude Code was not changed')
      failure = error instanceof Error ? error.message : String(error)
    }
  }
  const follow = (): Promise<void> => (applied = applyAfter(applied))

  /** What takes part in a decision; a proof with others says nothing. */
  async function setup() {
    const [version, report, others] = await Promise.all([client.version(), mod.report(), mod.others()])
    const isHook = hook.isInstalled()
    const way = isHook ? ('hook' as const) : report.installed ? ('mod' as const) : null
    const overridableBy = way === 'mod' && report.isFirst ? [] : others
    const id = hash('sha256', JSON.stringify([way, report.version, overridableBy, decidingIn(deps.settingsFile)])).slice(0, 16)
    return { version, way, overridableBy, isFirst: report.isFirst, problems: way === 'mod' ? report.problems : [], id }
  }

  async function report(): Promise<ClientGuard> {
    await applied
    const { client: mode, clientUnchecked: unchecked } = settings()
    const current = await setup()
    const found = proofs.of(current.version)
    const { holds, reason } = standing({ mode, ...current, proof: found, isSame: found?.setup === current.id })
    return {
      mode,
      unchecked,
      way: mode === 'off' ? null : current.way,
      holds,
      reason,
      clientVersion: current.version,
      proof: found && GuardProof.parse(found),
      overridableBy: mode === 'off' ? [] : current.overridableBy,
      canBeFirst: current.way === 'mod' && !current.isFirst,
      problems: mode === 'off' ? [] : [...(failure === null ? [] : [failure]), ...current.problems.map(({ message }) => message)],
    }
  }

  async function test(): Promise<void> {
    const { version, id } = await setup()
    const program = client.program()
    if (version === null || typeof program === 'string') return
    const folder = path.join(paths.guard, `test-${randomBytes(6).toString('hex')}`)
    const forced = deps.managedVariables().find((name) => CHOOSES_ADDRESS.test(name))
    if (forced !== undefined) {
      const detail = `The administrator's settings of Claude Code set ${forced}, so a test could be sent elsewhere; none was made.`
      return proofs.save({ version, at: isoOf(now()), setup: id, outcome: 'unclear', detail })
    }
    const result = await deps
      .canary({ program, settingsFile: deps.settingsFile, folder, path: deps.path, signal: closing.signal })
      .catch((error: unknown) => `The test could not be made: ${(error as Error).message}`)
      .finally(() => fs.rmSync(folder, { recursive: true, force: true }))
    if (!closing.signal.aborted) await proofs.save({ version, at: isoOf(now()), setup: id, ...outcomeOf(result, version) })
  }

  return {
    report,
    /** After a change of the settings. */
    follow,
    async prove(): Promise<ClientGuard> {
      await applied
      if (settings().client === 'guard' && !closing.signal.aborted) {
        testing ??= test().finally(() => (testing = null))
        await testing
      }
      return report()
    },
    start: (): void => {
      if (settings().client !== 'off') void follow()
    },
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled([applied, testing])
      door.close()
    },
  }
}

/** What the client reads as the answer of a hook; an empty text says nothing. */
function hookAnswer(verdict: GuardVerdict, mode: 'observe' | 'guard'): { decision: string; action: Decided['action'] } {
  if (verdict.verdict === 'allow' || mode === 'observe') return { decision: '', action: 'ran' }
  const permissionDecision = verdict.verdict === 'block' ? 'deny' : 'ask'
  const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: refusalOf(verdict) }
  return { decision: JSON.stringify({ hookSpecificOutput }), action: verdict.verdict === 'block' ? 'blocked' : 'asked' }
}

/** Null: the settings cannot be read. */
function decidingIn(settingsFile: string): object | null {
  try {
    return decidingSettings(settingsFile)
  } catch {
    return null
  }
}
