import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { inJudged } from '#server/foreign/index.ts'
import type { Place } from '#server/stages/sandboxes/index.ts'
import { NOTHING_DECLARED } from './absent.ts'
import { runInSandbox, type SandboxDeps } from './in-sandbox.ts'

const PROBE_SEC = 30

/** What shows that a runner starts; a runner that is missing here has no such command. `name`: what to install. */
const PROBES: Partial<Record<CheckRunner, { name: string; command: string }>> = {
  pytest: { name: 'pytest', command: "python3 -c 'import pytest'" },
  unittest: { name: 'python3', command: "python3 -c 'import unittest'" },
  node: { name: 'node', command: 'node --version' },
  npm: { name: 'npm', command: 'npm --version' },
  bats: { name: 'bats', command: 'command -v bats' },
  go: { name: 'go', command: 'go version' },
  cargo: { name: 'cargo', command: 'cargo --version' },
  make: { name: 'make', command: 'command -v make' },
}

/** Runners that a project installs in its own folder. */
const INSTALLED: ReadonlySet<CheckRunner> = new Set(['vitest', 'jest', 'mocha'])

/**
 * What a check lacks where it will run; null if it starts, or if only running it would tell. Nothing of the project is run: for
 * installed packages their folder is looked at, other runners are started in an empty sandbox.
 */
export async function missingRunner(
  deps: SandboxDeps,
  { check, project, place }: { check: Pick<FoundCheck, 'runner'>; project: string; place: Place },
  context: Pick<JobContext, 'signal' | 'progress'>,
): Promise<string | null> {
  const { runner } = check
  const { isInstalled, hasVenv } = await inJudged(project, async (folder) => ({
    isInstalled: (await folder.find(`node_modules/.bin/${runner}`).catch(() => null)) !== null,
    hasVenv: (await folder.find('.venv').catch(() => null)) !== null || (await folder.find('venv').catch(() => null)) !== null,
  }))
  if (INSTALLED.has(runner)) return isInstalled ? null : runner
  const probe = PROBES[runner]
  if (probe === undefined || (runner === 'pytest' && hasVenv)) return null
  const { exitCode } = await runInSandbox(
    deps,
    { checks: [{ runner: 'command', command: probe.command, because: '', folder: '', reason: null, script: null, hooks: [], tests: [], silenced: [], isSkippedIfRun: false }], declared: NOTHING_DECLARED, copies: [], written: [], project, place, timeoutSec: PROBE_SEC, isGuarded: false, watched: null }, // prettier-ignore
    context,
  )
  return exitCode === 0 ? null : probe.name
}
