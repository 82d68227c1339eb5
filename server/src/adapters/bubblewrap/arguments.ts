import fs from 'node:fs'
import path from 'node:path'
import type { SandboxPolicy } from '../sandbox/types.ts'

export const HOME = '/home/user'
const OPEN_FILES = 256
const USER = 1000

export const PASSWD = `root:x:0:0:root:/root:/usr/sbin/nologin\nuser:x:${USER}:${USER}:user:${HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`
export const GROUP = `root:x:0:\nuser:x:${USER}:\nnogroup:x:65534:\n`
/** Programs look up the name of their own host. */
export const hostsOf = (hostname: string): string => `127.0.0.1 localhost\n127.0.1.1 ${hostname}\n::1 localhost\n`
const HOSTNAME = 'sandbox'

/** /usr/bin/sh first: if /bin is a link, a program inside can replace it. */
const SH = ['/usr/bin/sh', '/bin/sh'].find((place) => fs.existsSync(place)) ?? '/bin/sh'

/** System folders other than /usr. On most systems they are links into /usr. */
export const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** Without these, some programs under /usr are broken links or do not find their libraries. */
export const FROM_ETC = ['/etc/alternatives', '/etc/ld.so.cache']
const NAMESPACES = '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --disable-userns'
/** Read-only, because otherwise root inside could change the settings of its namespaces under /proc/sys. */
export const PROC = ['--proc', '/proc', '--remount-ro', '/proc']
const WRITABLE = ['/tmp', '/dev/shm']
/** Paths of the sandbox: no folder of the host may be mounted there, and (trees) not below them either. */
const OWN_PLACES = ['/usr', '/etc', '/proc', '/dev', '/sys', ...WRITABLE, HOME, ...SYSTEM]
const OWN_TREES = ['/etc', '/proc', '/dev', '/sys']

/** Separate namespaces without capabilities, which end with the process that starts them. `inherited`: keeps the network of that process. */
export const isolationOptions = (hostname: string, user: number, network: 'separate' | 'inherited' = 'separate'): string[] => [
  ...NAMESPACES.split(' '),
  ...(network === 'separate' ? ['--unshare-net'] : []),
  ...`--hostname ${hostname} --uid ${user} --gid ${user} --cap-drop ALL --die-with-parent`.split(' '),
]

/**
 * The options of bwrap: no network, separate namespaces, a read-only system, the policy's readable folders, empty writable
 * folders of limited size, user 1000 without privileges. `fd` passes bytes to bwrap as a descriptor, and returns its number.
 */
export function strictArguments(
  { readable, writableBytes }: SandboxPolicy,
  files: Readonly<Record<string, string>>,
  fd: (content: string | Buffer) => number,
): string[] {
  const tmpfs = (place: string, mode: string) => ['--perms', mode, '--size', String(writableBytes), '--tmpfs', place]
  const file = (place: string, content: string) => ['--perms', '0644', '--file', String(fd(content)), place]
  return [
    ...isolationOptions(HOSTNAME, USER),
    '--new-session',
    '--ro-bind',
    '/usr',
    '/usr',
    ...SYSTEM.flatMap(mirrorOptions),
    ...file('/etc/passwd', PASSWD),
    ...file('/etc/group', GROUP),
    ...file('/etc/hosts', hostsOf(HOSTNAME)),
    ...FROM_ETC.flatMap((place) => ['--ro-bind-try', place, place]),
    ...PROC,
    '--dev',
    '/dev',
    ...WRITABLE.flatMap((place) => tmpfs(place, '1777')),
    '--symlink',
    '/tmp',
    '/var/tmp',
    ...tmpfs(HOME, '0700'),
    ...readable.flatMap((place) => ['--ro-bind', place, place]),
    ...Object.entries(files).flatMap(([name, content]) => file(`${HOME}/${name}`, content)),
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    HOME,
    '--clearenv',
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME,
  USER: 'user',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  PYTHONDONTWRITEBYTECODE: '1',
}

/**
 * The first command inside: it reports through the socket `fd` (3 to 9) that it runs, and waits for an answer before it
 * starts the program. By then all processes of bwrap end with the process that answers. bwrap's own `--block-fd` is not
 * enough: it also starts the program when the pipe closes, so if we were killed at that moment, the program would keep running.
 */
export const gatedCommand = (fd: number): string[] => [SH, '-c', gate(fd), 'sh']
const gate = (fd: number) => `umask 022; echo >&${fd}; read -r go <&${fd} || exit; exec ${fd}<&-; exec "$@"`

/** Whether a command line has our gate, so that a process of Bash Gym started it. */
export const isGated = (argv: readonly string[]): boolean => [3, 4, 5, 6, 7, 8, 9].some((fd) => argv.includes(gate(fd)))

/** The command that sets the limits that bwrap does not set. `limitsMemory`: also limits the address space of each process. */
export function limitCommand(
  prlimit: string,
  { limits, writableBytes }: SandboxPolicy,
  cpuSeconds: number,
  limitsMemory: boolean,
): string[] {
  return [
    prlimit,
    `--nproc=${limits.processes}`,
    `--nofile=${OPEN_FILES}`,
    `--fsize=${writableBytes}`,
    `--cpu=${cpuSeconds}`,
    '--core=0',
    ...(limitsMemory ? [`--as=${limits.memoryBytes}`] : []),
    '--',
  ]
}

/** Options that show a system folder as on this machine: as the same link, or as a read-only folder. */
function mirrorOptions(place: string): string[] {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!stat) return []
  return stat.isSymbolicLink() ? ['--symlink', fs.readlinkSync(place), place] : ['--ro-bind', place, place]
}

/** The path at which a program of this name is found inside; null if there is none. */
export function programInside(name: string, files: Readonly<Record<string, string>>): string | null {
  if (!name.includes('/')) return ENVIRONMENT.PATH.split(':').map((folder) => `${folder}/${name}`).find((place) => fs.existsSync(place)) ?? null // prettier-ignore
  if (!name.startsWith('/')) return Object.hasOwn(files, name.replace(/^(\.\/)+/, '')) ? name : null
  return ['/usr/', ...SYSTEM.map((place) => `${place}/`)].some((place) => name.startsWith(place)) && fs.existsSync(name) ? name : null
}

/** Why this folder cannot be readable inside; null if it can. */
export function readableProblem(place: string): string | null {
  if (!path.isAbsolute(place) || path.normalize(place) !== place || place.includes('\0'))
    return `"${place}" is not an absolute path of a folder.`
  const hiddenPlace = OWN_PLACES.find((own) => own === place || own.startsWith(place === '/' ? '/' : `${place}/`))
  if (hiddenPlace !== undefined) return `${place} cannot be shown in the sandbox, because the sandbox has a different ${hiddenPlace}.`
  if (OWN_TREES.some((own) => place.startsWith(`${own}/`))) return `${place} cannot be shown in the sandbox.`
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ? null : `There is no folder ${place}.`
}

/** Why files with these names cannot be created in an empty folder; null if they can. */
export function nameProblem(names: readonly string[]): string | null {
  for (const name of names) {
    const parts = name.split('/')
    if (name.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..' || Buffer.byteLength(part) > 255))
      return `The file name ${JSON.stringify(name)} does not name a file inside the folder.`
    const above = names.find((other) => name.startsWith(`${other}/`))
    if (above !== undefined) return `${JSON.stringify(above)} would have to be both a file and the folder of ${JSON.stringify(name)}.`
  }
  return null
}
