import type { z } from 'zod'
import type { GuardOverrides } from '#contracts/entities/guardrail.ts'
import { SandboxAddress, type SandboxBackend, SandboxPath, type SandboxProfile, type SandboxSpec } from '#contracts/entities/sandbox.ts'
import { plural } from '#renderer/ui/format.ts'

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
export const MOST_FILE_BYTES = 6 * 1024 * 1024

/** Least and most of each number; those of seconds and pieces are whole. */
const NUMBERS = [
  ['memoryMb', 16, 1_048_576],
  ['cpus', 0.1, 256],
  ['diskMb', 1, 1_048_576],
  ['pids', 8, 32_768],
  ['commandTimeoutSec', 1, 3600],
  ['setupTimeoutSec', 1, 86_400],
  ['idleTimeoutSec', 1, 86_400],
  ['lifetimeSec', 1, 86_400],
] as const

const linesOf = (text: string) => text.split('\n').map((line) => line.trim()).filter((line) => line !== '') // prettier-ignore

/** What is wrong, by field. */
export function problemsOf(form: CreateForm): Partial<Record<keyof CreateForm, string>> {
  const numbers = NUMBERS.flatMap(([name, least, most]) => {
    const value = Number(form[name])
    const fits = form[name].trim() !== '' && value >= least && value <= most && (name === 'cpus' || Number.isInteger(value))
    return fits ? [] : [[name, `Enter a ${name === 'cpus' ? '' : 'whole '}number from ${least} to ${most}.`]]
  })
  const texts = { allow: wrongAddress(form), env: wrongVariable(form), workdir: wrongWorkdir(form), files: wrongFile(form) }
  return Object.fromEntries([...numbers, ...Object.entries(texts).filter(([, text]) => text !== null)]) as Partial<
    Record<keyof CreateForm, string>
  > // by the names above
}

function wrongAddress({ network, allow }: CreateForm): string | null {
  if (network !== 'allow') return null
  const addresses = linesOf(allow)
  const wrong = addresses.find((line) => !SandboxAddress.safeParse(line).success)
  if (addresses.length === 0) return 'Enter at least one allowed address.'
  return wrong === undefined ? null : `"${wrong}" is not host:port, as in api.example.com:443.`
}

function wrongVariable({ env }: CreateForm): string | null {
  const wrong = linesOf(env).find((line) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(line))
  return wrong === undefined ? null : `"${wrong}" is not NAME=value.`
}

const wrongWorkdir = ({ workdir }: CreateForm): string | null =>
  workdir.trim() === '' || SandboxPath.safeParse(workdir.trim()).success ? null : 'The path must begin with /.'

function wrongFile({ files }: CreateForm): string | null {
  const wrong = files.find(({ path }) => !SandboxPath.safeParse(path).success || path.endsWith('/'))
  if (wrong) return `The path of ${wrong.name} must begin with / and end with a file name.`
  return files.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_FILE_BYTES ? 'All files together may have 6 MB.' : null
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
