import fs from 'node:fs'
import path from 'node:path'
import type { DoctorCheck, DoctorReport } from '#contracts/entities/system.ts'
import type { HooksReport } from '#contracts/entities/capture.ts'
import { createDocker } from '#server/adapters/docker/index.ts'
import { openSandboxes } from '#server/adapters/sandbox/index.ts'
import type { Python } from '#server/adapters/python/index.ts'
import { probeTool, type Tool } from '#server/adapters/tools/probe.ts'
import type { Config } from '#server/config.ts'
import type { z } from 'zod'

type Check = z.infer<typeof DoctorCheck>

const toolCheck = (name: string, tool: Tool, neededFor: string, fix: string): Check => ({
  name,
  state: tool.found ? 'found' : 'missing',
  version: tool.version,
  neededFor,
  detail: tool.detail,
  fix: tool.found ? null : fix,
})

/** Checks what the machine has. `ok` is false only for problems, because a missing program may not be needed. */
export async function examine(options: {
  config: Config
  hooks: () => Promise<HooksReport>
  python: Pick<Python, 'status'>
  freeBytes: number | null
  /** Of the user's own model in Claude Code. */
  router: () => Promise<Check[]>
}): Promise<DoctorReport> {
  const { config } = options
  const [hooks, git, docker, bubblewrap, python, gpu, router] = await Promise.all([
    options.hooks(),
    probeTool('git', ['--version'], config.programs),
    containers(config),
    isolation(),
    training(options.python),
    probeTool('nvidia-smi', ['--query-gpu=name,driver_version', '--format=csv,noheader'], config.programs),
    options.router(),
  ])
  const checks: Check[] = [
    { name: 'Node', state: 'found', version: process.versions.node, neededFor: 'everything', detail: null, fix: null },
    {
      name: 'Claude Code',
      state: hooks.clientVersion === null ? 'missing' : 'found',
      version: hooks.clientVersion,
      neededFor: 'capturing new sessions (importing history works without it)',
      detail: null,
      fix: hooks.clientVersion === null ? 'Install Claude Code, or set CLAUDE_BIN to its program.' : null,
    },
    transcripts(config),
    {
      name: 'Capture hooks',
      state: !hooks.installed ? 'missing' : hooks.problems.length ? 'problem' : 'found',
      version: null,
      neededFor: 'live sessions within a quarter of a second (without hooks, files are watched)',
      detail: hooks.problems.map(({ message }) => message).join(' ') || null,
      fix: hooks.installed && !hooks.problems.length ? null : 'Open Settings → Capture, or run `bashgym hooks install`.',
    },
    ...router,
    disk(config.dataDir, options.freeBytes),
    toolCheck('git', git, 'agent runs on a repository, and restoring the state a session left', 'Install git.'),
    bubblewrap,
    docker,
    python,
    toolCheck('NVIDIA GPU', gpu, 'fast training (small models also train on the CPU)', 'Not needed for capture, traces and scoring.'),
  ]
  return { ok: checks.every(({ state }) => state !== 'problem'), checks }
}

/** Runs a test program in a sandbox. */
async function isolation(): Promise<Check> {
  const check = { name: 'Sandbox (bubblewrap)', neededFor: 'sandboxes, and rewards that run generated code (GRPO and RLVR with tests)' }
  try {
    const { version, memory } = (await openSandboxes()).isolation
    const limits = memory === 'together' ? 'one memory limit covers all processes of a program' : 'the memory limit applies to each process separately, because no control group can be created' // prettier-ignore
    return { ...check, state: 'found', version, detail: `Isolation works; ${limits}.`, fix: null }
  } catch (error) {
    return { ...check, state: 'missing', version: null, detail: (error as Error).message, fix: 'Generated code is never run without it.' }
  }
}

async function containers({ dockerHost: host, dataDir }: Config): Promise<Check> {
  const { available, version, reason, fix, images } = await createDocker({ host, dataDir }).state()
  return {
    name: 'Sandbox (Docker)',
    state: available ? 'found' : 'missing',
    version,
    neededFor: 'sandboxes with a separate operating system (images, packages, several users)',
    detail: available ? `${images.length} ${images.length === 1 ? 'image' : 'images'} to choose from.` : reason,
    fix,
  }
}

const FROM = {
  variable: 'set by BASHGYM_PYTHON',
  setting: 'set in Settings → Training',
  own: 'installed by Bash Gym',
  path: 'found on PATH',
}

/** Whether a Python here can train; uses the last known result of its imports. */
async function training(python: Pick<Python, 'status'>): Promise<Check> {
  const { state, source, python: file, version, problem, hint } = await python.status({ imports: false })
  const isReady = state === 'ready'
  return {
    name: 'Training (Python)',
    state: isReady ? 'found' : state === 'missing' || state === 'installing' ? 'missing' : 'problem',
    version,
    neededFor: 'training, export and trying out models',
    detail: [file && source ? `${file}, ${FROM[source]}.` : null, state === 'installing' ? 'Installation in progress.' : problem].filter(Boolean).join(' ') || null, // prettier-ignore
    fix: isReady ? null : hint,
  }
}

function transcripts(config: Config): Check {
  const folder = path.join(config.claudeDir, 'projects')
  const found = fs.existsSync(folder)
  return {
    name: 'Transcripts',
    state: found ? 'found' : 'missing',
    version: null,
    neededFor: 'importing past sessions',
    detail: folder,
    fix: found ? null : 'Claude Code creates it with its first session. Set CLAUDE_CONFIG_DIR if it is elsewhere.',
  }
}

/** Decimal, as on disk labels and in the rest of the app. */
const GB = 1e9
const LOW_DISK = 2 * GB

function disk(dataDir: string, freeBytes: number | null): Check {
  const low = freeBytes !== null && freeBytes < LOW_DISK
  return {
    name: 'Disk',
    state: low ? 'problem' : 'found',
    version: null,
    neededFor: 'the archive',
    detail: freeBytes === null ? `${dataDir}: couldn't read the free space` : `${dataDir}: ${(freeBytes / GB).toFixed(1)} GB free`,
    fix: low ? 'Free some space. Below 2 GB an import may stop.' : null,
  }
}
