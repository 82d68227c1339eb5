import { isAssignment, NO_VALUES, options, skipOptions, withoutFolder, type ValueOptions } from '#server/shell/options.ts'
import { PREFIXES, SSH_VALUES } from '#server/shell/prefixes.ts'
import { ALIASES } from './tables.ts'
import { RUNNERS, SHELLS, STRING_RUNNERS, TOOL_FILES } from './runner-tables.ts'
import { VALUES } from './option-tables.ts'

/** A simple command without its wrappers. */
export interface Bare {
  words: readonly string[]
  /** The word after `pdm run` or a similar verb: a task of that tool if `words` are not a known command. */
  task: string | null
  /** `python -m`: the first word is a module. */
  isModule: boolean
}

/** A string that the command passes to a shell; it is read instead of the command. */
export interface ShellString {
  script: string
  pipefail: boolean
  errexit: boolean
}

/** A limit for hostile text; real commands have fewer wrappers. */
const MAX_WRAPPERS = 20

/** Removes every wrapper from a simple command. `words` is empty if the wrapped command cannot be read. */
export function withoutWrappers(words: readonly string[]): Bare | ShellString {
  let bare: Bare = { words, task: null, isModule: false }
  for (let remaining = MAX_WRAPPERS; remaining > 0 && bare.words.length > 0; remaining--) {
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
function valueOptions(list: string | undefined): ValueOptions {
  if (!list) return NO_VALUES
  const cached = cache.get(list)
  if (cached) return cached
  const parsed = options(list)
  cache.set(list, parsed)
  return parsed
}
export const valuesOf = (name: string): ValueOptions => valueOptions(VALUES[name])

/** Removes one wrapper from the front; null if there is none. */
function unwrap(words: readonly string[]): Layer | null {
  const name = toolName(words[0]!)
  if (name === 'env') return unwrapEnv(words)
  if (name === 'command') return { words: /^-\w*[vV]/.test(words[1] ?? '') ? [] : words.slice(skipOptions(words, 1, NO_VALUES)) }
  if (SHELLS.has(name)) return unwrapShell(words)
  if (name === 'eval') return shellStringOf(words.slice(1).join(' '))
  if (name === 'ssh') return unwrapSsh(words)
  if (Object.hasOwn(STRING_RUNNERS, name)) return unwrapStringRunner(words, name)
  if (name === 'npx' && packageString(words, 1)) return packageString(words, 1)
  if (Object.hasOwn(PREFIXES, name)) return unwrapPrefix(words, name)
  if (name === 'python') return unwrapPython(words)
  if (name === 'coverage') return words[1] === 'run' ? unwrapCoverage(words) : null
  if (name === 'node') return unwrapNode(words)
  if (name === 'php' || name === 'ruby') return unwrapToolFile(words, name)
  if (name === 'go') return unwrapGo(words)
  if (name === 'sail') return { words: words[1] === 'test' ? ['artisan', ...words.slice(1)] : words.slice(1) }
  if (name === 'nix') return unwrapNix(words)
  return Object.hasOwn(RUNNERS, name) ? unwrapRunner(words, name) : null
}

const shellStringOf = (script: string, flags = ''): ShellString => ({
  script,
  pipefail: flags.includes('pipefail'),
  errexit: /^-[a-z]*e/.test(flags) || flags.includes('errexit'),
})

function unwrapPrefix(words: readonly string[], name: string): Layer {
  const { values, skip = 0, assignments } = PREFIXES[name]!
  const at = skipOptions(words, 1, valueOptions(values))
  const command = words.slice(at + skip)
  const inner = assignments ? withoutAssignments(command) : command[0] === '--' ? command.slice(1) : command
  return { words: name === 'dotenv' ? afterDashes(words, inner) : inner }
}

/** `dotenv -e .env -- jest`: what follows `--`, if present. */
const afterDashes = (words: readonly string[], otherwise: readonly string[]) =>
  words.includes('--') ? words.slice(words.indexOf('--') + 1) : otherwise

/** `env -u X A=b pytest`; a lone `-` is `-i`; the string of `-S` is not read. */
function unwrapEnv(words: readonly string[]): Layer {
  const at = skipOptions(words, 1, valueOptions('-u --unset -C --chdir -a --argv0'))
  if (words.slice(1, at).some((word) => /^-[a-zA-Z0]*S|^--split-string/.test(word))) return { words: [] }
  return { words: withoutAssignments(words.slice(words[at] === '-' ? at + 1 : at)) }
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !isAssignment(word))
  return start === -1 ? [] : words.slice(start)
}

/** `bash -euc S`, `sh -o pipefail -c S`. Null if the shell runs a file. */
function unwrapShell(words: readonly string[]): Layer | null {
  const flags: string[] = []
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!
    if (!/^[-+]./.test(word) || word === '--') return null
    flags.push(word)
    if (/^[-+][a-zA-Z]*[oO]$/.test(word) || word === '--rcfile' || word === '--init-file') flags.push(words[++index] ?? '')
    if (!word.startsWith('--') && /^-[a-zA-Z]*c/.test(word)) {
      const script = words[index + 1]
      return script === undefined ? { words: [] } : shellStringOf(script, flags.filter((flag) => /e|pipefail/.test(flag)).join(' '))
    }
    if (/^-[a-zA-Z]*s$/.test(word)) return { words: [] }
  }
  return { words: [] }
}

