import fs from 'node:fs'
import path from 'node:path'

/** Files that make a folder a package of its own. */
const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json', 'deno.json', 'pyproject.toml', 'setup.py', 'Cargo.toml', 'go.mod', 'pom.xml', 'build.gradle', 'build.gradle.kts',
  'composer.json', 'Gemfile', 'mix.exs', 'Package.swift', 'pubspec.yaml', 'CMakeLists.txt',
]) // prettier-ignore

/**
 * Scope of a working directory (system.md §6.1): the nearest folder upward with a package manifest, else the git root,
 * else the directory itself. Looks no further up than the git root, so that sibling repositories always differ. Null
 * when the directory is not there (any more).
 */
export function lookUpScope(cwd: string): string | null {
  if (!path.isAbsolute(cwd)) return null
  for (let folder = path.normalize(cwd); ; folder = path.dirname(folder)) {
    const names = namesIn(folder)
    if (folder === path.normalize(cwd) && names === null) return null
    if (names?.some((name) => MANIFESTS.has(name)) || names?.includes('.git')) return folder
    if (path.dirname(folder) === folder) return path.normalize(cwd)
  }
}

function namesIn(folder: string): string[] | null {
  try {
    return fs.readdirSync(folder)
  } catch {
    return null
  }
}

/** Whether going from one working directory to the other changes the scope; by the paths alone if one was never looked up. */
export function isOtherScope(from: Place, to: Place): boolean {
  if (from.cwd === null || to.cwd === null || from.cwd === to.cwd) return false
  if (from.scope !== null && to.scope !== null) return from.scope !== to.scope
  return !contains(from.cwd, to.cwd) && !contains(to.cwd, from.cwd)
}

interface Place {
  cwd: string | null
  scope: string | null
}

/** Windows paths too: the archive may be read on another system. */
function contains(outer: string, inner: string): boolean {
  const [a, b] = [outer, inner].map((one) => one.replaceAll('\\', '/').replace(/\/+$/, ''))
  return a === b || b!.startsWith(`${a}/`)
}
