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

/**
 * Creates the files of a machine in new folders, beside the work of this thread: a full disk queue makes each of them slow.
 * `owner`: the user on this machine who runs its programs; by default this process's.
 */
export async function fillFolders(
  { root, shared }: MachineFolders,
  spec: MachineSpec,
  owner?: { uid: number; gid: number },
): Promise<void> {
  const { userHome, passwd } = PROFILES[spec.profile]
  const { mkdir, chmod, lchown, writeFile, symlink } = fs.promises
  const folders = new Map<string, number>([...FOLDERS.map((name) => [path.join('/', name), 0o755] as const), ...OPEN_FOLDERS.map((name) => [path.join('/', name), 0o1777] as const)]) // prettier-ignore
  const files = new Map([['/etc/passwd', passwd], ['/etc/group', GROUP], ['/etc/hosts', hostsOf(HOSTNAME)]]) // prettier-ignore
  const links = new Map<string, string>()
  const add = (place: string, mode: number) => {
    if (place === '/' || folders.has(place)) return
    add(path.dirname(place), 0o755)
    folders.set(place, mode)
  }
  add(userHome, 0o700)
  const further = [workdirOf(spec), ...(spec.readOnly ?? []).map(({ place }) => place), ...(spec.profile === 'strict' ? WRITABLE : [])]
  for (const place of further) add(path.resolve(place), 0o755)
  for (const place of SYSTEM) {
    const stat = fs.lstatSync(place, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) links.set(place, fs.readlinkSync(place))
    else if (stat) add(place, 0o755)
  }
  for (const place of FROM_ETC) {
    const stat = fs.statSync(place, { throwIfNoEntry: false })
    if (stat?.isFile()) files.set(place, '')
    else if (stat) add(place, 0o755)
  }

  const own = async (place: string) => owner && (await lchown(place, owner.uid, owner.gid))
  const makeFolder = async (place: string, mode: number) => {
    await mkdir(place, { mode })
    if ((mode & process.umask()) !== 0) await chmod(place, mode)
    await own(place)
  }
  const make = async (place: string, create: (place: string) => Promise<unknown>) => {
    await create(place)
    await own(place)
  }
  await Promise.all([makeFolder(root, 0o755), makeFolder(shared, 0o1777)])
  const depth = (place: string) => place.split('/').length
  for (const [, level] of [...Map.groupBy(folders, ([place]) => depth(place))].toSorted(([a], [b]) => a - b))
    await Promise.all(level.map(([place, mode]) => makeFolder(path.join(root, place), mode)))
  await Promise.all([
    ...[...links].map(([name, target]) => make(path.join(root, name), (place) => symlink(target, place))),
    ...[...files].map(([name, content]) =>
      make(path.join(root, name), async (place) => {
        await writeFile(place, content, { mode: 0o644 })
        if ((0o644 & process.umask()) !== 0) await chmod(place, 0o644)
      }),
    ),
  ])
}

/**
 * The options of bwrap for one program of a machine. bwrap follows links in a mount point's path, so it must not mount below
 * a folder that a program can replace with a link to the host. Therefore /etc is a separate mount. `meminfo`: is /proc/meminfo
 * inside; null: that of this machine is.
 */
export function machineOptions(
  { root, shared }: MachineFolders,
  spec: MachineSpec,
  program: MachineProgram,
  meminfo: string | null,
): string[] {
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
    ...(meminfo === null ? [] : ['--ro-bind', meminfo, '/proc/meminfo']),
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
