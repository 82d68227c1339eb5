import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#server/instant.ts'
import type { TrainingEnvironment } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import { findProgram } from '../tools/find-program.ts'
import { readPythonFacts, type Facts, SUPPORTED_TEXT, versionProblem } from './ask.ts'
import { childEnv, type ChildPlaces } from './child-env.ts'
import { installSteps, runStep, type Step } from './install.ts'
import { ownEnvironment, proofFile, sizeOf } from './own.ts'
import type { PipState } from './pip-output.ts'
import { pythonsOn } from './places.ts'
import { recommendedVersions } from './wanted.ts'

export { childEnv, type ChildPlaces } from './child-env.ts'

export interface PythonDeps extends ChildPlaces {
  /** The value of BASHGYM_PYTHON. */
  named: string | null
  /** The setting `training.python`; empty if it is not set. */
  setting: () => string
  /** The folder `env` in the data directory. */
  folder: string
  /** The output of the installer is appended to it. */
  log: string
  network: Readonly<Record<string, string>>
  now: () => number
  /** Folder with lock files; by default the trainers'. */
  locks?: string
  /** Packages that must import before an environment is ready; tests install fewer. */
  requiredPackages?: readonly string[]
  /** Folders to search in addition to PATH. */
  extraFolders?: readonly string[]
}

