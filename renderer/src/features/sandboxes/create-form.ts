import type { z } from 'zod'
import type { GuardOverrides } from '#contracts/entities/guardrail.ts'
import { type SandboxBackend, SandboxPath, type SandboxProfile, type SandboxSpec } from '#contracts/entities/sandbox.ts'
import { plural } from '#renderer/ui/format.ts'
import { linesOf, type Problems, addressProblem, numberProblems } from '#renderer/app/run-form/form.ts'

export interface NewFile {
  path: string
  name: string
  bytes: number
  /** Base64. */
  content: string
}

/** The form as typed. */
export interface CreateForm {
  backend: SandboxBackend
  image: string
  name: string
  profile: SandboxProfile
  network: 'none' | 'allow' | 'open'
  allow: string
  setup: string
  env: string
  workdir: string
  files: readonly NewFile[]
  hasTerminal: boolean
  guard: GuardOverrides
  memoryMb: string
  cpus: string
  diskMb: string
  pids: string
  commandTimeoutSec: string
  setupTimeoutSec: string
  idleTimeoutSec: string
  lifetimeSec: string
}

export const NEW_FORM: Omit<CreateForm, 'backend' | 'image'> = {
  name: '',
  profile: 'machine',
  network: 'none',
  allow: '',
  setup: '',
  env: '',
  workdir: '',
  files: [],
  hasTerminal: true,
  guard: {},
  memoryMb: '512',
  cpus: '1',
  diskMb: '1024',
  pids: '256',
  commandTimeoutSec: '120',
  setupTimeoutSec: '600',
  idleTimeoutSec: '600',
  lifetimeSec: '3600',
}

/** A request may have 10 MB, and base64 makes files a third larger. */
export const MAX_FILE_BYTES = 6 * 1024 * 1024

const wholeNumber = { isWhole: true, mayBeEmpty: false }
const NUMBERS = [
  { name: 'memoryMb', min: 16, max: 1_048_576, ...wholeNumber },
  { name: 'cpus', min: 0.1, max: 256, isWhole: false, mayBeEmpty: false },
  { name: 'diskMb', min: 1, max: 1_048_576, ...wholeNumber },
  { name: 'pids', min: 8, max: 32_768, ...wholeNumber },
  { name: 'commandTimeoutSec', min: 1, max: 3600, ...wholeNumber },
  { name: 'setupTimeoutSec', min: 1, max: 86_400, ...wholeNumber },
  { name: 'idleTimeoutSec', min: 1, max: 86_400, ...wholeNumber },
  { name: 'lifetimeSec', min: 1, max: 86_400, ...wholeNumber },
] as const

/** The problems of invalid fields. */
export function problemsOf(form: CreateForm): Problems<CreateForm> {
  const texts = {
    allow: form.network === 'allow' ? allowedProblem(form.allow) : null,
    env: variableProblem(form),
    workdir: workdirProblem(form),
    files: fileProblem(form),
  }
  return { ...numberProblems(form, NUMBERS), ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)) }
}

const allowedProblem = (allow: string): string | null =>
  linesOf(allow).length === 0 ? 'Enter at least one allowed address.' : addressProblem(allow)

function variableProblem({ env }: CreateForm): string | null {
  const invalidLine = linesOf(env).find((line) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(line))
  return invalidLine === undefined ? null : `"${invalidLine}" is not NAME=value.`
}

const workdirProblem = ({ workdir }: CreateForm): string | null =>
  workdir.trim() === '' || SandboxPath.safeParse(workdir.trim()).success ? null : 'The path must begin with /.'

function fileProblem({ files }: CreateForm): string | null {
  const invalidFile = files.find(({ path }) => !SandboxPath.safeParse(path).success || path.endsWith('/'))
  if (invalidFile) return `The path of ${invalidFile.name} must begin with / and end with a file name.`
  return files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_FILE_BYTES ? 'All files together may have at most 6 MB.' : null
}

export function specOf(form: CreateForm): z.input<typeof SandboxSpec> {
  const name = form.name.trim()
  const workdir = form.workdir.trim()
  return {
    backend: form.backend,
    image: form.image,
    ...(name !== '' && { name }),
    ...(workdir !== '' && { workdir }),
    profile: form.profile,
    tty: form.hasTerminal,
    network: form.network === 'allow' ? { allow: linesOf(form.allow) } : form.network,
    setupCommands: form.setup.split('\n').filter((line) => line.trim() !== ''),
    env: Object.fromEntries(linesOf(form.env).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
    files: form.files.map(({ path, content }) => ({ path, content, encoding: 'base64' })),
    guard: form.guard,
    limits: { memoryMb: Number(form.memoryMb), cpus: Number(form.cpus), diskMb: Number(form.diskMb), pids: Number(form.pids) },
    commandTimeoutSec: Number(form.commandTimeoutSec),
    setupTimeoutSec: Number(form.setupTimeoutSec),
    idleTimeoutSec: Number(form.idleTimeoutSec),
    lifetimeSec: Number(form.lifetimeSec),
  }
}

/** Summary of the collapsed fields: "512 MB memory, 1 core, …". */
export function limitsInWords({ memoryMb, cpus, diskMb, pids, commandTimeoutSec, idleTimeoutSec, lifetimeSec }: CreateForm): string {
  const durationWord = (seconds: string) => {
    const value = Number(seconds)
    if (value >= 3600 && value % 3600 === 0) return plural(value / 3600, 'hour')
    return value >= 60 && value % 60 === 0 ? plural(value / 60, 'minute') : plural(value, 'second')
  }
  return `${memoryMb} MB memory, ${cpus} ${Number(cpus) === 1 ? 'core' : 'cores'}, ${diskMb} MB disk, ${plural(Number(pids), 'process', 'processes')}; ${durationWord(commandTimeoutSec)} per command; stopped after ${durationWord(idleTimeoutSec)} without a command or ${durationWord(lifetimeSec)} in total`
}
