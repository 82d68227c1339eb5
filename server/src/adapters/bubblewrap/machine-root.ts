/** The file system of a machine: its folder, and how bwrap mounts it. */
import fs from 'node:fs'
import path from 'node:path'
import type { MachineProgram, MachineSpec, Snapshot } from '../sandbox/machine.ts'
import { isIn, requireAbsolute, requireEnv, requireLimits } from '../sandbox/requests.ts'
import { NotRun } from '../sandbox/types.ts'
import { CERTIFICATES_ENV } from './certificates.ts'
import { PROXY_PORT, proxyEnv } from './gateway.ts'
import { FROM_ETC, GROUP, HOME, hostsOf, isolationOptions, PASSWD, PROC, SYSTEM } from './arguments.ts'

/** The folders of a machine. Programs inside can read their path (mountinfo), so it does not reveal user or product. */
export interface MachineFolders {
  /** Is / inside. */
  root: string
  /** Is /dev/shm inside. */
  shared: string
}

const PROFILES = {
  machine: { uid: 0, userHome: '/root', user: 'root', workdir: '/', passwd: PASSWD.replace('/root:/usr/sbin/nologin', '/root:/bin/bash') },
  strict: { uid: 1000, userHome: HOME, user: 'user', workdir: HOME, passwd: PASSWD },
} as const

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const HOSTNAME = 'host'
const FOLDERS = ['etc', 'home', 'mnt', 'opt', 'run', 'srv', 'usr', 'var', 'var/log', 'proc', 'dev']
const OPEN_FOLDERS = ['tmp', 'var/tmp']
/** Folders that a program with the profile `strict` may write, in addition to its working directory and /dev/shm. */
const WRITABLE = ['/tmp', '/var/tmp', '/run', '/logs', HOME]
/** Paths inside that do not belong to the machine's folder. */
const SYSTEM_PLACES = ['/usr', '/proc', '/dev', '/sys', ...SYSTEM]

/** Throws `NotRun` unless the path is in the machine's folder. */
export function requirePlace(place: string, field: string): void {
  requireAbsolute(place, field)
  const systemPlace = SYSTEM_PLACES.find((folder) => isIn(place, folder))
  if (systemPlace !== undefined)
    throw new NotRun('invalid_request', `${field} ${place} is not in the machine's own files: ${systemPlace} belongs to the system.`)
}

export const workdirOf = ({ workdir, profile }: MachineSpec): string => workdir ?? PROFILES[profile].workdir
export const userOf = ({ profile }: MachineSpec): string => String(PROFILES[profile].uid)

/** Throws `NotRun` for a part of the machine that bubblewrap cannot provide. */
export function requireSpec(spec: MachineSpec, snapshot: Snapshot | null): void {
  const refuse = (code: NotRun['code'], why: string) => {
    throw new NotRun(code, why)
  }
  if (spec.network === 'open')
    refuse('isolation_unavailable', 'network: bubblewrap supports "none" or a list of addresses; "open" needs another engine.')
  if (snapshot && snapshot.profile !== spec.profile)
    refuse('invalid_request', `profile: the snapshot "${snapshot.name}" was made with the profile "${snapshot.profile}".`)
  if (snapshot && snapshot.bytes > spec.limits.diskBytes)
    refuse('invalid_request', `limits.diskBytes: the snapshot "${snapshot.name}" has ${snapshot.bytes} bytes.`)
  for (const { port } of spec.endpoints ?? [])
    if (port === PROXY_PORT || port < 1024 || spec.endpoints!.filter((one) => one.port === port).length > 1)
      refuse('invalid_request', `endpoints: port ${port} is reserved, below 1024 or used twice.`)
  requireLimits(spec.limits)
  requireEnv(spec.env)
  const workdir = workdirOf(spec)
  for (const { place } of spec.readOnly ?? []) {
    requirePlace(place, 'readOnly')
    // If programs could replace the folder with a link, bwrap would mount elsewhere.
    if (spec.profile !== 'strict' || [...WRITABLE, workdir].some((writable) => isIn(place, writable)))
      refuse('invalid_request', `readOnly: ${place} is in a folder that programs of the machine may write.`)
  }
  requirePlace(workdir, 'workdir')
  if (spec.profile === 'strict' && WRITABLE.some((place) => place !== workdir && isIn(place, workdir)))
    refuse('invalid_request', `workdir: ${workdir} contains system folders; the profile "strict" needs a separate folder.`)
}

