import fs from 'node:fs'
import path from 'node:path'
import type { SandboxPolicy } from '../sandbox/types.ts'

export const HOME = '/home/user'
const OPEN_FILES = 256
const USER = 1000

export const PASSWD = `root:x:0:0:root:/root:/usr/sbin/nologin\nuser:x:${USER}:${USER}:user:${HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`
export const GROUP = `root:x:0:\nuser:x:${USER}:\nnogroup:x:65534:\n`
export const HOSTS = '127.0.0.1 localhost\n::1 localhost\n'

/** Not /bin/sh: where /bin is a link, a program inside can put its own in its place. */
const SH = ['/usr/bin/sh', '/bin/sh'].find((place) => fs.existsSync(place)) ?? '/bin/sh'

/** Folders of programs and libraries. On most systems all but /usr are links into it. */
export const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** Without these some programs under /usr are links to nowhere, or do not find their libraries. */
export const FROM_ETC = ['/etc/alternatives', '/etc/ld.so.cache']
const NAMESPACES = '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --disable-userns'
/** Read-only: root inside would own the system's settings of its namespaces under /proc/sys. */
export const PROC = ['--proc', '/proc', '--remount-ro', '/proc']
const WRITABLE = ['/tmp', '/dev/shm']
/** The sandbox's own places: no folder of the host may be mounted there, nor (trees) below. */
const OWN_PLACES = ['/usr', '/etc', '/proc', '/dev', '/sys', ...WRITABLE, HOME, ...SYSTEM]
const OWN_TREES = ['/etc', '/proc', '/dev', '/sys']

/** Own namespaces, no capabilities, no way to have them; ends with who starts it. `joins`: it stays in the network it is started in. */
export const isolationOptions = (hostname: string, user: number, network: 'own' | 'joins' = 'own'): string[] => [
  ...NAMESPACES.split(' '),
  ...(network === 'own' ? ['--unshare-net'] : []),
  ...`--hostname ${hostname} --uid ${user} --gid ${user} --cap-drop ALL --die-with-parent`.split(' '),
]

/**
 * The options of bwrap, one element an argument: no network, own namespaces, a read-only system, the policy's readable
 * folders, empty writable places of limited size, user 1000 without privileges. `fd` hands over bytes as a descriptor that
 * bwrap will read, and gives its number.
 */
export function strictArguments(
  { readable, writableBytes }: SandboxPolicy,
  files: Readonly<Record<string, string>>,
  fd: (content: string | Buffer) => number,
): string[] {
  const tmpfs = (place: string, mode: string) => ['--perms', mode, '--size', String(writableBytes), '--tmpfs', place]
  const file = (place: string, content: string) => ['--perms', '0644', '--file', String(fd(content)), place]
  return [
    ...isolationOptions('sandbox', USER),
    '--new-session',
    '--ro-bind',
    '/usr',
    '/usr',
    ...SYSTEM.flatMap(mirrored),
    ...file('/etc/passwd', PASSWD),
    ...file('/etc/group', GROUP),
    ...file('/etc/hosts', HOSTS),
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
 * What stands before all else inside: it says through the socket `fd` (3 to 9) that it is there, and nothing begins before
 * an answer. By then all of bwrap is tied to the life of who answers. bwrap itself would take the end of a pipe for leave to
 * begin (`--block-fd`): what is killed meanwhile would leave a program behind that nobody stops.
 */
export const gated = (fd: number): string[] => [SH, '-c', gate(fd), 'sh']
const gate = (fd: number) => `umask 022; echo >&${fd}; read -r go <&${fd} || exit; exec ${fd}<&-; exec "$@"`

/** Whether a command line has the gate: it is of a bwrap of ours, whichever process started it. */
export const isGated = (argv: readonly string[]): boolean => [3, 4, 5, 6, 7, 8, 9].some((fd) => argv.includes(gate(fd)))

/** Starts the program inside with limits that bwrap does not set. `memory`: also the address space of each process. */
export function limited(prlimit: string, { limits, writableBytes }: SandboxPolicy, cpuSeconds: number, memory: boolean): string[] {
  return [
    prlimit,
    `--nproc=${limits.processes}`,
    `--nofile=${OPEN_FILES}`,
    `--fsize=${writableBytes}`,
    `--cpu=${cpuSeconds}`,
    '--core=0',
    ...(memory ? [`--as=${limits.memoryBytes}`] : []),
    '--',
  ]
}

/** A system folder as it is on this machine: a link stays a link, a folder is shown read-only. */
function mirrored(place: string): string[] {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!stat) return []
  return stat.isSymbolicLink() ? ['--symlink', fs.readlinkSync(place), place] : ['--ro-bind', place, place]
}

/** Where a program of this name would be found inside; null if there is none. */
export function programInside(name: string, files: Readonly<Record<string, string>>): string | null {
  if (!name.includes('/')) return ENVIRONMENT.PATH.split(':').map((folder) => `${folder}/${name}`).find((place) => fs.existsSync(place)) ?? null // prettier-ignore
  if (!name.startsWith('/')) return Object.hasOwn(files, name.replace(/^(\.\/)+/, '')) ? name : null
  return ['/usr/', ...SYSTEM.map((place) => `${place}/`)].some((place) => name.startsWith(place)) && fs.existsSync(name) ? name : null
}

/** Why this folder cannot be shown to programs; null if it can. */
export function badReadable(place: string): string | null {
  if (!path.isAbsolute(place) || path.normalize(place) !== place || place.includes('\0'))
    return `"${place}" is no absolute path of a folder.`
  const covered = OWN_PLACES.find((own) => own === place || own.startsWith(place === '/' ? '/' : `${place}/`))
  if (covered !== undefined) return `${place} cannot be shown in the sandbox: ${covered} there is its own.`
  if (OWN_TREES.some((own) => place.startsWith(`${own}/`))) return `${place} cannot be shown in the sandbox.`
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ? null : `There is no folder ${place}.`
}

/** Why these names cannot be files of an empty folder; null if they can. */
export function badName(names: readonly string[]): string | null {
  for (const name of names) {
    const parts = name.split('/')
    if (name.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..' || Buffer.byteLength(part) > 255))
      return `The file name ${JSON.stringify(name)} does not name a file inside the folder.`
    const above = names.find((other) => name.startsWith(`${other}/`))
    if (above !== undefined) return `${JSON.stringify(above)} is to be a file, and a folder for ${JSON.stringify(name)}.`
  }
  return null
}
