import fs from 'node:fs'
import path from 'node:path'

/** Files that make a folder a package. */
const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json', 'deno.json', 'pyproject.toml', 'setup.py', 'Cargo.toml', 'go.mod', 'pom.xml', 'build.gradle', 'build.gradle.kts',
  'composer.json', 'Gemfile', 'mix.exs', 'Package.swift', 'pubspec.yaml', 'CMakeLists.txt',
]) // prettier-ignore

/**
 * Scope of a working directory: the nearest parent folder with a package manifest, else the git root, else the directory
 * itself. Stops at the git root, so that sibling repositories differ. Null if the directory does not exist.
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

/** True if two working directories have different scopes; compares paths if a scope is unknown. */
export function isOtherScope(from: Location, to: Location): boolean {
  if (from.cwd === null || to.cwd === null || from.cwd === to.cwd) return false
  if (from.scope !== null && to.scope !== null) return from.scope !== to.scope
  return !contains(from.cwd, to.cwd) && !contains(to.cwd, from.cwd)
}

interface Location {
  cwd: string | null
  scope: string | null
}

/** Supports Windows paths, because the archive may come from another system. */
function contains(outer: string, inner: string): boolean {
  const [a, b] = [outer, inner].map((one) => one.replaceAll('\\', '/').replace(/\/+$/, ''))
  return a === b || b!.startsWith(`${a}/`)
}
