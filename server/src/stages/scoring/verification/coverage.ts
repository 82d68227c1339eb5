import { isAssignment } from '#server/shell/options.ts'
import { joinFolder } from '../shell/read-command.ts'
import { COVER_FILLERS, EVERYTHING, FAMILIES, FOLDER_OPTIONS, NOT_SELECTING_FOR, SELECTING, SELECTING_FOR } from './option-tables.ts'
import { SUBCOMMANDS, TARGETS, TASK_TOOLS, TASK_VERBS, words as wordsOf } from './tables.ts'
import { partsOf } from './words.ts'
import { toolName, valuesOf } from './wrappers.ts'

/** What part of the code a check covers. */
export interface Scope {
  /** Equal for equal words. */
  key: string
  /** The language of the tool; null for task tools, scripts and unknown tools, which match every language. */
  family: string | null
  /** Absolute if the step's folder is known, else null. */
  folder: string | null
  filters: string[]
  paths: string[]
}

const FAMILY_OF = new Map(Object.entries(FAMILIES).flatMap(([family, list]) => [...wordsOf(list)].map((name) => [name, family] as const)))
const PACKAGE_MANAGERS = wordsOf('npm pnpm yarn bun')
const verbsOf = new Map(Object.entries({ ...TASK_TOOLS, ...TASK_VERBS }).map(([name, list]) => [name, wordsOf(list)]))
const SUBCOMMANDS_OF = new Map(Object.entries(SUBCOMMANDS).map(([name, lists]) => [name, wordsOf(Object.values(lists).join(' '))]))
const isNumber = (word: string) => /^\d+(?:\.\d+)?$/.test(word)

/** `words` are without wrappers; `folder` is where the command runs. */
export function scopeOf(words: readonly string[], folder: string | null): Scope {
  const name = toolName(words[0]!)
  const values = valuesOf(name)
  const scope: Scope = { key: words.join(' '), family: FAMILY_OF.get(name) ?? null, folder, filters: [], paths: [] }
  const plain: string[] = []
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!
    if (!word.startsWith('-') || word === '-') {
      if (!isAssignment(word)) plain.push(word)
      continue
    }
    if (word === '--') continue
    const [option, attached] = word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word, null]
    const takesNext = attached === null && (values.has(option) || selects(name, option)) && !FLAGS.has(option) && index + 1 < words.length
    const value = attached ?? (takesNext ? words[++index]! : null)
    if (FOLDER_OPTIONS.has(option) && value !== null) scope.folder = joinFolder(scope.folder, value)
    else if (selects(name, option)) scope.filters.push(value === null ? option : `${option}=${value}`)
  }
  addPlain(scope, name, plain)
  return scope
}

/** Selecting options without a value. */
const FLAGS = wordsOf('--lf --last-failed --ff --changed --only-changed -o --onlyChanged --affected --sw --stepwise --lib --bins --doc')

const has = (list: string | undefined, option: string) => list !== undefined && wordsOf(list).has(option)
const selects = (name: string, option: string): boolean =>
  has(SELECTING_FOR[name], option) || (SELECTING.has(option) && !has(NOT_SELECTING_FOR[name], option))

/** Drops sub-commands and tasks; parts of a task name besides "test" are filters; the rest are paths. */
function addPlain(scope: Scope, name: string, plain: readonly string[]): void {
  const rest = [...plain]
  if (rest[0]?.startsWith('+')) rest.shift()
  if (PACKAGE_MANAGERS.has(name)) {
    if (rest[0] === 'workspace') scope.filters.push(`workspace=${rest.splice(0, 2)[1] ?? ''}`)
    if (rest[0] === 'run' || rest[0] === 'run-script') rest.shift()
    const script = rest.shift()
    if (script !== undefined) scope.filters.push(...taskFilters(script))
  } else if (Object.hasOwn(TARGETS, name)) {
    for (const word of rest.splice(0)) if (!verbsOf.get(name)?.has(word)) scope.filters.push(...taskFilters(word))
  } else if (name === 'nx') {
    scope.filters.push(
      ...rest
        .splice(0)
        .filter((word) => !/^run(?:-many)?$|^affected$/.test(word))
        .flatMap((word) => word.split(':'))
        .flatMap(taskFilters),
    )
  } else if (SUBCOMMANDS_OF.get(name)?.has(rest[0] ?? '')) rest.shift()
  else if (verbsOf.has(name) || name === 'bazel') {
    if (verbsOf.get(name)?.has(rest[0] ?? '')) rest.shift()
    scope.filters.push(...taskFilters(rest.shift() ?? ''))
  } else if (name === 'vitest' && /^(?:run|watch|dev|related)$/.test(rest[0] ?? '')) rest.shift()
  for (const word of rest) if (!EVERYTHING.has(word) && !isNumber(word)) scope.paths.push(pathIn(scope.folder, word))
}

const taskFilters = (word: string): string[] => partsOf(word).filter((part) => !COVER_FILLERS.has(part))

const pathIn = (folder: string | null, word: string): string =>
  joinFolder(folder, word.replace(/\/(?:\.\.\.|\*\*?)$/, '')) ?? word.replace(/^\.\//, '')

/** Whether a later passed check of the same kind covers everything that an earlier one did. */
export function covers(later: Scope, earlier: Scope): boolean {
  if (later.key === earlier.key && later.folder === earlier.folder) return true
  return (
    (later.family === null || earlier.family === null || later.family === earlier.family) &&
    isAtOrAbove(later.folder, earlier.folder) &&
    later.filters.every((filter) => earlier.filters.includes(filter)) &&
    (later.paths.length === 0 ||
      (earlier.paths.length > 0 && earlier.paths.every((path) => later.paths.some((above) => isBelow(path, above)))))
  )
}

function isAtOrAbove(above: string | null, folder: string | null): boolean {
  if (above === null || folder === null || above.startsWith('/') !== folder.startsWith('/')) return true
  return above === folder || (above === '.' && !folder.startsWith('..')) || folder.startsWith(above === '/' ? '/' : `${above}/`)
}

const isBelow = (path: string, above: string): boolean => path === above || (path.startsWith(above) && /[/:#[.]/.test(path[above.length]!))

/** Whether it covers everything in its folder. */
export const isWhole = ({ filters, paths }: Scope): boolean => filters.length === 0 && paths.length === 0
