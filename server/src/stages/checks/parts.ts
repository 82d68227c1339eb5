/** The projects in folders of a project, and whether the script of the project runs them as well. */
import path from 'node:path'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { reachedScripts } from './exit-code.ts'
import type { ProjectFacts } from './facts.ts'

const MAX_DEPTH = 6
const MAX_FOLDERS = 200
const MANIFESTS = new Set(['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'pytest.ini', 'go.mod', 'Cargo.toml'])
/** What is in them is an input of tests. */
const INPUTS = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|templates?|third[-_]party|node_modules)(?:\/|$)/
/** What is in them may need what the project does not bring along. */
const ASIDE = /(?:^|\/)(tests?|__tests__|spec|examples?|samples?|bench(?:es|marks?)?|docs?)(?:\/|$)/

/** Folders with a manifest of their own, the highest first. */
export function projectFolders(files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const name of files) {
    const parts = name.split('/')
    const folder = parts.slice(0, -1).join('/')
    if (parts.length > 1 && parts.length <= MAX_DEPTH + 1 && MANIFESTS.has(parts.at(-1)!) && !INPUTS.test(folder)) folders.add(folder)
  }
  const depth = (folder: string) => folder.split('/').length
  return [...folders].toSorted((a, b) => depth(a) - depth(b) || a.localeCompare(b, 'en')).slice(0, MAX_FOLDERS)
}

/** Why the project in a folder is listed and not run; null if nothing speaks against it. */
export const asideReason = (folder: string): string | null => {
  const name = ASIDE.exec(folder)?.[1]
  return name === undefined ? null : `a project of its own below "${name}"`
}

const OF_ALL = /\s(?:-ws|--workspaces|-r|--recursive)\b|\b(?:turbo|nx|lerna|rush|wsrun|ultra)\b|\bworkspaces (?:foreach|run)\b/
const FILTERS = /\s(?:-w|--workspace|--filter|-F|--scope|--projects?|-p)(?:=|\s+)["']?([^\s"']+)/g
const ONE_FOLDER = /(?:^|\s)(?:--prefix|-C|--dir|--cwd|cd)(?:=|\s+)["']?([^\s"';&|]+)/g
const ONE_NAME = /\byarn workspace ["']?([^\s"']+)/g

interface Package {
  name?: unknown
  scripts?: Record<string, unknown>
  workspaces?: unknown
}

/** Whether the test script of a project says that it runs the package in a folder. */
export async function runsPackages({ read }: ProjectFacts): Promise<(folder: string) => Promise<boolean>> {
  const root = (jsonOf((await read('package.json')) ?? '') ?? {}) as Package
  const text = reachedScripts(root.scripts ?? {}, 'test').join('\n')
  const listed = workspacesIn(root.workspaces, (await read('pnpm-workspace.yaml')) ?? '', (await read('lerna.json')) ?? '')
  const members = listed.length > 0 ? listed : ['**']
  const wanted = [...text.matchAll(FILTERS)].map((match) => match[1]!)
  const folders = new Set([...text.matchAll(ONE_FOLDER)].map((match) => path.posix.normalize(match[1]!).replace(/\/$/, '')))
  const names = [...text.matchAll(ONE_NAME)].map((match) => match[1]!)
  const isOfAll = OF_ALL.test(` ${text}`)
  return async (folder) => {
    if (folders.has(folder)) return true
    const { name } = (jsonOf((await read(`${folder}/package.json`)) ?? '') ?? {}) as Package
    const isNamed = (one: string) => matches(one, folder) || (typeof name === 'string' && matches(one, name))
    if (names.some(isNamed)) return true
    const isMember = members.some((one) => !one.startsWith('!') && matches(one, folder)) && !members.some((one) => one.startsWith('!') && matches(one.slice(1), folder)) // prettier-ignore
    const chosen = wanted.filter((one) => !one.startsWith('!'))
    if (wanted.some((one) => one.startsWith('!') && isNamed(one.slice(1)))) return false
    return chosen.length > 0 ? chosen.some(isNamed) : isOfAll && isMember
  }
}

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [])

function workspacesIn(workspaces: unknown, pnpm: string, lerna: string): string[] {
  const inPnpm = [...pnpm.matchAll(/^\s*-\s+["']?([^"'\s#]+)/gm)].map((match) => match[1]!)
  const inPackage = typeof workspaces === 'object' && workspaces !== null && 'packages' in workspaces ? workspaces.packages : workspaces
  return [...textsIn(inPackage), ...inPnpm, ...textsIn(((jsonOf(lerna) ?? {}) as { packages?: unknown }).packages)]
}

/** Whether a name or a folder matches a pattern of workspaces. */
function matches(pattern: string, name: string): boolean {
  const plain = pattern.replaceAll(/^\.{3}|\.{3}$|[{}]/g, '').replace(/^\.\//, '').replace(/\/$/, '') // prettier-ignore
  const source = plain
    .split(/(\*\*\/?|\*)/)
    .map((part) => (part.startsWith('**') ? '.*' : part === '*' ? '[^/]*' : part.replaceAll(/[^\w/@-]/g, (one) => `\\${one}`)))
  return new RegExp(`^${source.join('')}$`).test(name)
}

/** Whether a crate in a folder belongs to the workspace of a manifest: what it excludes does not. */
export function isExcludedCrate(manifest: string, folder: string): boolean {
  const excluded = /^\s*exclude\s*=\s*\[([^\]]*)\]/m.exec(manifest)?.[1] ?? ''
  return [...excluded.matchAll(/["']([^"']+)["']/g)].some(({ 1: name }) => {
    const plain = path.posix.normalize(name!).replace(/\/$/, '')
    return folder === plain || folder.startsWith(`${plain}/`)
  })
}