function unwrapSsh(words: readonly string[]): Layer {
  const host = skipOptions(words, 1, valueOptions(SSH_VALUES))
  const command = words.slice(host + 1)
  return command.length === 0 ? { words: [] } : shellStringOf((command[0] === '--' ? command.slice(1) : command).join(' '))
}

function unwrapStringRunner(words: readonly string[], name: string): Layer {
  const stringOptions = valueOptions(STRING_RUNNERS[name])
  const at = words.findIndex((word) => stringOptions.has(word))
  return at === -1 || words[at + 1] === undefined ? { words: [] } : shellStringOf(words[at + 1]!)
}

/** `npx -c S`, `npm exec -c S`. */
function packageString(words: readonly string[], from: number): ShellString | null {
  const end = skipOptions(words, from, valueOptions('-p --package -c --call -w --workspace'))
  const at = words.findIndex(
    (word, index) => index >= from && index < end && (word === '-c' || word === '--call' || word === '--shell-mode'),
  )
  return at === -1 || words[at + 1] === undefined ? null : shellStringOf(words[at + 1]!)
}

function unwrapRunner(words: readonly string[], name: string): Layer | null {
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
  let targetIndex = skipOptions(words, at, values)
  const entry = words
    .slice(at, targetIndex)
    .findLast((word, index, all) => all[index - 1] === '--entrypoint' || word.startsWith('--entrypoint='))
  if (skip > 0) targetIndex = skipOptions(words, targetIndex + skip, NO_VALUES)
  const target = words.slice(targetIndex)
  if (entry !== undefined) {
    const program = entry.replace(/^--entrypoint=/, '')
    if (program !== '') return { words: [program, ...target] }
  }
  if (!tasks || target.length === 0) return { words: target }
  // `hatch run test:pytest` runs pytest in the environment `test`
  const command = name === 'hatch' ? [target[0]!.replace(/^[\w.-]+:/, ''), ...target.slice(1)] : target
  return { words: command, task: target[0]! }
}

/** Index after the verb of `docker compose -f x.yml exec`, which has options between its two words. */
function composeVerb(words: readonly string[], at: number, values: ValueOptions): number | null {
  if (words[at] !== 'compose') return null
  const second = skipOptions(words, at + 1, values)
  return words[second] === 'exec' || words[second] === 'run' ? second + 1 : null
}

/** `python -m pytest -q` → `pytest -q`; `python manage.py test` → `manage.py test`. Other scripts and `-c` are not wrappers. */
function unwrapPython(words: readonly string[]): Layer | null {
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

const unwrapCoverage = (words: readonly string[]): Layer => {
  const at = skipOptions(words, 2, valueOptions('--source --include --omit --rcfile --data-file --context --concurrency'))
  const isModule = words.slice(2, at).includes('-m') || words.slice(2, at).includes('--module')
  return isModule ? { words: words.slice(at), isModule } : { words: ['python', ...words.slice(at)] }
}

/** `node node_modules/.bin/jest`, `node node_modules/jest/bin/jest.js` → `jest`. */
function unwrapNode(words: readonly string[]): Layer | null {
  const at = skipOptions(words, 1, valuesOf('node'))
  const match = /node_modules\/(?:\.bin\/|(?:@[\w.-]+\/)?)([\w.-]+)/.exec(words[at] ?? '')
  return match ? { words: [match[1]!, ...words.slice(at + 1)] } : null
}

const unwrapToolFile = (words: readonly string[], name: string) => toolFileAt(words, skipOptions(words, 1, valuesOf(name)))

function toolFileAt(words: readonly string[], at: number): Layer | null {
  const file = toolName(words[at] ?? '')
  return TOOL_FILES.has(file) ? { words: [file, ...words.slice(at + 1)] } : null
}

/** `go run gotest.tools/gotestsum@latest` and `go tool gotestsum` → `gotestsum`. */
function unwrapGo(words: readonly string[]): Layer | null {
  const target = skipOptions(words, 2, NO_VALUES)
  const isTool = words[1] === 'tool' || (words[1] === 'run' && /@[\w.-]+$/.test(words[target] ?? ''))
  return isTool && words[target] !== undefined ? { words: [toolName(words[target]), ...words.slice(target + 1)] } : null
}

/** `nix develop -c CMD`, `nix shell … --command CMD`. */
function unwrapNix(words: readonly string[]): Layer | null {
  if (words[1] !== 'develop' && words[1] !== 'shell') return null
  const at = words.findIndex((word) => word === '-c' || word === '--command')
  return { words: at === -1 ? [] : words.slice(at + 1) }
}
