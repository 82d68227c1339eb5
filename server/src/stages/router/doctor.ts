import { variableProblems } from '#server/adapters/agent-cli/client-variables.ts'
import type { ClientGuard } from '#contracts/entities/client-guard.ts'
import type { ModReport, Student } from '#contracts/entities/router.ts'
import type { DoctorCheck } from '#contracts/entities/system.ts'
import type { RouterProxy } from '#contracts/entities/routing.ts'
import { MOD_CLIENT } from '#contracts/router-words.ts'
import type { z } from 'zod'
import { settingsIn } from './mod/others.ts'

type Check = z.infer<typeof DoctorCheck>

const ELSEWHERE =
  'A session that was started with --bare or --safe-mode has the mod not loaded: the agent is missing there, or ends with an error 404.'
const SAFETY = 'the safety checks of Claude Code in auto mode'

/** What the system check says about the work of the user's own model in Claude Code. */
export function checksOf(facts: {
  mod: ModReport
  student: Student | null
  proxy: RouterProxy
  /** Whether the settings of the client send its sessions to the proxy. */
  isClientSent: boolean
  guard: ClientGuard
  settingsFile: string
}): Check[] {
  return [variables(facts.settingsFile), mod(facts), ...address(facts), ...guard(facts.guard), ...sessions(facts.proxy)]
}

/** A session whose address nobody answers has no API; one that another program answers gives it the key. */
function address({ proxy, isClientSent, settingsFile }: { proxy: RouterProxy; isClientSent: boolean; settingsFile: string }): Check[] {
  if (!isClientSent && proxy.problem === null) return []
  const why = proxy.problem ?? (proxy.address === null ? 'It answers only while Bash Gym runs.' : null)
  const effect =
    proxy.problem === null
      ? 'Until then no new session of Claude Code has an API'
      : 'New sessions of Claude Code send what they ask, and your key, to whatever program answers there'
  return [
    {
      name: 'Proxy of Claude Code',
      state: why === null ? 'found' : isClientSent && proxy.problem !== null ? 'problem' : 'warning',
      version: null,
      neededFor: 'requests of Claude Code that pass through Bash Gym',
      detail: why === null ? null : isClientSent ? `${why} ${effect}: ${settingsFile} has its address.` : why,
      fix:
        why === null
          ? null
          : proxy.problem === null
            ? 'Start Bash Gym, or run `bashgym router off`.'
            : 'Choose another port in Settings → Model in Claude Code, or run `bashgym router off`.',
    },
  ]
}

/** Of the client's settings; `bashgym doctor` adds those of its terminal. */
function variables(settingsFile: string): Check {
  const problems = variableProblems(settingsIn(settingsFile).env, settingsFile)
  return {
    name: 'Claude Code variables',
    state: problems.some(({ fails }) => fails) ? 'problem' : problems.length > 0 ? 'warning' : 'found',
    version: null,
    neededFor: SAFETY,
    detail: problems.map(({ message }) => message).join(' ') || null,
    fix: problems.length > 0 ? 'Remove it there, and start Claude Code again.' : null,
  }
}

function mod({ mod: report, student }: { mod: ModReport; student: Student | null }): Check {
  const { installed, version, loads, overridableBy, problems } = report
  const check = { name: 'Mod of Claude Code', version, neededFor: 'your own model as the agent gym' }
  const install = `Open Settings → Model in Claude Code, or run \`bashgym mod install\`; it needs Claude Code ${MOD_CLIENT} or newer.`
  if (!installed) return { ...check, state: 'missing', detail: student === null ? null : 'A model is chosen.', fix: install }
  const reasons = problems.map(({ message }) => message)
  if (loads === false) return { ...check, state: 'problem', detail: ['Mod not loaded.', ...reasons].join(' '), fix: install }
  if (overridableBy.length > 0)
    reasons.push(`${overridableBy.join(', ')} can override the guard: it decides about tools before our mod, and what it allows runs.`)
  return {
    ...check,
    state: reasons.length > 0 ? 'warning' : 'found',
    detail: [...reasons, ELSEWHERE].join(' '),
    fix: overridableBy.length > 0 ? 'Run `bashgym mod first`, or use Settings → Model in Claude Code, to put our mod before them.' : null,
  }
}

function guard({ mode, holds, reason, clientVersion, problems }: ClientGuard): Check[] {
  if (mode === 'off') return []
  const isFine = (mode === 'observe' || holds) && problems.length === 0
  return [
    {
      name: 'Guard of Claude Code',
      state: isFine ? 'found' : 'warning',
      version: clientVersion,
      neededFor: 'refusing dangerous commands in Claude Code',
      detail: [isFine || mode === 'observe' ? reason : `Observes only, as far as is known: ${reason}`, ...problems].join(' '),
      fix: isFine ? null : 'Run `bashgym guard client test`, or open Guardrails → Claude Code.',
    },
  ]
}

function sessions({ unchecked }: RouterProxy): Check[] {
  if (unchecked.length === 0) return []
  return [
    {
      name: 'Claude Code sessions',
      state: 'warning',
      version: null,
      neededFor: SAFETY,
      detail: `${unchecked.map(({ session }) => session).join(', ')}: in auto mode, and no longer asks for the check of its commands, so they are refused.`,
      fix: 'Restart it with `claude --continue`; until then shift+Tab leaves auto mode.',
    },
  ]
}
