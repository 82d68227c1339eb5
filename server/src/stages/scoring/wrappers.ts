import { lookup } from '#contracts/lookup.ts'
import { isAssignment, NO_VALUES, options, skipOptions, withoutFolder, type ValueOptions } from './shell/options.ts'

const ENV = options('-u --unset -C --chdir -a --argv0')
const TIME = options('-f --format -o --output')
const TIMEOUT = options('-k --kill-after -s --signal')
const SUDO = options(
  '-u --user -g --group -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U --other-user -D --chdir -R --chroot --host',
)
const EXEC = options('-a')
const XVFB_RUN = options('-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait')
const NPX = options('-p --package -w --workspace --prefix --userconfig --cache --registry')
const BUN = options('-p --package --cwd --config --env-file')
const UV = options(
  '--directory --project --config-file --cache-dir --color --with -w --with-requirements --with-editable -p --python --extra --no-extra --group ' +
    '--no-group --only-group --package --env-file --index --index-url -i --default-index --extra-index-url -f --find-links ' +
    '-P --upgrade-package --reinstall-package --refresh-package --resolution --prerelease --link-mode --exclude-newer -C --config-setting ' +
    '--index-strategy --keyring-provider --python-platform --allow-insecure-host --no-install-package --no-build-package --no-binary-package',
)
const POETRY = options('-C --directory -P --project')
const PIPENV = options('--python --pypi-mirror')
const PDM = options('-p --project -c --config -s --site-packages')
const HATCH = options('-e --env -p --project --data-dir --cache-dir --config')
const RYE = options('-p --pyproject')
const NPM = options('--prefix -C -w --workspace --userconfig --cache --registry --loglevel --script-shell -p --package')
const PNPM = options('-C --dir -F --filter --filter-prod --workspace-concurrency --reporter --loglevel --package --config')
const YARN = options('--cwd --use-yarnrc --modules-folder --cache-folder --registry -p --package')
const BUNDLE = options('--gemfile -r --retry')
const PYTHON = options('-W -X --check-hash-based-pycs')
const BASH = options('-o -O --rcfile --init-file')

/** Package runners and their `run`/`exec`: the words that begin the wrapping, and the options on both sides of them. */
const RUNNERS: Record<string, { verbs: string[]; values: ValueOptions }> = lookup({
  uv: { verbs: ['run'], values: UV },
  poetry: { verbs: ['run'], values: POETRY },
  pipenv: { verbs: ['run'], values: PIPENV },
  pdm: { verbs: ['run'], values: PDM },
  hatch: { verbs: ['run'], values: HATCH },
  rye: { verbs: ['run'], values: RYE },
  npm: { verbs: ['exec', 'x'], values: NPM },
  pnpm: { verbs: ['exec', 'dlx'], values: PNPM },
  yarn: { verbs: ['exec', 'dlx'], values: YARN },
  bun: { verbs: ['x'], values: BUN },
  bundle: { verbs: ['exec'], values: BUNDLE },
})
const PACKAGE_VERBS = new Set(['exec', 'x', 'dlx'])

/**
 * Takes one wrapper off the front (system.md §4.4 (1)): the words of the command that it runs; null when the words
 * are no wrapper; empty when nothing that can be read is run (`bash -c …`, `command -v`, options alone).
 */
export function unwrap(words: readonly string[]): string[] | null {
  const name = withoutFolder(words[0] ?? '')
  const rest = (values: ValueOptions, from = 1) => words.slice(skipOptions(words, from, values))
  switch (name) {
    case 'env':
      return environment(words)
    case 'time':
      return rest(TIME)
    case 'nohup':
      return rest(NO_VALUES)
    case 'timeout':
      return rest(TIMEOUT).slice(1)
    case 'sudo':
      return withoutAssignments(rest(SUDO))
    case 'command':
      return /^-\w*[vV]/.test(words[1] ?? '') ? [] : rest(NO_VALUES)
    case 'exec':
      return rest(EXEC)
    case 'xvfb-run':
      return rest(XVFB_RUN)
    case 'npx':
      return runsString(words, NPX) ? [] : withoutVersion(rest(NPX))
    case 'bunx':
      return withoutVersion(rest(BUN))
    case 'bash':
    case 'sh':
      return shellFile(words)
  }
  if (/^python(\d+(\.\d+)*)?$/.test(name)) return pythonModule(words)
  return runnerTarget(words, name)
}

