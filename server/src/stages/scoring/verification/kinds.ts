import type { CheckKind } from '#contracts/entities/score.ts'
import { isAssignment, positionals } from '#server/shell/options.ts'
import {
  FORMATTERS,
  FORMAT_CHECKS,
  FORMAT_VERBS,
  READ_ONLY,
  NAMED,
  NON_TEST_WORDS,
  DRY_RUN_OPTIONS,
  TOOL_DRY_RUN_OPTIONS,
  OTHER_TOOLS,
  PACKAGE_VERBS,
  SCRIPTS,
  SUBCOMMANDS,
  TARGETS,
  TASK_TOOLS,
  TASK_VERBS,
  TWO_WORD_TOOLS,
  UNKNOWN_PATH_VERBS,
  UNKNOWN_VERBS,
  words as wordsOf,
} from './tables.ts'
import { INTERPRETERS, TEST_CODE } from './runner-tables.ts'
import { fileKind, partsOf, taskKind } from './words.ts'
import { toolName, valuesOf, type Bare } from './wrappers.ts'

export interface Recognised {
  kind: CheckKind
  /** Recognised by a keyword, not by the name of a known tool. */
  guessed: boolean
}

type Lists = Partial<Record<CheckKind, string>>
const STRENGTH: readonly CheckKind[] = ['test', 'build', 'lint']
const kindMap = (lists: Lists, separator = /\s+/): ReadonlyMap<string, CheckKind> =>
  new Map(STRENGTH.flatMap((kind) => (lists[kind] ?? '').split(separator).flatMap((name) => (name ? [[name, kind] as const] : []))))
const kindMaps = (tables: Readonly<Record<string, Lists>>) => new Map(Object.entries(tables).map(([name, lists]) => [name, kindMap(lists)]))
const sets = (tables: Readonly<Record<string, string>>) => new Map(Object.entries(tables).map(([name, list]) => [name, wordsOf(list)]))

const BY_NAME = kindMap(NAMED)
const BY_SUBCOMMAND = kindMaps(SUBCOMMANDS)
const BY_TARGET = kindMaps(
  Object.fromEntries(Object.entries(TARGETS).map(([name, { test = '', build = '', lint = '' }]) => [name, { test, build, lint }])),
)
const BY_SCRIPT = kindMap(SCRIPTS)
const TEST_PHRASES = new Set(
  (TWO_WORD_TOOLS.test ?? '').split(' ').flatMap((pair) => {
    const [tool, ...rest] = pair.split(',')
    return `${tool} ${rest.join(' ')}`
  }),
)
const TASK_VERBS_OF = sets({ ...TASK_TOOLS, ...TASK_VERBS })
const DRY_RUN_OPTIONS_OF = sets(TOOL_DRY_RUN_OPTIONS)
const FORMAT_VERBS_OF = new Map(Object.entries(FORMAT_VERBS))
const PACKAGE_MANAGERS = wordsOf('npm pnpm yarn bun')

const knownKind = (kind: CheckKind): Recognised => ({ kind, guessed: false })
const guessedKind = (kind: CheckKind | null | undefined): Recognised | null => (kind ? { kind, guessed: true } : null)
const strongest = (kinds: readonly (Recognised | null)[]): Recognised | null =>
  STRENGTH.flatMap((kind) => kinds.filter((one) => one?.kind === kind))[0] ?? null

/** Which kind of check a simple command is, its wrappers already removed; null if it is no check. */
export function recognise({ words, task, isModule }: Bare): Recognised | null {
  if (words.length === 0) return null
  if (isDryRun(words)) return null
  const kind = recogniseTool(words, isModule)
  if (kind || task === null) return kind && onlyCompiles(words) ? knownKind('build') : kind
  return guessedKind(taskKind(task))
}

function isDryRun(words: readonly string[]): boolean {
  const toolWords = DRY_RUN_OPTIONS_OF.get(toolName(words[0]!))
  return words.some((word, index) => index > 0 && (DRY_RUN_OPTIONS.has(word) || toolWords?.has(word)))
}

/** Whether the tests are only compiled; the kind is then `build`. */
function onlyCompiles(words: readonly string[]): boolean {
  const name = toolName(words[0]!)
  if (name === 'cargo') return words.includes('--no-run')
  if (name === 'go') return words[1] === 'test' && words.includes('-c')
  if (name === 'mvn') return words.some((word) => /^-D(?:skipTests|maven\.test\.skip)(?:=(?!false)|$)/.test(word))
  if (name === 'gradle') return words.some((word, index) => /test$/i.test(word) && /^(?:-x|--exclude-task)$/.test(words[index - 1] ?? ''))
  return false
}

