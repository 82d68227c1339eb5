import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#contracts/instant.ts'
import type { TrainingEnvironment } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import { askPython, type Facts, SUPPORTED_TEXT, versionProblem } from './ask.ts'
import { childEnv, type ChildPlaces } from './child-env.ts'
import { installSteps, runStep, type Step } from './install.ts'
import { ownEnvironment, proofFile, sizeOf } from './own.ts'
import type { PipState } from './pip-output.ts'
import { pythonsOn } from './places.ts'
import { wantedVersions } from './wanted.ts'

export { childEnv, type ChildPlaces } from './child-env.ts'

export interface PythonParts extends ChildPlaces {
  /** BASHGYM_PYTHON. */
  named: string | null
  /** Setting `training.python`; empty: none. */
  setting: () => string
  /** Data directory's `env`. */
  folder: string
  /** The output of the installer is appended to it. */
  log: string
  network: Readonly<Record<string, string>>
  now: () => number
  /** Lock files; those of the trainers unless given (tests). */
  locks?: string
  /** What must import for an environment to be ready; tests install less. */
  wants?: readonly string[]
  /** Folders that are searched in addition to PATH; none in tests. */
  known?: readonly string[]
}

export interface InstallProgress {
  step: Step['name'] | 'check'
  /** Of all steps: those that are done. */
  done: number
  total: number
  pip: PipState | null
}

type Source = NonNullable<TrainingEnvironment['source']>
interface Choice {
  source: Source
  python: string
  facts: Facts | null
  problem: string | null
}

/** Bytes that must be free: what was measured for a CPU build, and what the CUDA libraries add, twice over for unpacking. */
const NEEDED = { cpu: 4e9, cuda: 14e9 }
const CORE = ['torch', 'transformers', 'trl', 'peft']
const INSTALL_HINT = 'Install it in Settings → Training, or name a Python that has the packages.'