const firstPlain = (words: readonly string[], values: ValueOptions) => skipOptions(words, 1, values)

/** `env -u X A=b pytest`; a lone `-` is `-i`; the string of `-S` is not read. */
function environment(words: readonly string[]): string[] {
  const at = firstPlain(words, ENV)
  if (words.slice(1, at).some((word) => /^-[a-zA-Z0]*S|^--split-string/.test(word))) return []
  return withoutAssignments(words.slice(words[at] === '-' ? at + 1 : at))
}

/** `-c TEXT`, `--call TEXT`: a string is not read. */
const runsString = (words: readonly string[], values: ValueOptions) =>
  words.slice(1, firstPlain(words, values)).some((word) => word === '-c' || word === '--call')

function withoutAssignments(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !isAssignment(word))
  return start === -1 ? [] : words.slice(start)
}

/** `vitest@3` → `vitest`; the scope of `@biomejs/biome` stays and goes with the folder. */
function withoutVersion(words: readonly string[]): string[] {
  const [first, ...rest] = words
  return first === undefined ? [] : [first.replace(/(?<=.)@[^/]*$/, ''), ...rest]
}

function runnerTarget(words: readonly string[], name: string): string[] | null {
  const runner = RUNNERS[name]
  if (!runner) return null
  const at = skipOptions(words, 1, runner.values)
  const verb = words[at]
  if (verb === undefined || !runner.verbs.includes(verb)) return null
  const target = skipOptions(words, at + 1, runner.values)
  const between = words.slice(at + 1, target)
  if (PACKAGE_VERBS.has(verb)) {
    if (between.some((word) => word === '-c' || word === '--call' || word === '--shell-mode')) return []
    return withoutVersion(words.slice(target))
  }
  if (name === 'hatch') return withoutEnvironment(words.slice(target))
  return words.slice(target)
}

/** `hatch run test:pytest` runs `pytest` in the environment `test`. */
function withoutEnvironment(words: readonly string[]): string[] {
  const [first, ...rest] = words
  return first === undefined ? [] : [first.replace(/^[\w.-]+:/, ''), ...rest]
}

/** `python -m pytest -q` → `pytest -q`. A script or `-c` is no wrapper. */
function pythonModule(words: readonly string[]): string[] | null {
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!
    if (PYTHON.has(word)) {
      index++
      continue
    }
    if (!word.startsWith('-') || word === '-') return null
    if (word.startsWith('--')) continue
    const letters = word.slice(1)
    const stop = letters.search(/[mcWX]/)
    if (stop === -1) continue
    const letter = letters[stop]
    if (letter === 'c') return []
    const attached = letters.slice(stop + 1)
    if (letter === 'm') return attached ? [attached, ...words.slice(index + 1)] : words.slice(index + 1)
    if (!attached) index++
  }
  return null
}

/** `bash -eu scripts/verify.sh` → `scripts/verify.sh`. A string handed to `-c` and standard input are not read. */
function shellFile(words: readonly string[]): string[] {
  let index = 1
  for (; index < words.length; index++) {
    const word = words[index]!
    if (word === '--') {
      index++
      break
    }
    if (!/^[-+]./.test(word)) break
    if (BASH.has(word.replace(/^\+/, '-')) || /^[-+][a-zA-Z]*[oO]$/.test(word)) index++
    if (!word.startsWith('--') && /^-[a-zA-Z]*[cs]/.test(word)) return []
  }
  return words.slice(index)
}