function recogniseTool(words: readonly string[], isModule: boolean): Recognised | null {
  const name = toolName(words[0]!)
  const args = words.slice(1)
  const byName = BY_NAME.get(name)
  if (byName) return knownKind(byName)
  if (isModule && name.includes('.')) return guessedKind(fileKind(name.replaceAll('.', '/'), true))
  if (checksFormat(name, args)) return knownKind('lint')
  if (PACKAGE_MANAGERS.has(name)) return packageManagerKind(name, args)
  if ((name === 'node' || name === 'tsx') && runsNodeTests(name, args)) return knownKind('test')
  const targets = BY_TARGET.get(name)
  if (targets) return targetKind(name, args, targets)
  const byTool = subcommandKind(name, args)
  if (byTool !== undefined) return byTool
  if (INTERPRETERS.has(name)) return interpretedKind(name, args)
  const isProjectFile = /[\\/]/.test(words[0]!) && !/^\/(?:usr\/)?(?:local\/)?s?bin\//.test(words[0]!)
  if (!isProjectFile && (READ_ONLY.has(name) || OTHER_TOOLS.has(name) || name.startsWith('create'))) return dockerComposeKind(name, args)
  return fileKindOrGuess(words[0]!, args, false)
}

function checksFormat(name: string, args: readonly string[]): boolean {
  const verb = FORMAT_VERBS_OF.get(name)
  if (verb !== undefined ? args[0] !== verb : !FORMATTERS.has(name)) return false
  return args.some((word) => FORMAT_CHECKS.has(word))
}

/** Tools with sub-commands, and task tools; undefined if the tool is neither. */
function subcommandKind(name: string, args: readonly string[]): Recognised | null | undefined {
  const kinds = BY_SUBCOMMAND.get(name)
  const verbs = TASK_VERBS_OF.get(name)
  switch (name) {
    case 'nx':
      return nxKind(args)
    case 'cmake':
      return cmakeKind(args)
    case 'act':
      return guessedKind(taskKind(valueAfter(args, '-j', '--job') ?? ''))
    case 'earthly':
      return strongest(
        args.filter((word) => word.includes('+')).map((word) => guessedKind(taskKind(word.slice(word.lastIndexOf('+') + 1)))),
      )
    case 'clojure':
      return strongest(args.filter((word) => /^-[XMT]:/.test(word)).map((word) => guessedKind(taskKind(word.slice(3)))))
  }
  if (!kinds && !verbs) return TEST_PHRASES.has(`${name} ${args.slice(0, 2).join(' ')}`) ? knownKind('test') : undefined
  const plain = plainWords(name, args)
  if (TEST_PHRASES.has(`${name} ${plain.slice(0, 2).join(' ')}`)) return knownKind('test')
  if (name === 'cargo' && plain[0]?.startsWith('+')) plain.shift() // `cargo +nightly test`
  const first = plain[0]
  if (first === undefined) return null
  const kind = kinds?.get(first)
  if (kind) return knownKind(kind)
  if (verbs?.has(first)) {
    // `deno task X`, `cargo xtask X`, `lerna run X`; for moon `project:task`
    return plain[1] === undefined ? null : guessedKind(taskKind(plain[1].slice(plain[1].lastIndexOf(':') + 1)) ?? taskKind(plain[1]))
  }
  if (name === 'deno' && first === 'run') return interpretedKind(name, args.slice(args.indexOf('run') + 1))
  if (INTERPRETERS.has(name) && /[./]/.test(first)) return interpretedKind(name, args)
  return guessedKind(taskKind(first))
}

function targetKind(name: string, args: readonly string[], kinds: ReadonlyMap<string, CheckKind>): Recognised | null {
  const verbs = TASK_VERBS_OF.get(name)
  const plain = plainWords(name, args).filter((word, index) => !(index === 0 && verbs?.has(word)) && !/^\d+(?:\.\d+)?$/.test(word))
  if (plain.length === 0) return TARGETS[name]!.bare ? knownKind(TARGETS[name]!.bare) : null
  return strongest(
    plain.map((word) => {
      const target = targetName(name, word)
      const kind = kinds.get(target)
      return kind ? knownKind(kind) : guessedKind(taskKind(target))
    }),
  )
}

