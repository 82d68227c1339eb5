import type { z } from 'zod'
import type { GuardOverrides } from '#contracts/entities/guardrail.ts'
import { type SandboxBackend, SandboxPath, type SandboxProfile, type SandboxSpec } from '#contracts/entities/sandbox.ts'
import { plural } from '#renderer/ui/format.ts'
import { linesOf, type Problems, wrongAddress, wrongNumbers } from './run-form/form.ts'

export interface NewFile {
  path: string
  name: string
  bytes: number
  /** Base64. */
  content: string
}

/** As it is typed. */
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

/** A request holds 10 MB, and base64 takes a third more. */
export const MAX_FILE_BYTES = 6 * 1024 * 1024

const whole = { isWhole: true, mayBeEmpty: false }
const NUMBERS = [
  { name: 'memoryMb', least: 16, most: 1_048_576, ...whole },
  { name: 'cpus', least: 0.1, most: 256, isWhole: false, mayBeEmpty: false },
  { name: 'diskMb', least: 1, most: 1_048_576, ...whole },
  { name: 'pids', least: 8, most: 32_768, ...whole },
  { name: 'commandTimeoutSec', least: 1, most: 3600, ...whole },
  { name: 'setupTimeoutSec', least: 1, most: 86_400, ...whole },
  { name: 'idleTimeoutSec', least: 1, most: 86_400, ...whole },
  { name: 'lifetimeSec', least: 1, most: 86_400, ...whole },
] as const

/** What is wrong, by field. */
export function problemsOf(form: CreateForm): Problems<CreateForm> {
  const texts = {
    allow: form.network === 'allow' ? wrongAllowed(form.allow) : null,
    env: wrongVariable(form),
    workdir: wrongWorkdir(form),
    files: wrongFile(form),
  }
  return { ...wrongNumbers(form, NUMBERS), ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)) }
}

const wrongAllowed = (allow: string): string | null =>
  linesOf(allow).length === 0 ? 'Enter at least one allowed address.' : wrongAddress(allow)

function wrongVariable({ env }: CreateForm): string | null {
  const wrong = linesOf(env).find((line) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(line))
  return wrong === undefined ? null : `"${wrong}" is not NAME=value.`
}

const wrongWorkdir = ({ workdir }: CreateForm): string | null =>
  workdir.trim() === '' || SandboxPath.safeParse(workdir.trim()).success ? null : 'The path must begin with /.'

function wrongFile({ files }: CreateForm): string | null {
  const wrong = files.find(({ path }) => !SandboxPath.safeParse(path).success || path.endsWith('/'))
  if (wrong) return `The path of ${wrong.name} must begin with / and end with a file name.`
  return files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_FILE_BYTES ? 'All files together may have 6 MB.' : null
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

/** "512 MB memory, 1 core, …": what the folded fields say. */
export function limitsInWords({ memoryMb, cpus, diskMb, pids, commandTimeoutSec, idleTimeoutSec, lifetimeSec }: CreateForm): string {
  const time = (seconds: string) => {
    const value = Number(seconds)
    if (value >= 3600 && value % 3600 === 0) return plural(value / 3600, 'hour')
    return value >= 60 && value % 60 === 0 ? plural(value / 60, 'minute') : plural(value, 'second')
  }
  return `${memoryMb} MB memory, ${cpus} ${Number(cpus) === 1 ? 'core' : 'cores'}, ${diskMb} MB disk, ${plural(Number(pids), 'process', 'processes')}; ${time(commandTimeoutSec)} a command; stopped after ${time(idleTimeoutSec)} without use and ${time(lifetimeSec)} in all`
}
