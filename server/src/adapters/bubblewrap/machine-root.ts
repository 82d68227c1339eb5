/** The file system of a machine: its folder, and how bwrap mounts it. */
import fs from 'node:fs'
import path from 'node:path'
import type { MachineProgram, MachineSpec, Snapshot } from '../sandbox/machine.ts'
import { isIn, requireAbsolute, requireEnv, requireLimits } from '../sandbox/requests.ts'
import { NotRun } from '../sandbox/types.ts'
import { CERTIFICATES_ENV } from './certificates.ts'
import { PORT, proxyEnv } from './gateway.ts'
import { FROM_ETC, GROUP, HOME, HOSTS, isolationOptions, PASSWD, PROC, SYSTEM } from './arguments.ts'

/** A machine's own folders on this machine. Their path can be read inside (mountinfo), so it says nothing of user or product. */
export interface MachineFolders {
  /** Shown as /. */
  root: string
  /** Shown as /dev/shm. */
  shared: string
}

const PROFILES = {
  machine: { uid: 0, userHome: '/root', user: 'root', workdir: '/', shell: PASSWD.replace('/root:/usr/sbin/nologin', '/root:/bin/bash') },
  strict: { uid: 1000, userHome: HOME, user: 'user', workdir: HOME, shell: PASSWD },
} as const

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const FOLDERS = ['etc', 'home', 'mnt', 'opt', 'run', 'srv', 'usr', 'var', 'var/log', 'proc', 'dev']
const OPEN_FOLDERS = ['tmp', 'var/tmp']
/** Places that a program of the profile `strict` may write, in addition to its working directory and /dev/shm. */
const WRITABLE = ['/tmp', '/var/tmp', '/run', '/logs', HOME]
/** Not of the machine's own folder, or (of system folders) links. */
const FOREIGN = ['/usr', '/proc', '/dev', '/sys', ...SYSTEM]

/** Throws `NotRun` for what does not name a place in a machine's own files. */
export function requirePlace(place: string, what: string): void {
  requireAbsolute(place, what)
  const foreign = FOREIGN.find((folder) => isIn(place, folder))
  if (foreign !== undefined)
    throw new NotRun('invalid_request', `${what} ${place} is not in the machine's own files: ${foreign} is the system's.`)
}

export const workdirOf = ({ workdir, profile }: MachineSpec): string => workdir ?? PROFILES[profile].workdir
export const userOf = ({ profile }: MachineSpec): string => String(PROFILES[profile].uid)

/** Throws `NotRun` for a part of the machine that cannot be had here. */
export function requireSpec(spec: MachineSpec, snapshot: Snapshot | null): void {
  const refuse = (code: NotRun['code'], why: string) => {
    throw new NotRun(code, why)
  }
  if (spec.network === 'open')
    refuse('isolation_unavailable', 'network: bubblewrap gives none, or a list of addresses; "open" needs another engine.')
  if (snapshot && snapshot.profile !== spec.profile)
    refuse('invalid_request', `profile: the snapshot "${snapshot.name}" was made with the profile "${snapshot.profile}".`)
  if (snapshot && snapshot.bytes > spec.limits.diskBytes)
    refuse('invalid_request', `limits.diskBytes: the snapshot "${snapshot.name}" has ${snapshot.bytes} bytes.`)
  for (const { port } of spec.endpoints ?? [])
    if (port === PORT || port < 1024 || spec.endpoints!.filter((one) => one.port === port).length > 1)
      refuse('invalid_request', `endpoints: ${port} cannot be a port of one endpoint.`)
  requireLimits(spec.limits)
  requireEnv(spec.env)
  const workdir = workdirOf(spec)
  for (const place of spec.readOnly ?? []) {
    requirePlace(place, 'readOnly')
    // a place that programs may rename would lead bwrap elsewhere
    if (spec.profile !== 'strict' || [...WRITABLE, workdir].some((writable) => isIn(place, writable)))
      refuse('invalid_request', `readOnly: ${place} is a place where programs of the machine may write.`)
  }
  requirePlace(workdir, 'workdir')
  if (spec.profile === 'strict' && WRITABLE.some((place) => place !== workdir && isIn(place, workdir)))
    refuse('invalid_request', `workdir: ${workdir} holds folders of the system; the profile "strict" needs a folder of its own.`)
}