/** `:app:test` → `test`, `core.test` → `test`, `core/test` → `test`, `testOnly *Spec` → `testOnly`. */
function targetName(name: string, word: string): string {
  if (name === 'gradle') return word.slice(word.lastIndexOf(':') + 1)
  if (name === 'mill') return word.slice(word.lastIndexOf('.') + 1)
  if (name === 'sbt') return word.split(' ')[0]!.replace(/^.*\//, '')
  return word
}

const plainWords = (name: string, args: readonly string[]): string[] =>
  positionals(args, valuesOf(name)).filter((word) => !isAssignment(word))

function valueAfter(args: readonly string[], ...names: string[]): string | null {
  const at = args.findIndex((word) => names.includes(word))
  if (at !== -1) return args[at + 1] ?? null
  const attached = args.find((word) => names.some((name) => word.startsWith(`${name}=`)))
  return attached === undefined ? null : attached.slice(attached.indexOf('=') + 1)
}

/** `nx test web`, `nx run web:test`, `nx run-many -t test,lint`. */
function nxKind(args: readonly string[]): Recognised | null {
  const [first, second] = plainWords('nx', args)
  if (first === 'run') return guessedKind(taskKind(second?.split(':')[1] ?? ''))
  if (first === 'run-many' || first === 'affected') {
    return strongest((valueAfter(args, '-t', '--target', '--targets') ?? '').split(',').map((target) => guessedKind(taskKind(target))))
  }
  return first === undefined ? null : guessedKind(taskKind(first.slice(first.indexOf(':') + 1)))
}

function cmakeKind(args: readonly string[]): Recognised | null {
  if (!args.includes('--build')) return null
  return guessedKind(taskKind(valueAfter(args, '--target', '-t') ?? '')) ?? knownKind('build')
}

function dockerComposeKind(name: string, args: readonly string[]): Recognised | null {
  if (name !== 'docker' && name !== 'docker-compose') return null
  return args.includes('up') ? guessedKind(taskKind(valueAfter(args, '--exit-code-from') ?? '')) : null
}

function packageManagerKind(name: string, args: readonly string[]): Recognised | null {
  let plain = positionals(args, valuesOf(name))
  if (plain[0] === 'workspace' && name === 'yarn') plain = plain.slice(2)
  else if (plain[0] === 'workspaces' && name === 'yarn') plain = plain.slice(plain[1] === 'foreach' ? 2 : 1)
  else if (plain[0] === 'recursive' && name === 'pnpm') plain = plain.slice(1)
  const [verb, script] = plain
  if (verb === undefined) return null
  if (name === 'bun' && verb === 'build') return knownKind('build')
  if (verb === 'test' || ((verb === 't' || verb === 'tst') && (name === 'npm' || name === 'pnpm'))) return knownKind('test')
  const isRun = verb === 'run' || verb === 'run-script'
  if (isRun ? script === undefined : name === 'npm' || PACKAGE_VERBS.has(verb)) return null
  const word = isRun ? script! : verb
  const byScript = scriptKind(word)
  if (byScript || name === 'npm') return byScript
  const command = args.slice(args.indexOf(word))
  if (name === 'bun' && /[./]/.test(word)) return interpretedKind('bun', command)
  return recognise({ words: command, task: null, isModule: false }) // `yarn jest`, `pnpm vitest run`
}

/** A script of package.json. */
export function scriptKind(script: string): Recognised | null {
  const kind = BY_SCRIPT.get(script)
  if (kind) return knownKind(kind)
  const first = BY_SCRIPT.get(script.split(':')[0]!)
  const guessed = taskKind(script)
  const isKnownScript = script.startsWith('test:') ? guessed === 'test' : first !== undefined && first !== 'test' && script.includes(':')
  return isKnownScript ? knownKind(script.startsWith('test:') ? 'test' : first!) : guessedKind(guessed)
}

/** `--test` counts only before the script: after it, it is an argument of the script. */
function runsNodeTests(name: string, args: readonly string[]): boolean {
  const values = valuesOf(name)
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!
    if (word === '--test') return true
    if (/^-[ep]$|^--(?:eval|print)/.test(word)) return false
    if (values.has(word)) index++
    else if (!word.startsWith('-')) return false
  }
  return false
}

/** A file or code given to an interpreter. */
function interpretedKind(name: string, args: readonly string[]): Recognised | null {
  const code = args.findIndex((word) => word === '-e' || word === '-c' || word === '--eval')
  const file = plainWords(name, args)[0]
  if (code !== -1 && TEST_CODE.test(args[code + 1] ?? '')) return guessedKind('test')
  if (file === undefined || (code !== -1 && args.indexOf(file) > code)) return null
  return fileKindOrGuess(file, args.slice(args.indexOf(file) + 1), true)
}

const SHELL_SCRIPT = /\.(?:sh|bash|zsh)$/

function fileKindOrGuess(file: string, args: readonly string[], isInterpreted: boolean): Recognised | null {
  const isPath = isInterpreted || file.includes('/') || file.includes('\\') || SHELL_SCRIPT.test(file)
  if (toolName(file) === 'verify.sh') return knownKind('test')
  const byFile = isPath ? fileKind(file, isInterpreted || SHELL_SCRIPT.test(file)) : null
  if (byFile) return guessedKind(byFile)
  const parts = partsOf(toolName(file))
  if (parts.some((part) => NON_TEST_WORDS.has(part))) return null
  if (!isPath && (/[-_]tests?$/.test(toolName(file)) || (parts[0] === 'run' && (parts.includes('test') || parts.includes('tests')))))
    return guessedKind('test')
  const verb = args.find((word) => !word.startsWith('-') && !isAssignment(word))
  if (verb === undefined) return null
  if (Object.hasOwn(UNKNOWN_VERBS, verb)) return guessedKind(UNKNOWN_VERBS[verb])
  return isPath && UNKNOWN_PATH_VERBS.has(verb) ? guessedKind('test') : null
}