/** Creates the files of a machine in new folders. `owner`: the user on this machine who runs its programs; by default this process's. */
export function fillFolders({ root, shared }: MachineFolders, spec: MachineSpec, owner?: { uid: number; gid: number }): void {
  const { userHome, passwd } = PROFILES[spec.profile]
  const setOwner = (place: string) => owner && fs.lchownSync(place, owner.uid, owner.gid)
  const makeFolder = (place: string, mode: number) => {
    if (!fs.existsSync(place)) {
      if (!fs.existsSync(path.dirname(place))) makeFolder(path.dirname(place), 0o755)
      fs.mkdirSync(place)
      setOwner(place)
    }
    fs.chmodSync(place, mode) // the umask may have removed bits
  }
  const writeFile = (name: string, content: string) => {
    const place = path.join(root, name)
    fs.writeFileSync(place, content, { mode: 0o644 })
    fs.chmodSync(place, 0o644)
    setOwner(place)
  }
  const makeLink = (target: string, name: string) => {
    fs.symlinkSync(target, path.join(root, name))
    setOwner(path.join(root, name))
  }
  makeFolder(root, 0o755)
  makeFolder(shared, 0o1777)
  for (const name of FOLDERS) makeFolder(path.join(root, name), 0o755)
  for (const name of OPEN_FOLDERS) makeFolder(path.join(root, name), 0o1777)
  for (const place of [
    userHome,
    workdirOf(spec),
    ...(spec.readOnly ?? []).map(({ place }) => place),
    ...(spec.profile === 'strict' ? WRITABLE : []),
  ])
    if (!fs.existsSync(path.join(root, place))) makeFolder(path.join(root, place), place === userHome ? 0o700 : 0o755)
  for (const place of SYSTEM) {
    const stat = fs.lstatSync(place, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) makeLink(fs.readlinkSync(place), place)
    else if (stat) makeFolder(path.join(root, place), 0o755)
  }
  writeFile('etc/passwd', passwd)
  writeFile('etc/group', GROUP)
  writeFile('etc/hosts', hostsOf(HOSTNAME))
  for (const place of FROM_ETC) {
    const stat = fs.statSync(place, { throwIfNoEntry: false })
    if (stat?.isFile()) writeFile(place, '')
    else if (stat) makeFolder(path.join(root, place), 0o755)
  }
}

/**
 * The options of bwrap for one program of a machine. bwrap follows links in a mount point's path, so it must not mount below
 * a folder that a program can replace with a link to the host. Therefore /etc is a separate mount.
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
  const readOnlyBinds = (spec.readOnly ?? []).flatMap(({ place, source }) => ['--ro-bind', source, place])
  const writable = WRITABLE.some((place) => isIn(workdir, place)) ? WRITABLE : [...WRITABLE, workdir]
  const files =
    spec.profile === 'machine'
      ? ['--bind', root, '/', '--bind', path.join(root, 'etc'), '/etc']
      : ['--ro-bind', root, '/', ...writable.flatMap((place) => ['--bind', path.join(root, place), place]), ...readOnlyBinds]
  return [
    ...isolationOptions(HOSTNAME, uid, network || spec.endpoints?.length ? 'inherited' : 'separate'),
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
    // With a terminal the program must start its session itself, to get the terminal as its controlling terminal.
    ...(program.terminal ? [] : ['--new-session']),
    '--clearenv',
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}
