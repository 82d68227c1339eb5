import { isAssignment, NO_VALUES, options, skipOptions, withoutFolder, type ValueOptions } from '#server/shell/options.ts'
import { PREFIXES, SSH_VALUES } from '#server/shell/prefixes.ts'
import { ALIASES } from './tables.ts'
import { RUNNERS, SHELLS, STRING_RUNNERS, TOOL_FILES } from './runner-tables.ts'
import { VALUES } from './option-tables.ts'

/** A simple command without its wrappers. */
export interface Bare {
  words: readonly string[]
  /** The word after `pdm run` and the like: a task of that tool if `words` are not a known command. */
  task: string | null
  /** `python -m`: the first word is a module. */
  isModule: boolean
}

/** A string that the command passes to a shell, read instead of the command. */
export interface ShellString {
  script: string
  pipefail: boolean
  errexit: boolean
}

/** A limit for hostile text; real commands have fewer wrappers. */
const MAX_WRAPPERS = 20

/** Removes every wrapper from a simple command. `words` is empty if what it runs cannot be read. */
export function withoutWrappers(words: readonly string[]): Bare | ShellString {
  let bare: Bare = { words, task: null, isModule: false }
  for (let left = MAX_WRAPPERS; left > 0 && bare.words.length > 0; left--) {
    const inner = unwrap(bare.words)
    if (inner === null) return bare
    if ('script' in inner) return inner
    bare = { words: inner.words, task: inner.task ?? null, isModule: inner.isModule ?? false }
  }
  return bare
}

type Layer = { words: readonly string[]; task?: string; isModule?: boolean } | ShellString

/** The usual name of a tool, without folder, extension and version. */
export function toolName(word: string): string {
  const name = withoutFolder(word.replaceAll('\\', '/'))
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .replace(/(?<=.)@[^/]*$/, '')
  if (/^(?:python|pypy)\d[\d.]*$/.test(name)) return 'python'
  return ALIASES.get(name) ?? name
}

const cache = new Map<string, ValueOptions>()
/** The value options of a list in the tables. */
function valueOptions(list: string | undefined): ValueOptions {
  if (!list) return NO_VALUES
  const known = cache.get(list)
  if (known) return known
  const made = options(list)
  cache.set(list, made)
  return made
}
export const valuesOf = (name: string): ValueOptions => valueOptions(VALUES[name])

/** Removes one wrapper from the front; null if there is none. */
function unwrap(words: readonly string[]): Layer | null {
  const name = toolName(words[0]!)
  if (name === 'env') return environment(words)
  if (name === 'command') return { words: /^-\w*[vV]/.test(words[1] ?? '') ? [] : words.slice(skipOptions(words, 1, NO_VALUES)) }
  if (SHELLS.has(name)) return shellString(words)
  if (name === 'eval') return string(words.slice(1).join(' '))
  if (name === 'ssh') return remote(words)
  if (Object.hasOwn(STRING_RUNNERS, name)) return stringRunner(words, name)
  if (name === 'npx' && packageString(words, 1)) return packageString(words, 1)
  if (Object.hasOwn(PREFIXES, name)) return prefix(words, name)
  if (name === 'python') return pythonModule(words)
  if (name === 'coverage') return words[1] === 'run' ? coverage(words) : null
  if (name === 'node') return nodeModule(words)
  if (name === 'php' || name === 'ruby') return toolFile(words, name)
  if (name === 'go') return goTool(words)
  if (name === 'sail') return { words: words[1] === 'test' ? ['artisan', ...words.slice(1)] : words.slice(1) }
  if (name === 'nix') return nixShell(words)
  return Object.hasOwn(RUNNERS, name) ? runnerTarget(words, name) : null
}

const string = (script: string, flags = ''): ShellString => ({
  script,
  pipefail: flags.includes('pipefail'),
  errexit: /^-[a-z]*e/.test(flags) || flags.includes('errexit'),
})

function prefix(words: readonly string[], name: string): Layer {
  const { values, skip = 0, assignments } = PREFIXES[name]!
  const at = skipOptions(words, 1, valueOptions(values))
  const rest = words.slice(at + skip)
  const inner = assignments ? withoutAssignments(rest) : rest[0] === '--' ? rest.slice(1) : rest
  return { words: name === 'dotenv' ? afterDashes(words, inner) : inner }
}

/** `dotenv -e .env -- jest`: what follows `--`, if present. */
const afterDashes = (words: readonly string[], otherwise: readonly string[]) =>
  words.includes('--') ? words.slice(words.indexOf('--') + 1) : otherwise

/** `env -u X A=b pytest`; a lone `-` is `-i`; the string of `-S` is not read. */
function environment(words: readonly string[]): Layer {
  const at = skipOptions(words, 1, valueOptions('-u --unset -C --chdir -a --argv0'))
  if (words.slice(1, at).some((word) => /^-[a-zA-Z0]*S|^--split-string/.test(word))) return { words: [] }
  return { words: withoutAssignments(words.slice(words[at] === '-' ? at + 1 : at)) }
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !isAssignment(word))
  return start === -1 ? [] : words.slice(start)
}

/** `bash -euc S`, `sh -o pipefail -c S`. A file is not a string: null. */
function shellString(words: readonly string[]): Layer | null {
  const flags: string[] = []
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!
    if (!/^[-+]./.test(word) || word === '--') return null
    flags.push(word)
    if (/^[-+][a-zA-Z]*[oO]$/.test(word) || word === '--rcfile' || word === '--init-file') flags.push(words[++index] ?? '')
    if (!word.startsWith('--') && /^-[a-zA-Z]*c/.test(word)) {
      const script = words[index + 1]
      return script === undefined ? { words: [] } : string(script, flags.filter((flag) => /e|pipefail/.test(flag)).join(' '))
    }
    if (/^-[a-zA-Z]*s$/.test(word)) return { words: [] }
  }
  return { words: [] }
}

