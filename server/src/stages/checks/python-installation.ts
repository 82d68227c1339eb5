import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from '#server/within.ts'

/** Where version managers install Pythons, with how many folders below are the name of an installation. `~` is the user's home. */
const ROOTS: readonly (readonly [root: string, depth: number])[] = [
  ['~/.pyenv/versions', 1],
  ['~/.local/share/uv/python', 1],
  ['~/.asdf/installs/python', 1],
  ['~/.local/share/mise/installs/python', 1],
  ['~/.local/share/rtx/installs/python', 1],
  ['~/.rye/py', 1],
  ['~/.local/share/pypoetry/python', 1],
  ...[
    '~/miniconda3',
    '~/anaconda3',
    '~/miniforge3',
    '~/mambaforge',
    '~/micromamba',
    '/opt/conda',
    '/opt/miniconda3',
    '/opt/anaconda3',
  ].flatMap(
    (root): [string, number][] => [[root, 0], [`${root}/envs`, 1]], // prettier-ignore
  ),
  ['~/.conda/envs', 1],
  ['/opt/homebrew/opt', 1],
  ['/opt/homebrew/Cellar', 2],
  ['/home/linuxbrew/.linuxbrew/opt', 1],
  ['/home/linuxbrew/.linuxbrew/Cellar', 2],
  ['/opt/python', 1],
  ['/opt/hostedtoolcache/Python', 2],
]

/**
 * The installation that a virtual environment was created from, by its `pyvenv.cfg`. Nothing is run to find out, because the
 * environment may be a stranger's. Null unless it is in /usr or where a version manager of the user puts installations, and
 * nobody else could have changed it.
 */
export function installationOf(config: string, userHome: string): string | null {
  const folder = /^home[^\S\n]*=[^\S\n]*(\/\S.*?)\s*$/m.exec(config)?.[1]
  if (folder === undefined || path.basename(folder) !== 'bin' || path.normalize(folder) !== folder) return null
  const installation = path.dirname(folder)
  try {
    const real = fs.realpathSync(installation)
    if (real === '/usr' || real === '/usr/local') return real
    const roots = ROOTS.map(([root, depth]) => [root.replace(/^~/, userHome), depth] as const)
    const isInstalledBelow = (place: string) => roots.some(([root, depth]) => isAtDepth(root, place, depth) || isAtDepth(realOf(root), place, depth)) // prettier-ignore
    return isInstalledBelow(installation) && isInstalledBelow(real) && isOnlyOurs(real) ? installation : null
  } catch {
    return null // it was removed
  }
}

const isAtDepth = (root: string, place: string, depth: number): boolean =>
  isWithin(root, place) && path.relative(root, place).split('/').filter(Boolean).length === depth

/** Whether only this user and root can change a folder and what leads to it. */
function isOnlyOurs(folder: string): boolean {
  const uid = process.getuid?.()
  for (let place = folder; ; place = path.dirname(place)) {
    const stat = fs.statSync(place)
    const isSticky = (stat.mode & 0o1000) !== 0
    if (stat.uid !== 0 && stat.uid !== uid) return false
    if ((stat.mode & 0o002) !== 0 && !(isSticky && place !== folder)) return false
    // of a group, only the user's own is trusted, and what root decided
    if ((stat.mode & 0o020) !== 0 && stat.uid !== 0 && stat.gid !== stat.uid) return false
    if (place === '/') return true
  }
}

function realOf(place: string): string {
  try {
    return fs.realpathSync(place)
  } catch {
    return place
  }
}