export interface InstallProgress {
  step: Step['name'] | 'check'
  /** Number of completed steps. */
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

/** Bytes that must be free: the measured size of each build, doubled because packages are unpacked. */
const NEEDED = { cpu: 4e9, cuda: 14e9 }
const CORE = ['torch', 'transformers', 'trl', 'peft']
const INSTALL_HINT = 'Install it in Settings → Training, or name a Python that has the packages.'

/** Finds and checks the Python for training, and installs an environment for it. */
export function createPython(parts: PythonDeps) {
  const environment = ownEnvironment(parts.folder)
  const locks = parts.locks ?? path.join(parts.trainersDir, 'locks')
  const env = () => childEnv(parts)
  const recommended = recommendedVersions(parts.trainersDir)
  const required = parts.requiredPackages ?? CORE
  /** Results of imports, by interpreter and the state of its packages. */
  const importResults = new Map<string, Promise<Facts | null>>()
  const savedProof = proofFile(path.join(parts.folder, 'probe.json'))
  let checkedAt: number | null = null
  let isInstalling = false

  const readFacts = (python: string, imports: boolean, signal?: AbortSignal) =>
    readPythonFacts(python, { imports, names: required, env: env(), ...(signal ? { signal } : {}) })

  /** Chooses without importing packages. If the user names an interpreter, no other is chosen, even if it has a problem. */
  const choose = async (): Promise<Choice | null> => {
    for (const [source, named] of [
      ['variable', parts.named],
      ['setting', parts.setting()],
    ] as const) {
      if (!named) continue
      const found = path.isAbsolute(named) ? named : findProgram(named, parts.path)
      const python = found ?? named
      const facts = found === null ? null : await readFacts(found, false)
      const problem = facts === null ? `${named} is not a working Python.` : (versionProblem(facts.version) ?? missingText(facts.missing))
      return { source, python, facts, problem }
    }
    if (environment.ready() !== null) {
      const facts = await readFacts(environment.python, false)
      const problem = facts === null ? 'The interpreter of the environment does not answer: it may have been removed from the system.' : missingText(facts.missing) // prettier-ignore
      return { source: 'own', python: environment.python, facts, problem }
    }
    for (const python of pythonsOn(parts.path, parts.extraFolders)) {
      const facts = await readFacts(python, false)
      if (facts && versionProblem(facts.version) === null && facts.missing.length === 0)
        return { source: 'path', python, facts, problem: null }
    }
    return null
  }

  /** Chooses, and imports the packages of the chosen interpreter once. */
  const chooseAndImport = async (isForced: boolean): Promise<Choice | null> => {
    const choice = await choose()
    if (!choice?.facts || choice.problem !== null) return choice
    const key = JSON.stringify([choice.python, fs.statSync(choice.python).mtimeMs, choice.facts.version, choice.facts.stamp])
    if (isForced) importResults.delete(key)
    const facts = await (importResults.get(key) ?? importResults.set(key, importPackages(choice.python, key, isForced)).get(key)!)
    if (facts === null || facts.problem !== null) importResults.delete(key) // the failure may be temporary, such as on a busy machine
    return { ...choice, facts: facts ?? choice.facts, problem: facts === null ? 'Its packages could not be imported.' : facts.problem }
  }

  /** Imports the packages, or returns a saved result: imports take seconds. */
  const importPackages = async (python: string, key: string, isForced: boolean): Promise<Facts | null> => {
    const proof = isForced ? null : savedProof.read(key)
    if (proof) {
      checkedAt = proof.at
      return proof.facts
    }
    const facts = await readFacts(python, true)
    checkedAt = parts.now()
    if (facts !== null && facts.problem === null) savedProof.write({ key, at: checkedAt, facts })
    return facts
  }

  /** GPUs for which the imports were repeated, so that a GPU that stays unusable is not checked at each plan. */
  const recheckedGpus = new Set<string>()
  /** The interpreter's facts if the driver reports GPUs with these names. Null if no Python here can train. */
  const factsForGpus = async (names: readonly string[]): Promise<Facts | null> => {
    const first = await chooseAndImport(false)
    const isSame = first?.facts?.devices.map(({ name }) => name).join() === names.join()
    const key = names.join()
    const second = isSame || recheckedGpus.has(key) ? first : await chooseAndImport(true)
    recheckedGpus.add(key)
    return second?.problem === null ? second.facts : null
  }

  const describe = (choice: Choice | null): TrainingEnvironment => {
    const isIncomplete = environment.exists() && environment.ready() === null
    const packages = choice?.facts?.packages ?? {}
    return {
      state: isInstalling ? 'installing' : stateOf(choice, isIncomplete),
      source: choice?.source ?? null,
      python: choice?.python ?? null,
      version: choice?.facts?.version ?? null,
      packages: [...new Set([...recommended.keys(), ...Object.keys(packages)])].map((name) => ({ name, version: packages[name] ?? null, wanted: recommended.get(name) ?? null })), // prettier-ignore
      cuda: choice?.facts?.cuda ?? null,
      devices: (choice?.facts?.devices ?? []).map(({ name, freeBytes, totalBytes }) => ({ kind: 'cuda' as const, name, totalBytes, freeBytes, cores: null })), // prettier-ignore
      missing: choice?.facts ? choice.facts.missing : [...required],
      problem: choice ? choice.problem : isIncomplete ? 'The environment is not completely installed.' : null,
      hint: hintOf(choice, isIncomplete),
      folder: environment.folder,
      bytes: environment.ready()?.bytes ?? null,
      checkedAt: isoOf(checkedAt),
    }
  }

  const require = async (): Promise<{ python: string; env: Record<string, string> }> => {
    const chosen = await choose()
    // A named interpreter is not imported here, which takes seconds: the trainer imports it and reports errors.
    const choice = chosen?.source === 'variable' || chosen?.source === 'setting' ? chosen : await chooseAndImport(false)
    if (choice && choice.problem === null) return { python: choice.python, env: env() }
    throw new AppError('training_unavailable', {
      message: choice
        ? `${choice.python} cannot train: ${choice.problem}`
        : `There is no Python with ${required.join(', ')} on this machine.`,
      hint: INSTALL_HINT,
    })
  }

  /** An interpreter from which an environment can be created. */
  const findBasePython = async (): Promise<string> => {
    const unsuitable: string[] = []
    for (const python of pythonsOn(parts.path, parts.extraFolders)) {
      const facts = await readFacts(python, false)
      const problem = facts === null ? 'does not answer' : (versionProblem(facts.version) ?? (facts.venv ? null : 'has no venv module'))
      if (problem === null) return facts!.executable || python
      unsuitable.push(`${python}: ${problem}`)
    }
    throw new AppError('training_unavailable', {
      message: `An environment needs Python ${SUPPORTED_TEXT} with its venv module. ${unsuitable.length ? `Found: ${unsuitable.slice(0, 5).join('; ')}.` : 'There is no Python on this machine.'}`,
      hint: 'On Debian and Ubuntu: apt-get install python3 python3-venv. Then try again.',
    })
  }

  return {
    /** `imports`: also checks that the packages import, which takes seconds once for each state of the packages. */
    async status({ fresh = false, imports = true } = {}): Promise<TrainingEnvironment> {
      return describe(imports && !isInstalling ? await chooseAndImport(fresh) : await choose())
    },
    /** Interpreter and environment variables for a training process. Throws `training_unavailable` with what to do. */
    require,
    factsForGpus,
    isInstalling: () => isInstalling,
    isOwn: async () => (await choose())?.source === 'own',
    /** Creates, completes or (`repair`) replaces our environment; an interrupted installation continues. */
    async install(
      options: { repair: boolean; build: 'cpu' | 'cuda' },
      progress: (value: InstallProgress) => void,
      signal: AbortSignal,
    ): Promise<TrainingEnvironment> {
      if (isInstalling) throw new AppError('job_running')
      isInstalling = true
      try {
        const disk = fs.statfsSync(nearestFolder(environment.folder))
        const free = disk.bavail * disk.bsize
        if (parts.locks === undefined && free < NEEDED[options.build])
          throw new AppError('disk_full', { message: `The environment needs ${gb(NEEDED[options.build])} while it is installed; ${gb(free)} are free.`, hint: 'Free some space, or put the data directory on another disk.' }) // prettier-ignore
        const python = await findBasePython()
        environment.begin()
        fs.mkdirSync(path.dirname(parts.log), { recursive: true, mode: 0o700 })
        if (options.repair) await environment.clear()
        const steps = installSteps({ base: python, venv: environment.venv, locks, build: options.build })
        const total = steps.length + 1
        const pipEnv = { ...env(), ...parts.network }
        for (const [done, step] of steps.entries()) {
          progress({ step: step.name, done, total, pip: null })
          await runStep(step, { env: pipEnv, log: parts.log, signal, onProgress: (pip) => progress({ step: step.name, done, total, pip }) })
        }
        progress({ step: 'check', done: steps.length, total, pip: null })
        const facts = await readFacts(environment.python, true, signal)
        const problem = facts === null ? 'the interpreter does not answer' : (missingText(facts.missing) ?? facts.problem)
        if (problem !== null) throw new AppError('training_unavailable', { message: `Everything was installed, but it does not work: ${problem}`, hint: `The output is in ${parts.log}. Repair creates the environment again.` }) // prettier-ignore
        await environment.finish({
          installedAt: new Date(parts.now()).toISOString(),
          build: options.build,
          bytes: await sizeOf(environment.venv),
        })
        progress({ step: 'check', done: total, total, pip: null })
      } finally {
        isInstalling = false
      }
      return describe(await chooseAndImport(false))
    },
    async remove(): Promise<TrainingEnvironment> {
      if (isInstalling) throw new AppError('job_running', { message: 'The environment is being installed.', hint: 'Cancel that first.' })
      await environment.remove()
      return describe(await chooseAndImport(false))
    },
  }
}
export type Python = ReturnType<typeof createPython>

function stateOf(choice: Choice | null, isIncomplete: boolean): TrainingEnvironment['state'] {
  if (choice === null) return isIncomplete ? 'incomplete' : 'missing'
  if (choice.problem === null) return 'ready'
  return choice.facts !== null && choice.facts.missing.length > 0 ? 'incomplete' : 'broken'
}

function hintOf(choice: Choice | null, isIncomplete: boolean): string | null {
  if (choice === null) return isIncomplete ? 'Install continues where it stopped.' : INSTALL_HINT
  if (choice.problem === null) return null
  if (choice.source === 'variable') return 'It is set by BASHGYM_PYTHON: set another Python, or unset the variable and start again.'
  return choice.source === 'setting' ? 'Enter another Python, or leave the field empty.' : 'Repair creates the environment again.'
}

const missingText = (names: readonly string[]) => (names.length ? `These packages are missing: ${names.join(', ')}.` : null)
const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
const nearestFolder = (folder: string): string => (fs.existsSync(folder) ? folder : nearestFolder(path.dirname(folder)))