/** Fills new, empty folders. `owner`: who programs are, as this machine sees it; without it, this process's user. */
export function fillFolders({ root, shared }: MachineFolders, spec: MachineSpec, owner?: { uid: number; gid: number }): void {
  const { userHome, shell } = PROFILES[spec.profile]
  const own = (place: string) => owner && fs.lchownSync(place, owner.uid, owner.gid)
  const folder = (place: string, mode: number) => {
    if (!fs.existsSync(place)) {
      if (!fs.existsSync(path.dirname(place))) folder(path.dirname(place), 0o755)
      fs.mkdirSync(place)
      own(place)
    }
    fs.chmodSync(place, mode) // whatever the umask
  }
  const file = (name: string, content: string) => {
    const place = path.join(root, name)
    fs.writeFileSync(place, content, { mode: 0o644 })
    fs.chmodSync(place, 0o644)
    own(place)
  }
  const link = (target: string, name: string) => {
    fs.symlinkSync(target, path.join(root, name))
    own(path.join(root, name))
  }
  folder(root, 0o755)
  folder(shared, 0o1777)
  for (const name of FOLDERS) folder(path.join(root, name), 0o755)
  for (const name of OPEN_FOLDERS) folder(path.join(root, name), 0o1777)
  for (const place of [userHome, workdirOf(spec), ...(spec.readOnly ?? []), ...(spec.profile === 'strict' ? WRITABLE : [])])
    if (!fs.existsSync(path.join(root, place))) folder(path.join(root, place), place === userHome ? 0o700 : 0o755)
  for (const place of SYSTEM) {
    const stat = fs.lstatSync(place, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) link(fs.readlinkSync(place), place)
    else if (stat) folder(path.join(root, place), 0o755)
  }
  file('etc/passwd', shell)
  file('etc/group', GROUP)
  file('etc/hosts', HOSTS)
  for (const place of FROM_ETC) {
    const stat = fs.statSync(place, { throwIfNoEntry: false })
    if (stat?.isFile()) file(place, '')
    else if (stat) folder(path.join(root, place), 0o755)
  }
}

/**
 * The options of bwrap for one program of a machine. Nothing is mounted below a folder that a program can rename, so /etc is
 * a mount of its own: bwrap follows links on the way to where it mounts, and would make the place on the host.
 */
export function machineOptions({ root, shared }: MachineFolders, spec: MachineSpec, program: MachineProgram): string[] {
  const { uid, userHome, user } = PROFILES[spec.profile]
  const workdir = workdirOf(spec)
  const network = typeof spec.network === 'object' ? spec.network : null
  const env = {
    PATH,
    HOME: userHome,
    USER: user,
    LANG: 'C.UTF-8',
    ...(program.terminal && { TERM: 'xterm-256color' }),
    ...(network && { ...proxyEnv(network), ...CERTIFICATES_ENV }),
    ...spec.env,
    ...program.env,
  }
  const given = (spec.readOnly ?? []).flatMap((place) => ['--ro-bind', place, place])
  const writable = WRITABLE.some((place) => isIn(workdir, place)) ? WRITABLE : [...WRITABLE, workdir]
  const files =
    spec.profile === 'machine'
      ? ['--bind', root, '/', '--bind', path.join(root, 'etc'), '/etc']
      : ['--ro-bind', root, '/', ...writable.flatMap((place) => ['--bind', path.join(root, place), place]), ...given]
  return [
    ...isolationOptions('host', uid, network || spec.endpoints?.length ? 'joins' : 'own'),
    ...files,
    '--ro-bind',
    '/usr',
    '/usr',
    ...SYSTEM.flatMap((place) => (fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory() ? ['--ro-bind', place, place] : [])),
    ...FROM_ETC.flatMap((place) => ['--ro-bind-try', place, place]),
    ...PROC,
    '--dev',
    '/dev',
    '--bind',
    shared,
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--chdir',
    program.cwd ?? workdir,
    // with a terminal the program leads a session itself: it could not have the terminal otherwise
    ...(program.terminal ? [] : ['--new-session']),
    '--clearenv',
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}