/** The Python that trains: which one, whether it can, and how to get one. */
export function createPython(parts: PythonParts) {
  const own = ownEnvironment(parts.folder)
  const locks = parts.locks ?? path.join(parts.trainersDir, 'locks')
  const env = () => childEnv(parts)
  const wanted = wantedVersions(parts.trainersDir)
  const needs = parts.wants ?? CORE
  /** Imports that were tried, by interpreter and the state of its packages. */
  const tried = new Map<string, Promise<Facts | null>>()
  const remembered = proofFile(path.join(parts.folder, 'probe.json'))
  let checkedAt: number | null = null
  let isInstalling = false

  const ask = (python: string, imports: boolean, signal?: AbortSignal) =>
    askPython(python, { imports, names: needs, trainersDir: parts.trainersDir, env: env(), ...(signal ? { signal } : {}) })

  /** The choice without importing anything. A named interpreter is taken or refused, never passed over. */
  const choose = async (): Promise<Choice | null> => {
    for (const [source, named] of [
      ['variable', parts.named],
      ['setting', parts.setting()],
    ] as const) {
      if (!named) continue
      const python = path.isAbsolute(named) ? named : (onPath(named, parts.path) ?? named)
      const facts = await ask(python, false)
      const problem = facts === null ? `${named} is no Python that answers.` : (versionProblem(facts.version) ?? missingText(facts.missing))
      return { source, python, facts, problem }
    }
    if (own.ready() !== null) {
      const facts = await ask(own.python, false)
      const problem = facts === null ? 'The interpreter of the environment does not answer: it may have been removed from the system.' : missingText(facts.missing) // prettier-ignore
      return { source: 'own', python: own.python, facts, problem }
    }
    for (const python of pythonsOn(parts.path, parts.known)) {
      const facts = await ask(python, false)
      if (facts && versionProblem(facts.version) === null && facts.missing.length === 0)
        return { source: 'path', python, facts, problem: null }
    }
    return null
  }

  /** The same, its packages imported once. */
  const settled = async (fresh: boolean): Promise<Choice | null> => {
    const choice = await choose()
    if (!choice?.facts || choice.problem !== null) return choice
    const key = JSON.stringify([choice.python, fs.statSync(choice.python).mtimeMs, choice.facts.version, choice.facts.stamp])
    if (fresh) tried.delete(key)
    const facts = await (tried.get(key) ?? tried.set(key, imported(choice.python, key, fresh)).get(key)!)
    if (facts === null || facts.problem !== null) tried.delete(key) // a busy machine is no reason to believe it for ever
    return { ...choice, facts: facts ?? choice.facts, problem: facts === null ? 'Its packages could not be imported.' : facts.problem }
  }

  /** What the imports gave, also at a former start: they take seconds, and nothing changed. */
  const imported = async (python: string, key: string, fresh: boolean): Promise<Facts | null> => {
    const proof = fresh ? null : remembered.read(key)
    if (proof) {
      checkedAt = proof.at
      return proof.facts
    }
    const facts = await ask(python, true)
    checkedAt = parts.now()
    if (facts !== null && facts.problem === null) remembered.write({ key, at: checkedAt, facts })
    return facts
  }

  /** GPUs for which the imports were done anew, so that one that stays unusable is not asked about at each plan. */
  const askedAbout = new Set<string>()
  /** Its information about GPUs with these names of the driver. Null: no Python here could train. */
  const seen = async (names: readonly string[]): Promise<Facts | null> => {
    const first = await settled(false)
    const isSame = first?.facts?.devices.map(({ name }) => name).join() === names.join()
    const key = names.join()
    const again = isSame || askedAbout.has(key) ? first : await settled(true)
    askedAbout.add(key)
    return again?.problem === null ? again.facts : null
  }

  const describe = (choice: Choice | null): TrainingEnvironment => {
    const half = own.exists() && own.ready() === null
    const packages = choice?.facts?.packages ?? {}
    return {
      state: isInstalling ? 'installing' : stateOf(choice, half),
      source: choice?.source ?? null,
      python: choice?.python ?? null,
      version: choice?.facts?.version ?? null,
      packages: [...new Set([...wanted.keys(), ...Object.keys(packages)])].map((name) => ({ name, version: packages[name] ?? null, wanted: wanted.get(name) ?? null })), // prettier-ignore
      cuda: choice?.facts?.cuda ?? null,
      devices: (choice?.facts?.devices ?? []).map(({ name, freeBytes, totalBytes }) => ({ kind: 'cuda' as const, name, totalBytes, freeBytes, cores: null })), // prettier-ignore
      missing: choice?.facts ? choice.facts.missing : [...needs],
      problem: choice ? choice.problem : half ? 'The environment is half installed.' : null,
      hint: hintOf(choice, half),
      folder: own.folder,
      bytes: own.ready()?.bytes ?? null,
      checkedAt: isoOf(checkedAt),
    }
  }

  const require = async (): Promise<{ python: string; env: Record<string, string> }> => {
    const named = await choose()
    // who names an interpreter need not wait for its imports before each first run: the trainer does them, and says what fails
    const choice = named?.source === 'variable' || named?.source === 'setting' ? named : await settled(false)
    if (choice && choice.problem === null) return { python: choice.python, env: env() }
    throw new AppError('training_unavailable', {
      message: choice ? `${choice.python} cannot train: ${choice.problem}` : `There is no Python with ${needs.join(', ')} on this machine.`,
      hint: INSTALL_HINT,
    })
  }

  /** An interpreter that an environment can be made from. */
  const base = async (): Promise<string> => {
    const refused: string[] = []
    for (const python of pythonsOn(parts.path, parts.known)) {
      const facts = await ask(python, false)
      const problem = facts === null ? 'does not answer' : (versionProblem(facts.version) ?? (facts.venv ? null : 'has no venv module'))
      if (problem === null) return facts!.executable || python
      refused.push(`${python}: ${problem}`)
    }
    throw new AppError('training_unavailable', {
      message: `An environment needs Python ${SUPPORTED_TEXT} with its venv module. ${refused.length ? `Found: ${refused.slice(0, 5).join('; ')}.` : 'There is no Python on this machine.'}`,
      hint: 'On Debian and Ubuntu: apt-get install python3 python3-venv. Then try again.',
    })
  }

  return {
    /** What there is; `imports`: also whether it imports (seconds, once for each state of its packages). */
    async status({ fresh = false, imports = true } = {}): Promise<TrainingEnvironment> {
      return describe(imports && !isInstalling ? await settled(fresh) : await choose())
    },
    /** Interpreter and environment of a process that trains. Throws `training_unavailable` with what to do. */
    require,
    seen,
    isInstalling: () => isInstalling,
    isOwn: async () => (await choose())?.source === 'own',
    /** Makes, completes or (`repair`) replaces the own environment; an interrupted installation continues. */
    async install(
      options: { repair: boolean; build: 'cpu' | 'cuda' },
      progress: (value: InstallProgress) => void,
      signal: AbortSignal,
    ): Promise<TrainingEnvironment> {
      if (isInstalling) throw new AppError('job_running')
      isInstalling = true
      try {
        const disk = fs.statfsSync(nearest(own.folder))
        const free = disk.bavail * disk.bsize
        if (parts.locks === undefined && free < NEEDED[options.build])
          throw new AppError('disk_full', { message: `The environment needs ${gb(NEEDED[options.build])} while it is installed; ${gb(free)} are free.`, hint: 'Free some space, or put the data directory on another disk.' }) // prettier-ignore
        const python = await base()
        own.begin()
        fs.mkdirSync(path.dirname(parts.log), { recursive: true, mode: 0o700 })
        if (options.repair) await own.clear()
        const steps = installSteps({ base: python, venv: own.venv, locks, build: options.build })
        const total = steps.length + 1
        const pipEnv = { ...env(), ...parts.network }
        for (const [done, step] of steps.entries()) {
          progress({ step: step.name, done, total, pip: null })
          await runStep(step, { env: pipEnv, log: parts.log, signal, onProgress: (pip) => progress({ step: step.name, done, total, pip }) })
        }
        progress({ step: 'check', done: steps.length, total, pip: null })
        const facts = await ask(own.python, true, signal)
        const problem = facts === null ? 'the interpreter does not answer' : (missingText(facts.missing) ?? facts.problem)
        if (problem !== null) throw new AppError('training_unavailable', { message: `Everything was installed, but it does not work: ${problem}`, hint: `The output is in ${parts.log}. Repair makes the environment anew.` }) // prettier-ignore
        await own.finish({ installedAt: new Date(parts.now()).toISOString(), build: options.build, bytes: await sizeOf(own.venv) })
        progress({ step: 'check', done: total, total, pip: null })
      } finally {
        isInstalling = false
      }
      return describe(await settled(false))
    },
    async remove(): Promise<TrainingEnvironment> {
      if (isInstalling) throw new AppError('job_running', { message: 'The environment is being installed.', hint: 'Cancel that first.' })
      await own.remove()
      return describe(await settled(false))
    },
  }
}
export type Python = ReturnType<typeof createPython>

function stateOf(choice: Choice | null, half: boolean): TrainingEnvironment['state'] {
  if (choice === null) return half ? 'incomplete' : 'missing'
  if (choice.problem === null) return 'ready'
  return choice.facts !== null && choice.facts.missing.length > 0 ? 'incomplete' : 'broken'
}

function hintOf(choice: Choice | null, half: boolean): string | null {
  if (choice === null) return half ? 'Install continues where it stopped.' : INSTALL_HINT
  if (choice.problem === null) return null
  if (choice.source === 'variable') return 'BASHGYM_PYTHON names it: set it to another one, or unset it and start again.'
  return choice.source === 'setting' ? 'Name another one, or leave the field empty.' : 'Repair makes the environment anew.'
}

const missingText = (names: readonly string[]) => (names.length ? `It lacks ${names.join(', ')}.` : null)
const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
const onPath = (name: string, searched: string) => searched.split(path.delimiter).map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file)) // prettier-ignore
const nearest = (folder: string): string => (fs.existsSync(folder) ? folder : nearest(path.dirname(folder)))
