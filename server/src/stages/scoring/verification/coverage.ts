import { isAssignment } from '#server/shell/options.ts'
import { joinFolder } from '../shell/read-command.ts'
import { COVER_FILLERS, EVERYTHING, FAMILIES, FOLDER_OPTIONS, NOT_SELECTING_FOR, SELECTING, SELECTING_FOR } from './option-tables.ts'
import { SUBCOMMANDS, TARGETS, TASK_TOOLS, TASK_VERBS, words as wordsOf } from './tables.ts'
import { partsOf } from './words.ts'
import { toolName, valuesOf } from './wrappers.ts'

/** The part of the code that a check covers. */
export interface Scope {
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

/** The scope of a command without wrappers that runs in `folder`. */
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

/** Options that select tests and take no value. */
const FLAGS = wordsOf('--lf --last-failed --ff --changed --only-changed -o --onlyChanged --affected --sw --stepwise --lib --bins --doc')

const hasOption = (list: string | undefined, option: string) => list !== undefined && wordsOf(list).has(option)
const selects = (name: string, option: string): boolean =>
  hasOption(SELECTING_FOR[name], option) || (SELECTING.has(option) && !hasOption(NOT_SELECTING_FOR[name], option))

/** Adds plain words to a scope: parts of a task name other than "test" as filters, words after the task as paths. */
function addPlain(scope: Scope, name: string, plain: readonly string[]): void {
  const remaining = [...plain]
  if (remaining[0]?.startsWith('+')) remaining.shift()
  if (PACKAGE_MANAGERS.has(name)) {
    if (remaining[0] === 'workspace') scope.filters.push(`workspace=${remaining.splice(0, 2)[1] ?? ''}`)
    if (remaining[0] === 'run' || remaining[0] === 'run-script') remaining.shift()
    const script = remaining.shift()
    if (script !== undefined) scope.filters.push(...taskFilters(script))
  } else if (Object.hasOwn(TARGETS, name)) {
    for (const word of remaining.splice(0)) if (!verbsOf.get(name)?.has(word)) scope.filters.push(...taskFilters(word))
  } else if (name === 'nx') {
    scope.filters.push(
      ...remaining
        .splice(0)
        .filter((word) => !/^run(?:-many)?$|^affected$/.test(word))
        .flatMap((word) => word.split(':'))
        .flatMap(taskFilters),
    )
  } else if (SUBCOMMANDS_OF.get(name)?.has(remaining[0] ?? '')) remaining.shift()
  else if (verbsOf.has(name) || name === 'bazel') {
    if (verbsOf.get(name)?.has(remaining[0] ?? '')) remaining.shift()
    scope.filters.push(...taskFilters(remaining.shift() ?? ''))
  } else if (name === 'vitest' && /^(?:run|watch|dev|related)$/.test(remaining[0] ?? '')) remaining.shift()
  for (const word of remaining) if (!EVERYTHING.has(word) && !isNumber(word)) scope.paths.push(pathIn(scope.folder, word))
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

/** Whether the check covers everything in its folder. */
export const isWhole = ({ filters, paths }: Scope): boolean => filters.length === 0 && paths.length === 0
