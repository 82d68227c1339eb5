import path from 'node:path'
import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { inJudged } from '#server/foreign/index.ts'
import type { Place } from '#server/stages/sandboxes/index.ts'
import { NOTHING_DECLARED } from './absent.ts'
import { environmentsOf } from './facts.ts'
import { runInSandbox, type SandboxDeps } from './in-sandbox.ts'
import { runnerOf } from './runners.ts'

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
  { check, project, place }: { check: ProbedCheck; project: string; place: Place },
  context: Pick<JobContext, 'signal' | 'progress'>,
): Promise<string | null> {
  const runner = check.runner === 'command' ? runnerOf(check.command) : check.runner
  const folders = withAncestors(check.folder ?? '')
  if (INSTALLED.has(runner)) return (await isInstalled(project, folders, runner)) ? null : runner
  const environments = runner === 'pytest' ? (await Promise.all(folders.map((one) => environmentsOf(project, one)))).flat() : []
  const [environment] = environments
  if (environment !== undefined) return (await canHavePytest(project, environment)) ? null : 'pytest'
  const probe = PROBES[runner]
  if (probe === undefined) return null
  const { exitCode } = await runInSandbox(
    deps,
    { checks: [{ runner: 'command', command: probe.command, because: '', folder: '', reason: null, script: null, hooks: [], tests: [], silenced: [], isSkippedIfRun: false }], declared: NOTHING_DECLARED, copies: [], written: [], project, place, timeoutSec: PROBE_SEC, isGuarded: false, watched: null }, // prettier-ignore
    context,
  )
  return exitCode === 0 ? null : probe.name
}

/** Without a folder it runs in the project itself. */
export type ProbedCheck = Pick<FoundCheck, 'runner' | 'command'> & Partial<Pick<FoundCheck, 'folder'>>

/** A folder of a project and those above it, the innermost first. */
const withAncestors = (folder: string): string[] =>
  folder === '' ? [''] : [folder, ...withAncestors(folder.split('/').slice(0, -1).join('/'))]

const isInstalled = (project: string, folders: readonly string[], runner: string): Promise<boolean> =>
  inJudged(project, async (inside) => {
    const programs = folders.map((one) => inside.find(path.posix.join(one, `node_modules/.bin/${runner}`)).catch(() => null))
    return (await Promise.all(programs)).some((one) => one !== null)
  })

/** Whether pytest is in a virtual environment, or may be in the Python that it adds to. */
const canHavePytest = (project: string, environment: string): Promise<boolean> =>
  inJudged(project, async (folder) => {
    const settings = (await folder.textOrNull(`${environment}/pyvenv.cfg`, MAX_SETTINGS)) ?? ''
    if (!settings.includes('home') || /include-system-site-packages\s*=\s*true/i.test(settings)) return true
    const pythons = await folder.list(`${environment}/lib`, MAX_PYTHONS).catch(() => [])
    const found = await Promise.all(pythons.map(({ name }) => folder.find(`${name}/site-packages/pytest`).catch(() => null)))
    return found.some((one) => one !== null)
  })
const MAX_SETTINGS = 64 * 1024
const MAX_PYTHONS = 20