function remote(words: readonly string[]): Layer {
  const host = skipOptions(words, 1, valueOptions(SSH_VALUES))
  const rest = words.slice(host + 1)
  return rest.length === 0 ? { words: [] } : string((rest[0] === '--' ? rest.slice(1) : rest).join(' '))
}

function stringRunner(words: readonly string[], name: string): Layer {
  const wanted = valueOptions(STRING_RUNNERS[name]!.option)
  const at = words.findIndex((word) => wanted.has(word))
  return at === -1 || words[at + 1] === undefined ? { words: [] } : string(words[at + 1]!)
}

/** `npx -c S`, `npm exec -c S`. */
function packageString(words: readonly string[], from: number): ShellString | null {
  const end = skipOptions(words, from, valueOptions('-p --package -c --call -w --workspace'))
  const at = words.findIndex(
    (word, index) => index >= from && index < end && (word === '-c' || word === '--call' || word === '--shell-mode'),
  )
  return at === -1 || words[at + 1] === undefined ? null : string(words[at + 1]!)
}

function runnerTarget(words: readonly string[], name: string): Layer | null {
  const { verbs, values: list, skip = 0, tasks } = RUNNERS[name]!
  const values = valueOptions(list)
  let at = skipOptions(words, 1, values)
  const verb = verbs.find((one) => one.split(' ').every((part, index) => words[at + index] === part)) ?? composeVerb(words, at, values)
  if (verb === null || verb === undefined) return null
  if (typeof verb === 'number') at = verb
  else at += verb.split(' ').length
  if (name === 'npm') {
    const script = packageString(words, at)
    if (script) return script
  }
  let target = skipOptions(words, at, values)
  const entry = words
    .slice(at, target)
    .findLast((word, index, all) => all[index - 1] === '--entrypoint' || word.startsWith('--entrypoint='))
  if (skip > 0) target = skipOptions(words, target + skip, NO_VALUES)
  const found = words.slice(target)
  if (entry !== undefined) {
    const program = entry.replace(/^--entrypoint=/, '')
    if (program !== '') return { words: [program, ...found] }
  }
  if (!tasks || found.length === 0) return { words: found }
  // `hatch run test:pytest` runs pytest in the environment `test`
  const command = name === 'hatch' ? [found[0]!.replace(/^[\w.-]+:/, ''), ...found.slice(1)] : found
  return { words: command, task: found[0]! }
}

/** `docker compose -f x.yml exec`: options between the two words of the verb. */
function composeVerb(words: readonly string[], at: number, values: ValueOptions): number | null {
  if (words[at] !== 'compose') return null
  const second = skipOptions(words, at + 1, values)
  return words[second] === 'exec' || words[second] === 'run' ? second + 1 : null
}

/** `python -m pytest -q` → `pytest -q`; `python manage.py test` → `manage.py test`. Other scripts and `-c` are not wrappers. */
function pythonModule(words: readonly string[]): Layer | null {
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!
    if (valuesOf('python').has(word) && word !== '-c') {
      index++
      continue
    }
    if (!word.startsWith('-') || word === '-') return toolFileAt(words, index)
    if (word.startsWith('--')) continue
    const letters = word.slice(1)
    const stop = letters.search(/[mcWX]/)
    if (stop === -1) continue
    if (letters[stop] === 'c') return null
    const attached = letters.slice(stop + 1)
    if (letters[stop] === 'm') return { words: attached ? [attached, ...words.slice(index + 1)] : words.slice(index + 1), isModule: true }
    if (!attached) index++
  }
  return null
}

const coverage = (words: readonly string[]): Layer => {
  const at = skipOptions(words, 2, valueOptions('--source --include --omit --rcfile --data-file --context --concurrency'))
  const isModule = words.slice(2, at).includes('-m') || words.slice(2, at).includes('--module')
  return isModule ? { words: words.slice(at), isModule } : { words: ['python', ...words.slice(at)] }
}

/** `node node_modules/.bin/jest`, `node node_modules/jest/bin/jest.js` → `jest`. */
function nodeModule(words: readonly string[]): Layer | null {
  const at = skipOptions(words, 1, valuesOf('node'))
  const found = /node_modules\/(?:\.bin\/|(?:@[\w.-]+\/)?)([\w.-]+)/.exec(words[at] ?? '')
  return found ? { words: [found[1]!, ...words.slice(at + 1)] } : null
}

const toolFile = (words: readonly string[], name: string) => toolFileAt(words, skipOptions(words, 1, valuesOf(name)))

function toolFileAt(words: readonly string[], at: number): Layer | null {
  const file = toolName(words[at] ?? '')
  return TOOL_FILES.has(file) ? { words: [file, ...words.slice(at + 1)] } : null
}

/** `go run gotest.tools/gotestsum@latest` and `go tool gotestsum` → `gotestsum`. */
function goTool(words: readonly string[]): Layer | null {
  const target = skipOptions(words, 2, NO_VALUES)
  const isTool = words[1] === 'tool' || (words[1] === 'run' && /@[\w.-]+$/.test(words[target] ?? ''))
  return isTool && words[target] !== undefined ? { words: [toolName(words[target]), ...words.slice(target + 1)] } : null
}

/** `nix develop -c CMD`, `nix shell … --command CMD`. */
function nixShell(words: readonly string[]): Layer | null {
  if (words[1] !== 'develop' && words[1] !== 'shell') return null
  const at = words.findIndex((word) => word === '-c' || word === '--command')
  return { words: at === -1 ? [] : words.slice(at + 1) }
}
