import { normalize } from '#server/shell/posix-path.ts'
import { globMatches, hasGlob } from './shell/glob.ts'
import { UNKNOWN } from './shell/text.ts'

/** The value of `~` and `$HOME`: a home folder without a name. */
export const HOME = '/home/~'

/** Folders that must not be removed. `isProtected` adds the home folders. */
const PROTECTED = `bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin snap srv sys usr var
  usr/bin usr/sbin usr/lib usr/lib64 usr/share usr/include usr/local var/lib
  System Library Applications Users Volumes private private/etc private/var`
  .split(/\s+/)
  .map((folder) => folder.split('/'))

/** Names of block devices on Linux and macOS. */
const DEVICES =
  `sda sdb sda1 sdb1 hda hda1 vda vda1 xvda xvda1 nvme0 nvme0n1 nvme0n1p1 nvme1n1 mmcblk0 mmcblk0p1 md0 md127 dm-0 loop0 sr0 nbd0
  disk0 disk1 disk2 rdisk0 rdisk1 rdisk2 disk0s1 mem kmem port`.split(/\s+/)
const DEVICE = /^(?:[shv]d[a-z]+\d*|xvd[a-z]+\d*|nvme\d.*|mmcblk\d.*|md\d+|dm-\d+|loop\d+|sr\d+|nbd\d+|r?disk\d.*|k?mem|port)$/

/** An absolute path without `.` and `..`; null if the path is relative and its folder is unknown. */
export function resolvePath(written: string, folder: string | null): string | null {
  const absolute = written.startsWith('/') ? written : folder === null ? null : `${folder}/${written}`
  if (absolute === null) return null
  const normal = normalize(absolute)
  const withoutProc = normal.replace(/^\/proc\/(?:self|thread-self|\d+)\/(?:root|cwd)(?=\/|$)/, '') || '/'
  return withoutProc.replace(/(?<=.)\/$/, '')
}

/** Whether a path or pattern matches a folder that must not be lost, or everything in one. */
export function isProtected(absolute: string): boolean {
  const parts = absolute.split('/').filter(Boolean)
  if (parts.length === 0) return true
  if (isEverything(parts.at(-1)!)) return parts.length === 1 || isProtected(`/${parts.slice(0, -1).join('/')}`)
  if (parts.length === 2 && fits(parts[0]!, 'home', 'Users')) return true
  return PROTECTED.some((folder) => folder.length === parts.length && folder.every((name, index) => fits(parts[index]!, name)))
}

/** Whether a pattern matches everything in a folder: `*`, `.*`, `.[!.]*`. */
export const isEverything = (pattern: string) => /^[*.?]+$/.test(pattern.replaceAll(/\[[!^]\.?\]/g, '')) && pattern.includes('*')

/** Whether a path would be the root folder if its unknown part were empty: `"$DIR"/`, `$DIR/*`. */
export function isRootIfEmpty(written: string): boolean {
  return written.startsWith(UNKNOWN) && /^\/+[*.]*\/*$/.test(written.replaceAll(UNKNOWN, ''))
}

export function isDevice(absolute: string): boolean {
  const [folder, name, ...rest] = absolute.split('/').filter(Boolean)
  if (folder === undefined || name === undefined || !fits(folder, 'dev')) return false
  if (rest.length > 0) return name === 'mapper' ? rest[0] !== 'control' : name === 'disk'
  return hasGlob(name) ? DEVICES.some((device) => globMatches(name, device)) : DEVICE.test(name)
}

const fits = (pattern: string, ...names: string[]) =>
  names.some((name) => pattern === name || (hasGlob(pattern) && globMatches(pattern, name)))
