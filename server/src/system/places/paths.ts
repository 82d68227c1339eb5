import fs from 'node:fs'
import path from 'node:path'
import { lookup } from '#contracts/lookup.ts'
import type { Config } from '#server/config.ts'
import { realPath } from '#server/real-path.ts'

/** `trusted`: folders that the user trusts, as paths without links. */
export type HomeFolders = { trusted: () => readonly string[] } & Pick<
  Config,
  'userHome' | 'dataDir' | 'claudeDir' | 'codexDir' | 'geminiDir' | 'opencodeDir'
>

/** Folders of a home folder that are not hidden and still hold keys, by platform. */
const PRIVATE_NAMES = lookup<readonly string[]>({ darwin: ['Library'], win32: ['AppData'] })

/** A folder, recognised by its path and by what the file system calls it: another spelling or mount of it is the same folder. */
interface Known {
  path: string
  id: string | null
}

/**
 * Says which paths a browser may name without asking the owner: those in the home folder or a trusted one that are not hidden
 * there, not ours and not an agent's. A folder counts with everything below it, so the home folder itself is asked for.
 */
export function createPathRule(folders: HomeFolders) {
  const { userHome, trusted, dataDir, claudeDir, codexDir, geminiDir, opencodeDir } = folders
  const privateFolders = (PRIVATE_NAMES[process.platform] ?? []).map((name) => path.join(userHome, name))
  const known = (folder: string): Known => {
    const real = orNull(() => realPath(folder)) ?? folder
    return { path: real, id: idOf(real) }
  }
  const allSensitive = () => [dataDir, claudeDir, codexDir, geminiDir, opencodeDir, ...privateFolders].map(known)
  return {
    /** Why a path without links cannot be a trusted folder, or in one; null if it can. */
    whyNeverTrusted(real: string): string | null {
      const chain = above(real)
      const [ownFolder, sensitive] = [known(userHome), allSensitive()]
      if (sensitive.some((one) => chain.some((at) => isSame(at, one)))) return 'it is in a folder of Bash Gym or of an agent'
      if ([ownFolder, ...sensitive].some((one) => above(one.path).some((at) => isSame(at, chain[0]!))))
        return 'it contains your home folder, or a folder of Bash Gym or of an agent'
      return null
    },
    /** `real`: a path without links. */
    mustAsk(real: string, isFolder: boolean): boolean {
      const ownFolder = known(userHome)
      const hasHome = ownFolder.path !== path.parse(ownFolder.path).root // without a home folder of its own nothing is in it
      const chain = above(real)
      // a trusted folder is the one of that path, never what a link there leads to
      const open = [...(hasHome ? [ownFolder] : []), ...trusted().map((folder) => ({ path: folder, id: null }))]
      if (!open.some((folder) => namesBelow(folder, chain)?.every((name) => !name.startsWith('.')))) return true
      const sensitive = allSensitive()
      if (sensitive.some((one) => chain.some((at) => isSame(at, one)))) return true
      return isFolder && [ownFolder, ...sensitive].some((one) => above(one.path).some((at) => isSame(at, chain[0]!)))
    },
    /** The top folder of the repository that a folder is in, as git finds it; else the folder. */
    repositoryOf: (real: string): string => above(real).find((at) => fs.existsSync(path.join(at.path, '.git')))?.path ?? real,
    /** Whether a path is in one of the folders, or is one. */
    isIn: (real: string, shelves: readonly string[]): boolean => {
      const chain = above(real)
      return shelves.map(known).some((shelf) => chain.some((at) => isSame(at, shelf)))
    },
  }
}

export type PathRule = ReturnType<typeof createPathRule>

/** A path and all folders that it is in, the nearest first. */
function above(real: string): Known[] {
  const chain: Known[] = []
  for (let at = real; ; at = path.dirname(at)) {
    chain.push({ path: at, id: idOf(at) })
    if (at === path.dirname(at)) return chain
  }
}

/** Names from the home folder to the end of a chain; null if it is not in there. */
function namesBelow(userHome: Known, chain: readonly Known[]): string[] | null {
  const at = chain.findIndex((one) => isSame(one, userHome))
  return at < 0 ? null : chain.slice(0, at).map((one) => path.basename(one.path))
}

const isSame = (one: Known, other: Known): boolean => one.path === other.path || (one.id !== null && one.id === other.id)

function idOf(place: string): string | null {
  const stat = orNull(() => fs.statSync(place, { bigint: true, throwIfNoEntry: false }))
  return stat ? `${stat.dev}:${stat.ino}` : null
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
